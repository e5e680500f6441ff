// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/join_profile.h"

#include "core/base/utf8.h"
#include "core/profile/renumber_profile.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace skein {
namespace {

/// How a location is known in both: rank, kind, number among those of its rank and kind. Ranks do not count
/// where there is one process, which tools number or not.
using LocationKey = std::tuple<std::int64_t, LocationKind, std::size_t>;

std::vector<LocationKey> locationKeys(const Definitions& definitions)
{
    std::set<std::int64_t> ranks;
    for (const Location& location : definitions.locations) ranks.insert(location.rank);
    std::map<std::pair<std::int64_t, LocationKind>, std::size_t> counts;
    std::vector<LocationKey> keys;
    for (const Location& location : definitions.locations) {
        const std::int64_t rank = ranks.size() == 1 ? 0 : location.rank;
        keys.emplace_back(rank, location.kind, counts[{rank, location.kind}]++);
    }
    return keys;
}

class ProfileJoiner {
public:
    ProfileJoiner(const Experiment& trace, const Experiment& profile)
        : result_(std::make_shared<Experiment>(trace)), from_(profile)
    {
    }

    Result<ExperimentPtr> run()
    {
        if (!matchLocations())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} has other locations than the trace beside it.", from_.path.string()));
        matchRegions();
        addDefinitions();
        matchCallPaths();
        result_->profile = renumbered(*from_.profile, numbers_);
        ImportReport report = from_.report;
        const std::string file = toValidUtf8(from_.path.filename().string());
        report.renameFiles(
            [&](const std::string& name) { return name.empty() || name == file ? file : file + "/" + name; });
        result_->report.merge(report);
        result_->format += ", " + from_.format;
        return ExperimentPtr(std::move(result_));
    }

private:
    bool matchLocations()
    {
        std::map<LocationKey, std::uint32_t> known;
        std::uint32_t number = 0;
        for (const LocationKey& key : locationKeys(out().definitions)) known.emplace(key, number++);
        for (const LocationKey& key : locationKeys(from_.definitions)) {
            const auto found = known.find(key);
            if (found == known.end()) return false;
            numbers_.locations.push_back(found->second);
        }
        numbers_.locationCount = out().definitions.locations.size();
        return true;
    }

    void matchRegions()
    {
        auto& regions = result_->definitions.regions;
        std::unordered_map<std::string, std::vector<std::uint32_t>> known;
        for (std::uint32_t number = 0; number < regions.size(); ++number)
            known[regions[number].name].push_back(number);
        for (const Region& region : from_.definitions.regions) {
            std::vector<std::uint32_t>& named = known[region.name];
            const auto found = counterpart(region, named);
            if (found != named.end()) {
                numbers_.regions.push_back(*found);
                named.erase(found);
                continue;
            }
            numbers_.regions.push_back(static_cast<std::uint32_t>(regions.size()));
            regions.push_back(region);
            regions.back().groups.clear();
        }
    }

    /// The one with the same mangled name, else the first where either has none.
    std::vector<std::uint32_t>::iterator counterpart(const Region& region,
                                                     std::vector<std::uint32_t>& named) const
    {
        const auto& regions = result_->definitions.regions;
        const auto same = std::find_if(named.begin(), named.end(), [&](std::uint32_t number) {
            return regions[number].canonicalName == region.canonicalName;
        });
        if (same != named.end()) return same;
        return std::find_if(named.begin(), named.end(), [&](std::uint32_t number) {
            return regions[number].canonicalName.empty() || region.canonicalName.empty();
        });
    }

    /// Metrics, call sites, parameters and properties; topologies where the trace has none.
    void addDefinitions()
    {
        Definitions& to = result_->definitions;
        const auto firstMetric = static_cast<std::uint32_t>(to.metrics.size());
        for (Metric metric : from_.definitions.metrics) {
            numbers_.metrics.push_back(static_cast<std::uint32_t>(to.metrics.size()));
            if (metric.parent.valid()) metric.parent = MetricId(metric.parent.value() + firstMetric);
            to.metrics.push_back(std::move(metric));
        }
        firstCallSite_ = static_cast<std::uint32_t>(to.callSites.size());
        for (CallSite site : from_.definitions.callSites) {
            if (site.enteredRegion.valid())
                site.enteredRegion = RegionId(numbers_.regions[site.enteredRegion.index()]);
            if (site.leftRegion.valid())
                site.leftRegion = RegionId(numbers_.regions[site.leftRegion.index()]);
            to.callSites.push_back(std::move(site));
        }
        for (const Property& property : from_.definitions.properties) {
            const auto same = [&](const Property& other) { return other.name == property.name; };
            if (std::none_of(to.properties.begin(), to.properties.end(), same))
                to.properties.push_back(property);
        }
        if (to.topologies.empty()) addTopologies(to);
    }

    void addTopologies(Definitions& to)
    {
        const auto firstCommunicator = static_cast<std::uint32_t>(to.communicators.size());
        for (Communicator communicator : from_.definitions.communicators) {
            for (LocationId& member : communicator.members)
                if (member.valid()) member = LocationId(numbers_.locations[member.index()]);
            if (communicator.parent.valid())
                communicator.parent = CommunicatorId(communicator.parent.value() + firstCommunicator);
            to.communicators.push_back(std::move(communicator));
        }
        for (CartesianTopology topology : from_.definitions.topologies) {
            if (topology.communicator.valid())
                topology.communicator = CommunicatorId(topology.communicator.value() + firstCommunicator);
            to.topologies.push_back(std::move(topology));
        }
    }

    /// A call path of the trace stands for one of the profile at most.
    void matchCallPaths()
    {
        const CallTree& old = *result_->callTree;
        const CallTree& added = *from_.callTree;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> known;
        for (std::size_t node = old.size(); node-- > 0;)
            known[{old.parents()[node], old.regions()[node]}].push_back(static_cast<std::uint32_t>(node));
        std::vector<std::uint32_t> parents(old.parents().begin(), old.parents().end());
        std::vector<std::uint32_t> regions(old.regions().begin(), old.regions().end());
        std::vector<std::uint32_t> callSites(old.callSites().begin(), old.callSites().end());
        for (std::size_t node = 0; node < added.size(); ++node) {
            const std::uint32_t above = added.parents()[node];
            const std::uint32_t parent = above == CallPathId::kNone ? above : numbers_.callPaths[above];
            const std::uint32_t region = numbers_.regions[added.regions()[node]];
            const auto found = known.find({parent, region});
            if (found != known.end() && !found->second.empty()) {
                numbers_.callPaths.push_back(found->second.back());
                found->second.pop_back();
                continue;
            }
            numbers_.callPaths.push_back(static_cast<std::uint32_t>(parents.size()));
            parents.push_back(parent);
            regions.push_back(region);
            const CallSiteId site = added.callSite(CallPathId(node));
            callSites.push_back(site.valid() ? site.value() + firstCallSite_ : CallSiteId::kNone);
        }
        result_->callTree = std::make_shared<const CallTree>(Column<std::uint32_t>(std::move(parents)),
                                                             Column<std::uint32_t>(std::move(regions)),
                                                             Column<std::uint32_t>(std::move(callSites)));
    }

    const Experiment& out() const { return *result_; }

    std::shared_ptr<Experiment> result_;
    const Experiment& from_;
    ProfileNumbers numbers_;
    std::uint32_t firstCallSite_ = 0;
};

}  // namespace

Result<ExperimentPtr> joinProfile(const Experiment& trace, const Experiment& profile)
{
    return ProfileJoiner(trace, profile).run();
}

}  // namespace skein
