// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/explain_call.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/judged_workflow.h"
#include "app/cli/print_rows.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace skein::cli {
namespace {

struct CausesOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::optional<std::int64_t> rank;
    std::uint32_t thread = 0;
    std::string function;
    std::uint32_t call = 0;
    bool forward = false;
    std::string program, coupling;
};

const std::vector<Field> kCauseFields{
    {"part", "Part", FieldKind::Id},           {"step", "Step", FieldKind::Id},
    {"rank", "Rank", FieldKind::Id},           {"thread", "Thread", FieldKind::Id},
    {"function", "Function", FieldKind::Text}, {"begin_ns", "Begin", FieldKind::Time},
    {"what", "What", FieldKind::Text},         {"lost_ns", "Lost", FieldKind::Duration},
    {"program", "Program", FieldKind::Text},
};

class CausesPrinter {
public:
    CausesPrinter(const JudgedWorkflow& workflow, std::size_t program, const Emit& emit)
        : workflow_(workflow), program_(static_cast<std::uint32_t>(program)), emit_(emit)
    {
    }

    /// Each cause: the waits that lead to it, then the cause itself; those in other programs behind the
    /// hand-over that was waited for; what nothing explains at the end.
    bool backward(LocationId location, std::uint32_t call)
    {
        const CallExplanation why =
            explainCall(*workflow_.opened->session.experiments[program_], found(program_), location, call);
        for (const CausePart& part : why.parts) {
            ++part_;
            std::uint64_t step = 0;
            for (const ChainLink& link : part.chain.links)
                if (!wait(link.wait, link.blamedNs, step++)) return false;
            if (part.chain.end == ChainEnd::Contradiction) {
                if (!emit_({part_, step, {}, {}, {}, {}, std::string("clocks contradict"), {}, {}}))
                    return false;
                continue;
            }
            const JudgedCall& cause = found(program_).calls[part.anomaly];
            if (!row(step, {program_, cause.location, cause.call}, std::string(name(cause.reason)),
                     part.lostNs))
                return false;
        }
        const auto across = acrossPrograms({program_, location, call});
        if (!across) return false;
        ++part_;
        return row(0, {program_, location, call}, "not explained", why.restNs - *across);
    }

    bool forward(LocationId location, std::uint32_t call)
    {
        for (std::uint32_t i = 0; i < found(program_).anomalies; ++i) {
            const JudgedCall& anomaly = found(program_).calls[i];
            if (anomaly.location != location || anomaly.call != call) continue;
            for (const BlamedWait& each : waitsFor(found(program_), i)) {
                ++part_;
                if (!wait(each.wait, each.lostNs, 0)) return false;
            }
        }
        return true;
    }

private:
    const FoundAnomalies& found(std::uint32_t program) const { return *workflow_.found[program]; }

    /// What is attributed to calls of other programs; nothing where the reader has gone. A link without time
    /// of its own is the hand-over, those behind it lead to what made its writer late.
    std::optional<TimeNs> acrossPrograms(const IntervalRef& call)
    {
        TimeNs attributed = 0;
        CauseLink handOver;
        const std::vector<JudgedProgram> programs = workflow_.programs();
        for (const CauseLink& link : handOverCauses(programs, workflow_.handOvers, call)) {
            if (link.attributedNs == 0) {
                handOver = link;
                continue;
            }
            attributed += link.attributedNs;
            ++part_;
            std::uint64_t step = 0;
            if (!row(step++, handOver.waiting, "waits for data", link.attributedNs)) return std::nullopt;
            if (!row(step++, handOver.cause, "writes it late", link.attributedNs)) return std::nullopt;
            const bool writerWaited = link.waiting != handOver.cause;
            if (writerWaited && !row(step++, link.waiting, kindOfWait(link.waiting), link.attributedNs))
                return std::nullopt;
            if (!row(step, link.cause, reasonOf(link.cause), link.attributedNs)) return std::nullopt;
        }
        return attributed;
    }

    std::string kindOfWait(const IntervalRef& call) const
    {
        for (const WaitState& state : found(call.experiment).waits->states)
            if (state.location == call.location && state.interval == call.index)
                return std::string(name(state.kind));
        return "wait";
    }

    std::string reasonOf(const IntervalRef& call) const
    {
        for (const JudgedCall& each : found(call.experiment).calls)
            if (each.location == call.location && each.call == call.index) return std::string(whyOf(each));
        return "anomaly";
    }

    bool wait(std::uint32_t number, TimeNs lost, std::uint64_t step)
    {
        const WaitState& state = found(program_).waits->states[number];
        return row(step, {program_, state.location, state.interval}, std::string(name(state.kind)), lost);
    }

    bool row(std::uint64_t step, const IntervalRef& call, const std::string& what, TimeNs lost)
    {
        const Experiment& experiment = *workflow_.opened->session.experiments[call.experiment];
        const PlaceOfLocation& place = found(call.experiment).places[call.location.index()];
        const CallIntervals& calls = experiment.trace->locations[call.location.index()].intervals;
        const std::uint32_t function =
            found(call.experiment).functionsOfCalls->of(calls.callPath[call.index]);
        return emit_({part_, step, place.rank < 0 ? Cell() : Cell(place.rank), std::uint64_t{place.thread},
                      functionName(experiment.definitions, function), calls.begin[call.index], what, lost,
                      workflow_.opened->single() ? Cell() : Cell(workflow_.opened->labels[call.experiment])});
    }

    const JudgedWorkflow& workflow_;
    std::uint32_t program_;
    const Emit& emit_;
    std::uint64_t part_ = 0;
};

/// The call that the options name. Errors: InvalidArgument.
Result<std::pair<LocationId, std::uint32_t>> namedCall(const Experiment& experiment,
                                                       const FoundAnomalies& found,
                                                       const CausesOptions& options)
{
    std::optional<LocationId> location;
    for (std::size_t i = 0; i < found.places.size(); ++i)
        if (found.places[i].rank == options.rank.value_or(0) && found.places[i].thread == options.thread)
            location = LocationId(i);
    if (!location || location->index() >= experiment.trace->locations.size())
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("There is no thread {} of rank {}.", options.thread, options.rank.value_or(0)));
    const CallIntervals& calls = experiment.trace->locations[location->index()].intervals;
    std::uint32_t number = 0;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        const std::uint32_t function = found.functionsOfCalls->of(calls.callPath[call]);
        if (function >= experiment.definitions.regions.size()) continue;
        const Region& region = experiment.definitions.regions[function];
        if (region.name != options.function && displayName(region) != options.function) continue;
        if (number++ == options.call) return std::pair(*location, call);
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("Thread {} of rank {} has {} calls of '{}', so there is none with the number {}.",
                            options.thread, options.rank.value_or(0), number, options.function,
                            options.call));
}

Result<ExitCode> causes(const CausesOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (const auto traces = windowsOfTraces(*opened, "calls", "", invocation.err); !traces)
        return tl::make_unexpected(traces.error());
    const auto& labels = opened->labels;
    if (!options.program.empty() && std::find(labels.begin(), labels.end(), options.program) == labels.end())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("'{}' is none of the archives of this command.", options.program));
    const auto workflow = judgedWorkflow(*opened, {}, options.coupling, invocation.task);
    if (!workflow) return tl::make_unexpected(workflow.error());
    return printRows(*opened, options.format, kCauseFields, invocation,
                     [&](std::size_t index, const Emit& emit) -> Result<bool> {
                         if (!workflow->found[index]) return true;
                         if (!options.program.empty() && labels[index] != options.program) return true;
                         const auto call =
                             namedCall(*opened->session.experiments[index], *workflow->found[index], options);
                         if (!call) return tl::make_unexpected(call.error());
                         invocation.task.report(1.0, "");
                         CausesPrinter printer(*workflow, index, emit);
                         return options.forward ? printer.forward(call->first, call->second)
                                                : printer.backward(call->first, call->second);
                     });
}

Action defineCauses(CommandLine& line)
{
    auto options = std::make_shared<CausesOptions>();
    addPaths(line, options->paths);
    line.option("--rank", options->rank, "the call's rank").required();
    line.option("--thread", options->thread, "which of the rank's locations, from 0");
    line.option("--function", options->function, "the call's function").valueName("NAME").required();
    line.option("--call", options->call, "its number among the calls of the function there, from 0")
        .required();
    line.flag("--forward", options->forward, "what other locations waited for this anomaly instead");
    line.option("--program", options->program, "of several archives the PATH, as typed, that the call is in")
        .valueName("PATH");
    line.option("--coupling", options->coupling,
                "what the archives handed over to each other; without it coupling.csv beside them")
        .valueName("FILE");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return causes(*options, invocation); };
}

}  // namespace

Command causesCommand()
{
    return {"causes", "Why one call lasted longer than usual, over waits to the calls that caused it",
            "  skein-cli causes trace.otf2 --rank 3 --function time_step --call 29\n"
            "  skein-cli causes trace.otf2 --rank 15 --function solve --call 28 --forward   what others "
            "waited for it\n"
            "  skein-cli causes sim/traces.otf2 ana/traces.otf2 --program ana/traces.otf2 --rank 0 "
            "--function process_output --call 7\n",
            defineCauses};
}

}  // namespace skein::cli
