// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/remap_report.h"

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

Cell cellOf(std::optional<std::int64_t> value) { return value ? Cell(*value) : Cell(); }

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
            outcome.hopBytesAfter,
            outcome.dilationBefore,
            outcome.dilationAfter,
            outcome.before.maximum,
            outcome.after.maximum,
            outcome.before.mean,
            outcome.after.mean,
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

void appendRows(std::string& text, const std::vector<Field>& fields, const std::vector<Row>& rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        text += i > 0 ? ", {" : "{";
        for (std::size_t k = 0; k < fields.size(); ++k) {
            text += fmt::format("{}\"{}\": ", k > 0 ? ", " : "", fields[k].key);
            appendJsonCell(text, rows[i][k]);
        }
        text += "}";
    }
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
    std::string text = "{";
    const auto cells = outcomeCells(input, outcome);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += fmt::format("{}\n  \"{}\": ", i > 0 ? "," : "", kOutcomeFields[i].key);
        appendJsonCell(text, cells[i]);
    }
    text += ",\n  \"moved_front\": [";
    for (std::size_t i = 0; i < outcome.front.size(); ++i) {
        text +=
            fmt::format("{}{{\"moved_ranks\": {}, \"objective\": {}, \"hop_bytes\": {}}}", i > 0 ? ", " : "",
                        outcome.front[i].moved, outcome.front[i].objective, outcome.front[i].hopBytes);
    }
    text += "],\n  \"link_changes\": [";
    appendRows(text, kLinkChangeFields, linkRows(input.topology, outcome));
    text += "],\n  \"pair_changes\": [";
    appendRows(text, kPairChangeFields, pairRows(outcome));
    text += "],\n  \"history\": [";
    for (std::size_t i = 0; i < outcome.result.history.size(); ++i) {
        const MappingProgress& progress = outcome.result.history[i];
        text += fmt::format("{}{{\"seconds\": {:.3f}, \"steps\": {}, \"objective\": {}}}", i > 0 ? ", " : "",
                            progress.seconds, progress.steps, progress.objective);
    }
    text += "],\n  \"permutation\": [";
    for (std::size_t rank = 0; rank < outcome.result.slotOfRank.size(); ++rank) {
        text += fmt::format("{}{}", rank > 0 ? "," : "", outcome.result.slotOfRank[rank]);
    }
    out.write(text + "]\n}\n");
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
