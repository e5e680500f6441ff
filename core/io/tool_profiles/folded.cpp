// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/tool_profiles/tool_profiles.h"
#include "core/io/tree_profile/tree_profile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace skein::folded {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFoldedHeadBytes = 8192;
constexpr std::size_t kLinesLookedAt = 16;

struct FoldedLine {
    std::string_view stack;
    double count = 0.0;
};

/// Frames, a blank, a number.
std::optional<FoldedLine> foldedLine(std::string_view line)
{
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos || blank == 0) return std::nullopt;
    const auto count = parseNumber<double>(line.substr(blank + 1));
    if (!count || !std::isfinite(*count) || *count < 0.0) return std::nullopt;
    return FoldedLine{line.substr(0, blank), *count};
}

/// Tables of numbers look alike, but have no letters.
bool hasLetter(std::string_view text)
{
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0 || c >= 0x80; });
}

/// Does a file whose first line is longer than its head end as a line of stacks?
bool endsAsFolded(const fs::path& path)
{
    constexpr std::streamoff kTailBytes = 64;
    std::ifstream file(path, std::ios::binary);
    std::string tail(kTailBytes, ' ');
    if (!file.seekg(-kTailBytes, std::ios::end) || !file.read(tail.data(), kTailBytes)) return false;
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.pop_back();
    return foldedLine("x" + tail).has_value();
}

/// Most of the first lines are stacks; some may have lost their number.
std::optional<fs::path> sniffFolded(const fs::path& path, const Task&)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    const std::string head = fileHead(path, kFoldedHeadBytes);
    if (head.find('\0') != std::string::npos) return std::nullopt;
    std::string_view rest = head;
    std::size_t lines = 0, folded = 0, stacks = 0;
    while (!rest.empty() && lines < kLinesLookedAt) {
        const std::size_t end = rest.find('\n');
        // The last line of the head may be cut off.
        if (end == std::string_view::npos && head.size() == kFoldedHeadBytes) break;
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        ++lines;
        const auto found = foldedLine(line);
        if (!found) continue;
        if (!hasLetter(found->stack)) return std::nullopt;
        stacks += found->stack.find(';') != std::string_view::npos;
        ++folded;
    }
    if (lines == 0 && head.find(';') != std::string::npos && hasLetter(head) && endsAsFolded(path))
        return path;
    return stacks > 0 && 2 * folded > lines ? std::optional(path) : std::nullopt;
}

Result<Experiment> readStacks(const fs::path& path, const Task& task)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return Unexpected(bytes.error());
    const std::string file = toValidUtf8(path.filename().string());
    TreeProfileBuilder builder;
    ImportReport report;
    const std::uint32_t location = builder.location(-1), metric = builder.metric("samples", "");
    std::string_view text = bytes->text();
    for (std::int64_t number = 1; !text.empty(); ++number) {
        if (number % 1024 == 0 && task.stopRequested()) return cancelled();
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        const auto folded = foldedLine(line);
        if (!folded) {
            report.add(text.empty() ? IssueKind::Truncated : IssueKind::CorruptRecord, file, "",
                       "a line is no stack with a number behind it", number);
            continue;
        }
        if (text.empty() && bytes->text().back() != '\n')
            report.add(IssueKind::UnendedLine, file, "", fmt::format("its number is {}", folded->count),
                       number);
        CallPathId node;
        for (std::string_view stack = folded->stack; !stack.empty();) {
            const std::size_t next = std::min(stack.find(';'), stack.size());
            TreeFrame frame;
            frame.name = stack.substr(0, next);
            node = builder.child(node, frame);
            stack.remove_prefix(std::min(next + 1, stack.size()));
        }
        if (node.valid()) builder.add(node, location, metric, TreeRowAmount::Exclusive, folded->count);
    }
    if (const auto whole = stillWhole(*bytes, path.string()); !whole) return Unexpected(whole.error());
    return std::move(builder).finish(path, "Folded stacks", std::move(report), task);
}

Result<Experiment> readFolded(const fs::path& path, const Task& task)
{
    return guardedRead(path, task, readStacks);
}

}  // namespace
}  // namespace skein::folded

namespace skein {

const Importer kFoldedImporter{"folded",
                               "Folded stacks",
                               &folded::sniffFolded,
                               &folded::readFolded,
                               ArchiveKind::Profile,
                               nullptr,
                               false,
                               false};

}  // namespace skein
