// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/online_series.h"

#include "algorithms/behavior/change_detector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kHistoryPoints = 4096;
constexpr std::size_t kMovedKept = 5;
constexpr std::size_t kMovedRows = 1000;
constexpr std::uint32_t kMostOnlineClusters = 8;
constexpr std::size_t kProposalEntities = 1000;
constexpr std::size_t kMostChanges = 100'000;

double meanOfKnown(std::span<const double> values)
{
    double sum = 0, count = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

template <typename Value>
void dropFirst(std::vector<Value>& values, std::size_t count)
{
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

/// The entities that a number of clusters is proposed from: every so many.
std::vector<double> thinnedEntities(PointRows points)
{
    const std::size_t stride = (points.count() + kProposalEntities - 1) / kProposalEntities;
    std::vector<double> some;
    for (std::size_t i = 0; i < points.count(); i += stride)
        some.insert(some.end(), points.point(i).begin(), points.point(i).end());
    return some;
}

}  // namespace

OnlineSeries::OnlineSeries(OnlineParams params)
    : params_(std::move(params)), component_(0), detector_(params_.change)
{
    params_.windowRows = std::max<std::size_t>(2, params_.windowRows);
}

std::size_t OnlineSeries::mostRows() const
{
    const std::size_t row = std::max<std::size_t>(1, window_.columns.size()) * sizeof(double);
    return std::clamp<std::size_t>(params_.windowBytes / row, 2, params_.windowRows);
}

void OnlineSeries::setWindowBytes(std::size_t bytes)
{
    params_.windowBytes = bytes;
    trim();
}

void OnlineSeries::setEntities(const std::vector<std::string>& names)
{
    const std::size_t before = window_.columns.size();
    if (names.size() <= before) return;
    SeriesTable wider;
    wider.columns = names;
    wider.times = std::move(window_.times);
    wider.values.assign(wider.times.size() * names.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < wider.times.size(); ++row)
        std::copy_n(window_.values.begin() + static_cast<std::ptrdiff_t>(row * before), before,
                    wider.values.begin() + static_cast<std::ptrdiff_t>(row * names.size()));
    window_ = std::move(wider);
    component_.widen(names.size());
    // One entity stood for itself: another series stands for all from now on.
    if (before == 1 && rows_ > 0) detector_ = ChangeDetector(params_.change);
    trim();
}

ChangeStep OnlineSeries::add(double time, std::span<const double> values)
{
    remember(time, values);
    noteHistory(time, window_.row(window_.rows() - 1));
    const ChangeStep step = lookAtLast();
    trim();
    return step;
}

ChangeStep OnlineSeries::lookAtLast()
{
    const std::span<const double> row = window_.row(window_.rows() - 1);
    // A single entity stands for itself, as in representativeSeries().
    const double score = window_.columns.size() == 1 ? row[0] : component_.add(row);
    const ChangeStep step = detector_.add(score, window_.columns.size() == 1 ? 0 : component_.rowsStill());
    representative_.push_back(score);
    pValues_.push_back(step.pValue);
    blind_.push_back(step.blind);
    if (step.change) noteChange(step.pValue);
    ++rows_;
    return step;
}

void OnlineSeries::lookAgain(const ChangeParams& change)
{
    params_.change = change;
    const SeriesTable seen = std::exchange(window_, {});
    window_.columns = seen.columns;
    component_ = LeadingComponent(seen.columns.size());
    detector_ = ChangeDetector(change);
    rows_ -= seen.rows();
    representative_.clear();
    pValues_.clear();
    blind_.clear();
    changes_.clear();
    for (std::size_t row = 0; row < seen.rows(); ++row) {
        remember(seen.times[row], seen.row(row));
        lookAtLast();
    }
}

void OnlineSeries::remember(double time, std::span<const double> values)
{
    const std::size_t width = window_.columns.size();
    window_.times.push_back(time);
    const std::size_t known = std::min(width, values.size());
    window_.values.insert(window_.values.end(), values.begin(),
                          values.begin() + static_cast<std::ptrdiff_t>(known));
    window_.values.resize(window_.times.size() * width, std::numeric_limits<double>::quiet_NaN());
}

/// Rows leave in blocks, so that each is moved about once.
void OnlineSeries::trim()
{
    const std::size_t most = mostRows(), rows = window_.rows();
    if (rows < 2 * most && rows <= most + std::max<std::size_t>(1, most / 4)) return;
    const std::size_t gone = rows - most;
    dropFirst(window_.times, gone);
    dropFirst(window_.values, gone * window_.columns.size());
    dropFirst(representative_, gone);
    dropFirst(pValues_, gone);
    blind_.erase(blind_.begin(), blind_.begin() + static_cast<std::ptrdiff_t>(gone));
}

/// The last row of the window is one.
void OnlineSeries::noteChange(double pValue)
{
    const std::uint64_t first = rows_ + 1 - window_.rows();
    ChangePoints found;
    for (const OnlineChange& change : changes_)
        if (change.row > first) found.changes.push_back(static_cast<std::size_t>(change.row - first));
    found.changes.push_back(window_.rows() - 1);
    std::vector<EntityShift> moved;
    if (window_.rows() > 1)
        moved = explainChange(window_, found, found.changes.size() - 1, kMovedKept, kMovedRows);
    if (changes_.size() >= kMostChanges) dropFirst(changes_, kMostChanges / 2);
    changes_.push_back({rows_, window_.times.back(), pValue, std::move(moved)});
}

void OnlineSeries::noteHistory(double time, std::span<const double> values)
{
    const double mean = meanOfKnown(values);
    if (historyPending_ == 0) {
        history_.times.push_back(time);
        history_.means.push_back(mean);
        historySum_ = 0;
        historyKnown_ = 0;
    }
    ++historyPending_;
    // A row without values says nothing about the others that its point stands for.
    if (std::isfinite(mean)) {
        historySum_ += mean;
        history_.means.back() = historySum_ / static_cast<double>(++historyKnown_);
    }
    if (historyPending_ == history_.rowsEach) historyPending_ = 0;
    if (historyPending_ != 0 || history_.times.size() < kHistoryPoints) return;
    for (std::size_t i = 0; i < kHistoryPoints / 2; ++i) {
        history_.times[i] = history_.times[2 * i];
        history_.means[i] = meanOfKnown(std::span(history_.means).subspan(2 * i, 2));
    }
    history_.times.resize(kHistoryPoints / 2);
    history_.means.resize(kHistoryPoints / 2);
    history_.rowsEach *= 2;
}

ChangePoints OnlineSeries::windowChanges() const
{
    ChangePoints found;
    found.representative = representative_;
    found.pValues = pValues_;
    for (const OnlineChange& change : changes_)
        if (change.row >= firstWindowRow())
            found.changes.push_back(static_cast<std::size_t>(change.row - firstWindowRow()));
    for (std::size_t row = 0; row < blind_.size(); ++row) {
        if (!blind_[row]) continue;
        if (!found.blind.empty() && found.blind.back().last == row) ++found.blind.back().last;
        else found.blind.push_back({row, row + 1});
    }
    return found;
}

LatencyBudget OnlineSeries::budget(double seconds) const
{
    return params_.clock ? LatencyBudget(seconds, params_.clock) : LatencyBudget(seconds);
}

Result<void> OnlineSeries::refreshClusters(PointRows points, const Task& task)
{
    KMeansParams params;
    params.seed = params_.seed;
    params.clusters = params_.clusters;
    if (params.clusters == 0 && proposed_ == 0) {
        const std::vector<double> some = thinnedEntities(points);
        const auto proposed =
            proposeClusters({some, points.dimensions}, kMostOnlineClusters, params_.seed, task);
        if (!proposed) return Unexpected(proposed.error());
        proposed_ = *proposed;
    }
    if (params.clusters == 0) params.clusters = proposed_;
    const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(points.count(), 1024));
    params.clusters = std::min(params.clusters, most);
    const bool same = clusters_.labels.size() == points.count() && clusters_.clusters == params.clusters;
    if (same) params.previous = clusters_.labels;
    LatencyBudget left = budget(params_.clusterSeconds);
    auto found = clusterProgressively(points, params, left, task);
    if (!found) return Unexpected(found.error());
    keepClusterNames(*found, clusters_);
    clusters_ = std::move(*found);
    return {};
}

Result<void> OnlineSeries::refresh(const Task& task)
{
    if (window_.rows() < 2 || window_.columns.empty())
        return fail(ErrorCode::InvalidArgument, "Clusters need two time points at least.");
    const std::vector<double> values = entityMajor(window_);
    const PointRows points{values, window_.rows()};
    if (const auto done = refreshClusters(points, task); !done) return done;
    ProjectionParams projection;
    projection.seed = params_.seed;
    projection.labels = clusters_.labels;
    if (places_.places.size() == 2 * points.count()) projection.previous = places_.places;
    LatencyBudget left = budget(params_.placeSeconds);
    auto places = projectProgressively(points, projection, left, task);
    if (!places) return Unexpected(places.error());
    places_ = std::move(*places);
    return {};
}

double OnlineSeries::clusterShare() const
{
    return clusters_.labels.empty()
        ? 0.0
        : static_cast<double>(clusters_.processed) / static_cast<double>(clusters_.labels.size());
}

double OnlineSeries::placeShare() const
{
    return places_.places.empty()
        ? 0.0
        : static_cast<double>(places_.processed) / static_cast<double>(places_.places.size() / 2);
}

}  // namespace skein
