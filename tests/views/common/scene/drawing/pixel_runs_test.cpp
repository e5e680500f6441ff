// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/pixel_runs.h"

#include "tests/support/catch.h"
#include "tests/support/pixels.h"
#include "views/common/scene/drawing/svg_text.h"

#include <algorithm>
#include <random>
#include <vector>

namespace skein::pixel_runs_test {

using test::expanded;

namespace {

/// Two scanlines of values that are 2, 1, 5 and 3 pixels wide.
PixelItem wideBlock() { return {10, 20, 11, {4, 2}, {1, 1, 2, 0, 3, 4, 4, 4}, {}, {2, 1, 5, 3}}; }

PixelItem randomBlock(std::uint32_t seed)
{
    std::mt19937 random(seed);
    PixelItem item;
    item.columns = static_cast<int>(1 + random() % 60);
    for (int left = item.columns; left > 0; left -= item.widths.back())
        item.widths.push_back(std::min(left, static_cast<int>(1 + random() % 9)));
    for (auto lines = 1 + random() % 4; lines > 0; --lines)
        item.heights.push_back(static_cast<int>(random() % 5));
    for (std::size_t value = 0; value < item.widths.size() * item.heights.size(); ++value)
        item.argb.push_back(random() % 3 == 0 ? 0 : 0xFF000000u + random() % 3);
    return item;
}

DrawList listOf(const PixelItem& item) { return {100, 100, {255, 255, 255, 255}, {item}}; }

}  // namespace

TEST_CASE("values of a block may be several pixels wide")
{
    const PixelItem item = wideBlock();
    CHECK(valuesPerLine(item) == 4);
    CHECK(firstColumns(item) == std::vector<int>{0, 2, 3, 8});
    const PixelItem pixels = expanded(item);
    CHECK(pixels.widths.empty());
    CHECK(valuesPerLine(pixels) == 11);
    CHECK(pixels.argb == std::vector<std::uint32_t>{1, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0,  //
                                                    3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4});
    CHECK(firstColumns(pixels).back() == 10);
    CHECK(expanded(pixels).argb == pixels.argb);
}

TEST_CASE("runs join values of equal colour, however wide they are")
{
    std::vector<PixelRun> runs;
    visitRuns(wideBlock(), [&](const PixelRun& run) { runs.push_back(run); });
    REQUIRE(runs.size() == 5);
    CHECK(runs[0].to == 3);
    CHECK(runs[1].from == 3);
    CHECK(runs[1].argb == 2);
    CHECK(runs[2].argb == 0);
    CHECK(runs[2].to == 11);
    CHECK(runs[3].y == 24);
    CHECK(runs[3].from == 0);
    CHECK(runs[4].from == 2);
    CHECK(runs[4].height == 2);
}

TEST_CASE("a block of wide values is told and exported as the same pixels are")
{
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        const PixelItem item = randomBlock(seed);
        CAPTURE(seed);
        CHECK(toText(listOf(item)) == toText(listOf(expanded(item))));
        CHECK(toSvg(listOf(item)) == toSvg(listOf(expanded(item))));
    }
}

}  // namespace skein::pixel_runs_test
