// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/latency_budget.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Points in a row, `dimensions` coordinates each: entities with their series.
struct PointRows {
    std::span<const double> values;
    std::size_t dimensions = 0;

    std::size_t count() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const double> point(std::size_t index) const
    {
        return values.subspan(index * dimensions, dimensions);
    }
};

/// The centres of clusters while points come in batches (Sculley, "Web-scale k-means clustering", WWW 2010).
/// Not thread-safe.
class ClusterCenters {
public:
    /// `centers`: k points, one after the other. What they stand for counts nothing: the first point of each
    /// takes its place.
    ClusterCenters(std::vector<double> centers, std::size_t dimensions);

    std::size_t count() const { return weights_.size(); }
    const std::vector<double>& values() const { return values_; }
    /// Points that each has taken.
    const std::vector<double>& weights() const { return weights_; }

    /// The nearest centre (squared Euclidean distance), of several the first; and its distance. A good guess
    /// makes it quicker and never another one. O(k · dimensions).
    struct Nearest {
        std::uint32_t center = 0;
        double distance = 0.0;
    };
    Nearest nearest(std::span<const double> point, std::uint32_t guess = 0) const;

    /// Moves a centre towards a point of its own, which becomes one of those whose mean it is.
    void take(std::uint32_t center, std::span<const double> point);

private:
    std::size_t dimensions_;
    std::vector<double> values_;
    std::vector<double> weights_;
};

/// What a clustering is to be.
struct KMeansParams {
    std::uint32_t clusters = 3;
    std::uint64_t seed = 1;
    std::size_t batch = 0;       ///< points a batch; 0: a tenth of all, from 10 to 100
    std::uint32_t passes = 100;  ///< over all points, at most
    std::uint32_t starts = 4;    ///< of an exact clustering, of which the best is kept
    /// The clustering before, one label a point, whose centres the new one starts from; empty: none.
    std::vector<std::uint32_t> previous;
};

struct Clustering {
    std::vector<std::uint32_t> labels;  ///< one a point, each the nearest centre
    std::vector<double> centers;        ///< [cluster × dimensions + coordinate]
    double inertia = 0.0;               ///< Σ squared distance to the own centre
    std::size_t processed = 0;          ///< points that the centres have seen at least once
    std::uint32_t clusters = 0;
};

/// Clusters by mini-batches until the budget is used, at least one batch; then every point gets the label of
/// its nearest centre. Batches draw from all previous clusters alike (see samplingOrder()). Where the budget
/// lasts, further passes follow while they still move centres. The same seed and the same number of batches
/// give the same bits on any number of threads. Errors: InvalidArgument (no points, no or more than 1024
/// clusters, labels that fit neither), Cancelled.
Result<Clustering> clusterProgressively(PointRows points, const KMeansParams& params, LatencyBudget& budget,
                                        const Task& task);

/// The same without haste: from `starts` starts, each mini-batches first and then Lloyd's rounds until no
/// label changes, the one with the least inertia.
Result<Clustering> clusterExactly(PointRows points, const KMeansParams& params, const Task& task);

/// Gives clusters the numbers of those before, by the entities that they have in common (matchClusters()):
/// labels and centres change together. Numbers stay below found.clusters, for centres have that order: where
/// there are fewer clusters than before, greater ones move up. O(entities + centres).
void keepClusterNames(Clustering& found, const Clustering& before);

/// Mean silhouette of a sample of at most `sample` points, −1 … 1: how much nearer points are to their own
/// cluster than to the next one. 0 where there is only one cluster. O(sample² · dimensions).
double meanSilhouette(PointRows points, std::span<const std::uint32_t> labels, std::size_t sample,
                      std::uint64_t seed);

/// How many clusters the points make: of 2 to `most` that with the greatest mean silhouette of a sample; 1
/// where all points coincide. Errors: those of clusterExactly().
Result<std::uint32_t> proposeClusters(PointRows points, std::uint32_t most, std::uint64_t seed,
                                      const Task& task);

}  // namespace skein
