// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/phase_replay.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "app/cli/output/figures.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

struct PredictOptions {
    MachineOptions machine;
    RoutingOptions routing;
    std::string map;
    ReplayParams replay;
    Format format = Format::Table;
};

const std::vector<Field> kPhaseFields{
    {"phase", "Phase", FieldKind::Id},
    {"begin_ns", "Begin", FieldKind::Time},
    {"end_ns", "End", FieldKind::Time},
    {"messages", "Messages", FieldKind::Count},
    {"bytes", "Bytes", FieldKind::Bytes},
    {"seconds", "Seconds", FieldKind::Number},
    {"max_link_seconds", "Busiest link, s", FieldKind::Number},
};

/// The phases of a trace between the operations that join all ranks, or all communication as one.
Result<std::vector<PhaseReplay>> predictedPhases(const RoutedInput& input, const PredictOptions& options,
                                                 const Task& task)
{
    const Experiment& experiment = input.machine.experiment();
    std::optional<TimeSpan> window;
    if (experiment.trace) {
        const auto asked = windowOf(input.machine.session, 0, options.machine.window);
        if (!asked) return Unexpected(asked.error());
        window = *asked;
    }
    const ReplayMachine machine{input.machine.topology, input.machine.placement, input.model,
                                input.measured ? &*input.measured : nullptr};
    const ReplayedRun run{experiment, *input.machine.matrix, window, options.machine.collectives, {}};
    return replayPhases(run, machine, options.replay, task);
}

std::vector<Cell> phaseCells(std::size_t number, const PhaseReplay& phase)
{
    const Cell begin = phase.span ? Cell(phase.span->begin) : Cell();
    const Cell end = phase.span ? Cell(phase.span->end) : Cell();
    const Cell messages = phase.messages > 0 || phase.bytes == 0 ? Cell(phase.messages) : Cell();
    return {std::uint64_t{number},      begin, end, messages, phase.bytes, phase.replay.seconds,
            phase.replay.maxLinkSeconds};
}

double busiestLinkSeconds(const RoutedInput& input, const LinkSpeed& speed)
{
    return input.traffic.summary.congestion / speed.bytesPerSecond;
}

std::vector<Figure> predictedFigures(const RoutedInput& input, const PredictOptions& options,
                                     const std::vector<PhaseReplay>& phases)
{
    double seconds = 0;
    for (const PhaseReplay& phase : phases) seconds += phase.replay.seconds;
    const LinkSpeed& speed = options.replay.speed;
    return {
        {{"topology", "Machine", FieldKind::Text}, input.machine.topology.spec()},
        {{"routing", "Routing", FieldKind::Text}, name(input.model)},
        {{"placement", "Placement", FieldKind::Text}, input.machine.placementName},
        {{"bandwidth_bytes_per_second", "Bandwidth of a link, a second", FieldKind::Bytes},
         speed.bytesPerSecond},
        {{"latency_seconds", "Latency of a link, s", FieldKind::Number}, speed.latencySeconds},
        {{"bytes", "Bytes", FieldKind::Bytes}, input.traffic.bytes},
        {{"seconds", "Seconds", FieldKind::Number}, seconds},
        {{"max_link_seconds", "Busiest link, s", FieldKind::Number}, busiestLinkSeconds(input, speed)},
        {{"phases_predicted", "Phases", FieldKind::Count}, std::uint64_t{phases.size()}},
    };
}

void writePrediction(const RoutedInput& input, const PredictOptions& options,
                     const std::vector<PhaseReplay>& phases, Sink& out)
{
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < phases.size(); ++i) rows.push_back(phaseCells(i, phases[i]));
    const std::vector<Figure> figures = predictedFigures(input, options, phases);
    if (options.format == Format::Json) {
        JsonObject object(out);
        addFigures(object, figures);
        object.addRows("phases", kPhaseFields, rows);
        object.finish();
        return;
    }
    if (options.format == Format::Table) writeFigures(out, figures);
    RecordWriter writer(out, options.format, kPhaseFields);
    for (const auto& row : rows)
        if (!writer.row(row)) return;
    writer.finish();
}

Result<ExitCode> predict(const PredictOptions& options, const Invocation& invocation)
{
    MachineOptions machine = options.machine;
    if (!options.map.empty()) machine.placement = options.map;
    const auto input = openRouted(machine, options.routing, invocation);
    if (!input) return Unexpected(input.error());
    if (input->machine.placementName == "as recorded")
        return fail(ErrorCode::InvalidArgument,
                    "A route file tells no ranks to replay; give the messages as COMM and the routes with "
                    "--routes.");
    if (input->traffic.unit == LoadUnit::Messages)
        return fail(ErrorCode::NotRecorded,
                    "The source tells no bytes, so there is no time to predict for its messages.");
    const auto phases = predictedPhases(*input, options, invocation.task);
    if (!phases) return Unexpected(phases.error());
    invocation.task.report(1.0, "");
    writePrediction(*input, options, *phases, invocation.out);
    return input->machine.session.exitCode();
}

Action definePredict(CommandLine& line)
{
    auto options = std::make_shared<PredictOptions>();
    addMachineOptions(line, options->machine);
    addRoutingOptions(line, options->routing);
    line.option("--map", options->map, "Where ranks run: a launcher's map file, [LAUNCHER:]FILE")
        .excludes("--placement")
        .valueName("F");
    line.option("--bandwidth", options->replay.speed.bytesPerSecond,
                "Bytes a second of a link of capacity 1, each way (default: 2e9, Blue Gene/Q)")
        .aboveZero()
        .valueName("B");
    line.option("--latency", options->replay.speed.latencySeconds,
                "Seconds a message needs for each link on its way (default: 5e-7)")
        .between(0.0, 1e3)
        .valueName("S");
    line.option("--concurrent", options->replay.concurrent,
                "Messages that a rank has under way (default: 1); 0: all of a phase")
        .valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return predict(*options, invocation); };
}

}  // namespace

Command predictCommand()
{
    return {"predict",
            "How long the messages take on a machine: replayed over links that share their bandwidth",
            "  skein-cli predict comm.txt --topology torus:4x4x4x16x2\n"
            "  skein-cli predict trace.otf2 --topology dragonfly:9x4x2 --map new.rankfile\n"
            "  skein-cli predict trace.otf2 --topology mesh:8x8 --bandwidth 12.5e9 --latency 1e-6 "
            "--format json\n",
            definePredict};
}

}  // namespace skein::cli
