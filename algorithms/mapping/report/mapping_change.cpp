// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/mapping_change.h"

#include <algorithm>
#include <tuple>

namespace skein {
namespace {

std::uint64_t size(const LinkChange& change)
{
    return std::max(change.before, change.after) - std::min(change.before, change.after);
}

std::uint64_t size(const PairChange& change)
{
    return change.amount
        * (std::max(change.hopsBefore, change.hopsAfter) - std::min(change.hopsBefore, change.hopsAfter));
}

bool comesFirst(const LinkChange& a, const LinkChange& b)
{
    return std::tuple(size(b), a.link) < std::tuple(size(a), b.link);
}

bool comesFirst(const PairChange& a, const PairChange& b)
{
    return std::tuple(size(b), a.sender, a.receiver) < std::tuple(size(a), b.sender, b.receiver);
}

/// The first of many changes, of which few are held at any time.
template <typename Change>
class FirstChanges {
public:
    explicit FirstChanges(std::size_t most) : most_(most), limit_(std::max(kHeld, 2 * most)) {}

    void add(const Change& change)
    {
        if (changes_.size() >= limit_) keepFirst();
        changes_.push_back(change);
    }
    std::vector<Change> take()
    {
        keepFirst();
        return std::move(changes_);
    }

private:
    static constexpr std::size_t kHeld = std::size_t{1} << 12;

    void keepFirst()
    {
        const std::size_t kept = std::min(most_, changes_.size());
        std::partial_sort(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(kept),
                          changes_.end(), [](const Change& a, const Change& b) { return comesFirst(a, b); });
        changes_.resize(kept);
    }

    std::size_t most_;
    std::size_t limit_;
    std::vector<Change> changes_;
};

}  // namespace

std::vector<PairChange> changedPairs(const CommMatrix& matrix, const Distances& distances,
                                     std::uint32_t ranksPerNode, std::span<const std::uint32_t> before,
                                     std::span<const std::uint32_t> after, std::size_t most)
{
    const auto entries = matrix.entries();
    const bool inBytes = std::any_of(entries.begin(), entries.end(),
                                     [](const CommMatrix::Entry& entry) { return entry.bytes > 0; });
    FirstChanges<PairChange> changes(most);
    distances.visit([&](const auto& hops) {
        const auto between = [&](std::span<const std::uint32_t> slots, const CommMatrix::Entry& entry) {
            return hops.between(slots[entry.sender] / ranksPerNode, slots[entry.receiver] / ranksPerNode);
        };
        for (const CommMatrix::Entry& entry : entries) {
            const PairChange change{entry.sender, entry.receiver, inBytes ? entry.bytes : entry.messages,
                                    between(before, entry), between(after, entry)};
            if (change.change() != 0) changes.add(change);
        }
    });
    return changes.take();
}

std::vector<LinkChange> changedLinks(const LinkAmounts& before, const LinkAmounts& after, std::size_t most)
{
    FirstChanges<LinkChange> changes(most);
    before.forEach([&](LinkIndex link, std::uint64_t load) {
        if (load != after[link] && (load != 0 || !before.ofUsed())) changes.add({link, load, after[link]});
    });
    after.forEach([&](LinkIndex link, std::uint64_t load) {
        if (load != 0 && before.ofUsed() && before[link] == 0) changes.add({link, 0, load});
    });
    return changes.take();
}

}  // namespace skein
