// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_path_scene.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>

namespace skein::timeline_path_scene_test {

namespace {

/// The critical path over the timeline of one trace.
struct Picture {
    TimelineDataPtr data;
    SessionCriticalPath paths;
    SceneStyle style{lightTheme(), 1, {}};
    ApproximateTextMeasure measure{12};
    TimelineLayout layout;
    DrawList list;

    Picture(const ExperimentPtr& experiment, const ViewState& state)
        : data(test::timelineDataOf({experiment}))
    {
        paths.experiments = {
            std::make_shared<const TraceCriticalPath>(traceCriticalPath(*experiment, Task()).value())};
        TimelineOptions options;
        options.theme = lightTheme();
        layout = timelineLayout(*data, state, options, 700, 400, measure);
        list.width = 700;
        const Canvas canvas{700, 400, style, measure};
        drawCriticalPath(list, *data, paths, layout, canvas);
        drawCriticalPathText(list, data->session, paths, layout.body, canvas);
    }
    const CriticalPath& path() const { return paths.experiments[0]->path; }
    std::vector<Rect> lines() const
    {
        std::vector<Rect> found;
        for (const RectItem& item : test::itemsOf<RectItem>(list))
            if (item.fill == style.theme.text) found.push_back(item.rect);
        return found;
    }
    double middleOf(LocationId location) const
    {
        const PlacedRow* place = layout.placeOf({0, location});
        REQUIRE(place);
        return place->y + place->height / 2;
    }
};

}  // namespace

TEST_CASE("the critical path is a line through the row where it is, at every column, and nowhere else")
{
    std::size_t compared = 0, stepped = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto experiment = std::make_shared<const Experiment>(
            test::randomExperiment(seed, {.processes = 5, .messages = 120, .collectives = 6}));
        ViewState state;
        if (seed % 2) state.visible = TimeSpan{200, 700};
        const Picture picture(experiment, state);
        const std::vector<Rect> lines = picture.lines();
        const Rect& body = picture.layout.body;
        const TimeScale& scale = picture.layout.scale;
        const auto isDrawn = [&](double x, double y) {
            return std::any_of(lines.begin(), lines.end(), [&](const Rect& line) {
                return line.contains({x, y});
            });
        };
        for (const PathPiece& piece : picture.path().pieces) {
            const double from = std::max(scale.toX(piece.span.begin), body.x),
                         to = std::min(scale.toX(piece.span.end), body.right());
            if (to - from < 3) continue;
            INFO("seed " << seed << ", from " << piece.span.begin);
            const double y = picture.middleOf(piece.location);
            for (double x = from; x < to; x += 1.0) REQUIRE(isDrawn(x, y));
            // No other row has a line there, but for the upright ones at its ends.
            for (std::size_t other = 0; other < experiment->trace->locations.size(); ++other)
                if (LocationId(other) != piece.location)
                    REQUIRE_FALSE(isDrawn((from + to) / 2, picture.middleOf(LocationId(other))));
            ++compared;
        }
        stepped += static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [](const Rect& line) { return line.height > line.width; }));
        for (const Rect& line : lines) CHECK(line.x + line.width <= body.right() + 2);
    }
    CHECK(compared > 200);
    CHECK(stepped > 40);
}

TEST_CASE("pieces that share a pixel cost no more than a pixel does, and show the rows that they are on")
{
    test::ExperimentBuilder builder("fine");
    std::vector<test::Call> calls[2];
    const auto experiment = [&] {
        for (TimeNs i = 0; i < 100'000; ++i) calls[0].push_back({2 * i, 2 * i + 1, "a", 0});
        builder.process("node", calls[0]);
        calls[1] = {{0, 10, "b", 0}};
        builder.process("node", calls[1]);
        return builder.finish();
    }();
    const Picture picture(experiment, {});
    REQUIRE(picture.path().pieces.size() > 100'000);
    CHECK(picture.lines().size() < 1500);
    CHECK_FALSE(picture.lines().empty());
}

TEST_CASE("a text says how long the critical path is and where most of it lies")
{
    test::ExperimentBuilder builder("two");
    builder.process("node", {{0, 900, "solve", 0}, {900, 1000, "write", 0}});
    builder.process("node", {{0, 10, "solve", 0}});
    const Picture picture(builder.finish(), {});
    const auto texts = test::itemsOf<TextItem>(picture.list);
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].text == "Critical path 1 µs through 1 of 2 processes: 100 % on Rank 0, 90 % in solve");
    CHECK(test::unreadable(picture.list, picture.measure).empty());
}

}  // namespace skein::timeline_path_scene_test
