// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/mapping_change.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace skein::mapping_change_test {

using namespace skein::test;

namespace {

using Row = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  ///< minus what changes, sender, receiver

}  // namespace

TEST_CASE("the pairs that change most are those that sorting all of them gives, by number among equals")
{
    Random random(1);
    const CommMatrix comm = randomComm(2000, 20'000, random);
    const Distances distances = torusOf({10, 10, 10});
    const std::vector<std::uint32_t> before = shuffledSlots(2000, 2000, random),
                                     after = shuffledSlots(2000, 2000, random);
    std::vector<Row> all;
    for (const CommMatrix::Entry& entry : comm.entries()) {
        const auto hops = [&](const std::vector<std::uint32_t>& slots) {
            return std::int64_t{distances.between(slots[entry.sender] / 2, slots[entry.receiver] / 2)};
        };
        const std::int64_t change = static_cast<std::int64_t>(entry.bytes) * (hops(after) - hops(before));
        if (change != 0) all.emplace_back(-std::abs(change), entry.sender, entry.receiver);
    }
    std::sort(all.begin(), all.end());
    REQUIRE(all.size() > 10'000);
    for (const std::size_t most :
         {std::size_t{0}, std::size_t{10}, std::size_t{7000}, std::size_t{100'000}}) {
        const std::vector<PairChange> changes = changedPairs(comm, distances, 2, before, after, most);
        REQUIRE(changes.size() == std::min(most, all.size()));
        std::vector<Row> rows;
        for (const PairChange& change : changes)
            rows.emplace_back(-std::abs(change.change()), change.sender, change.receiver);
        CHECK(std::equal(rows.begin(), rows.end(), all.begin()));
    }
}

TEST_CASE("the links that change most are those that sorting all of them gives")
{
    Random random(2);
    std::vector<std::uint64_t> before(20'000), after(20'000);
    for (std::uint64_t& load : before) load = random.below(50);
    for (std::uint64_t& load : after) load = random.below(50);
    std::vector<std::pair<std::int64_t, LinkIndex>> all;
    for (LinkIndex link = 0; link < before.size(); ++link) {
        const auto change = static_cast<std::int64_t>(after[link]) - static_cast<std::int64_t>(before[link]);
        if (change != 0) all.emplace_back(-std::abs(change), link);
    }
    std::sort(all.begin(), all.end());
    const std::vector<LinkChange> changes = changedLinks(LinkAmounts(before), LinkAmounts(after), 5000);
    REQUIRE(changes.size() == 5000);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        CHECK(changes[i].link == all[i].second);
        CHECK(changes[i].before == before[changes[i].link]);
        CHECK(changes[i].after == after[changes[i].link]);
    }
}

}  // namespace skein::mapping_change_test
