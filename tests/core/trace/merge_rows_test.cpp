// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/merge_rows.h"

#include "tests/support/catch.h"

#include <random>
#include <tuple>

namespace skein::merge_rows_test {
namespace {

struct StampedRow {
    TimeNs time = 0;
    std::uint32_t part = 0;
    std::uint32_t number = 0;  ///< in the order of the part
    auto operator<=>(const StampedRow&) const = default;
};

using Parts = std::vector<std::vector<StampedRow>>;

/// Sorted parts of different sizes, some empty, with many rows of the same time.
Parts randomParts(std::size_t parts, std::size_t rows, TimeNs first, TimeNs range, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    Parts made(parts);
    for (std::uint32_t part = 0; part < parts; ++part) {
        const std::size_t count = part % 5 == 3 ? 0 : random() % (2 * rows + 1);
        std::vector<TimeNs> times(count);
        for (TimeNs& time : times)
            time = first + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(range));
        std::sort(times.begin(), times.end());
        for (std::uint32_t row = 0; row < count; ++row) made[part].push_back({times[row], part, row});
    }
    return made;
}

std::vector<StampedRow> merged(const Parts& parts, int threads)
{
    std::vector<std::span<const StampedRow>> spans(parts.begin(), parts.end());
    BlockStorage storage;
    const Column<StampedRow> rows =
        RowMerger<StampedRow>(std::move(spans), &StampedRow::time).run(storage, Task().withThreads(threads));
    return {rows.begin(), rows.end()};
}

std::vector<StampedRow> sorted(const Parts& parts)
{
    std::vector<StampedRow> rows;
    for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
    std::sort(rows.begin(), rows.end());  // by time, part and number, as the rows are compared
    return rows;
}

}  // namespace

TEST_CASE("merged rows stand by time, then location, then the order of the records")
{
    constexpr TimeNs kFar = TimeNs{1} << 61;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const auto& [first, range] : std::vector<std::pair<TimeNs, TimeNs>>{
                 {0, 1}, {0, 7}, {-1000, 2000}, {kFar, 1 << 20}, {-kFar, 2 * kFar}}) {
            const Parts parts = randomParts(1 + seed, 40, first, range, seed);
            INFO("seed " << seed << " from " << first << " over " << range);
            CHECK(merged(parts, 1) == sorted(parts));
        }
}

TEST_CASE("merged rows are the same on any number of threads, over many pieces")
{
    for (const TimeNs range : {TimeNs{3}, TimeNs{50'000}, TimeNs{1} << 50}) {
        const Parts parts = randomParts(23, 10'000, 5, range, 99);
        const std::vector<StampedRow> expected = sorted(parts);
        for (const int threads : {1, 2, 7}) CHECK((merged(parts, threads) == expected));
    }
}

TEST_CASE("nothing merges to nothing")
{
    CHECK(merged({}, 1).empty());
    CHECK(merged(Parts(4), 2).empty());
}

}  // namespace skein::merge_rows_test
