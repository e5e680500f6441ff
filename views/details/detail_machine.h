// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/session_communication.h"
#include "views/details/detail_numbers.h"

#include <vector>

namespace skein {

/// Numbers of the selected links and nodes of the machine that the communication was placed on: loads against
/// the mean and the largest, ranks, what goes in and out. Nothing without a machine; links and nodes of
/// another machine are left out. O(selected × (links + pairs)).
std::vector<DetailTable> machineDetails(const SessionCommunication& communication, const Selection& selected);

}  // namespace skein
