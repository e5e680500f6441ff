// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"
#include "core/select/references.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A link of a chain of causes, for pictures: time lost came from one call to another.
struct CauseLink {
    IntervalRef waiting;
    LocationRef causeLocation;  ///< invalid: it is not known who let it wait
    IntervalRef cause;          ///< invalid: no call is known there
    TimeSpan span;              ///< of the wait; the experiment's time
    TimeNs throughNs = 0;       ///< attributed to this link and those behind it
    TimeNs attributedNs = 0;    ///< to what is at its end; the sum over links is what they explain

    bool operator==(const CauseLink&) const = default;
};

enum class CauseDirection : std::uint8_t {
    Back,    ///< why this call lasted longer
    Forward  ///< what this call cost all others
};

/// Drawn while `about` is selected.
struct CauseLinks {
    IntervalRef about;  ///< invalid: there is nothing to draw
    CauseDirection direction = CauseDirection::Back;
    std::vector<CauseLink> links;
    TimeNs lostNs = 0;  ///< Σ attributedNs + restNs
    TimeNs restNs = 0;
    bool contradiction = false;  ///< a way ended where clocks contradict each other

    bool operator==(const CauseLinks&) const = default;
};

}  // namespace skein
