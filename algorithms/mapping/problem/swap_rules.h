// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/rank_constraints.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace skein {

inline constexpr std::uint32_t kNoRank = 0xFFFFFFFFu;

/// What a search may do to a mapping: which slots it may touch at all, which ranks may not share a node, and
/// how many ranks may leave their place. The same rules hold for every method.
class SwapRules {
public:
    SwapRules() = default;
    /// `fixed[slot]` = 1 for slots that keep what they hold (pinned ranks, nodes left free).
    SwapRules(std::vector<std::uint8_t> fixed, std::uint32_t ranksPerNode)
        : fixed_(std::move(fixed)), ranksPerNode_(ranksPerNode)
    {
    }

    void keepApart(ApartGroups groups) { apart_ = std::move(groups); }
    /// At most `limit` ranks may be elsewhere than in `home`.
    void limitMoves(std::vector<std::uint32_t> home, std::uint32_t limit)
    {
        home_ = std::move(home);
        limit_ = limit;
    }

    /// Ranks are at home in every slot with the same `placeOfSlot` as theirs: which slots of a full node or
    /// socket are left over is chosen last.
    void widenHomes(std::vector<std::uint32_t> placeOfSlot) { placeOfSlot_ = std::move(placeOfSlot); }

    /// The same rules, but instead of the limit every rank that is away from home costs so many bytes × hops.
    SwapRules priced(double price) const
    {
        SwapRules rules = *this;
        rules.limit_ = std::numeric_limits<std::uint32_t>::max();
        rules.price_ = price;
        return rules;
    }

    bool fixed(std::uint32_t slot) const { return fixed_[slot] != 0; }
    std::span<const std::uint8_t> fixedSlots() const { return fixed_; }
    std::uint32_t ranksPerNode() const { return ranksPerNode_; }
    /// How many ranks of a mapping are away from home; 0 without a limit.
    std::uint32_t away(std::span<const std::uint32_t> slotOfRank) const
    {
        std::uint32_t count = 0;
        for (std::size_t rank = 0; rank < home_.size(); ++rank)
            count += placeOf(home_[rank]) != placeOf(slotOfRank[rank]) ? 1 : 0;
        return count;
    }
    /// True where allowed() needs no call.
    bool free() const { return apart_.empty() && home_.empty(); }
    bool limitsMoves() const { return !home_.empty(); }
    std::uint32_t moveLimit() const { return limit_; }
    /// What a rank away from home costs; 0 without a price.
    double price() const { return price_; }
    /// Where a rank is at home; only with a limit or a price of moves.
    std::uint32_t home(std::uint32_t rank) const { return home_[rank]; }
    bool wideHomes() const { return !placeOfSlot_.empty(); }
    /// Slots of one place are the same home.
    std::uint32_t placeOf(std::uint32_t slot) const
    {
        return placeOfSlot_.empty() ? slot : placeOfSlot_[slot];
    }

    /// May the occupants of two slots that are not fixed change places? `moved` is how many ranks are away
    /// from home.
    bool allowed(std::span<const std::uint32_t> rankAt, std::uint32_t slot, std::uint32_t other,
                 std::uint32_t moved) const
    {
        if (limitsMoves() && static_cast<std::int64_t>(moved) + movedChange(rankAt, slot, other) > limit_)
            return false;
        return apart_.empty() || (fitsApart(rankAt, slot, other) && fitsApart(rankAt, other, slot));
    }
    /// How many more ranks are away from home after the swap.
    int movedChange(std::span<const std::uint32_t> rankAt, std::uint32_t slot, std::uint32_t other) const
    {
        return changeOf(rankAt[slot], slot, other) + changeOf(rankAt[other], other, slot);
    }

private:
    int changeOf(std::uint32_t rank, std::uint32_t from, std::uint32_t to) const
    {
        if (rank == kNoRank || home_.empty()) return 0;
        const std::uint32_t home = placeOf(home_[rank]);
        return static_cast<int>(home != placeOf(to)) - static_cast<int>(home != placeOf(from));
    }
    /// Does the rank of `from` meet none of its group on the node of `to`, whose own slot it takes?
    bool fitsApart(std::span<const std::uint32_t> rankAt, std::uint32_t from, std::uint32_t to) const
    {
        const std::uint32_t rank = rankAt[from];
        if (rank == kNoRank || !apart_.concerns(rank)) return true;
        const std::uint32_t begin = to / ranksPerNode_ * ranksPerNode_;
        for (std::uint32_t slot = begin; slot < begin + ranksPerNode_; ++slot) {
            const std::uint32_t there = rankAt[slot];
            if (slot != to && there != kNoRank && apart_.conflict(there, rank)) return false;
        }
        return true;
    }

    std::vector<std::uint8_t> fixed_;
    std::uint32_t ranksPerNode_ = 1;
    ApartGroups apart_;
    std::vector<std::uint32_t> home_;
    std::vector<std::uint32_t> placeOfSlot_;  ///< empty: every slot is a place of its own
    std::uint32_t limit_ = 0;
    double price_ = 0.0;
};

}  // namespace skein
