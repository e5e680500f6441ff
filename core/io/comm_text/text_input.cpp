// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/text_input.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace skein::comm_text {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaximumFileBytes = std::uint64_t{1} << 32;
/// Read in some milliseconds.
constexpr std::size_t kBytesBetweenStopChecks = std::size_t{1} << 22;
constexpr std::uint64_t kDetailedFindings = 100;
/// A text that was damaged has a NUL now and then; where more of the bytes are NUL it is none.
constexpr std::size_t kBytesPerZero = 32;

bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isSeparator(char c) { return c == ',' || c == ';'; }

/// Spreadsheets begin texts in UTF-8 with a mark.
void dropByteOrderMark(std::string& text)
{
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
}

std::string_view withoutQuotes(std::string_view field)
{
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return field;
    return field.substr(1, field.size() - 2);
}

}  // namespace

Result<std::string> readWhole(const fs::path& path, const Task& task)
{
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error)
        return fail(ErrorCode::NotFound,
                    fmt::format("{} cannot be read: {}.", path.string(), error.message()));
    if (size > kMaximumFileBytes)
        return fail(ErrorCode::Unsupported, fmt::format("{} is larger than 4 GiB.", path.string()));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(ErrorCode::AccessDenied,
                    fmt::format("{} cannot be opened; check its permissions.", path.string()));
    std::string text;
    text.reserve(size);
    while (file && text.size() < size) {
        if (task.stopRequested()) return cancelled();
        const std::size_t begin = text.size();
        text.resize(std::min<std::size_t>(size, begin + kBytesBetweenStopChecks));
        file.read(text.data() + begin, static_cast<std::streamsize>(text.size() - begin));
        text.resize(begin + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", path.string()));
    dropByteOrderMark(text);
    return text;
}

std::optional<std::string> readStart(const fs::path& path, std::size_t limit)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text(limit, '\0');
    file.read(text.data(), static_cast<std::streamsize>(limit));
    text.resize(static_cast<std::size_t>(file.gcount()));
    const auto zeros = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0'));
    if (zeros * kBytesPerZero > text.size()) return std::nullopt;
    dropByteOrderMark(text);
    return text;
}

bool Lines::next(std::string_view& line)
{
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    unfinished_ = end == std::string_view::npos;
    line = rest_.substr(0, end);
    rest_ = unfinished_ ? std::string_view() : rest_.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
}

void splitFields(std::string_view line, std::vector<std::string_view>& fields)
{
    fields.clear();
    std::size_t at = 0;
    const auto skipBlanks = [&] {
        while (at < line.size() && isBlank(line[at])) ++at;
    };
    skipBlanks();
    while (at < line.size()) {
        const std::size_t begin = at;
        while (at < line.size() && !isBlank(line[at]) && !isSeparator(line[at])) ++at;
        fields.push_back(withoutQuotes(line.substr(begin, at - begin)));
        skipBlanks();
        if (at == line.size() || !isSeparator(line[at])) continue;
        ++at;
        skipBlanks();
        if (at == line.size()) fields.emplace_back();
    }
}

std::optional<std::uint64_t> parseAmount(std::string_view text)
{
    if (const auto whole = parseNumber<std::uint64_t>(text))
        return whole <= std::uint64_t{1} << 63 ? whole : std::nullopt;
    const auto value = parseNumber<double>(text);
    if (!value || !(*value >= 0.0) || *value > 9.2e18) return std::nullopt;
    return static_cast<std::uint64_t>(std::llround(*value));
}

void LineFindings::add(IssueKind kind, std::int64_t line, std::string detail)
{
    const bool detailed = ++counts_[static_cast<std::size_t>(kind)] <= kDetailedFindings;
    report_.add(kind, file_, detailed ? fmt::format("line {}", line) : "further lines", std::move(detail),
                line);
}

}  // namespace skein::comm_text
