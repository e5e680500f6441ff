// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launcher/launcher_format.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What the readers and writers of map files have in common.
namespace skein::launcher {

/// Ranks, hosts and slots that a file may name, as many as machines have nodes; more is taken for damage.
inline constexpr std::uint32_t kMostRanks = 1u << 24;
/// Ranks that a file may put on one host by a count: no host has so many cores, and a few bytes shall not
/// become millions of ranks.
inline constexpr std::uint32_t kMostRanksOfCount = 1u << 16;

std::string_view trimmed(std::string_view text);

/// A line without comment (from `#`) and blanks at its ends, with its number from 1.
struct Line {
    std::string_view text;
    std::size_t number = 0;
};

/// The lines that hold more than a comment.
std::vector<Line> contentLines(std::string_view text);

/// The parts between separators, blanks at their ends removed; empty parts are kept.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The words between blanks.
std::vector<std::string_view> words(std::string_view text);

/// A whole decimal number below kMostRanks; nullopt for anything else.
std::optional<std::uint32_t> number(std::string_view text);

/// "3", "1-4": appends the numbers; false where it is neither.
bool appendRange(std::string_view text, std::vector<std::uint32_t>& numbers);

/// A sentence about a line of a map file.
Unexpected badLine(std::size_t line, std::string_view problem);

/// Collects places while a file is read and makes the RankMap. Hosts that were given must be kept to; without
/// any they are made up in the order in which they appear, with as many slots as they turn out to need.
class PlaceCollector {
public:
    explicit PlaceCollector(const std::vector<MapHost>& hosts);
    PlaceCollector(const PlaceCollector&) = delete;
    PlaceCollector& operator=(const PlaceCollector&) = delete;

    /// Index of the host of that name; fails where only given hosts are allowed.
    Result<std::uint32_t> host(std::string_view name);
    std::size_t hostCount() const { return map_.hosts.size(); }
    bool hostsGiven() const { return given_; }
    /// The next rank in order, on the next free slot of the host.
    void append(std::uint32_t host);
    /// A rank on a slot. False when the rank was placed before.
    bool place(std::uint32_t rank, RankPlace place);
    /// A rank on the host, on the slot that follows from the order of the ranks. False when it was placed
    /// before.
    bool placeInRankOrder(std::uint32_t rank, std::uint32_t host);
    /// As many ranks one after the other, from `first`, on one host. False when one was placed before.
    bool placeRunInRankOrder(std::uint32_t first, std::uint32_t count, std::uint32_t host);
    /// The map; fails where ranks are missing, slots are shared or hosts overfull.
    Result<RankMap> finish();

private:
    static constexpr std::uint32_t kUnplaced = UINT32_MAX;
    std::optional<std::uint32_t> numberOf(std::string_view name);
    RankMap map_;
    std::deque<std::string> names_;                                    ///< of hosts that were not given
    std::unordered_map<std::string_view, std::uint32_t> hostNumbers_;  ///< made when it is first needed
    std::uint32_t expected_ = 0;  ///< maps name hosts in their order, mostly
    std::vector<std::uint32_t> used_;
    bool given_ = false;
    bool slotsInRankOrder_ = false;
};

/// No warning, for formats without traps.
std::vector<std::string> noWarnings(const RankMap& map, const MapFileOptions& options);
/// For formats whose text could be of another one.
bool neverRecognized(std::string_view text);

/// Total of slots and of ranks.
std::size_t slotCount(const RankMap& map);
/// Hosts that run at least one rank.
std::size_t usedHostCount(const RankMap& map);
/// The most ranks on one host.
std::size_t mostRanksOnAHost(const RankMap& map);
/// True when slots of every host are 0, 1, … in the order of its ranks.
bool slotsFollowRankOrder(const RankMap& map);
/// A warning, where it applies, that a format that names only hosts cannot keep the slots.
std::vector<std::string> slotsLostWarning(const RankMap& map, std::string_view remedy);

/// Consecutive ranks on one host.
struct HostRun {
    std::uint32_t host = 0;
    std::uint32_t ranks = 0;
    bool operator==(const HostRun&) const = default;
};
std::vector<HostRun> hostRuns(const RankMap& map);

}  // namespace skein::launcher
