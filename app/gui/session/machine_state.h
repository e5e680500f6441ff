// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/json_view.h"
#include "core/select/machine_choice.h"

namespace skein::gui {

/// The machine of a view state in a session file.
nlohmann::json machineToJson(const MachineChoice& machine);
MachineChoice machineFrom(const JsonView& value);

}  // namespace skein::gui
