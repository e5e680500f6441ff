// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_bars_scene.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/timeline/timeline_scene.h"

namespace skein::timeline_bars_test {
namespace {

const ApproximateTextMeasure kMeasure{12};

std::string pictureWith(const TimelineData& data, const ViewState& state, int height, int threads)
{
    TimelineOptions options;
    options.theme = lightTheme();
    return toText(timelineScene(data, state, options, 900, height, kMeasure, Task().withThreads(threads)));
}

}  // namespace

TEST_CASE("rows that several threads draw are the same as those of one")
{
    const auto data = test::timelineDataOf(
        {test::experimentOfRandomCalls(3, 400, 130, 12, 4), test::experimentOfRandomCalls(4, 60, 40, 5, 3)});
    for (const ColorMode colors : {ColorMode::Region, ColorMode::Duration})
        for (const bool whole : {true, false})
            for (const int height : {110, 700, 4000}) {
                ViewState state;
                state.colors = colors;
                if (!whole)
                    state.visible = TimeSpan{data->clock.extent.end / 3, data->clock.extent.end / 3 + 900};
                const std::string one = pictureWith(*data, state, height, 1);
                CAPTURE(whole, height);
                CHECK(pictureWith(*data, state, height, 2) == one);
                CHECK(pictureWith(*data, state, height, 5) == one);
            }
}

}  // namespace skein::timeline_bars_test
