// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/explain_call.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print_rows.h"
#include "core/base/units.h"

#include <fmt/format.h>

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
};

const std::vector<Field> kCauseFields{
    {"part", "Part", FieldKind::Id},           {"step", "Step", FieldKind::Id},
    {"rank", "Rank", FieldKind::Id},           {"thread", "Thread", FieldKind::Id},
    {"function", "Function", FieldKind::Text}, {"begin_ns", "Begin", FieldKind::Time},
    {"what", "What", FieldKind::Text},         {"lost_ns", "Lost", FieldKind::Duration},
};

class CausesPrinter {
public:
    CausesPrinter(const Experiment& experiment, const FoundAnomalies& found, const Emit& emit)
        : experiment_(experiment), found_(found), emit_(emit)
    {
    }

    /// Each cause: the waits that lead to it, then the cause itself; what no anomaly explains at the end.
    bool backward(LocationId location, std::uint32_t call)
    {
        const CallExplanation why = explainCall(experiment_, found_, location, call);
        for (const CausePart& part : why.parts) {
            ++part_;
            std::uint64_t step = 0;
            for (const ChainLink& link : part.chain.links)
                if (!wait(link.wait, link.blamedNs, step++)) return false;
            if (part.chain.end == ChainEnd::Contradiction) {
                if (!emit_({part_, step, {}, {}, {}, {}, std::string("clocks contradict"), {}})) return false;
                continue;
            }
            const JudgedCall& cause = found_.calls[part.anomaly];
            if (!row(step, cause.location, cause.call, std::string(name(cause.reason)), part.lostNs))
                return false;
        }
        ++part_;
        return row(0, location, call, "not explained", why.restNs);
    }

    bool forward(LocationId location, std::uint32_t call)
    {
        for (std::uint32_t i = 0; i < found_.anomalies; ++i) {
            if (found_.calls[i].location != location || found_.calls[i].call != call) continue;
            for (const BlamedWait& each : waitsFor(found_, i)) {
                ++part_;
                if (!wait(each.wait, each.lostNs, 0)) return false;
            }
        }
        return true;
    }

private:
    bool wait(std::uint32_t number, TimeNs lost, std::uint64_t step)
    {
        const WaitState& state = found_.waits->states[number];
        return row(step, state.location, state.interval, std::string(name(state.kind)), lost);
    }

    bool row(std::uint64_t step, LocationId location, std::uint32_t call, const std::string& what,
             TimeNs lost)
    {
        const PlaceOfLocation& place = found_.places[location.index()];
        const CallIntervals& calls = experiment_.trace->locations[location.index()].intervals;
        const std::uint32_t function = found_.functionsOfCalls->of(calls.callPath[call]);
        const auto& regions = experiment_.definitions.regions;
        return emit_({part_, step, place.rank < 0 ? Cell() : Cell(place.rank), std::uint64_t{place.thread},
                      function < regions.size() ? displayName(regions[function]) : std::string("not defined"),
                      calls.begin[call], what, lost});
    }

    const Experiment& experiment_;
    const FoundAnomalies& found_;
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
    const WindowedOptions windowed{options.paths, options.format, ""};
    return printWindowed(windowed, "calls", kCauseFields, invocation,
                         [&](const Experiment& experiment, const auto&, const Emit& emit) -> Result<bool> {
                             const auto found = findAnomalies(experiment, {}, invocation.task);
                             if (!found) return tl::make_unexpected(found.error());
                             const auto call = namedCall(experiment, *found, options);
                             if (!call) return tl::make_unexpected(call.error());
                             invocation.task.report(1.0, "");
                             CausesPrinter printer(experiment, *found, emit);
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
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return causes(*options, invocation); };
}

}  // namespace

Command causesCommand()
{
    return {"causes", "Why one call lasted longer than usual, over waits to the calls that caused it",
            "  skein-cli causes trace.otf2 --rank 3 --function time_step --call 29\n"
            "  skein-cli causes trace.otf2 --rank 15 --function solve --call 28 --forward   what others "
            "waited for it\n",
            defineCauses};
}

}  // namespace skein::cli
