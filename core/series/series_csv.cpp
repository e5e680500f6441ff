// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/series_csv.h"

#include "core/base/text_pattern.h"
#include "core/series/text_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <unordered_map>

namespace skein {

bool isTimeName(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> kNames{"",     "t",   "sample",    "index",
                                                            "step", "bin", "iteration", "timestamp"};
    std::string lower(name);
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (std::find(kNames.begin(), kNames.end(), lower) != kNames.end()) return true;
    for (const std::string_view prefix : {"time", "virtual_time", "real_time"}) {
        if (!lower.starts_with(prefix)) continue;
        return lower.size() == prefix.size()
            || !std::isalpha(static_cast<unsigned char>(lower[prefix.size()]));
    }
    return false;
}

namespace {

constexpr std::size_t kLinesBetweenQuestions = 1024;

/// Whether the fields are 0, 1, 2 …, perhaps behind an empty one: the names that columns have where nobody
/// gave them any.
bool countsFromZero(const std::vector<std::string_view>& fields)
{
    const std::size_t first = !fields.empty() && fields.front().empty() ? 1 : 0;
    if (fields.size() < first + 2 || (first == 0 && fields.size() < 3)) return false;
    for (std::size_t i = first; i < fields.size(); ++i)
        if (fields[i] != std::to_string(i - first)) return false;
    return true;
}

}  // namespace

bool namesColumns(const std::vector<std::string_view>& fields)
{
    return countsFromZero(fields) || !std::all_of(fields.begin(), fields.end(), [](std::string_view field) {
               return fieldIsNumber(field);
           });
}

namespace {

/// The first line of a table, and where its lines of values begin.
struct SeriesHead {
    std::vector<std::string> names;
    bool named = false;
};

std::vector<std::string> numberedNames(std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
    return names;
}

Result<SeriesHead> readSeriesHead(TextFields& lines, std::string_view name)
{
    if (!lines.next()) return fail(ErrorCode::Malformed, fmt::format("{} holds no lines of numbers.", name));
    SeriesHead head;
    const auto& fields = lines.fields();
    head.named = namesColumns(fields);
    if (head.named) head.names.assign(fields.begin(), fields.end());
    else head.names = numberedNames(fields.size());
    return head;
}

Result<std::size_t> findSeriesColumn(const SeriesHead& head, const std::string& wanted, std::string_view file)
{
    const auto found = std::find(head.names.begin(), head.names.end(), wanted);
    if (found != head.names.end()) return static_cast<std::size_t>(found - head.names.begin());
    std::string known;
    for (std::size_t i = 0; i < std::min<std::size_t>(head.names.size(), 12); ++i)
        known += (i ? ", " : "") + head.names[i];
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} has no column \"{}\"; it has {}{}.", file, wanted, known,
                            head.names.size() > 12 ? " …" : ""));
}

Result<std::vector<std::size_t>> findSeriesColumns(const SeriesHead& head,
                                                   const std::vector<std::string>& wanted,
                                                   std::string_view file)
{
    std::vector<std::size_t> found;
    for (const std::string& one : wanted) {
        const auto column = findSeriesColumn(head, one, file);
        if (!column) return Unexpected(column.error());
        found.push_back(*column);
    }
    return found;
}

double fieldValue(std::string_view field, SeriesNotes& notes)
{
    const FieldNumber number = fieldNumber(field);
    notes.texts += number.text ? 1 : 0;
    return number.value;
}

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

std::size_t defaultTimeColumn(const SeriesHead& head)
{
    return head.named && head.names.size() > 1 && isTimeName(head.names.front()) ? 0 : kNoColumn;
}

/// A condition and the column that it is on.
struct ColumnCondition {
    std::size_t column;
    AttributeCondition condition;
};

Result<std::vector<ColumnCondition>> findConditionColumns(const SeriesHead& head,
                                                          const AttributeConditions& where,
                                                          std::string_view file)
{
    std::vector<ColumnCondition> found;
    for (const AttributeCondition& condition : where) {
        const auto column = findSeriesColumn(head, condition.name, file);
        if (!column) return Unexpected(column.error());
        found.push_back({*column, condition});
    }
    return found;
}

bool fulfilsAll(const std::vector<ColumnCondition>& where, const std::vector<std::string_view>& fields)
{
    return std::all_of(where.begin(), where.end(), [&](const ColumnCondition& each) {
        return each.condition.holds(each.column < fields.size() ? std::optional(fields[each.column])
                                                                : std::nullopt);
    });
}

/// Of a wide table entities have no attribute but their names.
Result<void> keepNamed(const SeriesHead& head, std::size_t timeColumn, const AttributeConditions& where,
                       std::vector<std::size_t>& columns, std::string_view file)
{
    if (where.empty()) return {};
    for (const AttributeCondition& condition : where)
        if (!sameInAnyCase(condition.name, "name"))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} is a wide table, whose entities have a name and no \"{}\"; columns "
                                    "of long tables (--entity) are attributes.",
                                    file, condition.name));
    if (columns.empty())
        for (std::size_t i = 0; i < head.names.size(); ++i)
            if (i != timeColumn) columns.push_back(i);
    std::erase_if(columns, [&](std::size_t column) {
        return !allHold(
            where, [&](std::string_view) { return std::optional<std::string_view>(head.names[column]); });
    });
    if (!columns.empty()) return {};
    return fail(ErrorCode::InvalidArgument, fmt::format("No entity of {} is like {}.", file, textOf(where)));
}

/// A wide table, line by line.
class WideReader {
public:
    WideReader(const SeriesHead& head, std::size_t timeColumn, std::vector<std::size_t> wanted)
        : width_(head.names.size()), timeColumn_(timeColumn), wanted_(std::move(wanted))
    {
        if (wanted_.empty())
            for (std::size_t i = 0; i < width_; ++i)
                if (i != timeColumn_) wanted_.push_back(i);
        for (const std::size_t column : wanted_) table_.columns.push_back(head.names[column]);
    }

    void add(const std::vector<std::string_view>& fields)
    {
        table_.notes.unevenRows += fields.size() == width_ ? 0 : 1;
        double time = static_cast<double>(table_.rows());
        if (timeColumn_ < fields.size()) {
            const double told = fieldValue(fields[timeColumn_], table_.notes);
            if (std::isfinite(told)) time = told;
            else if (!table_.times.empty()) time = table_.times.back();
        }
        table_.times.push_back(time);
        for (const std::size_t column : wanted_)
            table_.values.push_back(column < fields.size() ? fieldValue(fields[column], table_.notes)
                                                           : std::numeric_limits<double>::quiet_NaN());
    }

    SeriesTable take() { return std::move(table_); }

private:
    std::size_t width_;
    std::size_t timeColumn_;
    std::vector<std::size_t> wanted_;
    SeriesTable table_;
};

/// One line of a long table.
struct LongLine {
    double time = 0.0;
    std::uint32_t entity = 0;
    std::uint32_t occurrence = 0;  ///< how many lines before have its time and entity
};

/// A long table, line by line.
class LongReader {
public:
    LongReader(std::size_t width, std::size_t time, std::vector<std::size_t> entity,
               std::vector<std::size_t> metrics, std::vector<ColumnCondition> where)
        : width_(width),
          time_(time),
          entity_(std::move(entity)),
          metrics_(std::move(metrics)),
          where_(std::move(where))
    {
    }

    void add(const std::vector<std::string_view>& fields)
    {
        if (!fulfilsAll(where_, fields)) {
            ++unwanted_;
            return;
        }
        notes_.unevenRows += fields.size() == width_ ? 0 : 1;
        const double time = time_ < fields.size() ? fieldValue(fields[time_], notes_) : std::nan("");
        if (!std::isfinite(time)) {
            ++timeless_;
            return;
        }
        LongLine line{time, entityOf(fields), 0};
        if (time < last_[line.entity]) ++notes_.backwardTimes;
        last_[line.entity] = time;
        lines_.push_back(line);
        for (const std::size_t column : metrics_)
            values_.push_back(column < fields.size() ? fieldValue(fields[column], notes_) : std::nan(""));
    }

    /// One table a metric, with the names given. Errors: InvalidArgument (too large).
    Result<std::vector<SeriesTable>> take(const std::vector<std::string>& metricNames)
    {
        const std::vector<std::size_t> order = timeOrder();
        const auto rowOf = countRows(order);
        const auto fits = checkSeriesSize(times_.size(), names_.size() * metrics_.size());
        if (!fits) return Unexpected(fits.error());
        std::vector<SeriesTable> tables;
        for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
            SeriesTable table;
            table.metric = metricNames[metric];
            table.columns = names_;
            table.times = times_;
            table.notes = notes_;
            table.values.assign(times_.size() * names_.size(), std::nan(""));
            for (std::size_t i = 0; i < lines_.size(); ++i)
                table.values[rowOf[i] * names_.size() + lines_[i].entity] =
                    values_[i * metrics_.size() + metric];
            tables.push_back(std::move(table));
        }
        return tables;
    }

    std::uint64_t timeless() const { return timeless_; }
    /// Lines that are not as wanted.
    std::uint64_t unwanted() const { return unwanted_; }
    bool empty() const { return lines_.empty(); }

private:
    std::uint32_t entityOf(const std::vector<std::string_view>& fields)
    {
        key_.clear();
        for (const std::size_t column : entity_) {
            if (!key_.empty()) key_ += '/';
            if (column < fields.size()) key_ += fields[column];
        }
        const auto [found, isNew] = entities_.try_emplace(key_, static_cast<std::uint32_t>(names_.size()));
        if (isNew) {
            names_.push_back(key_);
            last_.push_back(-std::numeric_limits<double>::infinity());
        }
        return found->second;
    }

    /// Lines by time, then entity, then as they come; tells those of one time and entity apart.
    std::vector<std::size_t> timeOrder()
    {
        std::vector<std::size_t> order(lines_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(lines_[a].time, lines_[a].entity) < std::pair(lines_[b].time, lines_[b].entity);
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            const LongLine& before = lines_[order[i - 1]];
            LongLine& line = lines_[order[i]];
            if (line.time != before.time || line.entity != before.entity) continue;
            line.occurrence = before.occurrence + 1;
            ++notes_.repeatedTimes;
        }
        return order;
    }

    /// The row of each line: one a time and occurrence.
    std::vector<std::size_t> countRows(const std::vector<std::size_t>& order)
    {
        std::vector<std::size_t> rowOf(lines_.size());
        for (std::size_t first = 0; first < order.size();) {
            const double time = lines_[order[first]].time;
            const std::size_t base = times_.size();
            std::size_t last = first;
            for (; last < order.size() && lines_[order[last]].time == time; ++last) {
                const std::size_t row = base + lines_[order[last]].occurrence;
                rowOf[order[last]] = row;
                if (row >= times_.size()) times_.resize(row + 1, time);
            }
            first = last;
        }
        return rowOf;
    }

    std::size_t width_, time_;
    std::vector<std::size_t> entity_, metrics_;
    std::vector<ColumnCondition> where_;
    SeriesNotes notes_;
    std::vector<LongLine> lines_;
    std::vector<double> values_;  ///< [line × metrics + metric]
    std::unordered_map<std::string, std::uint32_t> entities_;
    std::vector<std::string> names_;
    std::vector<double> last_;  ///< time of each entity's line before
    std::vector<double> times_;
    std::string key_;
    std::uint64_t timeless_ = 0, unwanted_ = 0;
};

/// Hands every line of values to the reader. Errors: Cancelled.
template <typename Reader>
Result<void> readSeriesLines(TextFields& lines, const SeriesHead& head, Reader& reader, const Task& task)
{
    if (!head.named) reader.add(lines.fields());
    for (std::size_t count = 1; lines.next(); ++count) {
        if (count % kLinesBetweenQuestions == 0) {
            if (task.stopRequested()) return cancelled();
            task.report(lines.fraction(), "reading series");
        }
        reader.add(lines.fields());
    }
    return {};
}

Result<std::vector<SeriesTable>> readWideSeries(TextFields& lines, const SeriesHead& head,
                                                const SeriesColumns& columns, std::string_view name,
                                                const Task& task)
{
    std::size_t time = defaultTimeColumn(head);
    if (!columns.time.empty()) {
        const auto found = findSeriesColumn(head, columns.time, name);
        if (!found) return Unexpected(found.error());
        time = *found;
    }
    auto wanted = findSeriesColumns(head, columns.metrics, name);
    if (!wanted) return Unexpected(wanted.error());
    if (const auto kept = keepNamed(head, time, columns.where, *wanted, name); !kept)
        return Unexpected(kept.error());
    WideReader reader(head, time, std::move(*wanted));
    if (const auto read = readSeriesLines(lines, head, reader, task); !read) return Unexpected(read.error());
    std::vector<SeriesTable> tables;
    tables.push_back(reader.take());
    return tables;
}

Result<std::vector<SeriesTable>> readLongSeries(TextFields& lines, const SeriesHead& head,
                                                const SeriesColumns& columns, std::string_view name,
                                                const Task& task)
{
    if (columns.time.empty() || columns.metrics.empty())
        return fail(ErrorCode::InvalidArgument,
                    "A long table needs the column of times and that of values: --time and --metric.");
    const auto time = findSeriesColumn(head, columns.time, name);
    if (!time) return Unexpected(time.error());
    auto entity = findSeriesColumns(head, columns.entity, name);
    if (!entity) return Unexpected(entity.error());
    auto metrics = findSeriesColumns(head, columns.metrics, name);
    if (!metrics) return Unexpected(metrics.error());
    auto where = findConditionColumns(head, columns.where, name);
    if (!where) return Unexpected(where.error());
    LongReader reader(head.names.size(), *time, std::move(*entity), std::move(*metrics), std::move(*where));
    if (const auto read = readSeriesLines(lines, head, reader, task); !read) return Unexpected(read.error());
    if (reader.empty() && reader.timeless() > 0)
        return fail(ErrorCode::Malformed,
                    fmt::format("The column \"{}\" of {} holds no times.", columns.time, name));
    if (reader.empty() && reader.unwanted() > 0)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("No line of {} is like {}.", name, textOf(columns.where)));
    return reader.take(columns.metrics);
}

/// Whether it begins with the byte order mark of UTF-16.
bool isWideText(std::string_view text)
{
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

/// Whether numbers may have a comma where others have a point: "1,5" between semicolons.
bool hasDecimalCommas(std::string_view text)
{
    const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    if (text.find(';') == std::string_view::npos) return false;
    for (std::size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
        if (at > 0 && at + 1 < text.size() && digit(text[at - 1]) && digit(text[at + 1])) return true;
    return false;
}

bool holdsNumbers(const SeriesTable& table) { return table.notes.missing < table.values.size(); }

}  // namespace

Result<std::vector<SeriesTable>> parseSeries(std::string_view text, const SeriesColumns& columns,
                                             std::string_view name, const Task& task)
{
    if (isWideText(text))
        return fail(ErrorCode::Malformed,
                    fmt::format("{} is text in UTF-16, not in UTF-8: save it as UTF-8.", name));
    TextFields lines(text);
    const auto head = readSeriesHead(lines, name);
    if (!head) return Unexpected(head.error());
    auto tables = columns.entity.empty() ? readWideSeries(lines, *head, columns, name, task)
                                         : readLongSeries(lines, *head, columns, name, task);
    if (!tables) return tables;
    for (SeriesTable& table : *tables) {
        if (table.rows() == 0 || table.columns.empty())
            return fail(ErrorCode::Malformed, fmt::format("{} holds no lines of numbers.", name));
        tidySeries(table);
    }
    if (std::none_of(tables->begin(), tables->end(), holdsNumbers))
        return fail(
            ErrorCode::Malformed,
            fmt::format("{} holds not one number in {}{}.", name,
                        columns.metrics.empty() ? "its columns of values" : "the columns of --metric",
                        hasDecimalCommas(text) ? ": numbers must have a decimal point, not a comma" : ""));
    return tables;
}

}  // namespace skein
