// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "tests/support/catch.h"

#include <vector>

namespace skein::test {

/// Puts six processes into three sockets of two racks, two a socket: s0 and s1 are in "west", s2 in "east".
inline void putIntoRacks(Definitions& definitions)
{
    definitions.systemTree.clear();
    const auto node = [&](const char* className, const char* name, SystemTreeNodeId parent) {
        SystemTreeNode made;
        made.className = className;
        made.name = name;
        made.parent = parent;
        definitions.systemTree.push_back(made);
        return SystemTreeNodeId(definitions.systemTree.size() - 1);
    };
    const SystemTreeNodeId machine = node("machine", "m", {});
    const SystemTreeNodeId west = node("rack", "west", machine), east = node("rack", "east", machine);
    const std::vector<SystemTreeNodeId> sockets{node("socket", "s0", west), node("socket", "s1", west),
                                                node("socket", "s2", east)};
    REQUIRE(definitions.locationGroups.size() == 6);
    for (std::size_t process = 0; process < 6; ++process)
        definitions.locationGroups[process].node = sockets[process / 2];
}

}  // namespace skein::test
