// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/counters/counters_scene.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/drawing/theme.h"

#include <cmath>

namespace skein::counters_scene_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

struct Opened {
    TimelineDataPtr data;
    CounterDataPtr counters;
    SceneStyle style;

    explicit Opened(const Experiment& experiment)
    {
        data = makeTimelineData({{std::make_shared<const Experiment>(experiment)}}, {});
        counters = makeCounterData(data->session, counterNames(data->session), Task()).value();
        style.theme = lightTheme();
    }
};

std::vector<PixelItem> blocksOf(const DrawList& list)
{
    std::vector<PixelItem> blocks;
    for (const DrawItem& item : list.items)
        if (const auto* pixels = std::get_if<PixelItem>(&item)) blocks.push_back(*pixels);
    return blocks;
}

}  // namespace

TEST_CASE("in every column of every lane stand exactly the values of its time, and no sample is lost")
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Opened opened(test::randomExperiment(seed, {.metricSamples = 90}));
        REQUIRE_FALSE(opened.counters->sections.empty());
        for (const TimeSpan span : {opened.data->clock.extent, TimeSpan{150, 777}, TimeSpan{40, 100}}) {
            const TimeScale scale{span, 60, 211};
            for (const CounterSection& section : opened.counters->sections) {
                for (const CounterLane& lane : section.lanes) {
                    const auto columns = sampleColumns(lane, *opened.data, scale);
                    REQUIRE(columns.size() == 211);
                    StepRange all;
                    for (const StepRange& column : columns) all.add(column);
                    const StepRange direct = lane.steps.over(span);
                    REQUIRE(all.any() == direct.any());
                    if (!all.any()) continue;
                    REQUIRE(all.minimum == direct.minimum);
                    REQUIRE(all.maximum == direct.maximum);
                    // Each nanosecond's value is within its column.
                    for (TimeNs time = span.begin; time < span.end; ++time) {
                        const double value = lane.steps.at(time);
                        if (!std::isfinite(value)) continue;
                        const auto column =
                            static_cast<std::size_t>(std::min(210.0, std::floor(scale.toX(time) - 60)));
                        const auto near = [&](std::size_t at) {
                            return columns[at].any() && columns[at].minimum <= value
                                && value <= columns[at].maximum;
                        };
                        REQUIRE((near(column) || (column > 0 && near(column - 1))
                                 || (column < 210 && near(column + 1))));
                    }
                }
            }
        }
    }
}

TEST_CASE("a line's pixels reach from the least to the greatest value of each column")
{
    const Opened opened(test::randomExperiment(3, {.processes = 2, .metricSamples = 60}));
    const Canvas canvas{700, 500, opened.style, kMeasure};
    const CounterLayout layout = counterLayout(*opened.data, *opened.counters, {}, {}, canvas);
    const auto blocks = blocksOf(countersScene(*opened.data, *opened.counters, {}, {}, canvas, Task()));
    std::size_t number = 0;
    for (const PlacedLane& place : layout.places) {
        if (place.lane == PlacedLane::kHeader) continue;
        const CounterSection& section = opened.counters->sections[place.section];
        const auto columns = sampleColumns(section.lanes[place.lane], *opened.data, layout.frame.scale);
        const PixelItem& block = blocks.at(number++);
        const auto height = static_cast<int>(block.heights.size());
        const double low = std::min(0.0, section.whole.minimum), high = std::max(0.0, section.whole.maximum);
        for (std::size_t column = 0; column < columns.size(); ++column) {
            int first = height, last = -1;
            for (int row = 0; row < height; ++row)
                if (block.argb[static_cast<std::size_t>(row) * columns.size() + column] != 0)
                    first = std::min(first, row), last = row;
            REQUIRE(columns[column].any() == (last >= 0));
            if (last < 0) continue;
            const auto rowOf = [&](double value) {
                return height - 1
                    - static_cast<int>(std::lround((value - low) / (high - low) * (height - 1)));
            };
            REQUIRE(first <= rowOf(columns[column].maximum));
            REQUIRE(last >= rowOf(columns[column].minimum));
        }
    }
    CHECK(number == blocks.size());
}

TEST_CASE("a heat row shows the greatest value of each column above its mean")
{
    const Opened opened(test::randomExperiment(4, {.processes = 2, .metricSamples = 60}));
    const Canvas canvas{700, 500, opened.style, kMeasure};
    CounterOptions options;
    options.style = CounterStyle::Heat;
    const CounterLayout layout = counterLayout(*opened.data, *opened.counters, {}, options, canvas);
    std::vector<PixelItem> rows;
    for (PixelItem& block :
         blocksOf(countersScene(*opened.data, *opened.counters, {}, options, canvas, Task())))
        if (block.heights.size() == 2) rows.push_back(std::move(block));
    const CounterSection& section = opened.counters->sections[0];
    const auto columns = sampleColumns(section.lanes[0], *opened.data, layout.frame.scale);
    const double low = std::min(0.0, section.whole.minimum), high = std::max(0.0, section.whole.maximum);
    REQUIRE_FALSE(rows.empty());
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (!columns[column].any()) {
            CHECK(rows[0].argb[column] == 0);
            continue;
        }
        CHECK(rows[0].argb[column]
              == toArgb(sequentialColor(false, (columns[column].maximum - low) / (high - low))));
        CHECK(rows[0].argb[columns.size() + column]
              == toArgb(sequentialColor(false, (columns[column].mean() - low) / (high - low))));
    }
}

TEST_CASE("amounts are told apart by lightness alone")
{
    for (const bool dark : {false, true}) {
        double before = lightness(sequentialColor(dark, 0));
        for (double part = 0.05; part <= 1.001; part += 0.05) {
            const double now = lightness(sequentialColor(dark, part));
            CHECK((dark ? now > before : now < before));
            before = now;
        }
    }
}

TEST_CASE("counters say what is under the pointer and leave out hidden locations")
{
    const Opened opened(test::randomExperiment(6, {.processes = 3, .metricSamples = 60}));
    const Canvas canvas{700, 500, opened.style, kMeasure};
    const CounterLayout layout = counterLayout(*opened.data, *opened.counters, {}, {}, canvas);
    const PlacedLane& lane = layout.places[1];
    const Point inside{layout.frame.body.x + 100, lane.y + lane.height / 2};
    const Hover hover = countersHit(*opened.counters, layout, inside);
    CHECK(hover.location == opened.counters->sections[0].lanes[0].location);
    CHECK(hover.time);
    const auto lines = countersTooltip(*opened.data, *opened.counters, layout, inside);
    REQUIRE(lines.size() >= 3);
    CHECK(lines[1] == "Rank 0");
    ViewState hidden;
    hidden.filters = {{"", FilterEffect::Hide, {}, {{0, LocationId(0)}}}};
    CHECK(counterLayout(*opened.data, *opened.counters, hidden, {}, canvas).places.size()
          < layout.places.size());
}

TEST_CASE("names of lanes are whole, of their section, and do not overlap, however low the lanes are")
{
    const Opened opened(test::randomExperiment(3, {.processes = 9, .metricSamples = 90}));
    for (const CounterStyle shape : {CounterStyle::Heat, CounterStyle::Lines})
        for (int height = 60; height < 700; height += 7) {
            const Canvas canvas{800, height, opened.style, kMeasure};
            CounterOptions options;
            options.style = shape;
            for (const double scroll : {0.0, 5.0, 31.0}) {
                options.scrollY = scroll;
                const CounterLayout layout =
                    counterLayout(*opened.data, *opened.counters, {}, options, canvas);
                const DrawList list =
                    countersScene(*opened.data, *opened.counters, {}, options, canvas, Task());
                std::vector<Rect> names;
                for (const DrawItem& item : list.items)
                    if (const auto* text = std::get_if<TextItem>(&item);
                        text && text->align == Align::Right && text->text.starts_with("Rank"))
                        names.push_back(text->box);
                for (std::size_t i = 0; i < names.size(); ++i) {
                    INFO(height << " " << scroll << " " << i);
                    CHECK(names[i].y >= layout.frame.body.y);
                    CHECK(names[i].bottom() <= layout.frame.body.bottom());
                    if (i > 0) CHECK(names[i].y >= names[i - 1].bottom());
                    for (const PlacedLane& place : layout.places)
                        if (place.lane == PlacedLane::kHeader)
                            CHECK_FALSE(names[i].inset(0.01).overlaps({0, place.y, 800, place.height}));
                }
                if (height > 300) CHECK(names.size() > 3);
            }
        }
}

}  // namespace skein::counters_scene_test
