// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace skein {

/// The machine that communication is shown on and mapped to, in the words of the command line.
struct MachineChoice {
    std::string topology = {};   ///< as `--topology` takes it: a specification or a file; "none": no machine;
                                 ///< empty: the archive's, where it tells one, else none
    std::string placement = {};  ///< as `--placement` takes it; empty: the archive's hosts where they tell,
                                 ///< else ranks in the order of nodes
    std::uint32_t ranksPerNode = 0;  ///< 0: as few as hold all ranks
    std::string routing = {};        ///< as `--routing` takes it; empty: what fits the topology
    std::string routes = {};         ///< as `--routes` takes it: a file of recorded routes, or none
    std::string collectives = {};    ///< as `--collectives` takes it; empty: left out

    bool operator==(const MachineChoice&) const = default;
};

}  // namespace skein
