// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/placement_state.h"

#include "app/gui/session/machine_state.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <utility>

namespace skein::gui {
namespace {

/// Counts what may be kept, in the order in which it comes.
class KeptRoom {
public:
    bool take(std::size_t ranks)
    {
        if (placements_ == kMostKeptPlacements || ranks > kMostKeptRanks - ranks_) return false;
        ++placements_;
        ranks_ += ranks;
        return true;
    }
    /// All points of a front, or none.
    bool takeFront(std::size_t points, std::size_t ranks)
    {
        if (ranks == 0 || points > (kMostKeptRanks - ranks_) / ranks) return false;
        ranks_ += points * ranks;
        return true;
    }
    bool takeCurve(std::size_t points)
    {
        if (points > kMostKeptProgress - progress_) return false;
        progress_ += points;
        return true;
    }

private:
    std::size_t placements_ = 0, ranks_ = 0, progress_ = 0;
};

/// Numbers with a space between them: a line a number, as arrays are written, would take four times as much.
/// Null where something is no slot.
std::shared_ptr<const std::vector<std::uint32_t>> slotsFrom(const std::string& text)
{
    std::vector<std::uint32_t> slots;
    const char *at = text.data(), *end = text.data() + text.size();
    while (at != end && slots.size() <= kMostKeptRanks) {
        std::uint32_t slot = 0;
        const auto [next, problem] = std::from_chars(at, end, slot);
        if (problem != std::errc() || (next != end && *next != ' ')) return nullptr;
        slots.push_back(slot);
        at = next == end ? end : next + 1;
    }
    if (slots.empty()) return nullptr;
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(slots));
}

std::uint64_t countFrom(const JsonView& value)
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.whole(0)));
}

std::string slotsText(const std::vector<std::uint32_t>& slots)
{
    return fmt::format("{}", fmt::join(slots, " "));
}

nlohmann::json curveToJson(const std::vector<KeptProgress>& curve)
{
    auto array = nlohmann::json::array();
    for (const KeptProgress& at : curve)
        array.push_back(nlohmann::json::array(
            {static_cast<std::int64_t>(std::llround(1e6 * at.seconds)), at.steps, at.objective}));
    return array;
}

nlohmann::json frontToJson(const std::vector<KeptTradeOff>& front)
{
    auto array = nlohmann::json::array();
    for (const KeptTradeOff& point : front)
        array.push_back({{"moved", point.moved},
                         {"objective", point.objective},
                         {"hop_bytes", point.hopBytes},
                         {"slots", slotsText(point.slotOfRank)}});
    return array;
}

/// What goes back in time is of no curve.
std::vector<KeptProgress> curveFrom(const JsonView& value)
{
    std::vector<KeptProgress> curve;
    for (const JsonView& at : value.elements()) {
        const double seconds = static_cast<double>(at.at(0).whole(0)) / 1e6;
        if (seconds >= (curve.empty() ? 0 : curve.back().seconds))
            curve.push_back({seconds, countFrom(at.at(1)), std::max<std::int64_t>(0, at.at(2).whole(0))});
    }
    return curve;
}

std::optional<KeptTradeOff> tradeOffFrom(const JsonView& value, std::size_t ranks)
{
    const auto slots = slotsFrom(value["slots"].text());
    const auto moved = value["moved"].whole(-1);
    const auto objective = value["objective"].whole(-1), hopBytes = value["hop_bytes"].whole(-1);
    if (!slots || slots->size() != ranks || moved < 0 || moved > static_cast<std::int64_t>(ranks)
        || objective < 0 || hopBytes < 0)
        return std::nullopt;
    return KeptTradeOff{static_cast<std::uint32_t>(moved), objective, hopBytes, *slots};
}

/// Null where nothing is known of the search.
std::shared_ptr<const KeptSearch> searchFrom(const JsonView& value, std::size_t ranks, KeptRoom& room,
                                             std::size_t& lost)
{
    if (value.absent()) return nullptr;
    KeptSearch search;
    search.objectiveBefore = std::max<std::int64_t>(0, value["objective_before"].whole(0));
    if (room.takeCurve(value["curve"].size())) search.curve = curveFrom(value["curve"]);
    else ++lost;
    if (!room.takeFront(value["front"].size(), ranks)) ++lost;
    else
        for (const JsonView& entry : value["front"].elements())
            if (auto point = tradeOffFrom(entry, ranks)) search.front.push_back(std::move(*point));
            else ++lost;
    return std::make_shared<const KeptSearch>(std::move(search));
}

nlohmann::json searchToJson(const KeptSearch& search, std::size_t ranks, KeptRoom& room)
{
    nlohmann::json object{{"objective_before", search.objectiveBefore}};
    if (room.takeCurve(search.curve.size())) object["curve"] = curveToJson(search.curve);
    if (room.takeFront(search.front.size(), ranks)) object["front"] = frontToJson(search.front);
    return object;
}

}  // namespace

std::size_t leftOut(const std::vector<KeptPlacement>& placements)
{
    KeptRoom room;
    return static_cast<std::size_t>(std::ranges::count_if(
        placements, [&](const KeptPlacement& kept) { return !room.take(kept.slotOfRank->size()); }));
}

nlohmann::json placementsToJson(const std::vector<KeptPlacement>& placements)
{
    KeptRoom room;
    std::vector<const KeptPlacement*> written;
    for (const KeptPlacement& kept : placements)
        if (room.take(kept.slotOfRank->size())) written.push_back(&kept);
    auto array = nlohmann::json::array();
    for (const KeptPlacement* const kept : written) {
        nlohmann::json object{{"experiment", kept->experiment},
                              {"name", kept->name},
                              {"objective", kept->objective},
                              {"method", kept->method},
                              {"machine", machineToJson(kept->machine)},
                              {"whole_machine", kept->wholeMachine ? 1 : 0},
                              {"seed", kept->seed},
                              {"steps", kept->steps},
                              {"searched_ms", static_cast<std::int64_t>(1e3 * kept->searchedSeconds)},
                              {"slots", slotsText(*kept->slotOfRank)}};
        if (kept->search) object["search"] = searchToJson(*kept->search, kept->slotOfRank->size(), room);
        array.push_back(std::move(object));
    }
    return array;
}

std::vector<KeptPlacement> placementsFrom(
    const JsonView& value, const std::function<std::optional<std::uint32_t>(std::int64_t)>& experimentOf,
    std::size_t& lost)
{
    KeptRoom room;
    std::vector<KeptPlacement> found;
    std::vector<JsonView> searches;
    const auto isTaken = [&](std::uint32_t experiment, const std::string& name) {
        return std::ranges::any_of(found, [&](const KeptPlacement& other) {
            return other.experiment == experiment && other.name == name;
        });
    };
    for (const JsonView& entry : value.elements()) {
        const auto experiment = experimentOf(entry["experiment"].whole(-1));
        const std::string name = entry["name"].text();
        auto slots = slotsFrom(entry["slots"].text());
        if (!experiment || !slots || isTaken(*experiment, name) || !room.take(slots->size())) {
            ++lost;
            continue;
        }
        found.push_back({*experiment, name, entry["objective"].text(), entry["method"].text(),
                         machineFrom(entry["machine"]), entry["whole_machine"].whole(1) != 0,
                         countFrom(entry["seed"]), countFrom(entry["steps"]),
                         static_cast<double>(entry["searched_ms"].whole(0)) / 1e3, std::move(slots)});
        searches.push_back(entry["search"]);
    }
    // What they are comes before what is told of them.
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i].search = searchFrom(searches[i], found[i].slotOfRank->size(), room, lost);
    return found;
}

}  // namespace skein::gui
