// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/text_profile.h"

#include "core/io/xml/xml_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <span>

namespace skein::tau {
namespace {

constexpr std::string_view kTemplated = " templated_functions";
constexpr std::uint64_t kUncountable = ~std::uint64_t{0};

/// Splits the first line off the text, without its end.
std::string_view takeLine(std::string_view& text)
{
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

/// "69 templated_functions…": the number before the words, also one that cannot be; rows are told by their
/// form.
std::optional<std::uint64_t> announced(std::string_view line, std::string_view words)
{
    const std::string_view text = trimmed(line);
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const auto end = digits.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos || !digits.substr(end).starts_with(words))
        return std::nullopt;
    std::uint64_t count = 0;
    if (std::from_chars(text.data(), digits.data() + end, count).ec != std::errc()) return kUncountable;
    return count;
}

class TextProfileParser {
public:
    TextProfileParser(std::string_view text, ThreadKey key, std::string_view file) : text_(text), file_(file)
    {
        profile_.threads.emplace_back().key = key;
    }

    std::optional<RawProfile> run(const Task& task)
    {
        readHeader();
        while (!text_.empty() && !isBehindEnd()) {
            if (line_ % 256 == 0 && task.stopRequested()) return std::nullopt;
            readLine();
        }
        tellTail();
        compareCounts();
        return std::move(profile_);
    }

private:
    enum class Block { Timers, Aggregates, Events };

    RawThread& thread() { return profile_.threads.front(); }

    std::string_view nextLine()
    {
        ++line_;
        return takeLine(text_);
    }

    /// All findings of a kind are one, at the line of the first.
    void complain(IssueKind kind, std::string detail)
    {
        std::string& place = places_[kind];
        if (place.empty()) place = fmt::format("line {}", line_);
        profile_.report.add(kind, file_, place, std::move(detail), line_);
    }

    double checked(double value)
    {
        if (isProfileValue(value)) return value;
        complain(IssueKind::CorruptRecord, fmt::format("value {} taken as 0", value));
        return 0.0;
    }

    void readHeader()
    {
        const std::string_view line = nextLine();
        announcedTimers_ = announced(line, kTemplated);
        const auto multi = line.find("_MULTI_");
        const std::string_view metric =
            multi == std::string_view::npos ? "TIME" : trimmed(line.substr(multi + 7));
        profile_.metrics.push_back({std::string(metric.empty() ? "TIME" : metric), ""});
    }

    void readLine()
    {
        if (text_.front() == '#') return readComment();
        const std::string_view line = trimmed(nextLine());
        if (line.empty()) return;
        if (line.front() == '"') return readRow(line);
        if (const auto count = announced(line, " aggregates")) startAggregates(*count);
        else if (const auto events = announced(line, " userevents")) startEvents(*events);
        else complain(IssueKind::CorruptRecord, "a line that is no row of a profile");
    }

    void startAggregates(std::uint64_t count)
    {
        rowsLeft_ = count;
        block_ = Block::Aggregates;
    }

    void startEvents(std::uint64_t count)
    {
        announcedEvents_ = count;
        rowsLeft_ = count;
        block_ = Block::Events;
    }

    /// True where all announced rows were read and what follows is the rest of an older file, over which this
    /// one was written.
    bool isBehindEnd()
    {
        if (looked_ || block_ == Block::Timers || rowsLeft_ > 0 || text_.front() == '#') return false;
        std::string_view rest = text_;
        std::string_view line = trimmed(takeLine(rest));
        if (line.empty() || (block_ == Block::Aggregates && announced(line, " userevents"))) return false;
        looked_ = true;
        return isStale(line);
    }

    /// An older file's rest has rows that cannot stand here: timers, or user events that were listed before.
    /// Rows alone that were not announced are read: then the count is wrong.
    bool isStale(std::string_view line) const
    {
        if (text_.find(" GROUP=\"") != std::string_view::npos
            || text_.find(" aggregates\n") != std::string_view::npos)
            return true;
        if (block_ != Block::Events || profile_.events.empty()) return false;
        const std::string_view name = line.substr(1, line.rfind('"') - 1);
        return line.front() != '"'
            || std::find(profile_.events.begin(), profile_.events.end(), name) != profile_.events.end();
    }

    void tellTail()
    {
        if (text_.empty()) return;
        ++line_;
        const auto lines = std::count(text_.begin(), text_.end(), '\n') + (text_.ends_with('\n') ? 0 : 1);
        complain(IssueKind::StaleTail, fmt::format("{} lines of an older, longer profile", lines));
        text_ = {};
    }

    /// The comment above the timers carries the metadata, whose values may contain line breaks.
    void readComment()
    {
        const auto lineEnd = text_.find('\n');
        const auto begin = text_.substr(0, lineEnd).find("<metadata>");
        if (begin == std::string_view::npos) {
            nextLine();
            return;
        }
        constexpr std::string_view close = "</metadata>";
        const auto end = text_.find(close, begin);
        if (end == std::string_view::npos) {
            complain(IssueKind::CorruptRecord, "metadata without an end");
            nextLine();
            return;
        }
        if (thread().metadata.empty())
            thread().metadata = xml::parseAttributes(text_.substr(begin, end - begin));
        // It tells which file of the thread this is, and nothing about the thread.
        std::erase_if(thread().metadata,
                      [](const Property& property) { return property.name == "Metric Name"; });
        for (const char c : text_.substr(0, end)) line_ += c == '\n';
        text_.remove_prefix(end + close.size());
        nextLine();
    }

    void readRow(std::string_view line)
    {
        rowsLeft_ -= rowsLeft_ > 0 ? 1 : 0;
        if (block_ == Block::Timers) readTimer(line);
        else if (block_ == Block::Events) readEvent(line);
    }

    bool nameFits(std::string_view name)
    {
        if (name.size() <= kMaximumNameBytes) return true;
        complain(IssueKind::CorruptRecord, fmt::format("a name of {} bytes", name.size()));
        return false;
    }

    /// Reads the numbers behind the name; reports and returns false where one is missing.
    bool readNumbers(std::string_view rest, std::span<double> into)
    {
        for (double& value : into) {
            const auto found = takeNumber(rest);
            if (!found) {
                complain(IssueKind::CorruptRecord, "a row with a missing or garbled number");
                return false;
            }
            value = checked(*found);
        }
        return true;
    }

    /// `"<name>" <calls> <subroutines> <exclusive> <inclusive> <profile calls> GROUP="<groups>"`; quotes in
    /// the name are possible, so the row is read from its end.
    void readTimer(std::string_view line)
    {
        constexpr std::string_view mark = " GROUP=\"";
        const auto group = line.rfind(mark);
        const std::string_view front = line.substr(0, group);
        const auto nameEnd = front.rfind('"');
        if (nameEnd == 0) return complain(IssueKind::CorruptRecord, "a name without an end");
        const std::string_view name = front.substr(1, nameEnd - 1);
        std::array<double, 4> numbers{};
        if (!nameFits(name) || !readNumbers(front.substr(nameEnd + 1), numbers)) return;
        std::string_view groups =
            group == std::string_view::npos ? std::string_view() : line.substr(group + mark.size());
        groups = groups.substr(0, groups.find('"'));
        if (groups.size() > kMaximumNameBytes) groups = {};
        RawThread& rows = thread();
        rows.values.push_back({static_cast<std::uint32_t>(rows.timerRows.size()), 0, numbers[2], numbers[3]});
        rows.timerRows.push_back(
            {static_cast<std::uint32_t>(profile_.timers.size()), numbers[0], numbers[1]});
        profile_.timers.push_back({std::string(name), std::string(groups)});
    }

    /// `"<name>" <count> <maximum> <minimum> <mean> <sum of squares>`
    void readEvent(std::string_view line)
    {
        const auto nameEnd = line.rfind('"');
        if (nameEnd == 0) return complain(IssueKind::CorruptRecord, "a name without an end");
        const std::string_view name = line.substr(1, nameEnd - 1);
        std::array<double, 5> numbers{};
        if (!nameFits(name) || !readNumbers(line.substr(nameEnd + 1), numbers)) return;
        thread().eventRows.push_back({static_cast<std::uint32_t>(profile_.events.size()), numbers[0],
                                      numbers[1], numbers[2], numbers[3], numbers[4]});
        profile_.events.emplace_back(name);
    }

    void compareCount(std::optional<std::uint64_t> told, std::size_t found, std::string_view what)
    {
        if (!told || *told == found) return;
        if (*told == kUncountable)
            return complain(
                IssueKind::EventCount,
                fmt::format("an impossible number of {} is announced and {} can be read", what, found));
        const auto kind = *told > found ? IssueKind::Truncated : IssueKind::EventCount;
        complain(kind, fmt::format("{} {} are announced and {} can be read", *told, what, found));
    }

    void compareCounts()
    {
        compareCount(announcedTimers_, thread().timerRows.size(), "timers");
        compareCount(announcedEvents_, thread().eventRows.size(), "user events");
    }

    std::string_view text_;
    std::string_view file_;
    RawProfile profile_;
    std::optional<std::uint64_t> announcedTimers_, announcedEvents_;
    std::map<IssueKind, std::string> places_;  ///< lines of the first findings
    std::uint64_t rowsLeft_ = 0;               ///< of the block that is being read
    std::int64_t line_ = 0;
    bool looked_ = false;  ///< whether what follows the announced rows was judged
    Block block_ = Block::Timers;
};

}  // namespace

bool isTextProfile(std::string_view head) { return announced(takeLine(head), kTemplated).has_value(); }

std::optional<RawProfile> parseTextProfile(std::string_view text, ThreadKey key, std::string_view file,
                                           const Task& task)
{
    return TextProfileParser(text, key, file).run(task);
}

}  // namespace skein::tau
