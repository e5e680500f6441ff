// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/execution_tree.h"
#include "algorithms/anomaly/find_anomalies.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Where the time of a call went, or what a call cost the others, link by link: what explainCall() and
/// waitsFor() tell, as something that can be drawn.
namespace skein {

inline constexpr std::uint32_t kNoTrailLink = 0xFFFFFFFFu;

/// A wait that brought time lost from `cause` to `waiting`; an anomaly in the call itself is one without a
/// wait.
struct TrailLink {
    std::uint32_t parent =
        kNoTrailLink;  ///< the link that is nearer to the call that was asked for; a smaller one
    std::uint32_t wait = kNoWait;
    CallOfLocation waiting;
    LocationId causeLocation;  ///< invalid: it is not known who let it wait
    std::optional<std::uint32_t> causeCall;
    TimeSpan span;                     ///< of the wait, or of the anomaly
    TimeNs throughNs = 0;              ///< attributed to this link and to all behind it
    TimeNs attributedNs = 0;           ///< lost because of what is at its end
    std::uint32_t anomaly = kNoCause;  ///< that is there: place in FoundAnomalies::calls
};

struct CauseTrail {
    TimeNs lostNs = 0;             ///< backwards: duration less the median; forwards: what all others waited
    TimeNs restNs = 0;             ///< what no link explains
    std::vector<TrailLink> links;  ///< Σ attributedNs + restNs = lostNs
    bool contradiction = false;    ///< a way ended where clocks contradict each other
};

/// Backwards from a call over all that it waited for to the anomalies behind. Waits that belong together are
/// one link. The same parts as explainCall() gives. O(log waits + ways).
CauseTrail trailBack(const Experiment& experiment, const FoundAnomalies& found, const CallOfLocation& call);

/// Forwards from an anomaly: every wait that it is to blame for, behind the wait by which it came there. A
/// call that is none has no links. O(waits).
CauseTrail trailForward(const FoundAnomalies& found, const CallOfLocation& call);

/// The same with no more than `most` links: those with the most that came through; what the others explain
/// is part of the rest. O(links log).
CauseTrail shortened(const CauseTrail& trail, std::size_t most);

}  // namespace skein
