// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/kept_samples_scene.h"

#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/timeline/timeline_scene.h"

namespace skein::kept_samples_test {
namespace {

const ApproximateTextMeasure kMeasure(12);
constexpr int kWidth = 600, kHeight = 300;

TimelineOptions plainOptions()
{
    TimelineOptions result;
    result.theme = lightTheme();
    return result;
}

struct Drawing {
    TimelineDataPtr data = test::timelineDataOf({test::experimentOfRandomCalls(4, 3000, 12)});
    ViewState state;
    TimelineOptions options = plainOptions();

    TimelineLayout layout() const { return timelineLayout(*data, state, options, kWidth, kHeight, kMeasure); }
    KeptSamples nothing() const
    {
        return {*data, layout().scale.span, static_cast<std::size_t>(layout().body.width)};
    }
    std::vector<std::vector<std::uint32_t>> pixels(SampleKeeping keeping) const
    {
        std::vector<std::vector<std::uint32_t>> rows;
        const DrawList list =
            timelineScene(*data, state, options, kWidth, kHeight, kMeasure, Task(), keeping);
        for (const PixelItem& item : test::itemsOf<PixelItem>(list)) rows.push_back(item.argb);
        return rows;
    }
    void hideFirstRegion()
    {
        state.filters = {regionFilter(FilterEffect::Hide, "one", {RegionRef{0, RegionId(1)}})};
    }
};

}  // namespace

TEST_CASE("a picture that hides a region is made of the samples of the last one, and is the same")
{
    Drawing drawing;
    for (const bool whole : {true, false}) {
        if (!whole) drawing.state.visible = TimeSpan{1000, drawing.data->clock.extent.end / 3};
        drawing.state.filters.clear();
        KeptSamples kept = drawing.nothing();
        const auto before = drawing.pixels({nullptr, &kept});
        CHECK(before == drawing.pixels({}));
        drawing.hideFirstRegion();
        KeptSamples next = drawing.nothing();
        const auto hidden = drawing.pixels({&kept, &next});
        CHECK(hidden == drawing.pixels({}));
        CHECK(hidden != before);
        for (std::uint32_t location = 0; location < 12; ++location) {
            const LocationRef row{0, LocationId(location)};
            const auto known = kept.find({&row, 1}, false, PictureDetail());
            REQUIRE(known);
            // Handed on, not made again.
            CHECK(next.find({&row, 1}, false, PictureDetail()) == known);
        }
    }
}

TEST_CASE("samples serve pictures that are no finer, of the same time and width")
{
    Drawing drawing;
    KeptSamples kept = drawing.nothing();
    drawing.pixels({nullptr, &kept});
    const LocationRef row{0, LocationId(3)};
    const PictureDetail exact = PictureDetail::exact(1000, 1 << 20), coarse = PictureDetail::moving(1e9);
    CHECK_FALSE(kept.find({&row, 1}, false, exact));
    CHECK(kept.find({&row, 1}, false, coarse));
    CHECK_FALSE(kept.find({&row, 1}, true, PictureDetail()));
    CHECK(exact.servesFor(PictureDetail()));
    CHECK_FALSE(coarse.servesFor(PictureDetail()));
    const TimelineLayout layout = drawing.layout();
    const auto width = static_cast<std::size_t>(layout.body.width);
    CHECK(kept.areOf(*drawing.data, layout.scale.span, width));
    CHECK_FALSE(kept.areOf(*drawing.data, layout.scale.span, width + 1));
    CHECK_FALSE(kept.areOf(*drawing.data, TimeSpan{0, 5}, width));
    CHECK_FALSE(kept.areOf(*Drawing().data, layout.scale.span, width));
    // Those of another time are not taken.
    drawing.state.visible = TimeSpan{0, drawing.data->clock.extent.end / 2};
    CHECK(drawing.pixels({&kept, nullptr}) == drawing.pixels({}));
}

TEST_CASE("of more rows than there is room for the first are kept, in whatever order they come")
{
    const Drawing drawing;
    constexpr std::size_t kColumns = KeptSamples::kMostBytes / sizeof(ColumnSample) / 6;
    KeptSamples kept(*drawing.data, drawing.data->clock.extent, kColumns);
    CHECK(kept.expectRows(2) == 0);
    CHECK(kept.expectRows(3) == 2);
    const auto row = std::make_shared<const KeptSamples::Row>();
    for (const std::uint32_t number : {4U, 1U, 3U, 0U, 2U}) {
        const LocationRef one{0, LocationId(number)};
        kept.add(number, {&one, 1}, row);
        CHECK((kept.find({&one, 1}, false, PictureDetail()) != nullptr) == (number < 3));
    }
    KeptSamples::Row rare;
    rare.outliers.resize(kColumns * sizeof(ColumnSample) / sizeof(RowOutlier) + 1);
    const LocationRef other{0, LocationId(7)};
    kept.add(0, {&other, 1}, std::make_shared<const KeptSamples::Row>(std::move(rare)));
    CHECK_FALSE(kept.find({&other, 1}, false, PictureDetail()));
}

}  // namespace skein::kept_samples_test
