// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/call_tree.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// Finds the call paths of calls as they are entered. Programs repeat themselves: the call paths that were
/// entered after the same step before are tried before the call tree is searched. A step is entering a call
/// path or leaving it. Constant time for what repeats, else that of CallTreeBuilder::child. Not thread-safe.
class RepeatedPaths {
public:
    /// The node of `tree` for a call of `region` from `parent`, which is entered now.
    CallPathId enter(CallTreeBuilder& tree, CallPathId parent, RegionId region, CallSiteId callSite);
    /// A call of that path was left.
    void leave(CallPathId path) { lastStep_ = std::size_t{2} * path.value() + 2; }

private:
    /// Two take turns where a loop ends in another way than it goes round.
    struct Followers {
        std::uint32_t last = CallPathId::kNone;
        std::uint32_t before = CallPathId::kNone;
    };

    CallPathId pathOf(CallTreeBuilder& tree, CallPathId parent, RegionId region, CallSiteId callSite);

    std::vector<Followers> followers_;  ///< by step: 2 · path + 1 for entering, 2 · path + 2 for leaving
    std::size_t lastStep_ = 0;          ///< 0: the beginning
};

}  // namespace skein
