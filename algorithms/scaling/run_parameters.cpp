// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/run_parameters.h"

#include "core/base/natural_order.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace skein {
namespace {

namespace fs = std::filesystem;

/// So far above a run its folder may be named.
constexpr int kMostLevelsAbove = 3;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::pair<std::string, double>> parameterOf(std::string_view part)
{
    std::size_t letters = 0;
    while (letters < part.size() && isLetter(part[letters])) ++letters;
    std::size_t begin = letters;
    if (begin < part.size() && (part[begin] == '=' || part[begin] == '-')) ++begin;
    std::string_view name = part.substr(0, letters);
    while (name.ends_with('_')) name.remove_suffix(1);
    if (name.empty() || begin >= part.size() || !isDigit(part[begin])) return std::nullopt;
    std::string number(part.substr(begin));
    std::replace(number.begin(), number.end(), ',', '.');
    const auto value = parseNumber<double>(number);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return std::pair(std::string(name), *value);
}

bool isRepetition(std::string_view part)
{
    return part.size() > 1 && part.front() == 'r' && std::all_of(part.begin() + 1, part.end(), isDigit);
}

const double* valueOf(const RunParameters& run, const std::string& name)
{
    for (const auto& [own, value] : run)
        if (own == name) return &value;
    return nullptr;
}

}  // namespace

RunParameters parametersOfName(std::string_view folder)
{
    std::vector<std::string_view> parts = partsOf(folder, '.');
    if (parts.size() > 1 && isRepetition(parts.back())) parts.pop_back();
    RunParameters found;
    for (std::size_t at = 1; at < parts.size(); ++at)
        if (auto one = parameterOf(parts[at])) found.push_back(std::move(*one));
    if (!found.empty()) return found;
    if (auto one = parameterOf(parts.front())) found.push_back(std::move(*one));
    return found;
}

RunParameters parametersOfRun(const fs::path& run)
{
    std::error_code error;
    fs::path at = fs::absolute(run, error).lexically_normal();
    if (error) at = run;
    if (at.filename().empty()) at = at.parent_path();
    // A file's ending would pass for a parameter: "run.h5".
    if (fs::is_regular_file(at, error)) at = at.parent_path();
    for (int level = 0; level < kMostLevelsAbove && at.has_filename(); ++level, at = at.parent_path())
        if (auto found = parametersOfName(at.filename().string()); !found.empty()) return found;
    return {};
}

std::vector<fs::path> runsIn(const fs::path& folder)
{
    std::vector<fs::path> runs;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (at->is_directory(ignored) && !parametersOfName(at->path().filename().string()).empty())
            runs.push_back(at->path());
    }
    if (runs.size() < 2) return {};
    std::sort(runs.begin(), runs.end(), [](const fs::path& a, const fs::path& b) {
        return NaturalOrder()(a.filename().string(), b.filename().string());
    });
    return runs;
}

Result<std::vector<std::pair<std::string, std::vector<double>>>> parseAssignments(std::string_view text)
{
    std::vector<std::pair<std::string, std::vector<double>>> assignments;
    for (std::string_view part : partsOf(text, ',')) {
        const std::size_t equals = part.find('=');
        if (equals != std::string_view::npos) {
            assignments.emplace_back(std::string(part.substr(0, equals)), std::vector<double>());
            part.remove_prefix(equals + 1);
        }
        const auto value = parseNumber<double>(part);
        if (assignments.empty() || assignments.back().first.empty() || !value || !std::isfinite(*value)
            || *value <= 0.0)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("'{}' is not of the form name=number,… with numbers above 0.", text));
        assignments.back().second.push_back(*value);
    }
    return assignments;
}

Result<RunPoints> pointsOfRuns(const std::vector<RunParameters>& runs, const std::vector<std::string>& names)
{
    RunPoints found;
    const RunParameters nothing;
    for (const auto& [name, first] : runs.empty() ? nothing : runs.front()) {
        bool varies = false;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const double* const value = valueOf(runs[run], name);
            if (value == nullptr)
                return fail(
                    ErrorCode::InvalidArgument,
                    fmt::format("{} tells no {}, but {} does: runs need names such as run.p27.size30.r1, "
                                "or --parameter.",
                                names[run], name, names.front()));
            varies = varies || *value != first;
        }
        if (varies) found.parameters.push_back(name);
        else found.fixed.emplace_back(name, first);
    }
    if (found.parameters.empty())
        return fail(ErrorCode::InvalidArgument,
                    found.fixed.empty()
                        ? fmt::format("{} tells no parameter: runs need names such as run.p27.size30.r1, or "
                                      "--parameter p=27,64,….",
                                      names.empty() ? std::string("Nothing") : names.front())
                        : fmt::format("All runs have the same {}: nothing can be told of another one.",
                                      found.fixed.front().first));
    for (const RunParameters& run : runs) {
        std::vector<double> point;
        for (const std::string& name : found.parameters) point.push_back(*valueOf(run, name));
        found.points.push_back(std::move(point));
    }
    return found;
}

}  // namespace skein
