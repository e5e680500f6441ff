// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/communication_trial.h"

#include "algorithms/routing/reroute_many.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/data/placed_machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

struct TrialKey {
    const SessionCommunication* base = nullptr;
    bool operator==(const TrialKey&) const = default;
};

/// The placement of a trial on the machine of `base`.
Result<Placement> placementOfTrial(const SessionCommunication& base, const CommunicationTrial& trial)
{
    const PlacedMachine& machine = *base.machine;
    const std::size_t ranks = base.matrix->ranks();
    if (machine.recordedOnly || machine.placement.ranks() < ranks)
        return fail(ErrorCode::InvalidArgument,
                    "What was recorded are routes between nodes: it is not known which ranks they are of.");
    if (trial.slotOfRank.size() < ranks)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} places {} ranks; {} communicate.", trial.name, trial.slotOfRank.size(), ranks));
    const std::uint64_t slots =
        std::uint64_t{machine.topology->nodes()} * std::max(1u, machine.placement.ranksPerNode());
    if (std::ranges::any_of(trial.slotOfRank, [&](std::uint32_t slot) { return slot >= slots; }))
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} was found for another machine than {}.", trial.name, machine.topology->spec()));
    return Placement::create(trial.slotOfRank, machine.topology->nodes(), machine.placement.ranksPerNode());
}

Result<void> placeOtherwise(SessionCommunication& found, const CommunicationTrial& trial, const Task& task)
{
    auto placement = placementOfTrial(found, trial);
    if (!placement) return Unexpected(placement.error());
    auto machine = std::make_shared<PlacedMachine>(*found.machine);
    machine->placement = std::move(*placement);
    machine->placementName = trial.name;
    machine->measured = nullptr;
    auto nodes = nodeTraffic(*found.matrix, machine->placement, task);
    if (!nodes) return Unexpected(nodes.error());
    auto routed = traffic(*machine->topology, machine->model, std::move(*nodes), nullptr, task);
    if (!routed) return Unexpected(routed.error());
    found.machine = std::move(machine);
    found.traffic = std::move(*routed);
    return {};
}

/// Null where the trial says nothing of this pair. Of the same traffic pairs have the same places.
const TriedRoute* triedRoute(const CommunicationTrial& trial, const NodePair& pair, std::size_t place)
{
    if (place < trial.routes.size() && trial.routes[place].from == pair.from
        && trial.routes[place].to == pair.to)
        return &trial.routes[place];
    const auto found = std::lower_bound(
        trial.routes.begin(), trial.routes.end(), std::pair(pair.from, pair.to),
        [](const TriedRoute& route, const auto& ends) { return std::pair(route.from, route.to) < ends; });
    return found != trial.routes.end() && found->from == pair.from && found->to == pair.to ? &*found
                                                                                           : nullptr;
}

Result<void> routeOtherwise(SessionCommunication& found, const CommunicationTrial& trial)
{
    Traffic& traffic = found.traffic;
    const Topology& topology = *found.machine->topology;
    if (traffic.paths.size() != traffic.pairs.size())
        return fail(ErrorCode::InvalidArgument, "This routing has no single routes to change.");
    LinkPaths paths;
    std::vector<std::uint64_t> amounts;
    traffic.hopBytes = 0;
    traffic.maximumHops = 0;
    for (std::size_t i = 0; i < traffic.pairs.size(); ++i) {
        const TriedRoute* tried = triedRoute(trial, traffic.pairs[i], i);
        const std::span<const LinkIndex> path =
            tried ? std::span<const LinkIndex>(tried->path) : std::span<const LinkIndex>(traffic.paths[i]);
        if (std::ranges::any_of(path, [&](LinkIndex link) { return link >= topology.links(); }))
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("{} was found for another machine than {}.", trial.name, topology.spec()));
        paths.add(path);
        amounts.push_back(amountOf(traffic.pairs[i], traffic.unit));
        traffic.hopBytes += amounts.back() * path.size();
        traffic.maximumHops = std::max(traffic.maximumHops, static_cast<std::uint32_t>(path.size()));
    }
    traffic.loads = LinkAmounts(loadsOf(topology, paths, amounts));
    traffic.paths = std::move(paths);
    traffic.summary = summarize(topology, traffic.loads, {});
    const std::uint64_t all = traffic.unit == LoadUnit::Bytes ? traffic.bytes : traffic.messages;
    traffic.meanDilation = all > 0 ? static_cast<double>(traffic.hopBytes) / static_cast<double>(all) : 0;
    return {};
}

Result<SessionCommunicationPtr> otherwise(const SessionCommunication& base, const CommunicationTrial& trial,
                                          const Task& task)
{
    if (!base.machine)
        return fail(ErrorCode::InvalidArgument,
                    "Another placement or route is one of a machine: describe one in the panel Machine.");
    auto found = std::make_shared<SessionCommunication>(base);
    const auto done = trial.kind == CommunicationTrial::Kind::Routes ? routeOtherwise(*found, trial)
                                                                     : placeOtherwise(*found, trial, task);
    if (!done) return Unexpected(done.error());
    if (task.stopRequested()) return cancelled();
    return SessionCommunicationPtr(std::move(found));
}

/// The locations of another run with the same numbers.
std::vector<LocationRef> sameLocations(const Session& session, const CommunicationRequest& request,
                                       std::uint32_t experiment)
{
    std::vector<LocationRef> same;
    for (const LocationRef& location : request.locations) {
        const LocationRef other{experiment, location.id};
        if (location.experiment == request.experiment && exists(session, other)) same.push_back(other);
    }
    // None at all would ask for all of them.
    return same.empty() ? request.locations : same;
}

/// The same question about another run, or with another map.
Result<SessionCommunicationPtr> askedOtherwise(ResultStore& results, const SessionPtr& session,
                                               const SessionCommunication& base,
                                               const CommunicationTrial& trial, const Task& task)
{
    CommunicationRequest request = base.request;
    if (trial.kind == CommunicationTrial::Kind::Map) request.machine.placement = trial.map;
    else {
        request.locations = sameLocations(*session, request, trial.experiment);
        request.experiment = trial.experiment;
    }
    auto found = communicationOf(results, session, request, task);
    if (!found) return found;
    if (!(*found)->machineProblem.empty()) return fail(ErrorCode::InvalidArgument, (*found)->machineProblem);
    return found;
}

}  // namespace

Result<SessionCommunicationPtr> communicationUnder(ResultStore& results, const SessionPtr& session,
                                                   const SessionCommunicationPtr& base,
                                                   const CommunicationTrialPtr& trial, const Task& task)
{
    if (trial->kind == CommunicationTrial::Kind::Map || trial->kind == CommunicationTrial::Kind::Run)
        return askedOtherwise(results, session, *base, *trial, task);
    // Several panels show the same trial: it is worked out once. The base is held by who asks.
    struct Held {
        SessionCommunicationPtr base, found;
    };
    const auto held =
        results.get<Held>(trial, TrialKey{base.get()}, ResultStore::Keep::WhileHeld, task,
                          [&]() -> Result<std::shared_ptr<const Held>> {
                              auto found = otherwise(*base, *trial, task);
                              if (!found) return Unexpected(found.error());
                              return std::make_shared<const Held>(Held{base, std::move(*found)});
                          });
    if (!held) return Unexpected(held.error());
    return SessionCommunicationPtr(*held, (*held)->found.get());
}

bool onSameMachine(const SessionCommunication& before, const SessionCommunication& after)
{
    if (!before.machine || !after.machine) return false;
    return before.machine->topology == after.machine->topology
        || (before.machine->topology->spec() == after.machine->topology->spec()
            && before.machine->topology->links() == after.machine->topology->links());
}

std::vector<std::int64_t> loadChanges(const SessionCommunication& before, const SessionCommunication& after)
{
    std::vector<std::int64_t> changes(before.machine->topology->links(), 0);
    after.traffic.loads.forEach(
        [&](LinkIndex link, std::uint64_t load) { changes[link] += static_cast<std::int64_t>(load); });
    before.traffic.loads.forEach(
        [&](LinkIndex link, std::uint64_t load) { changes[link] -= static_cast<std::int64_t>(load); });
    return changes;
}

std::string loadChangeText(const std::vector<std::int64_t>& changes, LoadUnit unit)
{
    std::int64_t more = 0, less = 0;
    std::int64_t worst = 0, best = 0;
    for (const std::int64_t change : changes) {
        more += change > 0 ? 1 : 0;
        less += change < 0 ? 1 : 0;
        worst = std::max(worst, change);
        best = std::min(best, change);
    }
    const auto text = [&](std::int64_t amount) {
        return unit == LoadUnit::Bytes ? formatBytes(static_cast<double>(amount))
                                       : formatCount(static_cast<double>(amount)) + " messages";
    };
    if (more == 0 && less == 0) return "every link carries what it did";
    return fmt::format("{} links carry more{} · {} carry less{}", formatGrouped(more),
                       more > 0 ? ", at most " + text(worst) : "", formatGrouped(less),
                       less > 0 ? ", at most " + text(-best) : "");
}

}  // namespace skein
