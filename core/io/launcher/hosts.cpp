// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/hosts.h"

#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein {
namespace {

/// Names of hosts in DNS are shorter.
constexpr std::size_t kLongestName = 255;

/// Splits at commas that stand outside brackets and parentheses.
std::vector<std::string_view> hostEntries(std::string_view line)
{
    std::vector<std::string_view> entries;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        depth += line[i] == '[' || line[i] == '(';
        depth -= line[i] == ']' || line[i] == ')';
        if (line[i] != ',' || depth != 0) continue;
        entries.push_back(launcher::trimmed(line.substr(from, i - from)));
        from = i + 1;
    }
    entries.push_back(launcher::trimmed(line.substr(from)));
    return entries;
}

/// False where so many names of about so many bytes are too many.
bool takeFrom(RangeLimits& limits, std::size_t names, std::size_t bytesOfName)
{
    limits.passed = limits.passed || names > limits.names || names * bytesOfName > limits.bytes;
    if (limits.passed) return false;
    limits.names -= names;
    limits.bytes -= names * bytesOfName;
    return true;
}

/// "nid[08-10,3]" to nid08, nid09, nid10, nid3: leading zeros are kept.
bool appendNames(std::string_view pattern, std::vector<std::string>& names, RangeLimits& limits)
{
    const auto open = pattern.find('[');
    if (open == std::string_view::npos) {
        names.emplace_back(pattern);
        return !pattern.empty() && pattern.size() <= kLongestName;
    }
    const auto close = pattern.find(']', open);
    if (close == std::string_view::npos || open + pattern.size() - close > kLongestName) return false;
    for (const auto part : launcher::split(pattern.substr(open + 1, close - open - 1), ',')) {
        std::vector<std::uint32_t> numbers;
        if (!launcher::appendRange(part, numbers)) return false;
        const std::size_t digits = std::min(part.find('-'), part.size());
        if (!takeFrom(limits, numbers.size(), open + pattern.size() - close + digits)) return false;
        for (const std::uint32_t number : numbers)
            names.push_back(fmt::format("{}{:0{}}{}", pattern.substr(0, open), number, digits,
                                        pattern.substr(close + 1)));
    }
    return true;
}

/// Cuts "(0,1,1)" from the end of an entry.
bool takeCoordinates(std::string_view& entry, std::vector<std::uint32_t>& coordinates)
{
    const auto open = entry.find('(');
    if (open == std::string_view::npos) return true;
    const auto close = entry.find(')', open);
    if (close == std::string_view::npos) return false;
    for (const auto part : launcher::split(entry.substr(open + 1, close - open - 1), ',')) {
        const auto value = launcher::number(part);
        if (!value) return false;
        coordinates.push_back(*value);
    }
    entry = launcher::trimmed(entry.substr(0, open));
    return true;
}

/// Cuts ":4", "*4" or " slots=4" from the end of an entry.
bool takeSlots(std::string_view& entry, std::uint32_t& slots)
{
    const auto bracket = entry.find(']');
    std::size_t mark = entry.find_first_of(":* \t", bracket == std::string_view::npos ? 0 : bracket);
    if (mark == std::string_view::npos) return true;
    auto value = launcher::trimmed(entry.substr(entry[mark] == ':' || entry[mark] == '*' ? mark + 1 : mark));
    if (value.starts_with("slots="))
        value = launcher::words(value.substr(6)).empty() ? "" : launcher::words(value.substr(6)).front();
    const auto number = launcher::number(value);
    if (!number || *number == 0) return false;
    slots = *number;
    entry = launcher::trimmed(entry.substr(0, mark));
    return true;
}

std::string tooManyNames()
{
    const RangeLimits all;
    return fmt::format("ranges of names stand for more than {} names or {} MiB of text in all", all.names,
                       all.bytes >> 20);
}

}  // namespace

Result<std::vector<MapHost>> parseHosts(std::string_view text, std::uint32_t defaultSlots)
{
    RangeLimits limits;
    return parseHosts(text, defaultSlots, limits);
}

Result<std::vector<MapHost>> parseHosts(std::string_view text, std::uint32_t defaultSlots,
                                        RangeLimits& limits)
{
    std::vector<MapHost> hosts;
    for (const launcher::Line& line : launcher::contentLines(text)) {
        for (std::string_view entry : hostEntries(line.text)) {
            MapHost host{"", defaultSlots, {}};
            std::vector<std::string> names;
            if (!takeCoordinates(entry, host.coordinates))
                return launcher::badLine(line.number, "the coordinates are no numbers");
            if (!takeSlots(entry, host.slots))
                return launcher::badLine(line.number, "the number of slots is no number above 0");
            if (!appendNames(entry, names, limits))
                return launcher::badLine(line.number,
                                         limits.passed ? tooManyNames() : "the name of a host is expected");
            for (std::string& name : names) {
                host.name = std::move(name);
                hosts.push_back(host);
            }
        }
    }
    if (hosts.empty()) return fail(ErrorCode::Malformed, "The list of hosts is empty.");
    return hosts;
}

}  // namespace skein
