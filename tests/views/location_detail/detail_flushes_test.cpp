// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/location_detail/location_detail_scene.h"

#include <cmath>
#include <random>

namespace skein::detail_flushes_test {

namespace {

constexpr TimeNs kEnd = 10'000'000;

/// Two ranks with flushes of all lengths at random times.
TimelineDataPtr flushingData(std::uint32_t seed, std::size_t count)
{
    test::ExperimentBuilder builder("flushes");
    for (int process = 0; process < 2; ++process)
        builder.process("node", {{0, kEnd, "main", 0}, {kEnd / 4, kEnd / 2, "solve", 1}});
    Experiment experiment = *builder.finish();
    Trace trace = *experiment.trace;
    std::mt19937 random(seed);
    std::vector<BufferFlush> flushes;
    for (std::size_t flush = 0; flush < count; ++flush) {
        const auto begin = static_cast<TimeNs>(random() % kEnd);
        const auto length = static_cast<TimeNs>(random() % 100'000) >> (random() % 17);
        flushes.push_back(
            {begin, std::min(begin + length, kEnd), LocationId(static_cast<std::uint32_t>(random() % 2))});
    }
    trace.bufferFlushes = Column<BufferFlush>(std::move(flushes));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return test::timelineDataOf({std::make_shared<const Experiment>(std::move(experiment))});
}

/// The band's pixels; empty where there is none.
std::vector<std::uint32_t> bandOf(const TimelineData& data, const ViewState& state, const Canvas& canvas)
{
    const DrawList list = locationDetailScene(data, state, {}, canvas, Task());
    const std::uint32_t color = toArgb(canvas.theme().text);
    for (const PixelItem& item : test::itemsOf<PixelItem>(list))
        if (item.heights.size() == 1
            && std::all_of(item.argb.begin(), item.argb.end(),
                           [&](std::uint32_t argb) { return argb == 0 || argb == color; })
            && std::find(item.argb.begin(), item.argb.end(), color) != item.argb.end())
            return item.argb;
    return {};
}

}  // namespace

TEST_CASE("the detail has the location's buffer flushes as a band in the colour of text, none lost and none "
          "of others")
{
    const test::PlainCanvas plain(700, 200);
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const auto data = flushingData(seed, seed * 6);
        ViewState state;
        if (seed % 3 == 1) state.visible = TimeSpan{1'234'567, 3'000'001};
        if (seed % 3 == 2) state.visible = TimeSpan{5'000'000, 5'040'000};
        const LocationDetailLayout layout = locationDetailLayout(*data, state, {}, plain.canvas);
        const auto band = bandOf(*data, state, plain.canvas);
        const auto columns = static_cast<std::size_t>(layout.frame.body.width);
        std::vector<bool> wanted(columns, false), allowed(columns, false);
        for (const BufferFlush& flush : data->session.experiments[0]->trace->bufferFlushes) {
            if (flush.location != layout.location.id || flush.begin >= layout.frame.scale.span.end
                || std::max(flush.end, flush.begin + 1) <= layout.frame.scale.span.begin)
                continue;
            const auto column = [&](TimeNs time) {
                return static_cast<std::size_t>(
                    std::clamp(std::floor(layout.frame.scale.toX(time) - layout.frame.body.x), 0.0,
                               static_cast<double>(columns - 1)));
            };
            wanted[column(flush.begin)] = true;
            for (std::size_t at = column(flush.begin); at <= column(std::max(flush.end, flush.begin + 1));
                 ++at)
                allowed[at] = true;
            for (std::size_t at = column(flush.begin); at + 1 < column(flush.end); ++at) wanted[at] = true;
        }
        for (std::size_t at = 0; at < columns; ++at) {
            INFO("seed " << seed << " column " << at);
            const bool marked = !band.empty() && band[at] != 0;
            if (wanted[at]) REQUIRE(marked);
            if (marked) REQUIRE(allowed[at]);
        }
    }
}

TEST_CASE("tooltips of buffer flushes tell the longest within a pixel")
{
    const test::PlainCanvas plain(700, 200);
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const auto data = flushingData(seed, 60);
        const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
        const TimeScale& scale = layout.frame.scale;
        const auto reach = static_cast<TimeNs>(std::ceil(scale.nsPerPixel()));
        for (double x = layout.frame.body.x; x < layout.frame.body.right(); x += 0.7) {
            const TimeNs at = scale.toTime(x);
            TimeNs longest = 0;
            for (const BufferFlush& flush : data->session.experiments[0]->trace->bufferFlushes) {
                const TimeNs end = std::max(flush.end, flush.begin + 1);
                if (flush.location == LocationId(1) && at >= flush.begin - reach && at <= end + reach)
                    longest = std::max(longest, end - flush.begin);
            }
            const std::string told = flushTooltip(*data, scale, {0, LocationId(1)}, at);
            REQUIRE(told
                    == (longest == 0 ? std::string()
                                     : "buffer flush, " + formatDuration(static_cast<double>(longest))));
        }
    }
}

TEST_CASE("without buffer flushes the detail has no band")
{
    const test::PlainCanvas plain(700, 200);
    const auto data = flushingData(1, 0);
    CHECK(bandOf(*data, {}, plain.canvas).empty());
    CHECK(flushTooltip(*data, locationDetailLayout(*data, {}, {}, plain.canvas).frame.scale,
                       {0, LocationId(0)}, 100)
              .empty());
    CHECK(flushTooltip(*data, {}, {7, LocationId(0)}, 100).empty());
}

}  // namespace skein::detail_flushes_test
