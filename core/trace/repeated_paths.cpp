// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/repeated_paths.h"

namespace skein {

namespace {

bool isSuchCall(const CallTreeBuilder& tree, CallPathId path, CallPathId parent, RegionId region,
                CallSiteId callSite)
{
    return path.valid() && tree.region(path) == region && tree.parent(path) == parent
        && tree.callSite(path) == callSite;
}

}  // namespace

CallPathId RepeatedPaths::pathOf(CallTreeBuilder& tree, CallPathId parent, RegionId region,
                                 CallSiteId callSite)
{
    if (lastStep_ < followers_.size()) {
        const Followers known = followers_[lastStep_];
        for (const CallPathId guess : {CallPathId(known.last), CallPathId(known.before)})
            if (isSuchCall(tree, guess, parent, region, callSite)) return guess;
    }
    const CallPathId path = tree.child(parent, region, callSite);
    if (lastStep_ >= followers_.size()) followers_.resize(lastStep_ * 2 + 64);
    followers_[lastStep_] = {path.value(), followers_[lastStep_].last};
    return path;
}

CallPathId RepeatedPaths::enter(CallTreeBuilder& tree, CallPathId parent, RegionId region,
                                CallSiteId callSite)
{
    const CallPathId path = pathOf(tree, parent, region, callSite);
    lastStep_ = std::size_t{2} * path.value() + 1;
    return path;
}

}  // namespace skein
