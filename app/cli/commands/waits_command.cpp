// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_index.h"
#include "algorithms/timeline/wait_states.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skein::cli {
namespace {

/// What the rows are: sums, or the wait states one by one.
enum class WaitsBy { Cause, Each, Kind, Location, Region };

struct WaitOptions : WindowedOptions {
    WaitsBy by = WaitsBy::Kind;
    std::vector<std::string> messages;
};

const std::vector<Field> kEachFields{
    {"kind", "Kind", FieldKind::Text},          {"location", "Waiting", FieldKind::Text},
    {"region", "In", FieldKind::Text},          {"begin_ns", "Begin", FieldKind::Time},
    {"wait_ns", "Waited", FieldKind::Duration}, {"cause", "For", FieldKind::Text},
};

std::vector<Field> sumFields(WaitsBy by)
{
    const std::map<WaitsBy, Field> first{{WaitsBy::Cause, {"cause", "Waited for", FieldKind::Text}},
                                         {WaitsBy::Kind, {"kind", "Kind", FieldKind::Text}},
                                         {WaitsBy::Location, {"location", "Waiting", FieldKind::Text}},
                                         {WaitsBy::Region, {"region", "In", FieldKind::Text}}};
    std::vector<Field> fields{first.at(by),
                              {"count", "Count", FieldKind::Count},
                              {"wait_ns", "Waited", FieldKind::Duration},
                              {"longest_ns", "Longest", FieldKind::Duration}};
    if (by == WaitsBy::Kind) return fields;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
        std::string title(name(static_cast<WaitKind>(kind)));
        std::string key = title;
        for (char& letter : key)
            letter =
                letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
        fields.push_back({key + "_ns", title, FieldKind::Duration});
    }
    return fields;
}

WaitGrouping groupingOf(WaitsBy by)
{
    switch (by) {
    case WaitsBy::Cause: return WaitGrouping::Cause;
    case WaitsBy::Location: return WaitGrouping::Location;
    case WaitsBy::Region: return WaitGrouping::Region;
    default: return WaitGrouping::Kind;
    }
}

std::string itemName(const Experiment& experiment, WaitsBy by, std::uint32_t item)
{
    if (by == WaitsBy::Kind) return std::string(name(static_cast<WaitKind>(item)));
    if (by == WaitsBy::Region) return displayName(experiment.definitions.region(RegionId(item)));
    return causeName(experiment, LocationId(item));
}

std::vector<Cell> sumRow(const Experiment& experiment, WaitsBy by, const WaitSum& sum)
{
    std::vector<Cell> cells{itemName(experiment, by, sum.item), sum.count, sum.totalNs, sum.longestNs};
    if (by != WaitsBy::Kind)
        for (const TimeNs time : sum.byKindNs) cells.emplace_back(time);
    return cells;
}

std::vector<Cell> eachRow(const Experiment& experiment, const WaitState& state)
{
    const std::uint32_t path =
        experiment.trace->locations[state.location.index()].intervals.callPath[state.interval];
    const RegionId region = experiment.callTree->region(CallPathId(path));
    return {std::string(name(state.kind)),
            displayName(experiment.definitions, state.location),
            displayName(experiment.definitions.region(region)),
            state.begin,
            state.lengthNs(),
            causeName(experiment, state.cause)};
}

const std::vector<Field> kMpiFields{
    {"mpi_ns", "In MPI", FieldKind::Duration},
    {"work_ns", "Transfer, work", FieldKind::Duration},
    {"unexplained_ns", "Not explained", FieldKind::Duration},
};

std::vector<Field> fieldsOf(WaitsBy by)
{
    if (by == WaitsBy::Each) return kEachFields;
    std::vector<Field> fields = sumFields(by);
    if (by == WaitsBy::Region) fields.insert(fields.end(), kMpiFields.begin(), kMpiFields.end());
    return fields;
}

/// The time in MPI of each region and what it went to: those that waited longest first.
bool emitRegions(const Experiment& experiment, const WaitStates& waits, const std::vector<MpiTime>& times,
                 const Emit& emit)
{
    std::map<std::uint32_t, const MpiTime*> timeOf;
    for (const MpiTime& time : times) timeOf[time.region.value()] = &time;
    const auto emitRow = [&](const WaitSum& sum) {
        std::vector<Cell> cells = sumRow(experiment, WaitsBy::Region, sum);
        const auto time = timeOf.extract(sum.item);
        for (const auto part : {&MpiTime::mpiNs, &MpiTime::workNs, &MpiTime::unexplainedNs})
            cells.push_back(time.empty() ? Cell() : Cell(time.mapped()->*part));
        return emit(std::move(cells));
    };
    for (const WaitSum& sum : sumWaitStates(experiment, waits, WaitGrouping::Region))
        if (!emitRow(sum)) return false;
    // timeOf is left with regions that did not wait.
    for (const MpiTime& time : times)
        if (timeOf.contains(time.region.value()) && !emitRow({time.region.value(), 0, 0, 0, {}}))
            return false;
    return true;
}

/// What the waits leave open; `of`: which messages, where only some are asked for.
void tellMpi(const Experiment& experiment, const std::vector<MpiTime>& times, std::string_view of, Sink& err)
{
    MpiTotals totals;
    for (const MpiTime& time : times) totals.add(time);
    const auto text = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    std::string most;
    std::vector<const MpiTime*> unexplained;
    for (const MpiTime& time : times) unexplained.push_back(&time);
    std::stable_sort(unexplained.begin(), unexplained.end(),
                     [](const auto* a, const auto* b) { return a->unexplainedNs > b->unexplainedNs; });
    for (std::size_t i = 0; i < std::min<std::size_t>(3, unexplained.size()); ++i)
        if (unexplained[i]->unexplainedNs > 0)
            most += fmt::format("{}{} {}", most.empty() ? ": " : ", ",
                                displayName(experiment.definitions.region(unexplained[i]->region)),
                                text(unexplained[i]->unexplainedNs));
    err.write(fmt::format("skein-cli: {}: {}{}{}.\n", printable(experiment.path.string()), mpiText(totals),
                          of, most));
}

bool emitWaits(const Experiment& experiment, const WaitStates& waits, WaitsBy by, const Emit& emit)
{
    if (by == WaitsBy::Each) {
        for (const WaitState& state : waits.states)
            if (!emit(eachRow(experiment, state))) return false;
        return true;
    }
    for (const WaitSum& sum : sumWaitStates(experiment, waits, groupingOf(by)))
        if (!emit(sumRow(experiment, by, sum))) return false;
    return true;
}

Result<ExitCode> waits(const WaitOptions& options, const Invocation& invocation)
{
    const auto rules = messageRulesOf(options.messages);
    if (!rules) return Unexpected(rules.error());
    return printWindowed(
        options, "wait states", fieldsOf(options.by), invocation,
        [&](const Experiment& experiment, const auto& window, const Emit& emit) -> Result<bool> {
            const auto found = findWaitStates(experiment, invocation.task);
            if (!found) return tl::make_unexpected(found.error());
            if (found->inferredCollectives > 0)
                invocation.err.write(
                    fmt::format("skein-cli: {}: {} collectives were found by the names of regions.\n",
                                experiment.path.string(), found->inferredCollectives));
            const auto times = mpiTimes(experiment, *found, window, {}, invocation.task);
            if (!times) return tl::make_unexpected(times.error());
            tellMpi(experiment, *times, rules->empty() ? "" : " (of all messages)", invocation.err);
            const WaitStates wanted =
                waitsForMessages(*found, *experiment.trace, MessageFilter(experiment, *rules));
            const WaitStates shown = window ? waitsWithin(wanted, *window) : wanted;
            if (options.by == WaitsBy::Region) return emitRegions(experiment, shown, *times, emit);
            return emitWaits(experiment, shown, options.by, emit);
        });
}

Action defineWaits(CommandLine& line)
{
    auto options = std::make_shared<WaitOptions>();
    addPaths(line, options->paths);
    const std::map<std::string, WaitsBy> groupings{{"cause", WaitsBy::Cause},
                                                   {"each", WaitsBy::Each},
                                                   {"kind", WaitsBy::Kind},
                                                   {"location", WaitsBy::Location},
                                                   {"region", WaitsBy::Region}};
    addEnumerator(line, "--by", options->by, groupings, Spelling::AnyCase,
                  "kind, region, location (who waited), cause (for whom), or each wait state by itself")
        .valueName("WHAT");
    addWindow(line, options->window);
    addMessageConditions(line, options->messages);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return waits(*options, invocation); };
}

}  // namespace

Command waitsCommand()
{
    return {
        "waits", "Who waited for whom: late senders, late receivers, barriers, collectives",
        "  skein-cli waits trace.otf2                        time lost by kind\n"
        "  skein-cli waits trace.otf2 --by cause             the ranks that others waited for\n"
        "  skein-cli waits trace.otf2 --by each --format csv every wait state\n"
        "  skein-cli waits trace.otf2 --messages tag=7       for messages that are so, and all in "
        "collectives\n"
        "  skein-cli waits trace.otf2 --window 1s:2s         what was lost in one second, cut at its ends\n",
        defineWaits};
}

}  // namespace skein::cli
