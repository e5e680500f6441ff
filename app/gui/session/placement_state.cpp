// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/placement_state.h"

#include "app/gui/session/machine_state.h"

#include <cstdint>
#include <utility>

namespace skein::gui {
namespace {

constexpr std::size_t kMostKeptRanks = std::size_t{4} << 20;
constexpr std::int64_t kMostSlot = 0xFFFFFFFE;

/// Null where something is no slot.
std::shared_ptr<const std::vector<std::uint32_t>> slotsFrom(const JsonView& value)
{
    std::vector<std::uint32_t> slots;
    slots.reserve(value.size());
    for (std::size_t rank = 0; rank < value.size(); ++rank) {
        const std::int64_t slot = value.at(rank).whole(-1);
        if (slot < 0 || slot > kMostSlot) return nullptr;
        slots.push_back(static_cast<std::uint32_t>(slot));
    }
    if (slots.empty()) return nullptr;
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(slots));
}

}  // namespace

nlohmann::json placementsToJson(const std::vector<KeptPlacement>& placements)
{
    auto array = nlohmann::json::array();
    std::size_t ranks = 0;
    for (const KeptPlacement& kept : placements) {
        ranks += kept.slotOfRank->size();
        if (ranks > kMostKeptRanks) break;
        array.push_back({{"experiment", kept.experiment},
                         {"name", kept.name},
                         {"objective", kept.objective},
                         {"method", kept.method},
                         {"machine", machineToJson(kept.machine)},
                         {"slots", *kept.slotOfRank}});
    }
    return array;
}

std::vector<KeptPlacement> placementsFrom(
    const JsonView& value, const std::function<std::optional<std::uint32_t>(std::int64_t)>& experimentOf,
    std::size_t& lost)
{
    std::vector<KeptPlacement> found;
    for (const JsonView& entry : value.elements()) {
        const auto experiment = experimentOf(entry["experiment"].whole(-1));
        auto slots = slotsFrom(entry["slots"]);
        if (experiment && slots)
            found.push_back({*experiment, entry["name"].text(), entry["objective"].text(),
                             entry["method"].text(), machineFrom(entry["machine"]), std::move(slots)});
        else ++lost;
    }
    return found;
}

}  // namespace skein::gui
