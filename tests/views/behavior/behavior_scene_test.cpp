// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_scene.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>
#include <cmath>

namespace skein::behavior_scene_test {

namespace {

/// Every letter is 6 pixels wide.
struct FixedLetters : TextMeasure {
    double width(std::string_view text, FontStyle) const override
    {
        return 6.0 * static_cast<double>(text.size());
    }
    double lineHeight(FontStyle) const override { return 14; }
};

struct Shown {
    Session session;
    TimelineDataPtr data;
    BehaviorPicturePtr picture;
    SceneStyle style{lightTheme(), 1, ""};
    FixedLetters letters;
    ViewState state;

    Shown()
    {
        static const ExperimentPtr kLulesh =
            openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2"), Task()).value();
        session = {{kLulesh}};
        data = makeTimelineData(session, {});
        BehaviorRequest request;
        request.metric = "exclusive:MPI";
        request.clusters = 2;
        picture = makeBehaviorPicture(makeBehavior(session, request, nullptr, Task()).value());
    }
    Canvas canvas() const { return {1200, 700, style, letters}; }
    BehaviorLayout layout() const { return behaviorLayout(*data, *picture, state, canvas()); }
    DrawList draw() const { return behaviorScene(*data, *picture, state, canvas(), Task()); }
    std::size_t linesOfColor(Color color) const
    {
        const DrawList list = draw();
        return static_cast<std::size_t>(
            std::count_if(list.items.begin(), list.items.end(), [&](const DrawItem& item) {
                const auto* line = std::get_if<LineItem>(&item);
                return line && line->color == color;
            }));
    }
};

/// As if every entity ran so many times beside itself.
SessionBehavior repeated(SessionBehavior behavior, std::size_t times)
{
    const SessionBehavior once = behavior;
    const std::size_t columns = once.table.columns.size();
    behavior.table.values.clear();
    for (std::size_t row = 0; row < once.table.rows(); ++row)
        for (std::size_t column = 0; column < columns * times; ++column)
            behavior.table.values.push_back(once.table.at(row, column % columns));
    for (std::size_t column = columns; column < columns * times; ++column) {
        behavior.table.columns.push_back(once.table.columns[column % columns]);
        behavior.locations.push_back({});
        behavior.clusters.labels.push_back(once.clusters.labels[column % columns]);
    }
    return behavior;
}

}  // namespace

TEST_CASE("behaviour says what its lines are of, before the clusters")
{
    const Shown shown;
    const std::string title = behaviorTitle(*shown.picture->behavior);
    CHECK(title.starts_with("exclusive:MPI · by process · bins of "));
    const BehaviorLayout layout = shown.layout();
    REQUIRE(layout.chips.size() == 2);
    CHECK(layout.chips[0].box.x > layout.title.right());
    const DrawList list = shown.draw();
    CHECK(std::any_of(list.items.begin(), list.items.end(), [&](const DrawItem& item) {
        const auto* text = std::get_if<TextItem>(&item);
        return text && text->text == title;
    }));
}

TEST_CASE("behaviour draws a line an entity in its cluster's colour, through every bin")
{
    const Shown shown;
    const SessionBehavior& behavior = *shown.picture->behavior;
    for (std::uint32_t cluster = 0; cluster < 2; ++cluster)
        CHECK(shown.linesOfColor(clusterColor(cluster, false))
              == behavior.clusterSizes[cluster] * (behavior.table.rows() - 1));
    const BehaviorLayout layout = shown.layout();
    for (const double value : behavior.table.values) {
        CHECK(layout.toY(value) >= layout.frame.body.y);
        CHECK(layout.toY(value) <= layout.frame.body.bottom());
    }
}

TEST_CASE("where locations are selected only their lines have a colour")
{
    Shown shown;
    const SessionBehavior& behavior = *shown.picture->behavior;
    shown.state.selected.locations = behavior.locationsOf(3);
    const std::uint32_t cluster = behavior.clusters.labels[3];
    CHECK(shown.linesOfColor(clusterColor(cluster, false)) == behavior.table.rows() - 1);
    CHECK(shown.linesOfColor(clusterColor(1 - cluster, false)) == 0);
}

TEST_CASE("changes, entities and bins are found where they are drawn, and said in words")
{
    const Shown shown;
    const SessionBehavior& behavior = *shown.picture->behavior;
    const BehaviorLayout layout = shown.layout();
    REQUIRE_FALSE(behavior.changes.changes.empty());
    const std::size_t row = behavior.changes.changes[0];
    const Point at{layout.frame.scale.toX(behavior.edges[row]) + 1, layout.frame.body.y + 60};
    REQUIRE(behaviorChangeAt(*shown.picture, layout, at, 1));
    CHECK(behaviorTooltip(*shown.picture, layout, at, 1)
          == changeText(behavior, *behaviorChangeAt(*shown.picture, layout, at, 1)));
    for (std::size_t other = 1; other + 1 < behavior.table.rows(); other += 7) {
        const double x = (layout.frame.scale.toX(behavior.edges[other])
                          + layout.frame.scale.toX(behavior.edges[other + 1]))
            / 2;
        CHECK(behaviorRowAt(behavior, layout.frame.scale.toTime(x)) == other);
        const double y = layout.toY(behavior.table.at(other, 2));
        const auto found = behaviorEntityAt(*shown.picture, layout, {x, y}, 1);
        REQUIRE(found);
        CHECK(std::abs(layout.toY(behavior.table.at(other, *found)) - y) < 2);
    }
    CHECK_FALSE(behaviorRowAt(behavior, behavior.edges.back()));
    CHECK_FALSE(behaviorRowAt(behavior, behavior.edges.front() - 1));
}

TEST_CASE("thousands of entities become bands that hold all values, at a cost of pixels")
{
    Shown shown;
    const BehaviorPicturePtr eight = shown.picture;
    const SessionBehavior& behavior = *eight->behavior;
    shown.picture = makeBehaviorPicture(std::make_shared<const SessionBehavior>(repeated(behavior, 600)));
    CHECK(shown.picture->asBands);
    const std::size_t items = shown.draw().items.size();
    shown.picture = makeBehaviorPicture(std::make_shared<const SessionBehavior>(repeated(behavior, 1200)));
    CHECK(shown.draw().items.size() == items);
    for (std::size_t column = 0; column < 8; ++column)
        for (std::size_t row = 0; row < behavior.table.rows(); ++row) {
            const ClusterBand& band = behavior.bands[behavior.clusters.labels[column]][row];
            CHECK(band.least <= behavior.table.at(row, column));
            CHECK(band.greatest >= behavior.table.at(row, column));
            CHECK(band.least <= band.low);
            CHECK(band.low <= band.median);
            CHECK(band.median <= band.high);
        }
}

}  // namespace skein::behavior_scene_test
