// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/efficiency.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"

#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct EfficiencyOptions : WindowedOptions {
    std::string region;
    ScalingKind scaling = ScalingKind::Strong;
};

Cell roundedRatio(double value) { return std::round(value * 1e6) / 1e6; }

Cell roundedRatio(const std::optional<double>& value) { return value ? roundedRatio(*value) : Cell(); }

std::vector<Field> efficiencyFields(const EfficiencyOptions& options, bool compared)
{
    std::vector<Field> fields;
    if (!options.region.empty()) {
        fields.push_back({"phase", "Phase", FieldKind::Count});
        fields.push_back({"begin_ns", "Begin", FieldKind::Time});
    }
    fields.push_back({"parallel_efficiency", "Parallel eff.", FieldKind::Number});
    fields.push_back({"load_balance", "Load balance", FieldKind::Number});
    fields.push_back({"communication_efficiency", "Communication eff.", FieldKind::Number});
    fields.push_back({"useful_ns", "Useful", FieldKind::Duration});
    fields.push_back({"max_useful_ns", "Most useful", FieldKind::Duration});
    fields.push_back({"max_useful_location", "On", FieldKind::Text});
    fields.push_back({"runtime_ns", "Runtime", FieldKind::Duration});
    fields.push_back({"processes", "Processes", FieldKind::Count});
    if (!compared) return fields;
    fields.push_back({"computation_scaling", "Computation", FieldKind::Number});
    fields.push_back({"instruction_scaling", "Instructions", FieldKind::Number});
    fields.push_back({"ipc_scaling", "IPC", FieldKind::Number});
    fields.push_back({"frequency_scaling", "Frequency", FieldKind::Number});
    fields.push_back({"global_efficiency", "Global eff.", FieldKind::Number});
    return fields;
}

std::vector<Cell> efficiencyCells(const Experiment& experiment, const Efficiency& row, bool isPhase)
{
    std::vector<Cell> cells;
    if (isPhase) {
        cells.emplace_back(static_cast<std::uint64_t>(row.phase));
        cells.emplace_back(row.span.begin);
    }
    cells.push_back(roundedRatio(row.parallelEfficiency()));
    cells.push_back(roundedRatio(row.loadBalance()));
    cells.push_back(roundedRatio(row.communicationEfficiency()));
    cells.emplace_back(cleanNs(row.usefulNs));
    cells.emplace_back(cleanNs(row.mostUsefulNs));
    cells.push_back(row.most.valid() ? Cell(displayName(experiment.definitions, row.most)) : Cell());
    cells.emplace_back(cleanNs(row.runtimeNs));
    cells.emplace_back(static_cast<std::uint64_t>(row.processes));
    return cells;
}

void appendScaling(std::vector<Cell>& cells, const Efficiency& reference, const Efficiency& row,
                   ScalingKind kind)
{
    const ComputationScaling scaling = computationScaling(reference, row, kind);
    cells.push_back(roundedRatio(scaling.computation));
    cells.push_back(roundedRatio(scaling.instructions));
    cells.push_back(roundedRatio(scaling.ipc));
    cells.push_back(roundedRatio(scaling.frequency));
    cells.push_back(roundedRatio(scaling.computation * row.parallelEfficiency()));
}

/// What some processes lack is told: their phases are fewer.
void tellUneven(const Experiment& experiment, const std::vector<Efficiency>& phases, Sink& err)
{
    if (phases.front().processes == phases.back().processes) return;
    err.write(fmt::format("skein-cli: {}: {} processes have the first phase, {} the last.\n",
                          printable(experiment.path.string()), phases.front().processes,
                          phases.back().processes));
}

/// Processes that had ended, or not begun, are in no mean.
void tellAbsent(const Experiment& experiment, const Efficiency& found, Sink& err)
{
    if (found.absent == 0) return;
    const std::size_t all = found.absent + found.processes;
    err.write(
        fmt::format("skein-cli: {}: {} of {} processes did not run in this window: means are of the other "
                    "{}.\n",
                    printable(experiment.path.string()), found.absent, all, found.processes));
}

Result<ExitCode> efficiency(const EfficiencyOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const bool byPhase = !options.region.empty();
    const bool compared = !byPhase && opened->labels.size() > 1;
    std::optional<Efficiency> reference;
    return printRows(*opened, options.format, efficiencyFields(options, compared), invocation,
                     [&](std::size_t index, const Emit& emit) -> Result<bool> {
                         const Experiment& experiment = *opened->session.experiments[index];
                         const auto window = windowOf(*opened, index, options.window);
                         if (!window) return tl::make_unexpected(window.error());
                         if (byPhase) {
                             const auto phases =
                                 efficiencyByPhase(experiment, options.region, *window, invocation.task);
                             if (!phases) return tl::make_unexpected(phases.error());
                             tellUneven(experiment, *phases, invocation.err);
                             for (const Efficiency& phase : *phases)
                                 if (!emit(efficiencyCells(experiment, phase, true))) return false;
                             return true;
                         }
                         const auto found = efficiencyOf(experiment, *window, invocation.task);
                         if (!found) return tl::make_unexpected(found.error());
                         tellAbsent(experiment, *found, invocation.err);
                         if (!reference) reference = *found;
                         std::vector<Cell> cells = efficiencyCells(experiment, *found, false);
                         if (compared) appendScaling(cells, *reference, *found, options.scaling);
                         return emit(std::move(cells));
                     });
}

Action defineEfficiency(CommandLine& line)
{
    auto options = std::make_shared<EfficiencyOptions>();
    addPaths(line, options->paths);
    addWindow(line, options->window);
    line.option("--by-region", options->region,
                "A row for each execution of this region, as phases of the run")
        .valueName("R");
    addChoice<ScalingKind>(
        line, "--scaling", options->scaling, {{"strong", ScalingKind::Strong}, {"weak", ScalingKind::Weak}},
        "What stays when runs differ in processes: all work, the default, or that of each");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return efficiency(*options, invocation); };
}

}  // namespace

Command efficiencyCommand()
{
    return {"efficiency", "Is it balanced: parallel efficiency, load balance, communication efficiency",
            "  skein-cli efficiency trace.otf2                     the whole run\n"
            "  skein-cli efficiency trace.otf2 --window 1s:2s      a part of it\n"
            "  skein-cli efficiency trace.otf2 --by-region step    each execution of a region\n"
            "  skein-cli efficiency p8/ p64/ p512/                 how the computation scales, against the "
            "first\n"
            "\n"
            "The efficiencies of the POP Centre of Excellence. Useful is time outside MPI of a process's\n"
            "first thread (useful_ns: mean over processes), runtime the longest of a process from its first\n"
            "to its last event. Parallel efficiency = useful / runtime = load balance × communication\n"
            "efficiency. With several runs the scaling of useful time, and, where PAPI_TOT_INS and\n"
            "PAPI_TOT_CYC were recorded, of instructions, IPC and frequency outside MPI.\n",
            defineEfficiency};
}

}  // namespace skein::cli
