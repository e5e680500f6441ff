// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "algorithms/behavior/sampling_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr std::size_t kSilhouetteSample = 400;
constexpr std::size_t kProposalSample = 2000;

std::vector<std::uint32_t> firstDrawn(std::size_t count, std::size_t most, std::uint64_t seed)
{
    std::vector<std::uint32_t> drawn = samplingOrder(count, {}, count, seed);
    drawn.resize(std::min(most, drawn.size()));
    return drawn;
}

double distanceBetween(std::span<const double> a, std::span<const double> b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

/// Of one point of the sample; 0 for the only one of its cluster (Rousseeuw 1987).
double silhouetteOf(std::size_t point, const std::vector<std::uint32_t>& labels,
                    std::span<const double> distances, std::uint32_t clusters)
{
    std::vector<double> sums(clusters, 0.0), counts(clusters, 0.0);
    for (std::size_t other = 0; other < labels.size(); ++other) {
        if (other == point) continue;
        sums[labels[other]] += distances[other];
        ++counts[labels[other]];
    }
    const std::uint32_t own = labels[point];
    if (counts[own] == 0.0) return 0.0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster)
        if (cluster != own && counts[cluster] > 0.0)
            nearest = std::min(nearest, sums[cluster] / counts[cluster]);
    const double inside = sums[own] / counts[own];
    const double larger = std::max(inside, nearest);
    return std::isfinite(nearest) && larger > 0.0 ? (nearest - inside) / larger : 0.0;
}

}  // namespace

double meanSilhouette(PointRows points, std::span<const std::uint32_t> labels, std::size_t sample,
                      std::uint64_t seed)
{
    const auto drawn = firstDrawn(points.count(), sample, seed);
    if (drawn.empty()) return 0.0;
    std::vector<std::uint32_t> ownLabels;
    std::uint32_t clusters = 1;
    for (const std::uint32_t point : drawn) {
        ownLabels.push_back(labels[point]);
        clusters = std::max(clusters, labels[point] + 1);
    }
    std::vector<double> distances(drawn.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        for (std::size_t j = 0; j < drawn.size(); ++j)
            distances[j] = distanceBetween(points.point(drawn[i]), points.point(drawn[j]));
        sum += silhouetteOf(i, ownLabels, distances, clusters);
    }
    return sum / static_cast<double>(drawn.size());
}

Result<std::uint32_t> proposeClusters(PointRows points, std::uint32_t most, std::uint64_t seed,
                                      const Task& task)
{
    std::vector<double> values;
    for (const std::uint32_t point : firstDrawn(points.count(), kProposalSample, seed)) {
        const auto row = points.point(point);
        values.insert(values.end(), row.begin(), row.end());
    }
    const PointRows sample{values, points.dimensions};
    std::uint32_t best = 1;
    double greatest = 0.0;
    for (std::uint32_t clusters = 2; clusters <= most && clusters < sample.count(); ++clusters) {
        KMeansParams params;
        params.clusters = clusters;
        params.seed = seed;
        const auto found = clusterExactly(sample, params, task);
        if (!found) return Unexpected(found.error());
        const double silhouette = meanSilhouette(sample, found->labels, kSilhouetteSample, seed);
        if (silhouette <= greatest) continue;
        greatest = silhouette;
        best = clusters;
    }
    return best;
}

}  // namespace skein
