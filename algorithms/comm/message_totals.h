// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <string_view>

namespace skein {

/// What tells how many messages there were.
enum class MessageSource : std::uint8_t {
    None,        ///< nothing does
    Trace,       ///< the recorded messages themselves
    CommMatrix,  ///< a communication matrix
    UserEvents,  ///< TAU's event "Message size sent to all nodes", which knows no partners
};

/// In the user's words; empty for None.
std::string_view name(MessageSource source);

/// Messages that were sent, and their bytes.
struct MessageTotals {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    MessageSource source = MessageSource::None;
};

/// The best there is in the order of the sources. O(messages), for profiles O(pairs + user events).
MessageTotals messageTotals(const Experiment& experiment);

}  // namespace skein
