// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/session_communication.h"
#include "views/details/detail_numbers.h"
#include "views/details/detail_spans.h"

#include <functional>
#include <optional>
#include <vector>

namespace skein {

/// When messages between the ranks of each set of pairs are under way, in session time.
using SpansOfPairs =
    std::function<std::vector<std::optional<TimeSpan>>(const std::vector<std::vector<RankPair>>&)>;

/// Numbers of the selected links and nodes of the machine that the communication was placed on: loads against
/// the mean and the largest, ranks, what goes in and out. Nothing without a machine; links and nodes of
/// another machine are left out. Rows of links and nodes have the span in which `spansOf` says that what goes
/// over them is under way; empty: none. O(selected × (links + pairs)).
std::vector<DetailTable> machineDetails(const SessionCommunication& communication, const Selection& selected,
                                        const SpansOfPairs& spansOf = {});

}  // namespace skein
