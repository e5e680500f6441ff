// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/change_detector.h"
#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/leading_component.h"
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "algorithms/behavior/progressive_projection.h"
#include "core/series/series_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The behaviour of entities while it happens.
namespace skein {

struct OnlineParams {
    ChangeParams change;
    std::uint32_t clusters = 0;    ///< 0: as many as the silhouette proposes when it is first asked
    std::size_t windowRows = 500;  ///< the last time points, which clusters and places are of; ≥ 2
    std::size_t windowBytes = std::size_t{256} << 20;  ///< fewer rows where entities are many
    double clusterSeconds = 0.05;                      ///< latency budgets of a refresh
    double placeSeconds = 0.02;
    std::uint64_t seed = 1;
    LatencyBudget::Clock clock = {};  ///< empty: the machine's
};

/// A change as it was found.
struct OnlineChange {
    std::uint64_t row = 0;  ///< from 0 since the stream began
    double time = 0;
    double pValue = 0;
    std::vector<EntityShift> moved;  ///< who departed most from what was before
};

/// The mean of all entities over everything so far, thinned where it becomes long.
struct OnlineHistory {
    std::vector<double> times, means;
    std::uint64_t rowsEach = 1;  ///< rows a point stands for
};

/// One metric of a stream: changes are looked for in every row as it comes, clusters and places are made
/// again of the last rows when asked, within their budgets, each going on from those before. Takes about
/// twice windowBytes at most, and 100 bytes a change. Not thread-safe.
class OnlineSeries {
public:
    explicit OnlineSeries(OnlineParams params);

    /// Another limit for the window from now on.
    void setWindowBytes(std::size_t bytes);
    /// Entities only become more. O(window) where they do.
    void setEntities(const std::vector<std::string>& names);
    /// Looks for changes otherwise from now on, and through the window again: those before it are forgotten.
    /// `change` as checkChangeParams() lets pass. O(window).
    void lookAgain(const ChangeParams& change);
    /// A row, later than the one before. O(entities), and O(entities · window) where a change is found.
    ChangeStep add(double time, std::span<const double> values);
    /// Clusters and places of the window. Errors: Cancelled; InvalidArgument before two rows have come.
    Result<void> refresh(const Task& task);

    /// How changes are looked for.
    const ChangeParams& changeParams() const { return params_.change; }
    std::uint64_t rows() const { return rows_; }
    const SeriesTable& window() const { return window_; }
    /// The row, since the stream began, of the window's first one.
    std::uint64_t firstWindowRow() const { return rows_ - window_.rows(); }
    /// The representative series over the window, p and whether nothing could be found.
    const std::vector<double>& representative() const { return representative_; }
    const std::vector<OnlineChange>& changes() const { return changes_; }
    /// What was found in the window, in its rows.
    ChangePoints windowChanges() const;
    const OnlineHistory& history() const { return history_; }

    const Clustering& clusters() const { return clusters_; }
    const Projection& places() const { return places_; }
    /// The shares of entities that centres and components have seen, 0…1; 0 before the first refresh.
    double clusterShare() const;
    double placeShare() const;

private:
    void remember(double time, std::span<const double> values);
    ChangeStep lookAtLast();
    void trim();
    void noteChange(double pValue);
    void noteHistory(double time, std::span<const double> values);
    std::size_t mostRows() const;
    Result<void> refreshClusters(PointRows points, const Task& task);
    LatencyBudget budget(double seconds) const;

    OnlineParams params_;
    LeadingComponent component_;
    ChangeDetector detector_;
    SeriesTable window_;
    std::vector<double> representative_, pValues_;
    std::vector<bool> blind_;
    std::uint64_t rows_ = 0;
    std::vector<OnlineChange> changes_;
    OnlineHistory history_;
    std::uint64_t historyPending_ = 0, historyKnown_ = 0;  ///< rows of the last point; those with values
    double historySum_ = 0;
    std::uint32_t proposed_ = 0;
    Clustering clusters_;
    Projection places_;
};

}  // namespace skein
