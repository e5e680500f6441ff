// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/text.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::launcher {

std::string_view trimmed(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

std::vector<Line> contentLines(std::string_view text)
{
    std::vector<Line> lines;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto whole = text.substr(0, end);
        const auto line = trimmed(whole.substr(0, whole.find('#')));
        ++number;
        if (!line.empty()) lines.push_back({line, number});
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> found;
    for (;;) {
        text = trimmed(text);
        if (text.empty()) return found;
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::optional<std::uint32_t> number(std::string_view text)
{
    const auto value = parseNumber<std::uint32_t>(text);
    return value && *value < kMostRanks ? value : std::nullopt;
}

bool appendRange(std::string_view text, std::vector<std::uint32_t>& numbers)
{
    const auto dash = text.find('-');
    const auto first = number(trimmed(text.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : number(trimmed(text.substr(dash + 1)));
    if (!first || !last || *last < *first || numbers.size() + (*last - *first) >= kMostRanks) return false;
    for (std::uint32_t value = *first; value <= *last; ++value) numbers.push_back(value);
    return true;
}

Unexpected badLine(std::size_t line, std::string_view problem)
{
    return fail(ErrorCode::Malformed, fmt::format("Line {} of the map: {}.", line, problem));
}

PlaceCollector::PlaceCollector(const std::vector<MapHost>& hosts)
    : used_(hosts.size(), 0), given_(!hosts.empty())
{
    map_.hosts = hosts;
}

std::optional<std::uint32_t> PlaceCollector::numberOf(std::string_view name)
{
    for (const std::uint32_t likely : {expected_, expected_ - 1})
        if (given_ && likely < map_.hosts.size() && map_.hosts[likely].name == name) return likely;
    if (given_ && hostNumbers_.empty()) {
        hostNumbers_.reserve(map_.hosts.size());
        for (std::uint32_t host = 0; host < map_.hosts.size(); ++host)
            hostNumbers_.try_emplace(map_.hosts[host].name, host);
    }
    const auto found = hostNumbers_.find(name);
    return found == hostNumbers_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::uint32_t> PlaceCollector::host(std::string_view name)
{
    if (const auto known = numberOf(name)) {
        expected_ = *known + 1;
        return *known;
    }
    if (given_)
        return fail(ErrorCode::Malformed,
                    fmt::format("The map names the host {}, which is not in the allocation.", name));
    const auto number = static_cast<std::uint32_t>(map_.hosts.size());
    map_.hosts.push_back({std::string(name), 0, {}});
    used_.push_back(0);
    hostNumbers_.emplace(names_.emplace_back(name), number);
    return number;
}

void PlaceCollector::append(std::uint32_t host) { map_.places.push_back({host, used_[host]++}); }

bool PlaceCollector::place(std::uint32_t rank, RankPlace place)
{
    if (rank >= map_.places.size()) map_.places.resize(rank + std::size_t{1}, {kUnplaced, 0});
    if (map_.places[rank].host != kUnplaced) return false;
    map_.places[rank] = place;
    used_[place.host] = std::max(used_[place.host], place.slot + 1);
    return true;
}

bool PlaceCollector::placeInRankOrder(std::uint32_t rank, std::uint32_t host)
{
    slotsInRankOrder_ = true;
    return place(rank, {host, 0});
}

bool PlaceCollector::placeRunInRankOrder(std::uint32_t first, std::uint32_t count, std::uint32_t host)
{
    slotsInRankOrder_ = true;
    const std::size_t end = std::size_t{first} + count;
    if (end > map_.places.size()) map_.places.resize(end, {kUnplaced, 0});
    const auto begin = map_.places.begin() + first;
    if (std::any_of(begin, begin + count, [](const RankPlace& place) { return place.host != kUnplaced; }))
        return false;
    std::fill(begin, begin + count, RankPlace{host, 0});
    return true;
}

Result<RankMap> PlaceCollector::finish()
{
    for (std::size_t rank = 0; rank < map_.places.size(); ++rank)
        if (map_.places[rank].host == kUnplaced)
            return fail(ErrorCode::Malformed, fmt::format("The map has no place for rank {}.", rank));
    if (map_.places.empty()) return fail(ErrorCode::Malformed, "The map places no rank.");
    if (slotsInRankOrder_) {
        map_ = withSlotsInRankOrder(std::move(map_));
        for (const RankPlace place : map_.places)
            used_[place.host] = std::max(used_[place.host], place.slot + 1);
    }
    if (!given_)
        for (std::size_t host = 0; host < map_.hosts.size(); ++host) map_.hosts[host].slots = used_[host];
    if (auto valid = checkRankMap(map_); !valid) return tl::make_unexpected(valid.error());
    return std::move(map_);
}

std::vector<std::string> noWarnings(const RankMap&, const MapFileOptions&) { return {}; }

bool neverRecognized(std::string_view) { return false; }

std::size_t slotCount(const RankMap& map)
{
    std::size_t slots = 0;
    for (const MapHost& host : map.hosts) slots += host.slots;
    return slots;
}

std::size_t usedHostCount(const RankMap& map)
{
    const auto ranks = ranksByHost(map);
    return static_cast<std::size_t>(
        std::count_if(ranks.begin(), ranks.end(), [](const auto& on) { return !on.empty(); }));
}

std::size_t mostRanksOnAHost(const RankMap& map)
{
    std::size_t most = 0;
    for (const auto& on : ranksByHost(map)) most = std::max(most, on.size());
    return most;
}

bool slotsFollowRankOrder(const RankMap& map) { return withSlotsInRankOrder(map).places == map.places; }

std::vector<std::string> slotsLostWarning(const RankMap& map, std::string_view remedy)
{
    if (slotsFollowRankOrder(map)) return {};
    return {fmt::format(
        "This file names only hosts: within a host the ranks take the cores in the order of their "
        "numbers, not the slots of this map. {}",
        remedy)};
}

std::vector<HostRun> hostRuns(const RankMap& map)
{
    std::vector<HostRun> runs;
    for (const RankPlace place : map.places) {
        if (runs.empty() || runs.back().host != place.host) runs.push_back({place.host, 0});
        ++runs.back().ranks;
    }
    return runs;
}

}  // namespace skein::launcher
