// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/recorded_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kNoGroup = RecordedGroups::kNone;

bool groupsRegions(const RegionGroup& group) { return !group.name.empty(); }

/// Numbers the groups of a session by name and counts their regions.
class Census {
public:
    explicit Census(const Session& session) : session_(session)
    {
        std::map<std::string, std::uint32_t> byName;
        for (const ExperimentPtr& experiment : session.experiments)
            for (const RegionGroup& group : experiment->definitions.regionGroups)
                if (groupsRegions(group)) byName.emplace(group.name, 0);
        for (auto& [name, number] : byName) {
            number = static_cast<std::uint32_t>(names_.size());
            names_.push_back(name);
        }
        for (const ExperimentPtr& experiment : session.experiments)
            numberGroups(experiment->definitions, byName);
        count();
    }

    RecordedGroups assign()
    {
        RecordedGroups found;
        std::vector<bool> used(names_.size(), false);
        for (std::uint32_t number = 0; number < session_.experiments.size(); ++number) {
            auto& groups = found.groupOf.emplace_back();
            for (const Region& region : session_.experiments[number]->definitions.regions) {
                groups.push_back(mostTelling(number, region));
                if (groups.back() != kNoGroup) used[groups.back()] = true;
            }
        }
        leaveOutUnused(found, used);
        return found;
    }

private:
    void numberGroups(const Definitions& definitions, const std::map<std::string, std::uint32_t>& byName)
    {
        auto& numbers = numbers_.emplace_back();
        for (const RegionGroup& group : definitions.regionGroups) {
            const auto found = byName.find(group.name);
            numbers.push_back(found == byName.end() ? kNoGroup : found->second);
        }
    }

    /// A region that an archive puts into two groups of one name is in that group once.
    void count()
    {
        members_.assign(names_.size(), 0);
        std::vector<const Region*> last(names_.size(), nullptr);
        for (std::uint32_t number = 0; number < session_.experiments.size(); ++number)
            for (const Region& region : session_.experiments[number]->definitions.regions)
                for (const RegionGroupId id : region.groups) {
                    const std::uint32_t group = numbers_[number][id.index()];
                    if (group != kNoGroup && std::exchange(last[group], &region) != &region)
                        ++members_[group];
                }
    }

    std::uint32_t mostTelling(std::uint32_t experiment, const Region& region) const
    {
        std::uint32_t best = kNoGroup;
        for (const RegionGroupId id : region.groups) {
            const std::uint32_t group = numbers_[experiment][id.index()];
            if (group == kNoGroup) continue;
            // Numbers are in the order of names.
            if (best == kNoGroup || std::pair(members_[group], group) < std::pair(members_[best], best))
                best = group;
        }
        return best;
    }

    void leaveOutUnused(RecordedGroups& found, const std::vector<bool>& used) const
    {
        std::vector<std::uint32_t> renumbered(names_.size(), kNoGroup);
        for (std::uint32_t group = 0; group < names_.size(); ++group) {
            if (!used[group]) continue;
            renumbered[group] = static_cast<std::uint32_t>(found.names.size());
            found.names.push_back(names_[group]);
        }
        for (auto& groups : found.groupOf)
            for (std::uint32_t& group : groups)
                if (group != kNoGroup) group = renumbered[group];
    }

    const Session& session_;
    std::vector<std::string> names_;  ///< sorted
    std::vector<std::vector<std::uint32_t>>
        numbers_;                       ///< by experiment and RegionGroupId: index into names_, or kNoGroup
    std::vector<std::size_t> members_;  ///< regions, by index into names_
};

}  // namespace

RecordedGroups recordedGroups(const Session& session) { return Census(session).assign(); }

bool hasRecordedGroups(const Session& session)
{
    return std::any_of(
        session.experiments.begin(), session.experiments.end(), [](const ExperimentPtr& experiment) {
            const Definitions& definitions = experiment->definitions;
            return std::any_of(
                definitions.regions.begin(), definitions.regions.end(), [&](const Region& region) {
                    return std::any_of(region.groups.begin(), region.groups.end(), [&](RegionGroupId id) {
                        return groupsRegions(definitions.regionGroups[id.index()]);
                    });
                });
        });
}

}  // namespace skein
