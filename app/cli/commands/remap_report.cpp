// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/remap_report.h"

#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

const std::vector<Field> kOutcomeFields{
    {"topology", "Machine", FieldKind::Text},
    {"placement", "Placement before", FieldKind::Text},
    {"ranks", "Ranks", FieldKind::Count},
    {"ranks_per_node", "Ranks per node", FieldKind::Count},
    {"collectives", "Collective operations", FieldKind::Text},
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
    {"socket_bytes_before", "Between sockets of a node before", FieldKind::Bytes},
    {"socket_bytes_after", "Between sockets of a node after", FieldKind::Bytes},
    {"moved_ranks", "Ranks that move", FieldKind::Count},
    {"method", "Method", FieldKind::Text},
    {"reason", "Because", FieldKind::Text},
    {"steps", "Swaps tried", FieldKind::Count},
    {"seed", "Seed", FieldKind::Id},
    {"seconds", "Seconds", FieldKind::Number},
};

template <typename T>
Cell cellOf(const std::optional<T>& value)
{
    return value ? Cell(*value) : Cell();
}

std::vector<Cell> outcomeCells(const MachineInput& input, const RemapOutcome& outcome)
{
    const RemapResult& result = outcome.result;
    return {input.topology.spec(),
            input.placementName,
            std::uint64_t{input.matrix->ranks()},
            std::uint64_t{input.placement.ranksPerNode()},
            input.collectives.empty() ? Cell() : Cell(input.collectives),
            objectiveName(outcome.objective),
            result.objectiveBefore,
            result.objectiveAfter,
            outcome.reductionPercent(),
            outcome.lowerBound,
            outcome.possiblePercent(),
            outcome.hopBytesBefore,
            cellOf(outcome.hopBytesAfter),
            outcome.dilationBefore,
            cellOf(outcome.dilationAfter),
            outcome.before.maximum,
            outcome.after ? Cell(outcome.after->maximum) : Cell(),
            outcome.before.mean,
            outcome.after ? Cell(outcome.after->mean) : Cell(),
            cellOf(outcome.socketBytesBefore),
            cellOf(outcome.socketBytesAfter),
            std::uint64_t{outcome.moved},
            result.method,
            result.reason,
            result.steps,
            outcome.seed,
            outcome.seconds};
}

using Row = std::vector<Cell>;

const std::vector<Field> kLinkChangeFields{{"from", "Link from", FieldKind::Text},
                                           {"to", "To", FieldKind::Text},
                                           {"before", "Load before", FieldKind::Bytes},
                                           {"after", "Load after", FieldKind::Bytes}};

std::vector<Row> linkRows(const Topology& topology, const RemapOutcome& outcome)
{
    std::vector<Row> rows;
    for (const LinkChange& change : outcome.links) {
        rows.push_back({topology.vertexName(topology.source(change.link)),
                        topology.vertexName(topology.target(change.link)), change.before, change.after});
    }
    return rows;
}

const std::vector<Field> kPairChangeFields{{"sender", "Sender", FieldKind::Id},
                                           {"receiver", "Receiver", FieldKind::Id},
                                           {"bytes", "Bytes", FieldKind::Bytes},
                                           {"hops_before", "Hops before", FieldKind::Count},
                                           {"hops_after", "Hops after", FieldKind::Count}};

std::vector<Row> pairRows(const RemapOutcome& outcome)
{
    std::vector<Row> rows;
    for (const PairChange& change : outcome.pairs) {
        rows.push_back({std::uint64_t{change.sender}, std::uint64_t{change.receiver}, change.amount,
                        std::uint64_t{change.hopsBefore}, std::uint64_t{change.hopsAfter}});
    }
    return rows;
}

const std::vector<Field> kFrontFields{{"moved_ranks", "Ranks that move", FieldKind::Count},
                                      {"objective", "Objective", FieldKind::Bytes},
                                      {"hop_bytes", "Hop-bytes", FieldKind::Bytes}};

std::vector<Row> frontRows(const RemapOutcome& outcome)
{
    std::vector<Row> rows;
    for (const auto& point : outcome.front)
        rows.push_back({std::uint64_t{point.moved}, point.objective, point.hopBytes});
    return rows;
}

const std::vector<Field> kHistoryFields{{"seconds", "Seconds", FieldKind::Number},
                                        {"steps", "Swaps tried", FieldKind::Count},
                                        {"objective", "Objective", FieldKind::Bytes}};

std::vector<Row> historyRows(const RemapOutcome& outcome)
{
    std::vector<Row> rows;
    for (const MappingProgress& progress : outcome.result.history)
        rows.push_back({std::round(progress.seconds * 1e3) / 1e3, progress.steps, progress.objective});
    return rows;
}

void writeChanges(Sink& out, const std::vector<Field>& fields, const std::vector<Row>& rows)
{
    if (rows.empty()) return;
    out.write("\n");
    RecordWriter writer(out, Format::Table, fields);
    for (const Row& row : rows) writer.row(row);
    writer.finish();
}

void writeOutcomeJson(const MachineInput& input, const RemapOutcome& outcome, Sink& out)
{
    JsonObject object(out);
    object.add(kOutcomeFields, outcomeCells(input, outcome));
    object.addRows("moved_front", kFrontFields, frontRows(outcome));
    object.addRows("link_changes", kLinkChangeFields, linkRows(input.topology, outcome));
    object.addRows("pair_changes", kPairChangeFields, pairRows(outcome));
    object.addRows("history", kHistoryFields, historyRows(outcome));
    object.add("permutation", listCell(outcome.result.slotOfRank));
    object.finish();
}

/// The figures as a table, without those that this search has not: sockets nobody told of, collectives of a
/// profile.
void writeKnown(Sink& out, const std::vector<Cell>& cells)
{
    std::vector<Field> fields;
    std::vector<Cell> known;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (std::holds_alternative<std::monostate>(cells[i])) continue;
        fields.push_back(kOutcomeFields[i]);
        known.push_back(cells[i]);
    }
    writeRecord(out, Format::Table, fields, known);
}

/// How much of the gain fewer moves give.
void writeFront(const RemapOutcome& outcome, Sink& out)
{
    if (outcome.front.size() < 2) return;
    const std::vector<Field> fields{{"moved_ranks", "Ranks that move", FieldKind::Count},
                                    {"objective", "Objective", FieldKind::Bytes},
                                    {"reduction", "Reduction", FieldKind::Percent}};
    out.write("\n");
    RecordWriter writer(out, Format::Table, fields);
    const auto before = static_cast<double>(outcome.result.objectiveBefore);
    for (const MovedTradeOff& point : outcome.front) {
        writer.row(
            {std::uint64_t{point.moved}, point.objective,
             before > 0.0 ? Cell(100.0 * (before - static_cast<double>(point.objective)) / before) : Cell()});
    }
    writer.finish();
}

}  // namespace

const std::map<std::string, RemapObjective>& remapObjectives()
{
    static const std::map<std::string, RemapObjective> objectives{{"hop-bytes", RemapObjective::HopBytes},
                                                                  {"max-load", RemapObjective::MaxLinkLoad},
                                                                  {"weighted", RemapObjective::Weighted}};
    return objectives;
}

std::string objectiveName(RemapObjective objective)
{
    for (const auto& [name, value] : remapObjectives()) {
        if (value == objective) return name;
    }
    return {};
}

void writeRemapReport(Sink& out, Format format, const MachineInput& input, const RemapOutcome& outcome)
{
    if (format == Format::Json) return writeOutcomeJson(input, outcome, out);
    if (format == Format::Csv) return writeRecord(out, format, kOutcomeFields, outcomeCells(input, outcome));
    writeKnown(out, outcomeCells(input, outcome));
    writeFront(outcome, out);
    writeChanges(out, kLinkChangeFields, linkRows(input.topology, outcome));
    writeChanges(out, kPairChangeFields, pairRows(outcome));
}

}  // namespace skein::cli
