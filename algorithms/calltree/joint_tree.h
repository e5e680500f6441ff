// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/call_table.h"
#include "core/select/comparison_choice.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// A name as it is compared between runs: without the position in the source that TAU puts behind it, which
/// changes with every edit of the file.
std::string_view comparedName(std::string_view name);

/// Several trees as one, by the names on call paths (as comparedName() has them; siblings of one tree that
/// only their positions tell apart stay apart): the union, in preorder of the first tree, then of what the
/// next ones add.
struct JointTree {
    CallTable table;
    std::vector<std::vector<std::uint32_t>>
        nodeOf;  ///< [run][joint node]; CallTable::kNone where it does not have it

    bool has(std::size_t run, std::size_t node) const { return nodeOf[run][node] != CallTable::kNone; }
    /// True where every run has the node.
    bool inAll(std::size_t node) const;
};

/// O(nodes of all · log nodes).
JointTree joinTrees(const std::vector<const CallTable*>& trees, const std::vector<PathMatch>& matches = {});

/// A call path of the other run that may be one of the first run, which has no such path.
struct MatchProposal {
    PathMatch match;
    bool moved = false;       ///< of the same name elsewhere; false: another name below the same path
    double similarity = 0.0;  ///< of names and of what is called below, 0…1
};

/// Pairs of call paths that only one of two trees has: renamed ones below the same path whose names are alike
/// (pairs of letters, Dice's coefficient) or which call the same, and moved ones of the same name. One to
/// one, the most similar first, none below another; a similarity of 0.5 at least. To be confirmed by who
/// knows the program. O(a · b) of the outermost nodes that only one tree has.
std::vector<MatchProposal> proposeMatches(const CallTable& first, const CallTable& other);

}  // namespace skein
