// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/references.h"

#include <cstdint>

namespace skein {

/// What the user says of one call, whatever a detector says.
struct CallVerdict {
    enum class Kind : std::uint8_t { Normal, Anomaly };

    IntervalRef call;
    Kind kind = Kind::Anomaly;

    bool operator==(const CallVerdict&) const = default;
};

/// Whether what is said of calls counts for them alone, or moves the limits of their functions as well.
enum class VerdictUse : std::uint8_t { OfCalls, Teach };

}  // namespace skein
