// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_scene.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skein {

/// Values of points on one axis; entry and exit in session time.
class AxisValues {
public:
    AxisValues(const SessionAnomalies& anomalies, AnomalyAxis axis, FeatureSet projected, SessionClock clock)
        : anomalies_(anomalies), axis_(axis), clock_(std::move(clock))
    {
        if (axis == AnomalyAxis::Projection1 || axis == AnomalyAxis::Projection2)
            projected_ = anomalies.features().projected(anomalies, projected);
    }

    /// `point`: one of the anomalies' points.
    double operator()(const AnomalyPoint& point) const;

private:
    const SessionAnomalies& anomalies_;
    AnomalyAxis axis_;
    SessionClock clock_;
    std::shared_ptr<const ProjectedPoints> projected_;
};

/// Holds the values of all shown points. O(shown).
AnomalyScale scaleFor(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                      AnomalyAxis axis, FeatureSet projected, const SessionClock& clock);

std::string_view unitOfAnomalyAxis(AnomalyAxis axis);
std::vector<double> ticksOf(const AnomalyScale& scale, std::string_view unit, int most);
std::string anomalyTickText(const AnomalyScale& scale, double tick, std::string_view unit);

}  // namespace skein
