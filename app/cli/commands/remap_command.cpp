// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/socket_order.h"
#include "algorithms/mapping/report/mapping_change.h"
#include "algorithms/mapping/search/moved_front.h"
#include "algorithms/mapping/search/remap.h"
#include "algorithms/mapping/search/remap_setup.h"
#include "algorithms/routing/traffic.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/commands/remap_map.h"
#include "app/cli/commands/remap_report.h"
#include "app/cli/machine_input.h"
#include "app/cli/progress_line.h"
#include "app/cli/result_after_stop.h"
#include "core/base/number_list.h"
#include "core/base/output_file.h"
#include "core/io/launcher/launcher_format.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <sstream>

namespace skein::cli {
namespace {

struct RemapOptions {
    MachineOptions machine;
    std::string routing = "auto";
    std::string method = "auto";
    RemapObjective objective = RemapObjective::HopBytes;
    SearchLimits limits;
    std::string pinned;
    std::string freeNodes;
    std::string together;
    std::string apart;
    std::string nodes;
    std::uint32_t maxMoved = MappingConstraints::kNoLimit;
    std::string capacities;
    std::uint32_t coresPerSocket = 0;
    std::string socketCapacities;
    std::size_t changes = 10;
    std::string launcher;
    std::string output;
    Format format = Format::Table;
};

/// What comes after the search is taken off the budget: the routes of the new map take as long as those of
/// the old one did, on this machine as busy as it is now, and printing about as long again. The list of fewer
/// moves has its share.
constexpr double kEvaluations = 4.0;
constexpr double kFrontShare = 0.05;
constexpr double kMostFrontSeconds = 3.0;
constexpr std::uint64_t kFrontStepsPart = 16;

/// Only nodes that the job has, unless all are asked for.
std::vector<std::uint8_t> openNodes(const MachineInput& input, const std::string& choice)
{
    if (choice == "all") return {};
    return openNodesOf(input.topology, input.placement, choice.empty() ? input.placementName : "used");
}

/// What an option limits: nodes or sockets, how many there are, and how many ranks they hold without it.
struct Holders {
    std::string_view option;
    std::string_view noun;
    std::size_t count = 0;
    std::uint32_t usual = 0;
};

/// "0-3:2;7:1": at most two ranks on 0 to 3, one on 7; "2": at most two on each. Empty text: no limits.
Result<std::vector<std::uint32_t>> capacitiesOf(const std::string& text, const Holders& holders)
{
    std::vector<std::uint32_t> capacity;
    if (text.empty()) return capacity;
    capacity.assign(holders.count, holders.usual);
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        const auto colon = part.rfind(':');
        const bool each = colon == std::string::npos;
        const auto named = parseNumbers(each ? "" : part.substr(0, colon));
        const auto most = parseNumbers(each ? part : part.substr(colon + 1));
        if (!named) return Unexpected(named.error());
        if (!most) return Unexpected(most.error());
        if (most->size() != 1 || (!each && named->empty())) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format(
                    "{} takes {}s and how many ranks they hold, as 0-3:2;7:1, or one number for all, not {}.",
                    holders.option, holders.noun, part));
        }
        if (each) capacity.assign(holders.count, most->front());
        for (const std::uint32_t index : *named) {
            if (index >= capacity.size())
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("{}: there is no {} {}.", holders.option, holders.noun, index));
            capacity[index] = most->front();
        }
    }
    return capacity;
}

Result<MappingConstraints> constraintsOf(const RemapOptions& options, const Placement& placement)
{
    MappingConstraints constraints;
    auto ofNodes =
        capacitiesOf(options.capacities, {"--capacity", "node", placement.nodes(), placement.ranksPerNode()});
    if (!ofNodes) return Unexpected(ofNodes.error());
    const std::uint32_t cores = std::max(1u, options.coresPerSocket);
    const std::size_t sockets =
        std::size_t{placement.nodes()} * ((placement.ranksPerNode() + cores - 1) / cores);
    auto ofSockets = capacitiesOf(options.socketCapacities, {"--socket-capacity", "socket", sockets, cores});
    if (!ofSockets) return Unexpected(ofSockets.error());
    constraints.nodeCapacity = std::move(*ofNodes);
    constraints.coresPerSocket = options.coresPerSocket;
    constraints.socketCapacity = std::move(*ofSockets);
    const auto pinned = parseNumbers(options.pinned);
    if (!pinned) return Unexpected(pinned.error());
    const auto freed = parseNumbers(options.freeNodes);
    if (!freed) return Unexpected(freed.error());
    const auto together = parseNumberGroups(options.together);
    if (!together) return Unexpected(together.error());
    const auto apart = parseNumberGroups(options.apart);
    if (!apart) return Unexpected(apart.error());
    constraints.pinned = *pinned;
    constraints.freeNodes = *freed;
    constraints.together = *together;
    constraints.apart = *apart;
    constraints.maxMoved = options.maxMoved;
    return constraints;
}

Result<MappingProblem> problemOf(const MachineInput& input, const RemapOptions& options, const Task& task)
{
    auto constraints = constraintsOf(options, input.placement);
    if (!constraints) return Unexpected(constraints.error());
    auto hops = distances(input.topology, task);
    if (!hops) return Unexpected(hops.error());
    MappingProblem problem;
    problem.flow = makeFlowGraph(*input.matrix, task);
    if (task.stopRequested()) return cancelled();
    problem.distances = std::move(*hops);
    problem.ranksPerNode = input.placement.ranksPerNode();
    problem.current.assign(input.placement.slotOfRank().begin(),
                           input.placement.slotOfRank().begin() + input.matrix->ranks());
    problem.openNodes = openNodes(input, options.nodes);
    problem.constraints = std::move(*constraints);
    return problem;
}

/// The figures of a placement's routed traffic, without its pairs and routes; the loads before and after are
/// compared with the same routing.
Result<Traffic> trafficOf(const MachineInput& input, const RoutingModel& model, const Placement& placement,
                          const Task& task)
{
    auto nodes = nodeTraffic(*input.matrix, placement, task);
    if (!nodes) return Unexpected(nodes.error());
    auto routed = traffic(input.topology, model, std::move(*nodes), nullptr, task);
    if (!routed) return routed;
    routed->pairs = std::vector<NodePair>();
    routed->paths = LinkPaths();
    return routed;
}

/// After a stop the loads of the new map, and what changes most, are still told where those of the old one
/// took no longer than this.
constexpr double kSecondsAfterStop = 0.05;

/// The traffic of the map that was found; nullopt where a stop leaves no time for it.
Result<std::optional<Traffic>> trafficAfter(const MachineInput& input, const RoutingModel& model,
                                            const Placement& placement, double expectedSeconds,
                                            const Task& task)
{
    auto after = trafficOf(input, model, placement, task);
    const bool stopped = !after && after.error().cancelled();
    if (stopped && expectedSeconds > kSecondsAfterStop) return std::optional<Traffic>();
    if (stopped) after = trafficOf(input, model, placement, Task().withThreads(task.threads()));
    if (!after) return Unexpected(after.error());
    return std::optional<Traffic>(std::move(*after));
}

double frontSeconds(const RemapOptions& options)
{
    return std::min(kMostFrontSeconds, kFrontShare * options.limits.seconds);
}

RemapParams paramsOf(const RemapOptions& options, const RoutingModel& model, const Topology& topology,
                     double evaluationSeconds)
{
    RemapParams params;
    params.method = options.method;
    params.objective = options.objective;
    params.route = routeByModel(model, topology);
    params.links = topology.links();
    params.seed = options.limits.seed;
    params.budget.steps = options.limits.steps;
    params.budget.seconds = options.limits.secondsToSearch(
        SearchLimits::kOutputSeconds + frontSeconds(options) + kEvaluations * evaluationSeconds);
    return params;
}

/// Says on a terminal what can be gained at most before the search, and then what is gained whenever it is
/// more.
class LiveReport {
public:
    explicit LiveReport(const Invocation& invocation) : invocation_(invocation), live_(stderrIsTerminal()) {}

    void begin(std::int64_t before, std::int64_t bound) const
    {
        before_ = before;
        if (live_)
            say(fmt::format("No mapping is below {}: at most {:.2f} % are to be gained.", bound,
                            percentBelow(bound)));
    }
    void improved(const MappingProgress& progress) const
    {
        if (live_)
            say(fmt::format("{:8.2f} s  {:6.2f} % less", progress.seconds, percentBelow(progress.objective)));
    }

private:
    double percentBelow(std::int64_t value) const
    {
        return before_ == 0 ? 0.0
                            : 100.0 * static_cast<double>(before_ - value) / static_cast<double>(before_);
    }
    void say(const std::string& line) const
    {
        clearProgressLine();
        invocation_.err.write(line + "\n");
        invocation_.err.flush();
    }

    const Invocation& invocation_;
    const bool live_;
    mutable std::int64_t before_ = 0;
};

/// What is left for the list of fewer moves: the report is still to be written.
SearchClock timeForFront(const RemapOptions& options, double evaluationSeconds)
{
    if (options.limits.steps > 0)
        return SearchClock(
            SearchBudget{0.0, std::max<std::uint64_t>(1, options.limits.steps / kFrontStepsPart)});
    const double left = options.limits.seconds - options.limits.elapsedSeconds()
        - SearchLimits::kOutputSeconds - evaluationSeconds / 2.0;
    return SearchClock(SearchBudget{std::min(left, frontSeconds(options)), 0});
}

Result<RemapOutcome> search(const MachineInput& input, const RemapOptions& options,
                            const Invocation& invocation)
{
    const Task& task = invocation.task;
    const auto model = parseRoutingModel(options.routing, input.topology);
    if (!model) return Unexpected(model.error());
    const auto problem = problemOf(input, options, task);
    if (!problem) return Unexpected(problem.error());
    const double readingSeconds = options.limits.elapsedSeconds();
    const auto before = trafficOf(input, *model, input.placement, task);
    if (!before) return Unexpected(before.error());
    const double evaluationSeconds = options.limits.elapsedSeconds() - readingSeconds;
    RemapOutcome outcome;
    outcome.lowerBound = objectiveBound(*problem, options.objective, input.topology.links(),
                                        before->summary.maximum, before->hopBytes, task);
    if (task.stopRequested()) return cancelled();
    RemapParams params = paramsOf(options, *model, input.topology, evaluationSeconds);
    if (options.objective == RemapObjective::HopBytes) params.lowerBound = outcome.lowerBound;
    const LiveReport live(invocation);
    live.begin(objectiveBefore(options.objective, before->hopBytes, before->summary.maximum),
               outcome.lowerBound);
    params.onImprovement = [&](const MappingProgress& progress) { live.improved(progress); };
    expectResultAfterStop();
    auto found = remap(*problem, params, task);
    if (!found) return Unexpected(found.error());
    outcome.result = std::move(*found);
    auto placement =
        Placement::create(outcome.result.slotOfRank, input.topology.nodes(), input.placement.ranksPerNode());
    if (!placement) return Unexpected(placement.error());
    outcome.placement = std::move(*placement);
    const auto after = trafficAfter(input, *model, outcome.placement, evaluationSeconds, task);
    if (!after) return Unexpected(after.error());
    outcome.before = before->summary;
    outcome.hopBytesBefore = before->hopBytes;
    outcome.front = movedFront(*problem, outcome.result.slotOfRank, {params},
                               timeForFront(options, evaluationSeconds), task);
    outcome.dilationBefore = before->meanDilation;
    const std::optional<Traffic>& routed = *after;
    if (routed) {
        outcome.hopBytesAfter = routed->hopBytes;
        outcome.after = routed->summary;
        outcome.dilationAfter = routed->meanDilation;
    }
    if (routed && !(task.stopRequested() && evaluationSeconds > kSecondsAfterStop)) {
        outcome.links = changedLinks(before->loads, routed->loads, options.changes);
        outcome.pairs = changedPairs(*input.matrix, problem->distances, problem->ranksPerNode,
                                     problem->current, outcome.result.slotOfRank, options.changes);
    }
    if (problem->socketsPerNode() > 1) {
        outcome.socketBytesBefore = bytesBetweenSockets(*problem, problem->current);
        outcome.socketBytesAfter = bytesBetweenSockets(*problem, outcome.result.slotOfRank);
    }
    outcome.moved = countMoved(problem->current, outcome.result.slotOfRank);
    outcome.objective = options.objective;
    outcome.seed = options.limits.seed;
    outcome.seconds = options.limits.elapsedSeconds();
    return outcome;
}

RemapMapOutput mapOutputOf(const RemapOptions& options)
{
    return {options.launcher, options.output, options.machine.comm};
}

/// What would make a map useless is told before the search, not after.
Result<void> checkOutput(const RemapOptions& options)
{
    if (!options.launcher.empty() && !findLauncherFormat(options.launcher))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("There is no launcher {}: see skein-cli map launchers.", options.launcher));
    if (options.output.empty()) return {};
    const auto place = outputPlace(options.output);
    return place ? Result<void>() : Unexpected(place.error());
}

Result<ExitCode> remapRanks(const RemapOptions& options, const Invocation& invocation)
{
    if (const auto fine = checkOutput(options); !fine) return Unexpected(fine.error());
    const auto input = openMachine(options.machine, invocation);
    if (!input) return Unexpected(input.error());
    const auto outcome = search(*input, options, invocation);
    if (!outcome) return Unexpected(outcome.error());
    invocation.task.report(1.0, "");
    const bool mapToStdout = !options.launcher.empty() && options.output.empty();
    const bool mapWanted = !options.output.empty() || mapToStdout;
    const auto written =
        mapWanted ? writeMap(*input, mapOutputOf(options), *outcome, invocation) : Result<void>();
    if (!mapToStdout) writeRemapReport(invocation.out, options.format, *input, *outcome);
    if (!written) return Unexpected(written.error());
    return input->session.exitCode();
}

void addConstraints(CommandLine& line, RemapOptions& options)
{
    line.option("--pin", options.pinned, "Ranks that stay where they are: 0,5,10-19").valueName("RANKS");
    line.option("--together", options.together,
                "Groups of ranks that share a node, separated by ';': 0,1;8-11")
        .valueName("GROUPS");
    line.option("--apart", options.apart, "Groups of ranks of which no two share a node: 0-3;64,128")
        .valueName("GROUPS");
    line.option("--free-nodes", options.freeNodes, "Nodes to leave empty: 0-3,17").valueName("NODES");
    line.option("--max-moved", options.maxMoved, "Most ranks that may move").valueName("K");
    line.option("--capacity", options.capacities,
                "Most ranks that nodes hold: 0-3:2;7:1, or one number for all (default: the ranks per node)")
        .valueName("NODES:N;…");
    line.option("--cores-per-socket", options.coresPerSocket,
                "Consecutive slots of a node that form a socket: fewer bytes between sockets come second, "
                "after the objective")
        .between(1, 1 << 20)
        .valueName("N");
    line.option("--socket-capacity", options.socketCapacities,
                "Most ranks that sockets hold: one number for all, or 0-3:2;7:1; counted node by node")
        .valueName("N|SOCKETS:N;…")
        .needs("--cores-per-socket");
    line.option("--nodes", options.nodes,
                "Nodes that ranks may go to: all of the machine, or those in use (default: all, of a machine "
                "far larger than the job a block of it, unless hosts or a placement name the job's nodes)")
        .oneOf({"all", "used"})
        .valueName("all|used");
}

Action defineRemap(CommandLine& line)
{
    auto options = std::make_shared<RemapOptions>();
    addMachineOptions(line, options->machine);
    std::vector<std::string> methods;
    for (const RemapMethod& method : remapMethods()) methods.emplace_back(method.name);
    line.option(
            "--method", options->method,
            fmt::format("How to search (docs/REMAPPING.md), auto by default: {}", fmt::join(methods, ", ")))
        .oneOf(methods)
        .valueName("M");
    addEnumerator(line, "--objective", options->objective, remapObjectives(), Spelling::AsIs,
                  "What to lower: hop-bytes (the default), max-load (bytes over the most loaded link) or "
                  "weighted (half of each)")
        .valueName("hop-bytes|max-load|weighted");
    addSearchLimits(line, options->limits, "Seconds that the command may take in all, reading included",
                    "Swaps to try instead of a time: the same result on any machine");
    line.option("--routing", options->routing, "Routing for the link loads: see skein-cli traffic")
        .valueName("M");
    addConstraints(line, *options);
    line.option("--changes", options->changes,
                "How many of the links and pairs that change most to show (default: 10)")
        .valueName("N");
    line.option("--launcher", options->launcher,
                "Write the map for this launcher (default: csv): see skein-cli map launchers")
        .valueName("NAME");
    line.option("-o,--output", options->output,
                "File for the map, with its table, JSON and job script beside it; with --launcher alone "
                "the map goes to stdout")
        .valueName("FILE");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return remapRanks(*options, invocation); };
}

}  // namespace

Command remapCommand()
{
    return {"remap", "Find a placement of the ranks with less traffic, and write it for a launcher",
            "  skein-cli remap comm.txt --topology torus:4x4x4x16x2 --ranks-per-node 2 --time 10\n"
            "  skein-cli remap trace.otf2 --topology dragonfly:9x4x2 --launcher slurm -o hosts.txt    a map "
            "for srun\n"
            "  skein-cli remap comm.txt --topology torus:8x8x8 --placement bgq:map.txt    from where the "
            "ranks run now\n"
            "  skein-cli remap comm.txt --topology torus:8x8x8 --max-moved 64 --pin 0,511 --apart 1-4 "
            "--together '8,9;10,11'\n"
            "  skein-cli remap comm.txt --topology mesh:8x8 --ranks-per-node 8 --cores-per-socket 4 "
            "--socket-capacity 3\n"
            "  skein-cli remap comm.txt --topology fattree:k=4,n=3 --objective max-load --time 60\n"
            "  skein-cli remap comm.txt --topology mesh:8x8 --steps 10000000 --seed 7 --format json    the "
            "same on any machine\n",
            defineRemap};
}

}  // namespace skein::cli
