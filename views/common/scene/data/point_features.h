// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_features.h"
#include "views/common/scene/data/memo.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace skein {

struct AnomalyPoint;
struct SessionAnomalies;

/// Which features a projection is made of, bit by CallFeature.
using FeatureSet = std::uint32_t;
inline constexpr FeatureSet bitOf(CallFeature feature) { return 1U << static_cast<unsigned>(feature); }
/// All but begin and end: a call is no stranger because it is late.
inline constexpr FeatureSet kProjectedFeatures =
    ((1U << kCallFeatures) - 1U) & ~bitOf(CallFeature::Begin) & ~bitOf(CallFeature::End);

/// A place a point, see FeatureProjection.
using ProjectedPoints = std::vector<std::array<float, 2>>;

/// Features of the points of a scatter, beside those that each point has anyway.
class PointFeatures {
public:
    PointFeatures() = default;
    /// O(events + points log).
    explicit PointFeatures(const SessionAnomalies& anomalies);

    /// Of a feature that counts what is in a call: Messages, Bytes, Children, Mpi, Waiting.
    double counted(std::size_t point, CallFeature feature) const;
    /// Functions of different experiments are different ones. O(points · features²) where another set was
    /// asked for last. Thread-safe.
    std::shared_ptr<const ProjectedPoints> projected(const SessionAnomalies& anomalies, FeatureSet set) const;

private:
    std::vector<std::array<float, 5>> counted_;
    mutable std::shared_ptr<Memo<FeatureSet, ProjectedPoints>> projected_;
};

}  // namespace skein
