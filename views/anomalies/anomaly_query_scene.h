// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"
#include "core/base/result.h"
#include "views/common/scene/data/session_anomalies.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace skein {

/// From least to most, both included.
template <typename Value>
struct QueriedRange {
    Value least = std::numeric_limits<Value>::lowest();
    Value most = std::numeric_limits<Value>::max();

    bool holds(Value value) const { return value >= least && value <= most; }
    bool operator==(const QueriedRange&) const = default;
};

/// What a query asks of a call; nullopt and empty: nothing.
struct AnomalyQuery {
    std::optional<QueriedRange<std::int64_t>> programs;  ///< numbers of archives, the first is 0
    std::optional<QueriedRange<std::int64_t>> ranks;
    std::optional<QueriedRange<TimeNs>> begins;  ///< session time
    std::optional<QueriedRange<TimeNs>> lostNs;
    std::optional<QueriedRange<double>> scores;
    std::optional<AnomalyLabel> label;
    std::string function;  ///< parts of names between "|", in upper or lower case

    bool empty() const { return *this == AnomalyQuery(); }
    bool operator==(const AnomalyQuery&) const = default;
};

/// "ranks 2..5; lost 1ms..; label anomaly": clauses in any order, each once: programs, ranks, begins, lost,
/// scores with a range A..B, A.., ..B or A; function with a part of a name; label with anomaly, consequence
/// or normal. Times are as in 10ms, without a unit nanoseconds. Errors: InvalidArgument with the clause.
Result<AnomalyQuery> parseAnomalyQuery(std::string_view text);
/// The same as text, which parses to the same; empty without any clause.
std::string textOf(const AnomalyQuery& query);

/// All but the function, which functionsOfInterest() finds once for all calls. `label`: what the call is,
/// with what the user says; `begin`: when it begins, session time.
bool passes(const AnomalyQuery& query, const SessionAnomalies& anomalies, const AnomalyPoint& point,
            AnomalyLabel label, TimeNs begin);

}  // namespace skein
