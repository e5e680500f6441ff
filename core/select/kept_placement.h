// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/machine_choice.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skein {

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

    friend bool operator==(const KeptPlacement& a, const KeptPlacement& b)
    {
        return a.experiment == b.experiment && a.name == b.name && a.objective == b.objective
            && a.method == b.method && a.machine == b.machine && a.wholeMachine == b.wholeMachine
            && a.seed == b.seed && a.steps == b.steps && a.searchedSeconds == b.searchedSeconds
            && (a.slotOfRank == b.slotOfRank || *a.slotOfRank == *b.slotOfRank);
    }
};

}  // namespace skein
