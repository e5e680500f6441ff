// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/machine_choice.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skein {

/// The best that a search knew at a time.
struct KeptProgress {
    double seconds = 0;
    std::uint64_t steps = 0;
    std::int64_t objective = 0;

    bool operator==(const KeptProgress&) const = default;
};

/// A placement of fewer moves that a search knew.
struct KeptTradeOff {
    std::uint32_t moved = 0;
    std::int64_t objective = 0;
    std::int64_t hopBytes = 0;
    std::vector<std::uint32_t> slotOfRank;

    bool operator==(const KeptTradeOff&) const = default;
};

/// What a search tells besides its placement.
struct KeptSearch {
    std::int64_t objectiveBefore = 0;  ///< of the placement as it was: the others mean nothing beside another
    std::vector<KeptProgress> curve;   ///< by time
    std::vector<KeptTradeOff> front;   ///< empty: not known

    bool operator==(const KeptSearch&) const = default;
};

/// A placement of ranks that the user keeps: a search has found it, or it was picked from what one found.
struct KeptPlacement {
    std::uint32_t experiment = 0;  ///< whose ranks
    std::string name;              ///< no other one of the experiment has it
    std::string objective;         ///< what it lowers, as `--objective` takes it
    std::string method;            ///< how it was found, in the user's words
    MachineChoice machine;         ///< that the slots are of
    bool wholeMachine = true;      ///< it was searched on nodes that the job does not have, too
    std::uint64_t seed = 0;        ///< of the search; 0: not known
    std::uint64_t steps = 0;       ///< of the search
    double searchedSeconds = 0;
    /// Never null. Many states hold the same: a placement may be of millions of ranks.
    std::shared_ptr<const std::vector<std::uint32_t>> slotOfRank;
    std::shared_ptr<const KeptSearch> search = {};  ///< null: not known, or it was picked from a front

    friend bool operator==(const KeptPlacement& a, const KeptPlacement& b)
    {
        return a.experiment == b.experiment && a.name == b.name && a.objective == b.objective
            && a.method == b.method && a.machine == b.machine && a.wholeMachine == b.wholeMachine
            && a.seed == b.seed && a.steps == b.steps && a.searchedSeconds == b.searchedSeconds
            && same(a.slotOfRank, b.slotOfRank) && same(a.search, b.search);
    }

private:
    template <typename Held>
    static bool same(const std::shared_ptr<const Held>& a, const std::shared_ptr<const Held>& b)
    {
        return a == b || (a && b && *a == *b);
    }
};

}  // namespace skein
