// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/collapsed_tooltip_scene.h"

#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/timeline/row_samples_scene.h"

namespace skein::collapsed_tooltip_test {

namespace {

/// A row of all locations of the first experiment.
TimelineRow rowOf(const TimelineData& data)
{
    TimelineRow row;
    for (std::uint32_t id = 0; id < data.session.experiments[0]->definitions.locations.size(); ++id)
        row.folded.push_back({0, LocationId(id)});
    return row;
}

}  // namespace

TEST_CASE("the region that a collapsed row shows in a column is the one whose colour is there")
{
    constexpr int kWidth = 400;
    const test::PlainCanvas plain(kWidth, 200);
    TimelineOptions options;
    options.theme = lightTheme();
    std::size_t named = 0, same = 0;
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        const auto data = test::timelineDataOf({test::experimentOfRandomCalls(seed, 3000, 5, 5, 6)});
        const TimelineLayout layout = timelineLayout(*data, {}, options, kWidth, 200, plain.measure);
        const TimelineRow row = rowOf(*data);
        RowSamples samples(*data, options, layout);
        samples.takeTogether(row.folded, Task());
        for (std::size_t column = 0; column < samples.columns().size(); ++column) {
            const RegionRef region = regionTogetherAt(*data, {}, options, layout, row,
                                                      layout.body.x + static_cast<double>(column) + 0.5);
            const std::uint32_t shown = samples.columns()[column].callPath;
            if (shown == CallPathId::kNone && !region.id.valid()) continue;
            ++named;
            same += region.id.valid() && shown != CallPathId::kNone
                && data->session.experiments[0]->callTree->region(CallPathId(shown)) == region.id;
        }
    }
    // The edges of a column may move by half a column where the tree decides.
    CHECK(named > 500);
    CHECK(same >= named * 9 / 10);
}

TEST_CASE("beside the picture and in rows that are not collapsed nothing is shown together, and hidden "
          "regions are not named")
{
    const test::PlainCanvas plain(400, 200);
    TimelineOptions options;
    options.theme = lightTheme();
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(4, 500, 3, 4, 3)});
    const TimelineLayout layout = timelineLayout(*data, {}, options, 400, 200, plain.measure);
    const TimelineRow row = rowOf(*data);
    CHECK_FALSE(regionTogetherAt(*data, {}, options, layout, row, layout.body.x - 1).id.valid());
    CHECK_FALSE(regionTogetherAt(*data, {}, options, layout, row, layout.body.right()).id.valid());
    CHECK_FALSE(regionTogetherAt(*data, {}, options, layout, TimelineRow(), layout.body.x + 10).id.valid());
    ViewState state;
    std::vector<RegionRef> all;
    for (std::uint32_t id = 0; id < data->session.experiments[0]->definitions.regions.size(); ++id)
        all.push_back({0, RegionId(id)});
    state.filters.push_back(regionFilter(FilterEffect::Hide, "all", all));
    for (double x = layout.body.x; x < layout.body.right(); x += 7)
        CHECK_FALSE(regionTogetherAt(*data, state, options, layout, row, x).id.valid());
}

}  // namespace skein::collapsed_tooltip_test
