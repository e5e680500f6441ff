// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace skein {

/// The machine that communication is shown on and mapped to, in the words of the command line.
struct MachineChoice {
    std::string topology;   ///< as `--topology` takes it: a specification or a file; empty: no machine
    std::string placement;  ///< as `--map` takes it: a file; empty: ranks in the order of nodes
    std::uint32_t ranksPerNode = 1;  ///< without a placement
    std::string routing;             ///< as `--routing` takes it; empty: what fits the topology

    bool operator==(const MachineChoice&) const = default;
};

}  // namespace skein
