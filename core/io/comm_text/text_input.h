// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein::comm_text {

/// The largest rank or node number that a text may name; greater ones are taken for garbled.
inline constexpr std::uint64_t kMaximumNumber = (std::uint64_t{1} << 22) - 1;

/// How many short lines are read in well under 10 ms.
inline constexpr std::int64_t kLinesBetweenStopChecks = 4096;

/// The whole file. Errors: NotFound, AccessDenied, Unsupported above 4 GiB, Io, Cancelled.
Result<std::string> readWhole(const std::filesystem::path& path, const Task& task);

/// The first `limit` bytes of a regular file, where at most one of 32 is NUL, as in a damaged text; nullopt
/// for anything else.
std::optional<std::string> readStart(const std::filesystem::path& path, std::size_t limit);

/// Walks over the lines of a text; line ends are LF or CR LF.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}
    /// The next line without its end; false after the last.
    bool next(std::string_view& line);
    /// The number of the line that next() gave, from 1.
    std::int64_t number() const { return number_; }
    /// True when the line that next() gave is the last and has no line end: it may be cut off.
    bool unfinished() const { return unfinished_; }

private:
    std::string_view rest_;
    std::int64_t number_ = 0;
    bool unfinished_ = false;
};

/// Splits at commas, semicolons and blanks; blanks around a comma belong to it. Quotes around a field are
/// dropped.
void splitFields(std::string_view line, std::vector<std::string_view>& fields);

/// A byte count as an integer or in floating point ("3.913e+06"), rounded; nullopt for negative, not finite,
/// or beyond 2^63.
std::optional<std::uint64_t> parseAmount(std::string_view text);

/// Reports the findings of one kind in one file: the first hundred each with its line number, the others as
/// one count.
class LineFindings {
public:
    LineFindings(ImportReport& report, std::string file) : report_(report), file_(std::move(file)) {}
    void add(IssueKind kind, std::int64_t line, std::string detail);

private:
    ImportReport& report_;
    std::string file_;
    std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(64, 0);
};

}  // namespace skein::comm_text
