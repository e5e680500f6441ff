// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>

/// From one call to another. References that the session does not have lead nowhere.
namespace skein {

enum class Direction : std::uint8_t { Backward, Forward };

/// The call of the same region on the same location that begins next after this one, or last before it;
/// invalid where there is none. O(calls between).
IntervalRef neighbourCall(const Session& session, IntervalRef call, Direction direction);

/// One end of a message: the call that sent or received it, when and where.
struct MessageEnd {
    MessageRef message;
    LocationRef location;
    TimeNs time = 0;   ///< of the experiment
    IntervalRef call;  ///< invalid where the event lay outside all calls

    bool operator==(const MessageEnd&) const = default;
};

/// Where a jump along a message leads. From a message with one of its calls: to its other end; from a message
/// alone, or with both: to where it was received; from a call: along the message that it received last, else
/// along the first that it sent. nullopt where nothing of this is selected or the other end is not known.
/// O(1) from a message, O(messages) from a call.
std::optional<MessageEnd> otherEnd(const Session& session, const Selection& selected);

/// What is selected after the jump: the message and the call at that end, so that the next jump leads back.
Selection selectionAt(const Session& session, const MessageEnd& end);

/// The marks with one more, sorted by begin and then end; one on the same span takes the new note.
std::vector<Mark> withMark(std::vector<Mark> marks, const Mark& added);
/// The marks without the one of that span.
std::vector<Mark> withoutMark(std::vector<Mark> marks, TimeSpan span);

}  // namespace skein
