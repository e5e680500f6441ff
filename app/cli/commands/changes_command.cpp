// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/commands/follow_stream.h"
#include "app/cli/output/text.h"
#include "app/cli/series_input.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::cli {
namespace {

/// Time points on either side of a change that levels are taken of.
constexpr std::size_t kChangeReach = 1000;
constexpr std::size_t kEntitiesAChange = 5;

struct ChangesOptions {
    SeriesInput input;
    ChangeParams params;
    bool lastingOnly = false;
    Format format = Format::Table;
    FollowOptions follow;
};

const std::vector<Field> kShiftFields{{"change", "Change", FieldKind::Count},
                                      {"entity", "Entity", FieldKind::Text},
                                      {"before", "Before", FieldKind::Number},
                                      {"after", "After", FieldKind::Number},
                                      {"deviations", "σ", FieldKind::Number}};

std::vector<Field> changeFields(bool fromTrace)
{
    return {{"number", "Change", FieldKind::Count},
            {"index", "Time point", FieldKind::Count},
            fromTrace ? Field{"time_ns", "Time", FieldKind::Time} : Field{"time", "Time", FieldKind::Number},
            {"p_value", "p", FieldKind::Number},
            {"lasting", "Lasts", FieldKind::Text},
            {"entity", "Moved most", FieldKind::Text},
            {"before", "Before", FieldKind::Number},
            {"after", "After", FieldKind::Number},
            {"deviations", "σ", FieldKind::Number}};
}

Cell seriesTimeCell(double time, bool fromTrace)
{
    return fromTrace ? Cell(static_cast<std::int64_t>(time)) : Cell(time);
}

bool isAmong(const std::vector<std::size_t>& places, std::size_t place)
{
    return std::find(places.begin(), places.end(), place) != places.end();
}

/// Leaves those of the changes that last, where they look to have been.
void keepLasting(const SeriesTable& table, ChangePoints& found, const ChangeParams& params)
{
    std::vector<std::size_t> kept;
    // One change may move to the row where the next one was found: p is that of where each was found.
    const std::vector<double> pValues = found.pValues;
    for (const SettledChange& settled : settledChanges(table, found, params)) {
        if (settled.place) found.pValues[settled.row] = pValues[found.changes[*settled.place]];
        kept.push_back(settled.row);
    }
    found.changes = std::move(kept);
}

void writeChangeRows(const SeriesTable& table, const ChangePoints& found, const ChangesOptions& options,
                     bool fromTrace, Sink& out)
{
    const std::vector<std::size_t> lasting = lastingChanges(table, found, options.params);
    RecordWriter writer(out, options.format, changeFields(fromTrace));
    for (std::size_t i = 0; i < found.changes.size(); ++i) {
        const std::size_t row = found.changes[i];
        std::vector<Cell> cells{std::uint64_t{i + 1}, std::uint64_t{row},
                                seriesTimeCell(table.times[row], fromTrace), found.pValues[row],
                                std::string(isAmong(lasting, i) ? "yes" : "no")};
        const auto shifts = explainChange(table, found, i, 1, kChangeReach);
        if (shifts.empty()) cells.resize(9);
        else
            cells.insert(
                cells.end(),
                {table.columns[shifts[0].entity], shifts[0].before, shifts[0].after, shifts[0].deviations});
        if (!writer.row(cells)) return;
    }
    writer.finish();
}

std::vector<std::vector<Cell>> shiftRows(const SeriesTable& table, const ChangePoints& found)
{
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < found.changes.size(); ++i)
        for (const EntityShift& shift : explainChange(table, found, i, kEntitiesAChange, kChangeReach))
            rows.push_back({std::uint64_t{i + 1}, table.columns[shift.entity], shift.before, shift.after,
                            shift.deviations});
    return rows;
}

void writeChangesJson(const SeriesTable& table, const ChangePoints& found, const ChangesOptions& options,
                      Sink& out)
{
    std::vector<double> times, pValues, blind;
    for (const std::size_t row : found.changes) {
        times.push_back(table.times[row]);
        pValues.push_back(found.pValues[row]);
    }
    for (const BlindZone& zone : found.blind) {
        blind.push_back(static_cast<double>(zone.first));
        blind.push_back(static_cast<double>(zone.last));
    }
    JsonObject object(out);
    object.add("entities", std::uint64_t{table.columns.size()});
    object.add("time_points", std::uint64_t{table.rows()});
    object.add("alpha", options.params.alpha);
    object.add("eta", options.params.eta);
    object.add("burn_in", std::uint64_t{options.params.burnIn});
    object.add("changes", listCell(found.changes));
    object.add("times", times);
    object.add("p_values", pValues);
    std::vector<std::size_t> lasting;
    for (const std::size_t place : lastingChanges(table, found, options.params))
        lasting.push_back(found.changes[place]);
    object.add("lasting", listCell(lasting));
    std::vector<double> settled, settledTimes;
    for (const SettledChange& change : settledChanges(table, found, options.params)) {
        settled.push_back(static_cast<double>(change.row));
        settledTimes.push_back(table.times[change.row]);
    }
    object.add("settled", settled);
    object.add("settled_times", settledTimes);
    addMatrix(object, out, "blind", blind, 2);
    object.add("representative", found.representative);
    object.addRows("moved", kShiftFields, shiftRows(table, found));
    addFindings(object, out, table);
    object.finish();
}

/// People who read a table see at once which of the changes matter.
void tellSettled(const SeriesTable& table, const ChangePoints& found, const ChangesOptions& options,
                 bool fromTrace, Sink& err)
{
    std::string times;
    for (const SettledChange& change : settledChanges(table, found, options.params)) {
        const double time = table.times[change.row];
        times += times.empty() ? "" : ", ";
        times += fromTrace ? fmt::format("{:.6f} s", time * 1e-9) : formatNumber(time);
    }
    err.write(times.empty() ? "skein-cli: in hindsight no change lasts.\n"
                            : "skein-cli: in hindsight levels are others from " + times
                      + " on; --lasting shows these changes alone.\n");
}

Result<ExitCode> changes(const ChangesOptions& options, const Invocation& invocation)
{
    if (const auto good = checkChangeParams(options.params); !good) return Unexpected(good.error());
    if (options.follow.follow) {
        FollowOptions follow = options.follow;
        follow.online.series.change = options.params;
        return followStream(options.input, std::move(follow), options.format, invocation);
    }
    if (namesSocket(options.input.path))
        return fail(ErrorCode::InvalidArgument, "What comes through a socket is read with --follow.");
    const auto loaded = loadOneSeries(options.input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    const SeriesTable& table = loaded->tables.front();
    auto found = findChanges(table, options.params, invocation.task);
    if (!found) return Unexpected(found.error());
    if (options.lastingOnly) keepLasting(table, *found, options.params);
    invocation.task.report(1.0, "");
    if (options.format == Format::Table && !options.lastingOnly)
        tellSettled(table, *found, options, loaded->fromTrace, invocation.err);
    if (options.format == Format::Json) writeChangesJson(table, *found, options, invocation.out);
    else writeChangeRows(table, *found, options, loaded->fromTrace, invocation.out);
    return loaded->exitCode;
}

Action defineChanges(CommandLine& line)
{
    auto options = std::make_shared<ChangesOptions>();
    addSeriesInput(line, options->input);
    line.option("--alpha", options->params.alpha, "Significance: larger finds more, and more false alarms");
    line.option("--eta", options->params.eta, "How fast forgetting adapts");
    line.option("--burn-in", options->params.burnIn,
                "Time points from which a level is learnt after each change, in which nothing can be found");
    line.flag("--lasting", options->lastingOnly,
              "Only changes after which levels stayed others, and where they were, as it looks in hindsight");
    addFollowOptions(line, options->follow);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return changes(*options, invocation); };
}

}  // namespace

Command changesCommand()
{
    return {
        "changes", "When the behaviour of all entities changed, and which of them moved",
        "  skein-cli changes series.csv                                    a line a time point\n"
        "  skein-cli changes series.csv --alpha 0.001 --burn-in 50         fewer false alarms\n"
        "  skein-cli changes pe.csv --entity pe --time virtual_time --metric network_sends\n"
        "  skein-cli changes series.csv --lasting                          not what was over soon\n"
        "  skein-cli changes trace.otf2 --metric exclusive:MPI_Wait --bins 500\n"
        "  skein-cli changes --follow tcp:127.0.0.1:7777 --format json     what senders send, as it comes\n",
        defineChanges};
}

}  // namespace skein::cli
