// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/mapping_change.h"

#include <algorithm>
#include <tuple>

namespace skein {
namespace {

template <typename Change, typename Less>
void keepFirst(std::vector<Change>& changes, std::size_t most, Less&& less)
{
    const std::size_t kept = std::min(most, changes.size());
    std::partial_sort(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(kept), changes.end(),
                      less);
    changes.resize(kept);
}

std::uint64_t size(const LinkChange& change)
{
    return std::max(change.before, change.after) - std::min(change.before, change.after);
}

std::uint64_t size(const PairChange& change)
{
    return change.amount
        * (std::max(change.hopsBefore, change.hopsAfter) - std::min(change.hopsBefore, change.hopsAfter));
}

}  // namespace

std::vector<PairChange> changedPairs(const CommMatrix& matrix, const Distances& distances,
                                     std::uint32_t ranksPerNode, std::span<const std::uint32_t> before,
                                     std::span<const std::uint32_t> after, std::size_t most)
{
    const auto entries = matrix.entries();
    const bool inBytes = std::any_of(entries.begin(), entries.end(),
                                     [](const CommMatrix::Entry& entry) { return entry.bytes > 0; });
    std::vector<PairChange> changes;
    distances.visit([&](const auto& hops) {
        const auto between = [&](std::span<const std::uint32_t> slots, const CommMatrix::Entry& entry) {
            return hops.between(slots[entry.sender] / ranksPerNode, slots[entry.receiver] / ranksPerNode);
        };
        for (const CommMatrix::Entry& entry : entries) {
            const PairChange change{entry.sender, entry.receiver, inBytes ? entry.bytes : entry.messages,
                                    between(before, entry), between(after, entry)};
            if (change.change() != 0) changes.push_back(change);
        }
    });
    keepFirst(changes, most, [](const PairChange& a, const PairChange& b) {
        return std::tuple(size(b), a.sender, a.receiver) < std::tuple(size(a), b.sender, b.receiver);
    });
    return changes;
}

std::vector<LinkChange> changedLinks(const LinkAmounts& before, const LinkAmounts& after, std::size_t most)
{
    std::vector<LinkChange> changes;
    before.forEach([&](LinkIndex link, std::uint64_t load) {
        if (load != after[link] && (load != 0 || !before.ofUsed()))
            changes.push_back({link, load, after[link]});
    });
    after.forEach([&](LinkIndex link, std::uint64_t load) {
        if (load != 0 && before.ofUsed() && before[link] == 0) changes.push_back({link, 0, load});
    });
    keepFirst(changes, most, [](const LinkChange& a, const LinkChange& b) {
        return std::tuple(size(b), a.link) < std::tuple(size(a), b.link);
    });
    return changes;
}

}  // namespace skein
