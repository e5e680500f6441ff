// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/extrap_text.h"

#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace skein {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::array<std::string_view, 5> kKeywords{"PARAMETER", "POINTS", "METRIC", "REGION", "DATA"};
constexpr std::size_t kMostExtrapNotes = 20;

std::string_view strippedLine(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || line[begin] == '#') return {};
    return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

/// The line before the next line end; takes it off.
std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return strippedLine(line);
}

/// The word before the next blank; takes it off with the blanks behind it.
std::string_view takeWord(std::string_view& line)
{
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    return word;
}

class ExtrapParser {
public:
    ExtrapParser(std::string_view name, const Task& task) : name_(name), task_(task) {}

    Result<ScalingStudy> run(std::string_view text)
    {
        while (!text.empty()) {
            if (task_.stopRequested()) return cancelled();
            ++line_;
            std::string_view line = takeLine(text);
            if (line.empty()) continue;
            const std::string_view keyword = takeWord(line);
            if (auto taken = take(keyword, line); !taken) return Unexpected(std::move(taken.error()));
        }
        return finish();
    }

private:
    Result<void> take(std::string_view keyword, std::string_view rest)
    {
        if (keyword == "PARAMETER") takeParameters(rest);
        else if (keyword == "POINTS") return takePoints(rest);
        else if (keyword == "METRIC") metric_ = toValidUtf8(rest), current_.reset();
        else if (keyword == "REGION") region_ = toValidUtf8(rest), current_.reset();
        else if (keyword == "DATA") takeData(rest);
        else if (keyword != "EXPERIMENT")
            note(fmt::format("line {} begins with '{}', which is no word of this format", line_,
                             toValidUtf8(keyword.substr(0, 40))));
        return {};
    }

    void takeParameters(std::string_view rest)
    {
        while (!rest.empty()) study_.parameters.push_back(toValidUtf8(takeWord(rest)));
    }

    /// "( 4 10 ) ( 8 10 )"; of a single parameter the parentheses may be missing.
    Result<void> takePoints(std::string_view rest)
    {
        std::vector<double> point;
        bool inside = false;
        std::string spaced;
        for (const char c : rest) {
            const bool bracket = c == '(' || c == ')';
            spaced += bracket ? std::string{' ', c, ' '} : std::string(1, c == ',' || c == ';' ? ' ' : c);
        }
        std::string_view words = spaced;
        words.remove_prefix(std::min(words.find_first_not_of(kBlanks), words.size()));
        while (!words.empty()) {
            const std::string_view word = takeWord(words);
            if (word == "(") {
                inside = true;
                point.clear();
                continue;
            }
            if (word != ")") {
                const auto value = parseNumber<double>(word);
                if (!value || !std::isfinite(*value))
                    return wrong(fmt::format("'{}' is no value of a parameter", toValidUtf8(word)));
                point.push_back(*value);
                if (inside) continue;
            }
            if (auto added = addPoint(point); !added) return added;
            point.clear();
            inside = false;
        }
        return {};
    }

    Result<void> addPoint(const std::vector<double>& point)
    {
        if (point.size() != std::max<std::size_t>(1, study_.parameters.size()))
            return wrong(fmt::format("a point has {} values, but there are {} parameters", point.size(),
                                     study_.parameters.size()));
        study_.points.push_back(point);
        return {};
    }

    void takeData(std::string_view rest)
    {
        if (!current_) startSeries();
        ScalingSeries& series = study_.series[*current_];
        std::vector<double> values;
        while (!rest.empty()) {
            const std::string_view word = takeWord(rest);
            const auto value = parseNumber<double>(word);
            if (value && std::isfinite(*value)) values.push_back(*value);
            else note(fmt::format("line {}: '{}' is no number", line_, toValidUtf8(word.substr(0, 40))));
        }
        if (series.values.size() >= study_.points.size()) {
            note(
                fmt::format("line {}: there are more lines of data of '{}' than points", line_, series.path));
            return;
        }
        series.values.push_back(std::move(values));
    }

    void startSeries()
    {
        const auto [found, isNew] = numbers_.emplace(std::pair(region_, metric_), study_.series.size());
        if (isNew) study_.series.push_back({region_, metric_, "", {}});
        current_ = found->second;
    }

    void note(std::string sentence)
    {
        if (study_.notes.size() < kMostExtrapNotes)
            study_.notes.push_back(fmt::format("{}: {}.", name_, std::move(sentence)));
    }

    Unexpected wrong(std::string_view what) const
    {
        return fail(ErrorCode::Malformed, fmt::format("{}: line {}: {}.", name_, line_, what));
    }

    Result<ScalingStudy> finish()
    {
        const std::string_view absent = study_.parameters.empty() ? "PARAMETER"
            : study_.points.empty()                               ? "POINTS"
            : study_.series.empty()                               ? "DATA"
                                                                  : "";
        if (!absent.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} has no line {}: Extra-P's text input says PARAMETER, POINTS, METRIC, "
                                    "REGION and DATA.",
                                    name_, absent));
        for (ScalingSeries& series : study_.series) {
            if (series.values.size() < study_.points.size())
                note(fmt::format("'{}' has data of {} of {} points", series.path, series.values.size(),
                                 study_.points.size()));
            series.values.resize(study_.points.size());
        }
        return std::move(study_);
    }

    std::string name_;
    const Task& task_;
    ScalingStudy study_;
    std::string metric_, region_;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
    std::optional<std::size_t> current_;
    std::size_t line_ = 0;
};

}  // namespace

bool looksLikeExtrapText(std::string_view head)
{
    while (!head.empty()) {
        std::string_view line = takeLine(head);
        if (line.empty()) continue;
        return std::find(kKeywords.begin(), kKeywords.end(), takeWord(line)) != kKeywords.end();
    }
    return false;
}

Result<ScalingStudy> parseExtrapText(std::string_view text, std::string_view name, const Task& task)
{
    return ExtrapParser(name, task).run(text);
}

Result<ScalingStudy> readExtrapText(const std::filesystem::path& path, const Task& task)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return Unexpected(bytes.error());
    auto study = parseExtrapText(bytes->text(), toValidUtf8(path.string()), task);
    if (!study) return study;
    if (const auto whole = stillWhole(*bytes, path.string()); !whole) return Unexpected(whole.error());
    return study;
}

}  // namespace skein
