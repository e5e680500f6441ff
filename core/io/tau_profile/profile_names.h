// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/task.h"
#include "core/io/tau_profile/raw_profile.h"
#include "core/profile/call_tree.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein::tau {

/// What a timer of the files is in the model.
struct TimerMeaning {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::uint32_t region = kNone;  ///< of the timer itself or of the innermost of its path; kNone: not shown
    std::uint32_t node = kNone;    ///< call tree node of a path; kNone for flat rows
    bool recursive = false;        ///< the region stands further out in the same path

    bool isPath() const { return node != kNone; }
};

/// Regions and the call tree, built from the names of timers.
class NameModel {
public:
    /// Says what each timer is; makes regions and nodes. Paths deeper than kMaximumPathLength are reported
    /// and dropped. nullopt after a stop request.
    std::optional<std::vector<TimerMeaning>> interpret(std::span<const RawTimer> timers, ImportReport& report,
                                                       const Task& task);

    /// The root node of a region; made when it is new.
    CallPathId root(std::uint32_t region);

    /// True when a timer of that name was recorded.
    bool isTimer(std::string_view name) const
    {
        return regionNumbers_.contains(std::string(withoutThrottleMark(name)));
    }

    /// The node that a user event's context names; see ProfileAssembler. Invalid where the path is too deep.
    CallPathId contextNode(std::string_view path, ImportReport& report);

    const std::vector<Region>& regions() const { return regions_; }
    std::size_t nodes() const { return tree_.size(); }
    /// Hands regions, their groups and the tree over; the object is empty afterwards.
    void moveInto(Definitions& definitions, CallTree& tree) &&;

private:
    std::uint32_t regionOf(std::string_view timer, std::string_view groups);
    void noteThrottled(std::uint32_t region);
    void completeThrottled(std::uint32_t region, std::string_view groups);
    TimerMeaning interpretPath(const RawTimer& timer, ImportReport& report);
    bool pathFits(const std::vector<std::string_view>& path, ImportReport& report) const;
    CallPathId child(CallPathId parent, std::uint32_t region);
    CallPathId find(CallPathId from, std::span<const std::uint32_t> regions) const;
    std::vector<RegionGroupId> groupsOf(const std::vector<std::string_view>& names);

    std::vector<Region> regions_;
    std::vector<RegionGroup> groups_;
    std::vector<CallSite> callSites_;
    std::vector<CallSiteId> callSiteOf_;  ///< by region; invalid for most
    std::unordered_map<std::string, std::uint32_t> regionNumbers_, groupNumbers_;
    std::unordered_map<std::uint64_t, std::uint32_t> children_;  ///< by parent and region
    std::vector<std::vector<std::uint32_t>> nodesOfRegion_;
    CallTreeBuilder tree_;
};

}  // namespace skein::tau
