// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/outliers.h"
#include "core/index/row_sampler.h"
#include "views/timeline/kept_samples_scene.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skein {

/// What the columns of a timeline's rows show, whether a row is of one location or stands for many. Not
/// thread-safe.
class RowSamples {
public:
    using Outlier = RowOutlier;

    RowSamples(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
               SampleKeeping keeping = {});

    /// Looks at a row of one location. `number`: of the row, see KeptSamples::expectRows(). O(columns).
    void take(LocationRef location, std::size_t number = 0);

    /// Looks at a row of several locations of one experiment: for each column the region that took most time
    /// in all of them. O(columns) where there is a tree of exactly these locations (see GroupTrees);
    /// otherwise for each bundle of the index of which all locations are among them, and for each location
    /// left over. See RowSampler. Stops early when told to.
    void takeTogether(std::span<const LocationRef> locations, const Task& task, std::size_t number = 0);

    /// One a pixel, without regard to outliers.
    std::span<const ColumnSample> columns() const { return columns_; }
    /// Where several share a column, the last one counts. Those of one location that are not narrow are seen
    /// anyway, unless what they called covers them.
    std::span<const Outlier> outliers() const { return outliers_; }

private:
    struct Decider {
        explicit Decider(const Experiment& experiment)
            : paths(*experiment.callTree, firstOfName(experiment.definitions)), sampler(paths.region)
        {
        }
        CallPathRegions paths;
        RowSampler sampler;
    };

    /// True where the row was kept.
    bool takeKept(std::span<const LocationRef> locations, bool byTreeOfItsOwn, std::size_t number);
    void keep(std::span<const LocationRef> locations, bool byTreeOfItsOwn, std::size_t number) const;
    Decider& deciderOf(std::uint32_t experiment);
    ColumnGrid gridOf(std::uint32_t experiment) const;
    double callsPerPx(LocationRef location) const;
    void decide(std::uint32_t experiment, std::span<const RowSource> sources, std::uint32_t columnPx,
                const Task& task);
    std::shared_ptr<const BundleTree> madeFor(std::span<const LocationRef> locations) const;
    const BundleTree* bundleOf(std::span<const LocationRef> locations) const;
    std::vector<RowSource::Member> membersOf(std::span<const LocationRef> locations) const;
    std::vector<RowSource> sourcesOf(std::span<const LocationRef> locations) const;
    void findOutliers(LocationRef location, std::uint32_t columnPx);

    const TimelineData& data_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    SampleKeeping keeping_;
    std::vector<std::unique_ptr<Decider>> deciders_;  ///< an experiment; made when first needed
    std::vector<ColumnSample> columns_;
    std::vector<ColumnSample> samples_;  ///< each of some columns
    std::vector<OutlierColumn> found_;   ///< of one location
    std::vector<Outlier> outliers_;
};

}  // namespace skein
