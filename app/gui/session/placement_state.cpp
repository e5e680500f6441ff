// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/placement_state.h"

#include "app/gui/session/machine_state.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

private:
    std::size_t placements_ = 0, ranks_ = 0;
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
    auto array = nlohmann::json::array();
    for (const KeptPlacement& kept : placements)
        if (room.take(kept.slotOfRank->size()))
            array.push_back({{"experiment", kept.experiment},
                             {"name", kept.name},
                             {"objective", kept.objective},
                             {"method", kept.method},
                             {"machine", machineToJson(kept.machine)},
                             {"whole_machine", kept.wholeMachine ? 1 : 0},
                             {"seed", kept.seed},
                             {"steps", kept.steps},
                             {"searched_ms", static_cast<std::int64_t>(1e3 * kept.searchedSeconds)},
                             {"slots", fmt::format("{}", fmt::join(*kept.slotOfRank, " "))}});
    return array;
}

std::vector<KeptPlacement> placementsFrom(
    const JsonView& value, const std::function<std::optional<std::uint32_t>(std::int64_t)>& experimentOf,
    std::size_t& lost)
{
    KeptRoom room;
    std::vector<KeptPlacement> found;
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
    }
    return found;
}

}  // namespace skein::gui
