// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/records.h"

#include "app/cli/output/text.h"
#include "core/base/csv.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skein::cli {
namespace {

constexpr std::size_t kRowsThatSettleWidths = 4096;
constexpr std::size_t kNarrowestText = 12;
constexpr std::string_view kGap = "  ";
/// Doubles hold every whole number up to here.
constexpr double kLargestWhole = 9007199254740992.0;
/// What is a whole number below this is one of 64 bits, too.
constexpr double kWholeOf64Bits = 9.2e18;

void appendNumber(std::string& out, double value)
{
    if (std::fabs(value) < kWholeOf64Bits && value == std::floor(value))
        fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));
    else fmt::format_to(std::back_inserter(out), "{}", value);
}

struct CsvAppender {
    std::string& out;
    void operator()(std::monostate) const {}
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) const { fmt::format_to(std::back_inserter(out), "{}", value); }
    void operator()(std::uint64_t value) const { fmt::format_to(std::back_inserter(out), "{}", value); }
    void operator()(double value) const
    {
        if (std::isfinite(value)) appendNumber(out, value);
    }
    void operator()(const std::string& value) const { appendCsv(out, value); }
    void operator()(const std::vector<double>& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) out += ' ';
            (*this)(values[i]);
        }
    }
};

struct JsonAppender {
    std::string& out;
    void operator()(std::monostate) const { out += "null"; }
    void operator()(double value) const
    {
        if (std::isfinite(value)) appendNumber(out, value);
        else out += "null";
    }
    void operator()(const std::string& value) const { appendJson(out, value); }
    void operator()(const std::vector<double>& values) const
    {
        out += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) out += ", ";
            (*this)(values[i]);
        }
        out += ']';
    }
    template <typename Whole>
    void operator()(Whole value) const
    {
        CsvAppender{out}(value);
    }
};

std::string numberForPeople(double value, FieldKind kind)
{
    switch (kind) {
    case FieldKind::Bytes: return formatBytes(value);
    case FieldKind::Duration: return formatDuration(value);
    case FieldKind::Time: return fmt::format("{:.9f} s", value * 1e-9);
    case FieldKind::Percent: return fmt::format("{:.1f} %", value);
    case FieldKind::Count:
        return value == std::floor(value) && std::fabs(value) <= kLargestWhole
            ? formatGrouped(static_cast<std::int64_t>(value))
            : formatNumber(value);
    default: return formatNumber(value);
    }
}

/// Nanoseconds as seconds with all nine digits, without passing through a double.
std::string exactSeconds(std::int64_t ns)
{
    const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    return fmt::format("{}{}.{:09d} s", ns < 0 ? "-" : "", magnitude / 1'000'000'000,
                       magnitude % 1'000'000'000);
}

struct ForPeople {
    FieldKind kind;
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(std::int64_t value) const
    {
        if (kind == FieldKind::Id) return fmt::format("{}", value);
        if (kind == FieldKind::Time) return exactSeconds(value);
        return kind == FieldKind::Count ? formatGrouped(value)
                                        : numberForPeople(static_cast<double>(value), kind);
    }
    std::string operator()(std::uint64_t value) const
    {
        if (kind == FieldKind::Id || value > static_cast<std::uint64_t>(INT64_MAX))
            return fmt::format("{}", value);
        return (*this)(static_cast<std::int64_t>(value));
    }
    std::string operator()(double value) const { return numberForPeople(value, kind); }
    std::string operator()(const std::string& value) const { return printable(value); }
    std::string operator()(const std::vector<double>& values) const
    {
        std::string text;
        for (const double value : values) text += (text.empty() ? "" : ", ") + (*this)(value);
        return text;
    }
};

std::string forPeople(const Cell& cell, FieldKind kind) { return std::visit(ForPeople{kind}, cell); }

void appendJsonCell(std::string& out, const Cell& cell) { std::visit(JsonAppender{out}, cell); }

/// On one line.
void appendJsonObject(std::string& out, std::span<const Field> fields, std::span<const Cell> cells)
{
    out += '{';
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) out += ", ";
        appendJson(out, fields[i].key);
        out += ": ";
        appendJsonCell(out, cells[i]);
    }
    out += '}';
}

}  // namespace

void JsonObject::begin(std::string_view key)
{
    std::string text = first_ ? "{\n  " : ",\n  ";
    first_ = false;
    appendJson(text, key);
    sink_.write(text + ": ");
}

void JsonObject::add(std::string_view key, const Cell& value)
{
    begin(key);
    std::string text;
    appendJsonCell(text, value);
    sink_.write(text);
}

void JsonObject::add(std::span<const Field> fields, std::span<const Cell> cells)
{
    for (std::size_t i = 0; i < fields.size(); ++i) add(fields[i].key, cells[i]);
}

void JsonObject::addRows(std::string_view key, std::span<const Field> fields,
                         std::span<const std::vector<Cell>> rows)
{
    begin(key);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string text = row == 0 ? "[\n    " : ",\n    ";
        appendJsonObject(text, fields, rows[row]);
        sink_.write(text);
    }
    sink_.write(rows.empty() ? "[]" : "\n  ]");
}

void JsonObject::finish()
{
    sink_.write(first_ ? "{}\n" : "\n}\n");
    sink_.flush();
}

void appendJsonNumber(std::string& out, double value) { appendNumber(out, value); }

double cleanNs(double ns)
{
    const double scaled = ns * 1000.0;
    return std::fabs(scaled) < kLargestWhole ? std::round(scaled) / 1000.0 : ns;
}

RecordWriter::RecordWriter(Sink& sink, Format format, std::vector<Field> fields)
    : sink_(sink), format_(format), fields_(std::move(fields))
{
    if (format_ != Format::Csv) return;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (i > 0) line_ += ',';
        appendCsv(line_, fields_[i].key);
    }
    sink_.write(line_ + "\n");
}

bool RecordWriter::row(std::span<const Cell> cells)
{
    switch (format_) {
    case Format::Csv: csvRow(cells); break;
    case Format::Json: jsonRow(cells); break;
    case Format::Table: tableRow(cells); break;
    }
    ++rows_;
    return sink_.open();
}

void RecordWriter::finish()
{
    if (format_ == Format::Json) sink_.write(rows_ == 0 ? "[]\n" : "\n]\n");
    if (format_ == Format::Table) {
        dropEmptyColumns();
        releaseTable();
    }
    sink_.flush();
}

void RecordWriter::csvRow(std::span<const Cell> cells)
{
    line_.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line_ += ',';
        std::visit(CsvAppender{line_}, cells[i]);
    }
    line_ += '\n';
    sink_.write(line_);
}

void RecordWriter::jsonRow(std::span<const Cell> cells)
{
    line_ = rows_ == 0 ? "[\n  " : ",\n  ";
    appendJsonObject(line_, fields_, cells);
    sink_.write(line_);
}

void RecordWriter::tableRow(std::span<const Cell> cells)
{
    std::vector<std::string> texts;
    texts.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) texts.push_back(forPeople(cells[i], fields_[i].kind));
    if (widthsSettled_) return tableLine(texts);
    waiting_.push_back(std::move(texts));
    if (waiting_.size() >= kRowsThatSettleWidths) releaseTable();
}

/// Columns without a single value are left out of a table that is known as a whole.
void RecordWriter::dropEmptyColumns()
{
    if (widthsSettled_ || waiting_.empty()) return;
    for (std::size_t i = fields_.size(); i-- > 0;) {
        if (!std::all_of(waiting_.begin(), waiting_.end(),
                         [&](const auto& texts) { return texts[i].empty(); }))
            continue;
        fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(i));
        for (auto& texts : waiting_) texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void RecordWriter::releaseTable()
{
    if (widthsSettled_) return;
    widthsSettled_ = true;
    std::vector<std::string> titles, rules;
    for (const Field& field : fields_) {
        titles.push_back(field.title);
        widths_.push_back(displayWidth(field.title));
    }
    for (const auto& texts : waiting_)
        for (std::size_t i = 0; i < texts.size(); ++i)
            widths_[i] = std::max(widths_[i], displayWidth(texts[i]));
    shrinkToTerminal();
    for (const std::size_t width : widths_) {
        rules.emplace_back();
        for (std::size_t i = 0; i < width; ++i) rules.back() += "─";
    }
    tableLine(titles);
    tableLine(rules);
    for (const auto& texts : waiting_) tableLine(texts);
    waiting_ = {};
}

/// Takes what is too wide for the terminal from the widest text column, then from the next.
void RecordWriter::shrinkToTerminal()
{
    const std::size_t available = sink_.terminalWidth();
    if (available == 0) return;
    std::size_t wanted = kGap.size() * (widths_.size() - 1);
    for (const std::size_t width : widths_) wanted += width;
    while (wanted > available) {
        std::size_t widest = widths_.size();
        for (std::size_t i = 0; i < widths_.size(); ++i) {
            if (fields_[i].kind != FieldKind::Text || widths_[i] <= kNarrowestText) continue;
            if (widest == widths_.size() || widths_[i] > widths_[widest]) widest = i;
        }
        if (widest == widths_.size()) return;
        --widths_[widest];
        --wanted;
    }
}

void RecordWriter::tableLine(std::span<const std::string> texts)
{
    line_.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) line_ += kGap;
        const bool isText = fields_[i].kind == FieldKind::Text;
        const std::string shown =
            isText && sink_.terminalWidth() > 0 ? elided(texts[i], widths_[i]) : texts[i];
        const std::size_t width = displayWidth(shown);
        const std::string padding(widths_[i] > width ? widths_[i] - width : 0, ' ');
        line_ += isText ? shown + padding : padding + shown;
    }
    line_.erase(line_.find_last_not_of(' ') + 1);
    line_ += '\n';
    sink_.write(line_);
}

void writeRecord(Sink& sink, Format format, std::span<const Field> fields, std::span<const Cell> cells)
{
    if (format == Format::Csv) {
        RecordWriter writer(sink, format, {fields.begin(), fields.end()});
        writer.row(cells);
        return writer.finish();
    }
    if (format == Format::Json) {
        JsonObject object(sink);
        object.add(fields, cells);
        return object.finish();
    }
    std::size_t widest = 0;
    for (const Field& field : fields) widest = std::max(widest, displayWidth(field.title));
    std::string out;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        out += fields[i].title + std::string(widest - displayWidth(fields[i].title), ' ') + std::string(kGap);
        const std::string text = forPeople(cells[i], fields[i].kind);
        out += (text.empty() ? "unknown" : text) + "\n";
    }
    sink.write(out);
    sink.flush();
}

}  // namespace skein::cli
