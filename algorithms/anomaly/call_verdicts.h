// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

/// What people say of single calls, against a detector, and what can be learned from it.
namespace skein {

struct SaidOfCall {
    LocationId location;
    std::uint32_t call = 0;
    AnomalyLabel label = AnomalyLabel::Normal;  ///< Normal or Anomaly

    bool operator==(const SaidOfCall&) const = default;
};

enum class Teaching : std::uint8_t {
    None,   ///< what was said counts for the call alone
    Limits  ///< and moves the limit of its function
};

/// Labels with what was said. Teaching: of a function, own times up to the greatest that was called normal
/// are no anomalies of own time, and own times from the smallest on that was called anomalous are, both only
/// above the function's median; where the first is not below the second they teach nothing. What was long
/// only because of a call that is normal now is normal, too. Calls that block are never taught about.
/// Immutable.
class CallVerdicts {
public:
    CallVerdicts() = default;
    /// Sayings about calls that there are not are left out and counted. O(said log + calls inside them).
    CallVerdicts(const Experiment& experiment, const FoundAnomalies& found, std::span<const SaidOfCall> said,
                 Teaching teaching);

    AnomalyLabel labelOf(const FoundAnomalies& found, const JudgedCall& call) const;
    /// What was said of this very call.
    std::optional<AnomalyLabel> saidOf(LocationId location, std::uint32_t call) const;
    bool empty() const { return said_.empty(); }
    std::size_t unknown() const { return unknown_; }

private:
    struct Limits {
        std::optional<TimeNs> normalTo, anomalyFrom;
    };

    std::map<std::pair<LocationId, std::uint32_t>, AnomalyLabel> said_;
    std::map<std::uint32_t, Limits> limits_;  ///< by function
    std::size_t unknown_ = 0;
};

}  // namespace skein
