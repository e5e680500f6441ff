// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_features.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// A call to project.
struct FeatureRow {
    std::uint32_t function = 0;  ///< calls are compared within their function
    CallFeatureValues values{};
};

/// Calls outside of functions that block: all of them, or of more than `most` those that a hash of location
/// and number chooses, about so many. In the order of locations and ends. O(calls). Errors: Cancelled.
Result<std::vector<FeatureRow>> sampledFeatures(const Trace& trace, const FunctionsOfCalls& functions,
                                                const CallFeatureIndex& index, std::size_t most,
                                                const Task& task);

/// Calls by chosen features in two dimensions: x ↦ ln(1 + x), scaled by function to a mean of 0 and a
/// deviation of 1 (0 where all are equal), on the two principal components of all calls (Pearson, 1901), so
/// that usual calls of all functions lie around the origin. The largest entry of a component is positive.
/// Fewer than two features: the second coordinate is 0.
class FeatureProjection {
public:
    /// O(rows · features²).
    FeatureProjection(std::span<const FeatureRow> rows, std::vector<CallFeature> features);

    std::array<double, 2> place(const FeatureRow& row) const;
    const std::vector<CallFeature>& features() const { return features_; }
    /// Of component 0 or 1, a weight a feature.
    const std::vector<double>& component(std::size_t which) const { return components_[which]; }
    /// The share of all variance along each.
    const std::array<double, 2>& explained() const { return explained_; }

private:
    struct Scale {
        std::uint64_t count = 0;
        std::array<double, kCallFeatures> mean{}, deviation{};
    };

    void learnScales(std::span<const FeatureRow> rows);
    void findComponents(std::span<const FeatureRow> rows);
    std::array<double, kCallFeatures> scaled(const FeatureRow& row) const;

    std::vector<CallFeature> features_;
    std::vector<Scale> scales_;  ///< by function
    std::array<std::vector<double>, 2> components_;
    std::array<double, 2> explained_{};
};

}  // namespace skein
