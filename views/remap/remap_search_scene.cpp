// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_search_scene.h"

#include "algorithms/mapping/problem/job_block.h"
#include "algorithms/mapping/report/machine_texts.h"
#include "algorithms/mapping/report/map_hosts.h"
#include "algorithms/mapping/search/remap_setup.h"
#include "algorithms/routing/replay_matrix.h"
#include "core/base/content_hash.h"
#include "core/base/number_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

/// What the list of fewer moves may take.
constexpr double kFrontPart = 0.1;
constexpr double kMostFrontSeconds = 3;
constexpr std::uint64_t kFrontStepsPart = 16;

double percentLess(std::int64_t before, std::int64_t after)
{
    return before == 0 ? 0 : 100 * static_cast<double>(before - after) / static_cast<double>(before);
}

/// The problem of a request, from the placement as it is.
Result<MappingProblem> remapProblem(const RemapRequest& request, const Task& task)
{
    const SessionCommunication& communication = *request.communication;
    if (const std::string obstacle = remapObstacle(communication); !obstacle.empty())
        return fail(ErrorCode::InvalidArgument, obstacle);
    const PlacedMachine& machine = *communication.machine;
    auto hops = distances(*machine.topology, task);
    if (!hops) return Unexpected(hops.error());
    MappingProblem problem;
    problem.flow = makeFlowGraph(*communication.matrix, task);
    if (task.stopRequested()) return cancelled();
    problem.distances = std::move(*hops);
    problem.ranksPerNode = machine.placement.ranksPerNode();
    const auto slots = machine.placement.slotOfRank();
    problem.current.assign(slots.begin(), slots.begin() + communication.matrix->ranks());
    if (!request.wholeMachine)
        problem.openNodes = openNodesOf(*machine.topology, machine.placement, machine.placementName);
    problem.constraints = request.constraints;
    return problem;
}

RemapParams remapParams(const RemapRequest& request, std::int64_t bound)
{
    const PlacedMachine& machine = *request.communication->machine;
    RemapParams params;
    params.objective = request.objective;
    params.route = routeByModel(machine.model, *machine.topology);
    params.links = machine.topology->links();
    params.seed = request.seed;
    params.budget = {request.seconds, request.steps};
    if (request.objective == RemapObjective::HopBytes) params.lowerBound = bound;
    return params;
}

Result<Traffic> trafficUnder(const SessionCommunication& communication, const Placement& placement,
                             const Task& task)
{
    auto nodes = nodeTraffic(*communication.matrix, placement, task);
    if (!nodes) return Unexpected(nodes.error());
    return traffic(*communication.machine->topology, communication.machine->model, std::move(*nodes), nullptr,
                   task);
}

/// All messages at once; nullopt where nothing can be replayed.
std::optional<double> secondsUnder(const SessionCommunication& communication, const Placement& placement,
                                   const Task& task)
{
    const PlacedMachine& machine = *communication.machine;
    if (machine.model.splits() || !communication.bytesKnown) return std::nullopt;
    const auto replay =
        replayMatrix(*machine.topology, placement, machine.model, nullptr, *communication.matrix, {}, task);
    return replay ? std::optional(replay->seconds) : std::nullopt;
}

/// Weighted, the halves are equal under the placement as it is, whose traffic is that of the communication.
std::int64_t objectiveUnder(RemapObjective objective, const SessionCommunication& communication,
                            const Traffic& traffic)
{
    if (objective != RemapObjective::Weighted)
        return objectiveBefore(objective, traffic.hopBytes, traffic.summary.maximum);
    const Traffic& now = communication.traffic;
    const double unit = now.summary.maximum == 0
        ? 1.0
        : static_cast<double>(now.hopBytes) / static_cast<double>(now.summary.maximum);
    return static_cast<std::int64_t>(
        (static_cast<double>(traffic.hopBytes) + unit * static_cast<double>(traffic.summary.maximum)) / 2);
}

/// Loads, times and moves of a placement.
Result<RemapCandidate> evaluated(const RemapRequest& request, std::vector<std::uint32_t> slotOfRank,
                                 const Task& task)
{
    const SessionCommunication& communication = *request.communication;
    const Placement& now = communication.machine->placement;
    RemapCandidate candidate;
    candidate.request = request;
    candidate.moved = countMoved(now.slotOfRank().first(slotOfRank.size()), slotOfRank);
    auto placement = Placement::create(std::move(slotOfRank), communication.machine->topology->nodes(),
                                       now.ranksPerNode());
    if (!placement) return Unexpected(placement.error());
    candidate.placement = std::move(*placement);
    auto after = trafficUnder(communication, candidate.placement, task);
    if (!after) return Unexpected(after.error());
    candidate.traffic = std::move(*after);
    candidate.secondsBefore = secondsUnder(communication, now, task);
    candidate.secondsAfter = secondsUnder(communication, candidate.placement, task);
    if (task.stopRequested()) return cancelled();
    return candidate;
}

SearchClock clockOfFront(const RemapRequest& request)
{
    if (request.steps > 0)
        return SearchClock(SearchBudget{0, std::max<std::uint64_t>(1, request.steps / kFrontStepsPart)});
    return SearchClock(SearchBudget{std::min(kMostFrontSeconds, kFrontPart * request.seconds), 0});
}

/// Nodes that become hosts of a map: all, but of a huge machine those that run ranks before or after.
std::vector<std::uint32_t> hostNodes(const PlacedMachine& machine, const Placement& after)
{
    std::vector<std::uint32_t> nodes;
    if (std::uint64_t{machine.topology->nodes()} * after.ranksPerNode() <= kSlotsOfHugeMachine) {
        nodes.resize(machine.topology->nodes());
        std::iota(nodes.begin(), nodes.end(), 0u);
        return nodes;
    }
    for (const Placement* placement : {&machine.placement, &after}) {
        for (std::uint32_t rank = 0; rank < placement->ranks(); ++rank)
            nodes.push_back(placement->nodeOf(rank));
    }
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

RankMap mapOnNodes(std::vector<MapHost> hosts, const std::vector<std::uint32_t>& nodes,
                   const Placement& placement, std::uint32_t ranks)
{
    RankMap map{std::move(hosts), {}};
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const auto found = std::ranges::lower_bound(nodes, placement.nodeOf(rank));
        map.places.push_back({static_cast<std::uint32_t>(found - nodes.begin()), placement.coreOf(rank)});
    }
    return map;
}

MapProvenance provenanceOf(const Experiment& experiment, const RemapCandidate& candidate)
{
    MapProvenance provenance;
    provenance.source = experiment.path.string();
    if (const auto hash = contentHash(experiment.path, Task())) provenance.sourceHash = *hash;
    provenance.objective = remapObjectiveName(candidate.request.objective);
    provenance.objectiveBefore = static_cast<double>(candidate.objectiveBefore);
    provenance.objectiveAfter = static_cast<double>(candidate.objectiveAfter);
    provenance.method = candidate.method;
    provenance.seed = candidate.request.seed;
    provenance.steps = candidate.steps;
    provenance.seconds = candidate.searchedSeconds;
    return provenance;
}

Result<RemapCandidate> candidateLike(const RemapCandidate& like, std::vector<std::uint32_t> slotOfRank,
                                     const std::string& name, const Task& task)
{
    auto candidate = evaluated(like.request, std::move(slotOfRank), task);
    if (!candidate) return Unexpected(candidate.error());
    candidate->name = name;
    candidate->objectiveBefore = like.objectiveBefore;
    candidate->objectiveAfter =
        objectiveUnder(like.request.objective, *like.request.communication, candidate->traffic);
    candidate->bound = like.bound;
    candidate->method = like.method;
    candidate->steps = like.steps;
    candidate->searchedSeconds = like.searchedSeconds;
    candidate->front = like.front;
    return candidate;
}

/// What the search that found it told, where it was about the same messages as the request.
void takeKeptSearch(const KeptSearch& search, RemapCandidate& candidate)
{
    if (search.objectiveBefore != candidate.objectiveBefore) return;
    for (const KeptProgress& at : search.curve)
        candidate.curve.push_back({at.seconds, at.steps, at.objective});
    for (const KeptTradeOff& point : search.front)
        candidate.front.push_back({point.moved, point.objective, point.hopBytes, point.slotOfRank});
}

}  // namespace

double RemapCandidate::gainPercent() const { return percentLess(objectiveBefore, objectiveAfter); }
double RemapCandidate::possiblePercent() const { return percentLess(objectiveBefore, bound); }
double RemapWorth::possiblePercent() const { return percentLess(before, bound); }

std::string remapObstacle(const SessionCommunication& communication)
{
    if (!communication.machine)
        return communication.machineProblem.empty()
            ? "Ranks are mapped to a machine: describe one in the panel Machine."
            : communication.machineProblem;
    if (communication.machine->placement.ranks() < communication.matrix->ranks())
        return "It is not known where the ranks run: choose a placement in the panel Machine.";
    if (communication.matrix->entries().empty())
        return "Nothing was sent in the marked span, or the filters hide it.";
    return {};
}

Result<RemapWorth> remapWorth(const RemapRequest& request, const Task& task)
{
    const auto problem = remapProblem(request, task);
    if (!problem) return Unexpected(problem.error());
    const SessionCommunication& communication = *request.communication;
    const auto now = trafficUnder(communication, communication.machine->placement, task);
    if (!now) return Unexpected(now.error());
    RemapWorth worth;
    worth.before = objectiveUnder(request.objective, communication, *now);
    worth.bound = objectiveBound(*problem, request.objective, communication.machine->topology->links(),
                                 now->summary.maximum, now->hopBytes, task);
    worth.seconds = secondsUnder(communication, communication.machine->placement, task);
    if (task.stopRequested()) return cancelled();
    return worth;
}

Result<RemapCandidatePtr> searchPlacement(
    const RemapRequest& request, const std::string& name,
    const std::function<void(const MappingProgress&)>& improved, const Task& stop, const Task& task,
    const std::function<void(std::span<const std::uint32_t> slotOfRank)>& mapped)
{
    auto problem = remapProblem(request, task);
    if (!problem) return Unexpected(problem.error());
    const auto worth = remapWorth(request, task);
    if (!worth) return Unexpected(worth.error());
    RemapParams params = remapParams(request, worth->bound);
    params.onImprovement = improved;
    params.onMapping = mapped;
    const std::vector<std::uint32_t> home = problem->current;
    const bool limited = problem->constraints.maxMoved != MappingConstraints::kNoLimit;
    if (!request.from.empty() && !limited) problem->current = request.from;
    auto found = remap(*problem, params, stop);
    if (!found) return Unexpected(found.error());
    problem->current = home;
    auto candidate = evaluated(request, found->slotOfRank, task);
    if (!candidate) return Unexpected(candidate.error());
    candidate->name = name;
    candidate->objectiveBefore = worth->before;
    candidate->objectiveAfter = found->objectiveAfter;
    candidate->bound = worth->bound;
    candidate->method = fmt::format("{}: {}", found->method, found->reason);
    candidate->steps = found->steps;
    candidate->searchedSeconds = found->seconds;
    candidate->stopped = found->stopped;
    candidate->curve = std::move(found->history);
    params.onImprovement = {};
    params.onMapping = {};
    candidate->front = movedFront(*problem, found->slotOfRank, {params}, clockOfFront(request), task);
    return std::make_shared<const RemapCandidate>(std::move(*candidate));
}

Result<RemapCandidatePtr> candidateOf(const RemapCandidate& like, std::vector<std::uint32_t> slotOfRank,
                                      const std::string& name, const Task& task)
{
    auto candidate = candidateLike(like, std::move(slotOfRank), name, task);
    if (!candidate) return Unexpected(candidate.error());
    return std::make_shared<const RemapCandidate>(std::move(*candidate));
}

std::shared_ptr<const KeptSearch> keptSearchOf(const RemapCandidate& candidate)
{
    if (candidate.curve.empty()) return nullptr;
    KeptSearch search;
    search.objectiveBefore = candidate.objectiveBefore;
    for (const MappingProgress& at : candidate.curve)
        search.curve.push_back({at.seconds, at.steps, at.objective});
    for (const MovedTradeOff& point : candidate.front)
        search.front.push_back({point.moved, point.objective, point.hopBytes, point.slotOfRank});
    return std::make_shared<const KeptSearch>(std::move(search));
}

Result<RemapCandidatePtr> keptCandidate(const SessionCommunicationPtr& communication,
                                        const KeptPlacement& kept, const Task& task)
{
    const std::string obstacle = remapObstacle(*communication);
    if (!obstacle.empty()) return fail(ErrorCode::InvalidArgument, obstacle);
    if (kept.slotOfRank->size() != communication->matrix->ranks())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The placement that was kept is of {} ranks, here are {}.",
                                kept.slotOfRank->size(), communication->matrix->ranks()));
    RemapCandidate like;
    like.request.communication = communication;
    like.request.wholeMachine = kept.wholeMachine;
    like.request.seed = kept.seed;
    like.steps = kept.steps;
    like.searchedSeconds = kept.searchedSeconds;
    for (const auto objective : {RemapObjective::MaxLinkLoad, RemapObjective::Weighted})
        if (kept.objective == remapObjectiveName(objective)) like.request.objective = objective;
    const auto worth = remapWorth(like.request, task);
    if (!worth) return Unexpected(worth.error());
    like.objectiveBefore = worth->before;
    like.bound = worth->bound;
    like.method = kept.method;
    auto candidate = candidateLike(like, *kept.slotOfRank, kept.name, task);
    if (!candidate) return Unexpected(candidate.error());
    if (kept.search) takeKeptSearch(*kept.search, *candidate);
    return std::make_shared<const RemapCandidate>(std::move(*candidate));
}

Result<MappingConstraints> constraintsOf(const ConstraintTexts& texts, std::uint32_t nodes)
{
    MappingConstraints constraints;
    const auto pinned = parseNumbers(texts.pinned);
    if (!pinned) return Unexpected(pinned.error());
    const auto freed = parseNumbers(texts.freeNodes);
    if (!freed) return Unexpected(freed.error());
    const auto together = parseNumberGroups(texts.together);
    if (!together) return Unexpected(together.error());
    const auto apart = parseNumberGroups(texts.apart);
    if (!apart) return Unexpected(apart.error());
    constraints.pinned = *pinned;
    constraints.freeNodes = *freed;
    constraints.together = *together;
    constraints.apart = *apart;
    constraints.maxMoved = texts.maxMoved;
    if (texts.capacity > 0) constraints.nodeCapacity.assign(nodes, texts.capacity);
    return constraints;
}

HeldNodes heldNodesOf(const RemapRequest& request)
{
    const PlacedMachine& machine = *request.communication->machine;
    HeldNodes held;
    for (const std::uint32_t rank : request.constraints.pinned)
        if (rank < machine.placement.ranks()) held.pinned.push_back(machine.placement.nodeOf(rank));
    for (const std::uint32_t node : request.constraints.freeNodes)
        if (node < machine.topology->nodes()) held.keptFree.push_back(node);
    for (auto* nodes : {&held.pinned, &held.keptFree}) {
        std::sort(nodes->begin(), nodes->end());
        nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
    }
    return held;
}

std::string remapObjectiveName(RemapObjective objective)
{
    switch (objective) {
    case RemapObjective::HopBytes: return "hop-bytes";
    case RemapObjective::MaxLinkLoad: return "max-load";
    case RemapObjective::Weighted: break;
    }
    return "weighted";
}

Result<MapPreview> previewMap(const Session& session, const RemapCandidate& candidate,
                              const LauncherFormat& format, const MapFileOptions& options,
                              const std::string& fileName)
{
    const SessionCommunication& communication = *candidate.request.communication;
    const Experiment& experiment = *session.experiments[communication.request.experiment];
    const PlacedMachine& machine = *communication.machine;
    const auto nodes = hostNodes(machine, candidate.placement);
    auto hosts = hostsOfNodes(*machine.topology, machine.placement, experiment.definitions, nodes);
    if (format.id != "csv" && !std::ranges::all_of(hosts, isHostName, &MapHost::name)) {
        for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].name = fmt::format("node{}", nodes[i]);
    }
    const std::uint32_t ranks = communication.matrix->ranks();
    MapPreview preview;
    preview.map = mapOnNodes(hosts, nodes, candidate.placement, ranks);
    preview.before = mapOnNodes(std::move(hosts), nodes, machine.placement, ranks);
    auto text = verifiedMapText(preview.map, format, options);
    if (!text) return Unexpected(text.error());
    preview.text = std::move(*text);
    preview.warnings = format.warnings(preview.map, options);
    preview.script = format.recipe(preview.map, options, fileName).jobScript;
    preview.check = fmt::format("Read back and compared: {} ranks on {} hosts are where the map says{}.",
                                ranks, preview.map.hosts.size(),
                                format.detail == MapFileDetail::Host ? ", as far as hosts go" : "");
    preview.provenance = provenanceOf(experiment, candidate);
    return preview;
}

}  // namespace skein
