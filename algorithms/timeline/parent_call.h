// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>

namespace skein {

/// A call of a trace.
struct CallOfTask {
    LocationId location;
    std::uint32_t interval = kNoInterval;
    bool operator==(const CallOfTask&) const = default;
};

/// The call of the task that the attributes of this call name as its parent (see parentAttributes): of the
/// calls that bear that task's number, on any location, the last that begins no later than this call, else
/// the first of all. Of several at the same time the one on the first location, then the outermost. Nothing
/// where the call names no parent, or no call bears the number. Linear in the attributes of the trace, on
/// several threads; the same for any number of them. Errors: Cancelled.
Result<std::optional<CallOfTask>> parentCall(const Experiment& experiment, CallOfTask call, const Task& task);

/// Whether the call has an attribute that names a parent. O(log attributes).
bool namesParent(const Experiment& experiment, CallOfTask call);

}  // namespace skein
