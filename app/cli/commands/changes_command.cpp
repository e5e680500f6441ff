// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/commands/follow_stream.h"
#include "app/cli/output/text.h"
#include "app/cli/series_input.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

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

/// What is printed: changes as they were called, or as they look in hindsight.
struct PrintedChanges {
    ChangePoints points;
    std::vector<std::size_t> lasting;                  ///< places in points.changes
    std::vector<std::optional<std::size_t>> calledAt;  ///< of each; nullopt: the detector missed it
    std::vector<std::size_t> settled;                  ///< rows
};

std::vector<std::size_t> settledRows(const std::vector<ReviewedChange>& all)
{
    std::vector<std::size_t> rows;
    for (const ReviewedChange& change : all)
        if (change.lasts) rows.push_back(change.row);
    return rows;
}

PrintedChanges inHindsight(const ChangePoints& found, const std::vector<ReviewedChange>& all,
                           const ChangesOptions& options)
{
    PrintedChanges printed{found, {}, {}, settledRows(all)};
    printed.points.changes.clear();
    for (const ReviewedChange& change : all) {
        if (options.lastingOnly && !change.lasts) continue;
        if (change.lasts) printed.lasting.push_back(printed.points.changes.size());
        printed.points.changes.push_back(change.row);
        printed.calledAt.push_back(change.called);
    }
    return printed;
}

/// As the detector called them, for programs that compare it.
PrintedChanges asCalled(const ChangePoints& found, const std::vector<ReviewedChange>& all)
{
    PrintedChanges printed{found, {}, {found.changes.begin(), found.changes.end()}, settledRows(all)};
    for (std::size_t i = 0; i < found.changes.size(); ++i)
        if (std::any_of(all.begin(), all.end(), [&](const ReviewedChange& change) {
                return change.lasts && change.called == found.changes[i];
            }))
            printed.lasting.push_back(i);
    return printed;
}

/// Levels on both sides of a change that lasts reach to the next ones that last.
std::vector<EntityShift> shiftsOf(const SeriesTable& table, const PrintedChanges& printed, std::size_t change,
                                  std::size_t most)
{
    const auto lasts = std::find(printed.lasting.begin(), printed.lasting.end(), change);
    if (lasts == printed.lasting.end())
        return explainChange(table, printed.points, change, most, kChangeReach);
    ChangePoints among;
    for (const std::size_t place : printed.lasting) among.changes.push_back(printed.points.changes[place]);
    return explainChange(table, among, static_cast<std::size_t>(lasts - printed.lasting.begin()), most,
                         kChangeReach);
}

Cell pValueCell(const PrintedChanges& printed, std::size_t change)
{
    const auto row = printed.calledAt[change];
    return row ? Cell(printed.points.pValues[*row]) : Cell();
}

void writeChangeRows(const SeriesTable& table, const PrintedChanges& printed, const ChangesOptions& options,
                     bool fromTrace, Sink& out)
{
    RecordWriter writer(out, options.format, changeFields(fromTrace));
    for (std::size_t i = 0; i < printed.points.changes.size(); ++i) {
        const std::size_t row = printed.points.changes[i];
        const bool lasts =
            std::find(printed.lasting.begin(), printed.lasting.end(), i) != printed.lasting.end();
        std::vector<Cell> cells{std::uint64_t{i + 1}, std::uint64_t{row},
                                seriesTimeCell(table.times[row], fromTrace), pValueCell(printed, i),
                                std::string(lasts ? "yes" : "no")};
        const auto shifts = shiftsOf(table, printed, i, 1);
        if (shifts.empty()) cells.resize(9);
        else
            cells.insert(cells.end(),
                         {table.columns[shifts[0].entity], shifts[0].before, shifts[0].after,
                          deviationsCell(shifts[0])});
        if (!writer.row(cells)) return;
    }
    writer.finish();
}

std::vector<std::vector<Cell>> shiftRows(const SeriesTable& table, const PrintedChanges& printed)
{
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < printed.points.changes.size(); ++i)
        for (const EntityShift& shift : shiftsOf(table, printed, i, kEntitiesAChange))
            rows.push_back({std::uint64_t{i + 1}, table.columns[shift.entity], shift.before, shift.after,
                            deviationsCell(shift)});
    return rows;
}

/// p is null where the detector missed a change.
void addChanges(JsonObject& object, Sink& out, const SeriesTable& table, const PrintedChanges& printed)
{
    std::vector<double> times, pValues;
    for (std::size_t i = 0; i < printed.points.changes.size(); ++i) {
        const auto row = printed.calledAt[i];
        times.push_back(table.times[printed.points.changes[i]]);
        pValues.push_back(row ? printed.points.pValues[*row] : std::nan(""));
    }
    object.add("changes", listCell(printed.points.changes));
    object.add("times", times);
    addNumbers(object, out, "p_values", pValues);
}

void addHindsight(JsonObject& object, const SeriesTable& table, const PrintedChanges& printed)
{
    std::vector<std::size_t> lasting;
    for (const std::size_t place : printed.lasting) lasting.push_back(printed.points.changes[place]);
    object.add("lasting", listCell(lasting));
    std::vector<double> times;
    for (const std::size_t row : printed.settled) times.push_back(table.times[row]);
    object.add("settled", listCell(printed.settled));
    object.add("settled_times", times);
}

/// Why nothing can be found, a sentence; empty where something can.
std::string allBlind(const SeriesTable& table, const ChangeParams& params)
{
    if (table.rows() > params.burnIn) return {};
    return fmt::format("{} {} no more than the {} that teach a level (--burn-in): no change can be found.",
                       table.rows(), table.rows() == 1 ? "time point is" : "time points are", params.burnIn);
}

void writeChangesJson(const SeriesTable& table, const PrintedChanges& printed, const ChangesOptions& options,
                      Sink& out)
{
    std::vector<double> zones;
    for (const BlindZone& zone : printed.points.blind) {
        zones.push_back(static_cast<double>(zone.first));
        zones.push_back(static_cast<double>(zone.last));
    }
    JsonObject object(out);
    object.add("entities", std::uint64_t{table.columns.size()});
    object.add("time_points", std::uint64_t{table.rows()});
    object.add("alpha", options.params.alpha);
    object.add("eta", options.params.eta);
    object.add("burn_in", std::uint64_t{options.params.burnIn});
    addChanges(object, out, table, printed);
    addHindsight(object, table, printed);
    addMatrix(object, out, "blind", zones, 2);
    object.add("representative", printed.points.representative);
    object.addRows("moved", kShiftFields, shiftRows(table, printed));
    std::vector<std::string> findings = table.notes.sentences();
    if (std::string blind = allBlind(table, options.params); !blind.empty())
        findings.push_back(std::move(blind));
    addTexts(object, out, "findings", findings);
    object.finish();
}

/// People who read a table see at once which of the changes matter.
void tellSettled(const SeriesTable& table, const PrintedChanges& printed, bool fromTrace, Sink& err)
{
    std::string times;
    for (const std::size_t row : printed.settled) {
        const double time = table.times[row];
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
    const std::vector<ReviewedChange> all = reviewedChanges(table, *found, options.params);
    const bool hindsight = options.format != Format::Json || options.lastingOnly;
    const PrintedChanges printed = hindsight ? inHindsight(*found, all, options) : asCalled(*found, all);
    invocation.task.report(1.0, "");
    if (const std::string blind = allBlind(table, options.params); !blind.empty())
        invocation.err.write("skein-cli: " + blind + "\n");
    if (options.format == Format::Table && !options.lastingOnly)
        tellSettled(table, printed, loaded->fromTrace, invocation.err);
    if (options.format == Format::Json) writeChangesJson(table, printed, options, invocation.out);
    else writeChangeRows(table, printed, options, loaded->fromTrace, invocation.out);
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
