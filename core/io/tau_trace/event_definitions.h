// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein::tau {

/// What the records of an event of a TAU trace mean.
enum class EventKind : std::uint8_t {
    EntryExit,  ///< parameter 1: entered, −1: left
    Trigger,    ///< parameter is the value of a user event
    Send,       ///< parameter packs partner, tag, length and communicator
    Receive,
    OneSidedSend,  ///< a transfer to or from an accelerator, as its source sees it: parameter is the length
    OneSidedReceive,  ///< the same as its destination sees it
    OneSided,         ///< the same where the direction is unknown
    OneSidedId,       ///< parameter is one of the two numbers that name the transfer of the record before
    None,             ///< bookkeeping of the tracer
    Unknown,          ///< of a type that is not known: its records tell what it is
};

struct EventDefinition {
    std::int64_t id = 0;
    std::string group;
    std::string name;  ///< without blanks at its ends, as written else
    EventKind kind = EventKind::None;
};

/// True when a file that begins like this defines the events of a trace: "166 dynamic_trace_events".
bool isEventFile(std::string_view head);

/// Reads an event file (.edf): `<id> <group> <tag> "<name>" <kind>`. Lines that cannot be read are reported
/// with their number (from 1) and skipped. Linear.
std::vector<EventDefinition> parseEventFile(std::string_view text, std::string_view file,
                                            ImportReport& report);

/// What TAU calls its own events in every trace that is not merged; empty for all other ids.
std::vector<EventDefinition> fixedEvents();

}  // namespace skein::tau
