// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_flushes_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/timeline/timeline_scene.h"

#include <cmath>

namespace skein::timeline_flushes_test {

namespace {

constexpr TimeNs kEnd = 10'000'000;

TimelineOptions lightOptions()
{
    TimelineOptions options;
    options.theme = lightTheme();
    return options;
}

/// Flushes of rank 0, two of them much shorter than a pixel, and one of rank 1.
TimelineDataPtr flushingData()
{
    test::ExperimentBuilder builder("flushes");
    for (int process = 0; process < 2; ++process) builder.process("node", {{0, kEnd, "main", 0}});
    Experiment experiment = *builder.finish();
    Trace trace = *experiment.trace;
    trace.bufferFlushes =
        Column<BufferFlush>(std::vector<BufferFlush>{{1'000'000, 3'000'000, LocationId(0)},
                                                     {5'000'000, 5'000'001, LocationId(0)},
                                                     {6'000'000, 6'000'000, LocationId(0)},
                                                     {8'000'000, 9'200'000, LocationId(1)}});
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return test::timelineDataOf({std::make_shared<const Experiment>(std::move(experiment))});
}

}  // namespace

TEST_CASE("every buffer flush is a band in its location's row, however short it is")
{
    const auto data = flushingData();
    for (const int height : {300, 44}) {
        const TimelineOptions options = lightOptions();
        const ApproximateTextMeasure measure(12);
        const TimelineLayout layout = timelineLayout(*data, {}, options, 1000, height, measure);
        DrawList list;
        drawFlushes(list, *data, options, layout);
        const auto bands = test::itemsOf<PixelItem>(list);
        REQUIRE(bands.size() == 2);
        const auto at = [&](std::size_t row, TimeNs time) {
            return bands[row]
                .argb[static_cast<std::size_t>(std::floor(layout.scale.toX(time) - layout.body.x))];
        };
        const std::uint32_t color = toArgb(options.theme.text);
        for (const TimeNs time : {1'000'000, 2'000'000, 5'000'000, 6'000'000}) CHECK(at(0, time) == color);
        for (const TimeNs time : {500'000, 4'000'000, 5'500'000, 8'500'000}) CHECK(at(0, time) == 0);
        CHECK(at(1, 8'500'000) == color);
        CHECK(at(1, 2'000'000) == 0);
        for (std::size_t row = 0; row < 2; ++row) {
            const PlacedRow& place = *layout.placeOf({0, LocationId(static_cast<std::uint32_t>(row))});
            CHECK(bands[row].y >= std::floor(place.y));
            CHECK(bands[row].y + bands[row].heights[0] <= std::ceil(place.y + place.height));
        }
        // The picture has them, too.
        std::size_t drawn = 0;
        for (const PixelItem& item :
             test::itemsOf<PixelItem>(timelineScene(*data, {}, options, 1000, height, measure, Task())))
            if (item.argb == bands[0].argb || item.argb == bands[1].argb) ++drawn;
        CHECK(drawn == 2);
    }
}

TEST_CASE("a buffer flush says how long it took, and nothing is said beside it")
{
    const auto data = flushingData();
    const TimelineOptions options = lightOptions();
    const ApproximateTextMeasure measure(12);
    const TimelineLayout layout = timelineLayout(*data, {}, options, 1000, 300, measure);
    const auto tip = [&](std::uint32_t location, TimeNs time) {
        return flushTooltip(*data, layout.scale, {0, LocationId(location)}, time);
    };
    CHECK(tip(1, 8'500'000) == "buffer flush, 1.2 ms");
    CHECK(tip(0, 2'000'000) == "buffer flush, 2 ms");
    CHECK(tip(0, 5'001'000) == "buffer flush, 1 ns");
    CHECK(tip(0, 4'000'000).empty());
    CHECK(tip(1, 2'000'000).empty());
    CHECK(tip(7, 2'000'000).empty());
}

}  // namespace skein::timeline_flushes_test
