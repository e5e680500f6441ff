// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_bars_scene.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/timeline/timeline_scene.h"

#include <stop_token>
#include <string>

namespace skein::timeline_bars_test {
namespace {

const ApproximateTextMeasure kMeasure{12};

struct Drawing {
    TimelineDataPtr data = test::timelineDataOf(
        {test::experimentOfRandomCalls(3, 400, 130, 12, 4), test::experimentOfRandomCalls(4, 60, 40, 5, 3)});
    ViewState state;
    TimelineOptions options;
    int height = 700;

    Drawing() { options.theme = lightTheme(); }
    std::string with(int threads, SampleKeeping keeping = {}) const
    {
        return toText(timelineScene(*data, state, options, 900, height, kMeasure, Task().withThreads(threads),
                                    keeping));
    }
    KeptSamples nothing() const
    {
        const TimelineLayout layout = timelineLayout(*data, state, options, 900, height, kMeasure);
        return {*data, layout.scale.span, static_cast<std::size_t>(layout.body.width)};
    }
};

}  // namespace

TEST_CASE("rows that several threads draw are the same as those of one")
{
    Drawing drawing;
    const TimeNs third = drawing.data->clock.extent.end / 3;
    for (const ColorMode colors : {ColorMode::Region, ColorMode::Duration})
        for (const bool whole : {true, false})
            for (const int height : {110, 700, 4000}) {
                drawing.state.colors = colors;
                drawing.height = height;
                drawing.state.visible.reset();
                if (!whole) drawing.state.visible = TimeSpan{third, third + 900};
                const std::string one = drawing.with(1);
                CAPTURE(whole, height);
                CHECK(drawing.with(2) == one);
                CHECK(drawing.with(5) == one);
            }
}

TEST_CASE("threads keep the samples of the rows that they draw, collapsed ones too")
{
    Drawing drawing;
    drawing.state.rows.collapsed = {{1, RowGroupKind::Experiment, 0}};
    const std::string one = drawing.with(1);
    KeptSamples kept = drawing.nothing(), next = drawing.nothing();
    CHECK(drawing.with(5, {nullptr, &kept}) == one);
    CHECK(drawing.with(5, {&kept, &next}) == one);
    for (const std::uint32_t id : {0U, 17U}) {
        const LocationRef row{0, LocationId(id)};
        const auto known = kept.find({&row, 1}, false, PictureDetail());
        REQUIRE(known);
        CHECK(next.find({&row, 1}, false, PictureDetail()) == known);
    }
}

TEST_CASE("rows that are stopped before they are drawn are neither drawn nor kept")
{
    Drawing drawing;
    KeptSamples kept = drawing.nothing();
    std::stop_source stop;
    stop.request_stop();
    const Task stopped = Task(stop.get_token()).withThreads(5);
    const DrawList list = timelineScene(*drawing.data, drawing.state, drawing.options, 900, drawing.height,
                                        kMeasure, stopped, {nullptr, &kept});
    CHECK(test::itemsOf<PixelItem>(list).empty());
    const LocationRef row{0, LocationId(0)};
    CHECK_FALSE(kept.find({&row, 1}, false, PictureDetail()));
}

}  // namespace skein::timeline_bars_test
