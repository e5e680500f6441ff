// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/mini_batch_kmeans.h"

#include "algorithms/behavior/sampling_order.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace skein {
namespace {

constexpr std::uint32_t kMostClusters = 1024;
constexpr std::size_t kLeastBatch = 10, kMostBatch = 100;
/// Points that the first centres are drawn from: in fewer a rare cluster may have none.
constexpr std::size_t kSeedPoints = 300;
/// Points whose labels are found together: small enough to be stopped soon.
constexpr std::size_t kPointsABlock = 64;

constexpr std::size_t kDistanceLanes = 8;
/// Coordinates between two looks whether a distance is too long already.
constexpr std::size_t kDistanceBlock = 64;
using DistanceLanes = std::array<double, kDistanceLanes>;

double sumOfDistance(const DistanceLanes& lanes)
{
    double sum = 0.0;
    for (const double lane : lanes) sum += lane;
    return sum;
}

/// Summed in parts side by side, so that the compiler may use vectors and the order is always the same. More
/// than `enough` is any number above that.
double squaredDistance(const double* a, const double* b, std::size_t dimensions,
                       double enough = std::numeric_limits<double>::infinity())
{
    DistanceLanes lanes{};
    std::size_t i = 0;
    while (i + kDistanceBlock <= dimensions) {
        for (const std::size_t end = i + kDistanceBlock; i < end; i += kDistanceLanes)
            for (std::size_t lane = 0; lane < kDistanceLanes; ++lane) {
                const double difference = a[i + lane] - b[i + lane];
                lanes[lane] += difference * difference;
            }
        if (const double sum = sumOfDistance(lanes); sum > enough) return sum;
    }
    for (; i < dimensions; ++i) {
        const double difference = a[i] - b[i];
        lanes[i % kDistanceLanes] += difference * difference;
    }
    return sumOfDistance(lanes);
}

double distanceOf(std::span<const double> a, std::span<const double> b)
{
    return squaredDistance(a.data(), b.data(), a.size());
}

std::size_t batchSize(const KMeansParams& params, std::size_t count)
{
    if (params.batch > 0) return params.batch;
    return std::clamp(count / 10, kLeastBatch, kMostBatch);
}

Result<void> checkClustering(PointRows points, const KMeansParams& params)
{
    if (points.count() == 0)
        return fail(ErrorCode::InvalidArgument, "There is nothing to cluster: no entity has a series.");
    if (params.clusters == 0 || params.clusters > kMostClusters)
        return fail(ErrorCode::InvalidArgument, "The number of clusters must lie between 1 and 1024.");
    if (params.previous.size() > points.count())
        return fail(ErrorCode::InvalidArgument, "There are more previous labels than entities.");
    for (const std::uint32_t label : params.previous)
        if (label >= kMostClusters)
            return fail(ErrorCode::InvalidArgument, "A previous label names no cluster.");
    return {};
}

/// Of points drawn by their distance to the centres so far, a few candidates for the next centre (Arthur and
/// Vassilvitskii, "k-means++", SODA 2007; the greedy form that they mention).
class CenterSeeds {
public:
    CenterSeeds(PointRows points, std::span<const std::uint32_t> from, SplitRandom& random)
        : points_(points),
          from_(from),
          random_(random),
          distances_(from.size(), std::numeric_limits<double>::infinity())
    {
    }

    std::vector<double> draw(std::uint32_t clusters)
    {
        std::vector<double> centers;
        add(centers, random_.below(from_.size()));
        const auto trials = 2 + static_cast<std::size_t>(std::log(static_cast<double>(clusters)));
        while (centers.size() < std::size_t{clusters} * points_.dimensions) add(centers, best(trials));
        return centers;
    }

private:
    /// The place of a point that is drawn with a chance that grows with its distance; any where all are
    /// centres.
    std::size_t drawn()
    {
        const double whole = std::accumulate(distances_.begin(), distances_.end(), 0.0);
        if (!(whole > 0.0) || !std::isfinite(whole)) return random_.below(from_.size());
        double left = random_.unit() * whole;
        std::size_t last = 0;
        for (std::size_t i = 0; i < distances_.size(); ++i) {
            if (distances_[i] == 0.0) continue;
            last = i;
            left -= distances_[i];
            if (left < 0.0) break;
        }
        return last;
    }

    double remainder(std::size_t candidate) const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < from_.size(); ++i)
            sum +=
                std::min(distances_[i], distanceOf(points_.point(from_[i]), points_.point(from_[candidate])));
        return sum;
    }

    std::size_t best(std::size_t trials)
    {
        std::size_t chosen = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t trial = 0; trial < trials; ++trial) {
            const std::size_t candidate = drawn();
            const double left = remainder(candidate);
            if (trial > 0 && !(left < least)) continue;
            least = left;
            chosen = candidate;
        }
        return chosen;
    }

    void add(std::vector<double>& centers, std::size_t place)
    {
        const auto point = points_.point(from_[place]);
        centers.insert(centers.end(), point.begin(), point.end());
        for (std::size_t i = 0; i < from_.size(); ++i)
            distances_[i] = std::min(distances_[i], distanceOf(points_.point(from_[i]), point));
    }

    PointRows points_;
    std::span<const std::uint32_t> from_;
    SplitRandom& random_;
    std::vector<double> distances_;
};

/// Means of the points of each label below `clusters`; labels without points get what `otherwise` says.
template <typename Otherwise>
std::vector<double> meansOfLabels(PointRows points, std::span<const std::uint32_t> labels,
                                  std::uint32_t clusters, const Otherwise& otherwise)
{
    std::vector<double> centers(clusters * points.dimensions, 0.0);
    std::vector<double> counts(clusters, 0.0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] >= clusters) continue;
        const auto point = points.point(i);
        double* const center = centers.data() + labels[i] * points.dimensions;
        for (std::size_t d = 0; d < points.dimensions; ++d) center[d] += point[d];
        ++counts[labels[i]];
    }
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        double* const center = centers.data() + cluster * points.dimensions;
        if (counts[cluster] == 0.0) {
            const auto other = otherwise(cluster);
            std::copy(other.begin(), other.end(), center);
            continue;
        }
        for (std::size_t d = 0; d < points.dimensions; ++d) center[d] /= counts[cluster];
    }
    return centers;
}

/// Where a clustering starts: the previous one over the series as they are now, or points of the first
/// batches.
std::vector<double> firstCenters(PointRows points, const KMeansParams& params,
                                 std::span<const std::uint32_t> from, SplitRandom& random)
{
    std::vector<double> seeds = CenterSeeds(points, from, random).draw(params.clusters);
    if (params.previous.empty()) return seeds;
    return meansOfLabels(points, params.previous, params.clusters, [&](std::uint32_t cluster) {
        return std::span<const double>(seeds).subspan(cluster * points.dimensions, points.dimensions);
    });
}

/// The label of each point, in parallel; adds their distances up. What labels there are serve as guesses.
/// False when stopped.
bool labelAll(PointRows points, const ClusterCenters& centers, Clustering& out, const Task& task)
{
    const std::size_t count = points.count();
    const std::size_t blocks = (count + kPointsABlock - 1) / kPointsABlock;
    std::vector<double> inertia(blocks, 0.0);
    out.labels.resize(count, 0);
    const bool done = parallelFor(blocks, task, [&](std::size_t block) {
        const std::size_t last = std::min(count, (block + 1) * kPointsABlock);
        for (std::size_t i = block * kPointsABlock; i < last; ++i) {
            const auto nearest = centers.nearest(points.point(i), out.labels[i]);
            out.labels[i] = nearest.center;
            inertia[block] += nearest.distance;
        }
    });
    out.inertia = std::accumulate(inertia.begin(), inertia.end(), 0.0);
    out.centers = centers.values();
    return done;
}

/// Batches one after the other, for as long as the budget and the passes last.
class MiniBatches {
public:
    MiniBatches(PointRows points, const KMeansParams& params)
        : points_(points),
          params_(params),
          batch_(batchSize(params, points.count())),
          random_(params.seed),
          labels_(points.count(), kMostClusters)
    {
        startPass();
        const auto first = std::span<const std::uint32_t>(order_).first(
            std::min(std::max(batch_, kSeedPoints), order_.size()));
        centers_.emplace(firstCenters(points, params, first, random_), points.dimensions);
    }

    /// False when stopped by the user.
    bool run(LatencyBudget& budget, const Task& task)
    {
        for (std::uint32_t pass = 0; pass < params_.passes; ++pass) {
            if (pass > 0) startPass();
            const std::size_t moved = runPass(pass == 0, budget, task);
            if (task.stopRequested()) return false;
            if (budget.spent() || (pass > 0 && moved == 0)) break;
        }
        return true;
    }

    const ClusterCenters& centers() const { return *centers_; }
    std::size_t processed() const { return processed_; }
    /// Of each point when it was last in a batch; no cluster's for those that never were.
    std::vector<std::uint32_t> takeLabels() { return std::move(labels_); }

private:
    void startPass() { order_ = samplingOrder(points_.count(), params_.previous, batch_, random_.next()); }

    /// Points whose label changed.
    std::size_t runPass(bool first, LatencyBudget& budget, const Task& task)
    {
        std::size_t moved = 0;
        for (std::size_t at = 0; at < order_.size() && !task.stopRequested(); at += batch_) {
            if ((at > 0 || !first) && budget.spent()) break;
            const auto batch =
                std::span<const std::uint32_t>(order_).subspan(at, std::min(batch_, order_.size() - at));
            for (const std::uint32_t point : batch) {
                const std::uint32_t label = centers_->nearest(points_.point(point), labels_[point]).center;
                moved += label != labels_[point] ? 1 : 0;
                labels_[point] = label;
            }
            for (const std::uint32_t point : batch) centers_->take(labels_[point], points_.point(point));
            if (first) processed_ += batch.size();
        }
        return moved;
    }

    PointRows points_;
    const KMeansParams& params_;
    std::size_t batch_;
    SplitRandom random_;
    std::vector<std::uint32_t> labels_;
    std::vector<std::uint32_t> order_;
    std::optional<ClusterCenters> centers_;
    std::size_t processed_ = 0;
};

/// Lloyd's rounds from what `out` holds until no label changes. False when stopped.
bool refine(PointRows points, std::uint32_t clusters, std::uint32_t rounds, Clustering& out, const Task& task)
{
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::vector<double> before = std::move(out.centers);
        const std::vector<std::uint32_t> labels = out.labels;
        ClusterCenters centers(meansOfLabels(points, labels, clusters,
                                             [&](std::uint32_t cluster) {
                                                 return std::span<const double>(before).subspan(
                                                     cluster * points.dimensions, points.dimensions);
                                             }),
                               points.dimensions);
        if (!labelAll(points, centers, out, task)) return false;
        if (labels == out.labels) return true;
    }
    return true;
}

}  // namespace

ClusterCenters::ClusterCenters(std::vector<double> centers, std::size_t dimensions)
    : dimensions_(dimensions), values_(std::move(centers)), weights_(values_.size() / dimensions, 0.0)
{
}

ClusterCenters::Nearest ClusterCenters::nearest(std::span<const double> point, std::uint32_t guess) const
{
    const std::uint32_t first = guess < weights_.size() ? guess : 0;
    const auto to = [&](std::uint32_t center, double enough) {
        return squaredDistance(point.data(), values_.data() + center * dimensions_, dimensions_, enough);
    };
    Nearest best{first, to(first, std::numeric_limits<double>::infinity())};
    for (std::uint32_t center = 0; center < weights_.size(); ++center) {
        if (center == first) continue;
        const double distance = to(center, best.distance);
        const bool nearer = distance < best.distance;
        if (nearer || (distance == best.distance && center < best.center)) best = {center, distance};
    }
    return best;
}

void ClusterCenters::take(std::uint32_t center, std::span<const double> point)
{
    const double share = 1.0 / ++weights_[center];
    double* const values = values_.data() + center * dimensions_;
    for (std::size_t d = 0; d < dimensions_; ++d) values[d] += (point[d] - values[d]) * share;
}

Result<Clustering> clusterProgressively(PointRows points, const KMeansParams& params, LatencyBudget& budget,
                                        const Task& task)
{
    if (const auto good = checkClustering(points, params); !good) return Unexpected(good.error());
    MiniBatches batches(points, params);
    if (!batches.run(budget, task)) return cancelled();
    Clustering result;
    result.labels = batches.takeLabels();
    if (!labelAll(points, batches.centers(), result, task)) return cancelled();
    result.processed = batches.processed();
    result.clusters = params.clusters;
    return result;
}

Result<Clustering> clusterExactly(PointRows points, const KMeansParams& params, const Task& task)
{
    if (const auto good = checkClustering(points, params); !good) return Unexpected(good.error());
    Clustering best;
    best.inertia = std::numeric_limits<double>::infinity();
    KMeansParams start = params;
    start.passes = 2;
    for (std::uint32_t round = 0; round < std::max(1U, params.starts); ++round) {
        start.seed = params.seed + std::uint64_t{round} * 0x9E3779B97F4A7C15ULL;
        LatencyBudget unlimited;
        auto found = clusterProgressively(points, start, unlimited, task);
        if (!found) return found;
        if (!refine(points, params.clusters, params.passes, *found, task)) return cancelled();
        if (round == 0 || found->inertia < best.inertia) best = std::move(*found);
        task.report(static_cast<double>(round + 1) / params.starts, "clustering");
    }
    return best;
}

void keepClusterNames(Clustering& found, const Clustering& before)
{
    const auto names = matchClusters(found.labels, found.clusters, before.labels, before.clusters);
    std::vector<std::uint32_t> sorted(names);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> renamed(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        renamed[i] = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), names[i])
                                                - sorted.begin());
    for (std::uint32_t& label : found.labels) label = renamed[label];
    const std::size_t dimensions = renamed.empty() ? 0 : found.centers.size() / renamed.size();
    std::vector<double> centers(found.centers.size());
    for (std::size_t i = 0; i < renamed.size(); ++i)
        std::copy_n(found.centers.begin() + static_cast<std::ptrdiff_t>(i * dimensions), dimensions,
                    centers.begin() + static_cast<std::ptrdiff_t>(renamed[i] * dimensions));
    found.centers = std::move(centers);
}

}  // namespace skein
