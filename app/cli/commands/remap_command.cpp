// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/lower_bound.h"
#include "algorithms/mapping/moved_front.h"
#include "algorithms/mapping/remap.h"
#include "algorithms/routing/route_rules.h"
#include "algorithms/routing/traffic.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "app/cli/number_list.h"
#include "core/base/content_hash.h"
#include "core/io/launcher/map_files.h"

#include <chrono>
#include <fmt/format.h>
#include <map>

namespace skein::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    MachineOptions machine;
    std::string routing = "auto";
    std::string method = "auto";
    RemapObjective objective = RemapObjective::HopBytes;
    double seconds = 10.0;
    std::uint64_t steps = 0;
    std::uint64_t seed = 1;
    std::string pinned;
    std::string freeNodes;
    std::string together;
    std::string apart;
    std::string nodes;
    std::uint32_t maxMoved = MappingConstraints::kNoLimit;
    std::string launcher;
    std::string output;
    Format format = Format::Table;
    Clock::time_point begin = Clock::now();
};

/// What comes after the search is taken off the budget: the routes of the new map take as long as those of the old one
/// did, on this machine as busy as it is now, and printing about as long again.
constexpr double kEvaluations = 2.0;
constexpr double kReservedShare = 0.01;
constexpr double kReservedSeconds = 0.02;
constexpr std::size_t kFrontPoints = 16;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Only nodes that the job has: all of a machine that was given without a placement, else those in use.
std::vector<std::uint8_t> openNodes(const MachineInput& input, const std::string& choice)
{
    const bool all = choice == "all" || (choice.empty() && input.placementName == "block");
    if (all) return {};
    std::vector<std::uint8_t> open(input.topology.nodes(), 0);
    for (std::uint32_t rank = 0; rank < input.placement.ranks(); ++rank) open[input.placement.nodeOf(rank)] = 1;
    return open;
}

Result<MappingConstraints> constraintsOf(const Options& options)
{
    MappingConstraints constraints;
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

Result<MappingProblem> problemOf(const MachineInput& input, const Options& options, const Task& task)
{
    auto constraints = constraintsOf(options);
    if (!constraints) return Unexpected(constraints.error());
    auto hops = distances(input.topology, task);
    if (!hops) return Unexpected(hops.error());
    MappingProblem problem;
    problem.flow = makeFlowGraph(*input.matrix);
    problem.distances = std::move(*hops);
    problem.ranksPerNode = input.placement.ranksPerNode();
    problem.current.assign(input.placement.slotOfRank().begin(), input.placement.slotOfRank().begin() + input.matrix->ranks());
    problem.openNodes = openNodes(input, options.nodes);
    problem.constraints = std::move(*constraints);
    return problem;
}

/// A placement's routed traffic; the loads before and after are compared with the same routing.
Result<Traffic> trafficOf(const MachineInput& input, const RoutingModel& model, const Placement& placement, const Task& task)
{
    auto nodes = nodeTraffic(*input.matrix, placement);
    if (!nodes) return Unexpected(nodes.error());
    return traffic(input.topology, model, std::move(*nodes), nullptr, task);
}

struct Outcome {
    RemapResult result;
    std::int64_t lowerBound = 0;
    Placement placement;
    LoadSummary before;
    LoadSummary after;
    std::uint64_t hopBytesBefore = 0;
    std::uint64_t hopBytesAfter = 0;
    double dilationBefore = 0.0;
    std::vector<MovedTradeOff> front;
    double dilationAfter = 0.0;
    std::uint32_t moved = 0;
    double seconds = 0.0;

    double reductionPercent() const { return percentBelow(result.objectiveAfter); }
    double possiblePercent() const { return percentBelow(lowerBound); }

private:
    double percentBelow(std::int64_t value) const
    {
        if (result.objectiveBefore == 0) return 0.0;
        return 100.0 * static_cast<double>(result.objectiveBefore - value) / static_cast<double>(result.objectiveBefore);
    }
};

const std::map<std::string, RemapObjective> kObjectives{
    {"hop-bytes", RemapObjective::HopBytes}, {"max-load", RemapObjective::MaxLinkLoad}, {"weighted", RemapObjective::Weighted}};

std::string nameOf(RemapObjective objective)
{
    for (const auto& [name, value] : kObjectives) {
        if (value == objective) return name;
    }
    return {};
}

/// The route of two nodes by the model's rule; empty where messages split or routes need a search of the machine.
RouteOfNodes routeBy(const RoutingModel& model, const Topology& topology)
{
    const auto by = [](auto rule) {
        return [rule](std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links) { rule->append(from, to, links); };
    };
    switch (model.kind) {
        case RoutingKind::DimensionOrder: return by(std::make_shared<DimensionOrderRule>(topology, model));
        case RoutingKind::DModK: return by(std::make_shared<FatTreeRule>(topology));
        case RoutingKind::Minimal: return by(std::make_shared<DragonflyRule>(topology));
        default: return {};
    }
}

RemapParams paramsOf(const Options& options, const RoutingModel& model, const Topology& topology, double evaluationSeconds)
{
    RemapParams params;
    params.method = options.method;
    params.objective = options.objective;
    params.route = routeBy(model, topology);
    params.links = topology.links();
    params.seed = options.seed;
    params.budget.steps = options.steps;
    const double reserved = kReservedSeconds + kReservedShare * options.seconds + kEvaluations * evaluationSeconds;
    params.budget.seconds = std::max(0.05 * options.seconds, options.seconds - secondsSince(options.begin) - reserved);
    return params;
}

/// No mapping loads its most loaded link less than if all links shared the least hop-bytes evenly.
std::int64_t boundOf(const MappingProblem& problem, RemapObjective objective, std::uint32_t links, std::uint64_t loadBefore, std::uint64_t hopBytesBefore)
{
    const std::int64_t hops = hopBytesLowerBound(problem);
    const std::int64_t load = links == 0 ? 0 : (hops + links - 1) / links;
    if (objective == RemapObjective::HopBytes) return hops;
    if (objective == RemapObjective::MaxLinkLoad) return load;
    const double unit = loadBefore == 0 ? 1.0 : static_cast<double>(hopBytesBefore) / static_cast<double>(loadBefore);
    return hops / 2 + static_cast<std::int64_t>(static_cast<double>(load) * unit / 2.0);
}

Result<Outcome> search(const MachineInput& input, const Options& options, const Task& task)
{
    const auto model = parseRoutingModel(options.routing, input.topology);
    if (!model) return Unexpected(model.error());
    const auto problem = problemOf(input, options, task);
    if (!problem) return Unexpected(problem.error());
    const Clock::time_point beginOfTraffic = Clock::now();
    const auto before = trafficOf(input, *model, input.placement, task);
    if (!before) return Unexpected(before.error());
    const double evaluationSeconds = secondsSince(beginOfTraffic);
    Outcome outcome;
    outcome.lowerBound = boundOf(*problem, options.objective, input.topology.links(), before->summary.maximum, before->hopBytes);
    RemapParams params = paramsOf(options, *model, input.topology, evaluationSeconds);
    if (options.objective == RemapObjective::HopBytes) params.lowerBound = outcome.lowerBound;
    auto found = remap(*problem, params, task);
    if (!found) return Unexpected(found.error());
    outcome.result = std::move(*found);
    auto placement = Placement::create(outcome.result.slotOfRank, input.topology.nodes(), input.placement.ranksPerNode());
    if (!placement) return Unexpected(placement.error());
    outcome.placement = std::move(*placement);
    const auto after = trafficOf(input, *model, outcome.placement, Task().withThreads(task.threads()));
    if (!after) return Unexpected(after.error());
    outcome.before = before->summary;
    outcome.hopBytesBefore = before->hopBytes;
    outcome.hopBytesAfter = after->hopBytes;
    outcome.front = movedFront(*problem, outcome.result.slotOfRank, kFrontPoints);
    outcome.after = after->summary;
    outcome.dilationBefore = before->meanDilation;
    outcome.dilationAfter = after->meanDilation;
    outcome.moved = countMoved(problem->current, outcome.result.slotOfRank);
    outcome.seconds = secondsSince(options.begin);
    return outcome;
}

const std::vector<Field> kFields{
    {"topology", "Machine", FieldKind::Text},
    {"placement", "Placement before", FieldKind::Text},
    {"ranks", "Ranks", FieldKind::Count},
    {"ranks_per_node", "Ranks per node", FieldKind::Count},
    {"objective", "Objective", FieldKind::Text},
    {"objective_before", "Before", FieldKind::Bytes},
    {"objective_after", "After", FieldKind::Bytes},
    {"reduction_percent", "Reduction", FieldKind::Percent},
    {"lower_bound", "No mapping is below", FieldKind::Bytes},
    {"possible_percent", "No reduction is above", FieldKind::Percent},
    {"hop_bytes_before", "Hop-bytes before", FieldKind::Bytes},
    {"hop_bytes_after", "Hop-bytes after", FieldKind::Bytes},
    {"mean_dilation_before", "Mean hops of a byte before", FieldKind::Number},
    {"mean_dilation_after", "Mean hops of a byte after", FieldKind::Number},
    {"max_link_load_before", "Largest link load before", FieldKind::Bytes},
    {"max_link_load_after", "Largest link load after", FieldKind::Bytes},
    {"mean_link_load_before", "Mean link load before", FieldKind::Bytes},
    {"mean_link_load_after", "Mean link load after", FieldKind::Bytes},
    {"moved_ranks", "Ranks that move", FieldKind::Count},
    {"method", "Method", FieldKind::Text},
    {"reason", "Because", FieldKind::Text},
    {"steps", "Swaps tried", FieldKind::Count},
    {"seed", "Seed", FieldKind::Id},
    {"seconds", "Seconds", FieldKind::Number},
};

std::vector<Cell> cellsOf(const MachineInput& input, const Options& options, const Outcome& outcome)
{
    const RemapResult& result = outcome.result;
    return {input.topology.spec(),
            input.placementName,
            std::uint64_t{input.matrix->ranks()},
            std::uint64_t{input.placement.ranksPerNode()},
            nameOf(options.objective),
            result.objectiveBefore,
            result.objectiveAfter,
            outcome.reductionPercent(),
            outcome.lowerBound,
            outcome.possiblePercent(),
            outcome.hopBytesBefore,
            outcome.hopBytesAfter,
            outcome.dilationBefore,
            outcome.dilationAfter,
            outcome.before.maximum,
            outcome.after.maximum,
            outcome.before.mean,
            outcome.after.mean,
            std::uint64_t{outcome.moved},
            result.method,
            result.reason,
            result.steps,
            options.seed,
            outcome.seconds};
}

void writeJson(const MachineInput& input, const Options& options, const Outcome& outcome, Sink& out)
{
    std::string text = "{";
    const auto cells = cellsOf(input, options, outcome);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += fmt::format("{}\n  \"{}\": ", i > 0 ? "," : "", kFields[i].key);
        appendJsonCell(text, cells[i]);
    }
    text += ",\n  \"moved_front\": [";
    for (std::size_t i = 0; i < outcome.front.size(); ++i) {
        text += fmt::format("{}{{\"moved_ranks\": {}, \"hop_bytes\": {}}}", i > 0 ? ", " : "", outcome.front[i].moved, outcome.front[i].hopBytes);
    }
    text += "],\n  \"permutation\": [";
    for (std::size_t rank = 0; rank < outcome.result.slotOfRank.size(); ++rank) {
        text += fmt::format("{}{}", rank > 0 ? "," : "", outcome.result.slotOfRank[rank]);
    }
    out.write(text + "]\n}\n");
}

/// How much of the gain fewer moves give.
void writeFront(const Outcome& outcome, Sink& out)
{
    if (outcome.front.size() < 2) return;
    const std::vector<Field> fields{{"moved_ranks", "Ranks that move", FieldKind::Count}, {"hop_bytes", "Hop-bytes", FieldKind::Bytes}, {"reduction", "Reduction", FieldKind::Percent}};
    out.write("\n");
    RecordWriter writer(out, Format::Table, fields);
    const auto before = static_cast<double>(outcome.hopBytesBefore);
    for (const MovedTradeOff& point : outcome.front) {
        writer.row({std::uint64_t{point.moved}, point.hopBytes, before > 0.0 ? Cell(100.0 * (before - static_cast<double>(point.hopBytes)) / before) : Cell()});
    }
    writer.finish();
}

std::vector<MapHost> hostsOf(const MachineInput& input)
{
    std::vector<MapHost> hosts;
    for (VertexIndex node = 0; node < input.topology.nodes(); ++node) {
        const std::string name = input.topology.hasNames() ? input.topology.vertexName(node) : fmt::format("node{}", node);
        hosts.push_back({name, input.placement.ranksPerNode(), input.topology.coordinates(node)});
    }
    return hosts;
}

RankMap rankMapOf(const MachineInput& input, const Placement& placement)
{
    RankMap map;
    map.hosts = hostsOf(input);
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) map.places.push_back({placement.nodeOf(rank), placement.coreOf(rank)});
    return map;
}

Result<void> writeMap(const MachineInput& input, const Options& options, const Outcome& outcome, const Invocation& invocation)
{
    const LauncherFormat* format = findLauncherFormat(options.launcher.empty() ? "csv" : options.launcher);
    if (!format) return fail(ErrorCode::InvalidArgument, fmt::format("There is no launcher {}: see skein-cli map launchers.", options.launcher));
    const RankMap map = rankMapOf(input, outcome.placement);
    if (options.output.empty()) {
        const auto text = verifiedMapText(map, *format, {});
        if (!text) return Unexpected(text.error());
        invocation.out.write(*text);
        return {};
    }
    const auto hash = contentHash(options.machine.comm, invocation.task);
    MapProvenance provenance;
    provenance.source = options.machine.comm;
    provenance.sourceHash = hash ? *hash : "";
    provenance.objective = nameOf(options.objective);
    provenance.objectiveBefore = static_cast<double>(outcome.result.objectiveBefore);
    provenance.objectiveAfter = static_cast<double>(outcome.result.objectiveAfter);
    provenance.method = outcome.result.method;
    provenance.seed = options.seed;
    provenance.steps = outcome.result.steps;
    provenance.seconds = outcome.seconds;
    const auto written = writeMapFiles(options.output, map, *format, {}, provenance, rankMapOf(input, input.placement));
    if (!written) return Unexpected(written.error());
    for (const std::string& warning : written->warnings) invocation.err.write(fmt::format("warning: {}\n", warning));
    return {};
}

Result<ExitCode> run(const Options& options, const Invocation& invocation)
{
    const auto input = openMachine(options.machine, invocation);
    if (!input) return Unexpected(input.error());
    const auto outcome = search(*input, options, invocation.task);
    if (!outcome) return Unexpected(outcome.error());
    invocation.task.report(1.0, "");
    const bool mapToStdout = !options.launcher.empty() && options.output.empty();
    if (!options.output.empty() || mapToStdout) {
        if (const auto written = writeMap(*input, options, *outcome, invocation); !written) return Unexpected(written.error());
    }
    if (mapToStdout) return input->session.exitCode();
    if (options.format == Format::Json) writeJson(*input, options, *outcome, invocation.out);
    else writeRecord(invocation.out, options.format, kFields, cellsOf(*input, options, *outcome));
    if (options.format == Format::Table) writeFront(*outcome, invocation.out);
    return input->session.exitCode();
}

void addConstraints(CLI::App& app, Options& options)
{
    app.add_option("--pin", options.pinned, "Ranks that stay where they are: 0,5,10-19")->option_text("RANKS");
    app.add_option("--together", options.together, "Groups of ranks that share a node, separated by ';': 0,1;8-11")->option_text("GROUPS");
    app.add_option("--apart", options.apart, "Groups of ranks of which no two share a node: 0-3;64,128")->option_text("GROUPS");
    app.add_option("--free-nodes", options.freeNodes, "Nodes to leave empty: 0-3,17")->option_text("NODES");
    app.add_option("--max-moved", options.maxMoved, "Most ranks that may move")->option_text("K");
    app.add_option("--nodes", options.nodes,
                   "Nodes that ranks may go to: all of the machine, or those in use (default: all, unless hosts or a placement name the job's nodes)")
        ->check(CLI::IsMember({"all", "used"}))
        ->option_text("all|used");
}

Action define(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    addMachineOptions(app, options->machine);
    std::vector<std::string> methods;
    for (const RemapMethod& method : remapMethods()) methods.emplace_back(method.name);
    app.add_option("--method", options->method, "How to search: see docs/REMAPPING.md")->check(CLI::IsMember(methods));
    app.add_option("--objective", options->objective, "hop-bytes, max-load (bytes over the most loaded link) or weighted (half of each)")
        ->transform(CLI::Transformer(kObjectives))
        ->option_text("hop-bytes|max-load|weighted");
    app.add_option("--time", options->seconds, "Seconds that the command may take in all, reading included")->check(CLI::Range(0.01, 1e6))->option_text("S");
    app.add_option("--steps", options->steps, "Swaps to try instead of a time: the same result on any machine")->option_text("K");
    app.add_option("--seed", options->seed, "Seed of the search")->option_text("N");
    app.add_option("--routing", options->routing, "Routing for the link loads: see skein-cli traffic")->option_text("M");
    addConstraints(app, *options);
    app.add_option("--launcher", options->launcher, "Write the map for this launcher: see skein-cli map launchers")->option_text("NAME");
    app.add_option("-o,--output", options->output, "File for the map, with its table, JSON and job script beside it")->option_text("FILE");
    addFormat(app, options->format);
    return [options](const Invocation& invocation) { return run(*options, invocation); };
}

}  // namespace

Command remapCommand()
{
    return {"remap", "Find a placement of the ranks with less traffic, and write it for a launcher",
            "  skein-cli remap comm.txt --topology torus:4x4x4x16x2 --ranks-per-node 2 --time 10\n"
            "  skein-cli remap trace.otf2 --topology dragonfly:9x4x2 --launcher slurm -o hosts.txt\n"
            "  skein-cli remap comm.txt --topology torus:8x8x8 --max-moved 64 --pin 0,511\n"
            "  skein-cli remap comm.txt --topology mesh:8x8 --steps 10000000 --seed 7 --format json\n",
            define};
}

}  // namespace skein::cli
