// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/machine_state.h"

namespace skein::gui {

nlohmann::json machineToJson(const MachineChoice& machine)
{
    return {{"topology", machine.topology},
            {"placement", machine.placement},
            {"ranks_per_node", machine.ranksPerNode},
            {"routing", machine.routing},
            {"routes", machine.routes},
            {"collectives", machine.collectives}};
}

MachineChoice machineFrom(const JsonView& value)
{
    constexpr std::int64_t kMostRanksPerNode = 1 << 20;
    const std::int64_t ranks = value["ranks_per_node"].whole(0);
    return {.topology = value["topology"].text(),
            .placement = value["placement"].text(),
            .ranksPerNode = ranks > 0 && ranks <= kMostRanksPerNode ? static_cast<std::uint32_t>(ranks) : 0,
            .routing = value["routing"].text(),
            .routes = value["routes"].text(),
            .collectives = value["collectives"].text()};
}

}  // namespace skein::gui
