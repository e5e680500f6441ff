// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/sink.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What every command prints: records with named fields, as an aligned table for people, or as CSV or JSON
/// for scripts.
namespace skein::cli {

enum class Format : std::uint8_t { Table, Csv, Json };

/// What a field's values are. Decides how a table shows them; CSV and JSON always have the plain value.
enum class FieldKind : std::uint8_t {
    Text,
    Id,        ///< a whole number that names something: not grouped
    Count,     ///< "1,426,624"
    Bytes,     ///< "1.36 MiB"
    Duration,  ///< nanoseconds; "12.5 ms"
    Time,      ///< nanoseconds since the experiment's start; "0.018900123 s"
    Percent,   ///< 0…100; "12.5 %"
    Number,    ///< four significant digits
};

/// One column: `key` for CSV and JSON (snake_case, with its unit: "inclusive_ns"), `title` for the table.
struct Field {
    std::string key;
    std::string title;
    FieldKind kind = FieldKind::Text;
};

/// A value of a field; monostate is "not known": an empty CSV field, null in JSON, a blank in a table. A list
/// of numbers is an array in JSON, and separated by blanks in CSV.
using Cell =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, std::vector<double>>;

/// Streams records to a sink. Tables look at the first rows to find their widths and then stream as well; a
/// longer value further down moves its line and is never cut. Long texts are elided in the middle only where
/// the sink is a terminal that is narrower. Columns without a value are left out of short tables. Not
/// thread-safe.
class RecordWriter {
public:
    RecordWriter(Sink& sink, Format format, std::vector<Field> fields);
    ~RecordWriter() = default;
    RecordWriter(const RecordWriter&) = delete;
    RecordWriter& operator=(const RecordWriter&) = delete;

    /// Writes one record; one cell a field. False when the reader has gone and the caller should end.
    bool row(std::span<const Cell> cells);
    bool row(std::initializer_list<Cell> cells)
    {
        return row(std::span<const Cell>(cells.begin(), cells.size()));
    }
    /// Ends the output; must be called once.
    void finish();

private:
    void csvRow(std::span<const Cell> cells);
    void jsonRow(std::span<const Cell> cells);
    void tableRow(std::span<const Cell> cells);
    void dropEmptyColumns();
    void releaseTable();
    void shrinkToTerminal();
    void tableLine(std::span<const std::string> texts);

    Sink& sink_;
    Format format_;
    std::vector<Field> fields_;
    std::vector<std::size_t> widths_;
    std::vector<std::vector<std::string>> waiting_;  ///< rows of a table whose widths are not settled yet
    bool widthsSettled_ = false;
    std::uint64_t rows_ = 0;
    std::string line_;
};

/// Writes one record as it is read best: a line a field for people, a CSV header and line, or one JSON
/// object.
void writeRecord(Sink& sink, Format format, std::span<const Field> fields, std::span<const Cell> cells);

/// One JSON object, written member by member, each on a line of its own. Values are plain: numbers without
/// quotes, whole numbers without a point, null for unknown and not finite. Not thread-safe.
class JsonObject {
public:
    explicit JsonObject(Sink& sink) : sink_(sink) {}
    JsonObject(const JsonObject&) = delete;
    JsonObject& operator=(const JsonObject&) = delete;

    void add(std::string_view key, const Cell& value);
    /// A member a field.
    void add(std::span<const Field> fields, std::span<const Cell> cells);
    /// An array of objects.
    void addRows(std::string_view key, std::span<const Field> fields,
                 std::span<const std::vector<Cell>> rows);
    /// The caller writes the value next, as JSON.
    void begin(std::string_view key);
    /// Ends the output; must be called once.
    void finish();

private:
    Sink& sink_;
    bool first_ = true;
};

/// A list of numbers as a cell.
template <typename Numbers>
Cell listCell(const Numbers& numbers)
{
    return std::vector<double>(numbers.begin(), numbers.end());
}

/// A number as JSON and CSV have it: what is whole has no point. Finite.
void appendJsonNumber(std::string& out, double value);

/// A sum of nanoseconds without the noise behind its third decimal.
double cleanNs(double ns);

}  // namespace skein::cli
