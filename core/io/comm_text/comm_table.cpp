// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/comm_table.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/comm_text/comm_experiment.h"
#include "core/io/comm_text/dense_matrix.h"
#include "core/io/comm_text/text_input.h"
#include "core/io/comm_text/visuco_analysis.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace skein::comm_text {
namespace {

constexpr std::size_t kTableSniffedBytes = 1u << 16;

/// Where a table keeps what; -1 = nowhere.
struct Columns {
    int sender = 0;
    int receiver = 1;
    int messages = -1;
    int bytes = 2;
    int hops = 3;
    std::size_t needed = 3;  ///< fields that a line must have
    bool fromHeader = false;
};

std::string loweredField(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<Columns> columnsOfHeader(const std::vector<std::string_view>& fields)
{
    Columns columns{-1, -1, -1, -1, -1, 0, true};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string field = loweredField(fields[i]);
        const int at = static_cast<int>(i);
        if (isOneOf(field, {"sender", "src", "source", "from", "source rank", "src_rank", "source_rank"}))
            columns.sender = at;
        else if (isOneOf(field,
                         {"receiver", "dst", "dest", "destination", "to", "target", "dst_rank",
                          "destination_rank"}))
            columns.receiver = at;
        else if (isOneOf(field, {"messages", "count", "msgs", "calls"})) columns.messages = at;
        else if (isOneOf(field, {"bytes", "size", "volume", "byte"})) columns.bytes = at;
        else if (isOneOf(field, {"hops", "hop"})) columns.hops = at;
    }
    if (columns.sender < 0 || columns.receiver < 0 || (columns.bytes < 0 && columns.messages < 0))
        return std::nullopt;
    columns.needed = static_cast<std::size_t>(
                         std::max({columns.sender, columns.receiver, columns.messages, columns.bytes}))
        + 1;
    return columns;
}

/// Lines that tell a table where most of them are rows.
constexpr std::size_t kFirstLines = 20;

bool isComment(std::string_view line) { return line.empty() || line.front() == '#'; }

std::optional<std::uint32_t> endPoint(std::string_view field)
{
    const auto value = parseNumber<std::uint64_t>(field);
    if (!value || *value > kMaximumNumber) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

std::optional<CommRow> parseRow(const std::vector<std::string_view>& fields, const Columns& columns)
{
    if (fields.size() < columns.needed || (!columns.fromHeader && fields.size() > 4)) return std::nullopt;
    const auto field = [&](int column) { return fields[static_cast<std::size_t>(column)]; };
    const auto sender = endPoint(field(columns.sender));
    const auto receiver = endPoint(field(columns.receiver));
    if (!sender || !receiver) return std::nullopt;
    CommRow row{*sender, *receiver, 0, 0, -1};
    for (const auto& [column, value] :
         {std::pair(columns.messages, &row.messages), std::pair(columns.bytes, &row.bytes)}) {
        if (column < 0) continue;
        const auto amount = parseAmount(field(column));
        if (!amount) return std::nullopt;
        *value = *amount;
    }
    if (columns.hops >= 0 && static_cast<std::size_t>(columns.hops) < fields.size()) {
        const auto hops = parseNumber<std::uint64_t>(field(columns.hops));
        if (!hops || *hops > 1'000'000) return std::nullopt;
        row.hops = static_cast<std::int32_t>(*hops);
    }
    return row;
}

/// Most numbers are missing. A few that are missing belong to ranks that sent and received nothing.
bool leavesMostOut(const std::vector<CommRow>& rows)
{
    std::vector<std::uint32_t> numbers;
    numbers.reserve(rows.size() * 2);
    for (const CommRow& row : rows) numbers.insert(numbers.end(), {row.sender, row.receiver});
    numbers = distinctNumbers(std::move(numbers));
    return !numbers.empty() && 2 * numbers.size() <= numbers.back();
}

void reportRow(LineFindings& findings, const Lines& lines, std::string_view line)
{
    if (lines.unfinished()) findings.add(IssueKind::Truncated, lines.number(), "the last line is cut off");
    else
        findings.add(
            IssueKind::CorruptRecord, lines.number(),
            fmt::format("no sender, receiver and amount in \"{}\"", toValidUtf8(line.substr(0, 80))));
}

/// Does the line look like one of a hop-byte file?
bool isPlainRow(std::string_view line)
{
    std::vector<std::string_view> fields;
    splitFields(line, fields);
    return fields.size() >= 3 && parseRow(fields, Columns{}).has_value();
}

/// Any number, also one that no amount can be: negative, not finite, or too large.
bool isNumberOfAnyKind(std::string_view field)
{
    double value = 0.0;
    const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error != std::errc::invalid_argument && rest == field.data() + field.size();
}

/// Does the line look like one of a hop-byte file whose amount or hops are wrong?
bool isNearlyPlainRow(std::string_view line)
{
    std::vector<std::string_view> fields;
    splitFields(line, fields);
    return (fields.size() == 3 || fields.size() == 4) && endPoint(fields[0]) && endPoint(fields[1])
        && std::all_of(fields.begin() + 2, fields.end(), isNumberOfAnyKind);
}

/// Most of the first lines are rows of a table, or, where these are garbled, most of all that was looked
/// into.
bool looksLikeTable(std::string_view start)
{
    if (start.starts_with("%%")) return false;
    Lines lines(start);
    std::string_view line;
    std::vector<std::string_view> fields;
    std::size_t plain = 0;
    std::size_t other = 0;
    while ((plain + other < kFirstLines || plain <= other) && lines.next(line)) {
        if (isComment(line) || lines.unfinished()) continue;
        splitFields(line, fields);
        if (plain + other == 0 && columnsOfHeader(fields)) return true;
        ++(isPlainRow(line) || isNearlyPlainRow(line) ? plain : other);
    }
    if (plain + other == 0) return isPlainRow(start);
    return plain > other;
}

std::optional<std::filesystem::path> sniffCommTable(const std::filesystem::path& path, const Task&)
{
    const auto start = readStart(path, kTableSniffedBytes);
    if (!start || start->empty()) return std::nullopt;
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    const bool rows = looksLikeTable(*start) || looksDense(*start, error ? 0 : size);
    // Its tables of links and matrices mean other things.
    return rows && !visucoDirectoryOf(path) ? std::optional(path) : std::nullopt;
}

/// Three or four columns may be a list of pairs or a small matrix: a matrix has as many lines as columns and
/// commas.
bool isList(std::string_view text)
{
    const std::string_view start = text.substr(0, kTableSniffedBytes);
    const bool separated = start.substr(0, start.find('\n')).find_first_of(",;") != std::string_view::npos;
    return looksLikeTable(start) && !(separated && looksDense(start, text.size()));
}

CommMatrix matrixOfTable(const CommTable& table, const std::vector<std::uint32_t>& numbers)
{
    std::vector<CommMatrix::Entry> entries;
    entries.reserve(table.rows.size());
    std::uint32_t ranks = static_cast<std::uint32_t>(numbers.size());
    for (const CommRow& row : table.rows) {
        const bool numbered = table.nodeNumbers;
        const std::uint32_t sender = numbered ? positionOf(numbers, row.sender) : row.sender;
        const std::uint32_t receiver = numbered ? positionOf(numbers, row.receiver) : row.receiver;
        entries.push_back({sender, receiver, row.messages, row.bytes});
        ranks = std::max({ranks, sender + 1, receiver + 1});
    }
    return CommMatrix(ranks, std::move(entries));
}

Result<Experiment> readTable(const std::filesystem::path& path, std::string_view text, ImportReport report,
                             const Task& task)
{
    const CommTable table = parseCommTable(text, path.filename().string(), report, task);
    if (task.stopRequested()) return cancelled();
    if (table.rows.empty())
        return fail(ErrorCode::Malformed,
                    fmt::format("{} holds no line with a sender, a receiver and an amount.{}", path.string(),
                                report.empty() ? ""
                                               : fmt::format(" Line {}: {}.", report.issues().front().offset,
                                                             report.issues().front().detail)));
    std::vector<std::uint32_t> numbers;
    if (table.nodeNumbers) {
        for (const CommRow& row : table.rows) numbers.insert(numbers.end(), {row.sender, row.receiver});
        numbers = distinctNumbers(std::move(numbers));
    }
    const bool hops = table.rows.front().hops >= 0;
    return makeCommExperiment(path, hops || table.nodeNumbers ? "Hop-byte file" : "Communication table",
                              matrixOfTable(table, numbers), numbers, std::move(report));
}

Result<Experiment> readCommTable(const std::filesystem::path& path, const Task& task)
{
    if (task.stopRequested()) return cancelled();
    const auto text = readWhole(path, task);
    if (!text) return Unexpected(text.error());
    ImportReport report;
    if (isList(*text)) return readTable(path, *text, std::move(report), task);
    auto matrix = parseDense(*text, path.filename().string(), report, task);
    if (!matrix) return Unexpected(matrix.error());
    return makeCommExperiment(path, "Communication matrix", std::move(*matrix), {}, std::move(report));
}

}  // namespace

CommTable parseCommTable(std::string_view text, std::string_view file, ImportReport& report, const Task& task)
{
    CommTable table;
    Columns columns;
    LineFindings findings(report, std::string(file));
    Lines lines(text);
    std::string_view line;
    std::vector<std::string_view> fields;
    std::size_t widest = 0;
    bool first = true;
    while (lines.next(line)) {
        if (lines.number() % kLinesBetweenStopChecks == 0 && task.stopRequested()) break;
        if (isComment(line)) continue;
        splitFields(line, fields);
        if (std::exchange(first, false)) {
            if (const auto header = columnsOfHeader(fields)) {
                columns = *header;
                continue;
            }
        }
        if (const auto row = parseRow(fields, columns)) {
            table.rows.push_back(*row);
            widest = std::max(widest, fields.size());
        } else if (!fields.empty()) {
            reportRow(findings, lines, line);
        }
    }
    table.nodeNumbers = !columns.fromHeader && widest == 3 && leavesMostOut(table.rows);
    return table;
}

const Importer kCommTableImporter{"comm-table", "Table of communication (hop-byte file, CSV)", sniffCommTable,
                                  readCommTable, ArchiveKind::Communication};

}  // namespace skein::comm_text
