// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/dense_matrix.h"

#include "core/io/comm_text/text_input.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::comm_text {
namespace {

bool isNumber(std::string_view field) { return parseAmount(field).has_value(); }

/// What the first line tells: the number of columns, and whether labels stand in the first line and column.
struct DenseForm {
    std::size_t columns = 0;
    bool labelled = false;
};

std::optional<DenseForm> formOf(const std::vector<std::string_view>& first)
{
    if (first.size() < 2) return std::nullopt;
    const bool labelled = !isNumber(first.front());
    if (!std::all_of(first.begin() + 1, first.end(), isNumber)) return std::nullopt;
    return DenseForm{first.size() - (labelled ? 1 : 0), labelled};
}

bool isPlausibleSize(const DenseForm& form, std::size_t lines, std::size_t seenBytes, std::uint64_t fileBytes)
{
    if (seenBytes >= fileBytes) return lines == form.columns + (form.labelled ? 1 : 0);
    if (lines == 0) return fileBytes / (2 * form.columns) + 1 >= form.columns;
    const double expected =
        static_cast<double>(fileBytes) / static_cast<double>(seenBytes) * static_cast<double>(lines);
    return expected > 0.25 * static_cast<double>(form.columns)
        && expected < 4.0 * static_cast<double>(form.columns);
}

void addRow(const std::vector<std::string_view>& fields, const DenseForm& form, std::uint32_t sender,
            std::vector<CommMatrix::Entry>& entries)
{
    for (std::size_t column = 0; column < form.columns; ++column) {
        const auto bytes = parseAmount(fields[column + (form.labelled ? 1 : 0)]);
        if (bytes.value_or(0) > 0) entries.push_back({sender, static_cast<std::uint32_t>(column), 0, *bytes});
    }
}

bool fits(const std::vector<std::string_view>& fields, const DenseForm& form)
{
    return fields.size() == form.columns + (form.labelled ? 1 : 0)
        && std::all_of(fields.begin() + (form.labelled ? 1 : 0), fields.end(), isNumber);
}

}  // namespace

bool looksDense(std::string_view start, std::uint64_t fileBytes)
{
    Lines lines(start);
    std::string_view line;
    std::vector<std::string_view> fields;
    std::optional<DenseForm> form;
    std::size_t count = 0;
    std::size_t misfits = 0;
    while (lines.next(line)) {
        if (lines.unfinished() && start.size() < fileBytes) break;
        splitFields(line, fields);
        if (fields.empty()) continue;
        if (!form && !(form = formOf(fields))) return false;
        if (count > 0 && !fits(fields, *form)) ++misfits;
        ++count;
    }
    return form && 2 * misfits < count && isPlausibleSize(*form, count, start.size(), fileBytes);
}

Result<CommMatrix> parseDense(std::string_view text, std::string_view file, ImportReport& report,
                              const Task& task)
{
    LineFindings findings(report, std::string(file));
    Lines lines(text);
    std::string_view line;
    std::vector<std::string_view> fields;
    std::optional<DenseForm> form;
    std::vector<CommMatrix::Entry> entries;
    std::uint32_t sender = 0;
    while (lines.next(line)) {
        if (task.stopRequested()) return cancelled();
        splitFields(line, fields);
        if (fields.empty()) continue;
        if (!form) {
            form = formOf(fields);
            if (!form || form->columns > kMaximumNumber) break;
            if (form->labelled) continue;
        }
        if (sender >= form->columns || !fits(fields, *form))
            findings.add(
                lines.unfinished() ? IssueKind::Truncated : IssueKind::CorruptRecord, lines.number(),
                fmt::format("the matrix has {} columns, this line {} fields", form->columns, fields.size()));
        else addRow(fields, *form, sender, entries);
        ++sender;
    }
    if (!form) return fail(ErrorCode::Malformed, fmt::format("{} is no matrix of numbers.", file));
    if (sender < form->columns)
        findings.add(IssueKind::Truncated, lines.number(),
                     fmt::format("{} of {} rows are there", sender, form->columns));
    return CommMatrix(static_cast<std::uint32_t>(form->columns), std::move(entries));
}

}  // namespace skein::comm_text
