// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_samples_scene.h"

#include "core/index/first_call.h"
#include "views/common/scene/calls/call_stack.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

std::uint32_t bundleNumber(LocationRef location) { return location.id.value() / TimelineIndex::kBundle; }

std::size_t bundleSize(const TimelineData& data, LocationRef location)
{
    const std::size_t after = data.indexes[location.experiment]->locations.size()
        - std::size_t{bundleNumber(location)} * TimelineIndex::kBundle;
    return std::min<std::size_t>(after, TimelineIndex::kBundle);
}

}  // namespace

RowSamples::RowSamples(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                       SampleKeeping keeping)
    : data_(data),
      options_(options),
      layout_(layout),
      keeping_(keeping),
      deciders_(data.session.experiments.size()),
      columns_(static_cast<std::size_t>(layout.body.width))
{
}

RowSamples::Decider& RowSamples::deciderOf(std::uint32_t experiment)
{
    std::unique_ptr<Decider>& decider = deciders_[experiment];
    if (!decider) decider = std::make_unique<Decider>(*data_.session.experiments[experiment]);
    return *decider;
}

ColumnGrid RowSamples::gridOf(std::uint32_t experiment) const
{
    const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
    return {static_cast<double>(span.begin), layout_.scale.nsPerPixel(),
            static_cast<std::uint32_t>(columns_.size())};
}

/// How many calls of a location begin in a pixel in the mean.
double RowSamples::callsPerPx(LocationRef location) const
{
    const ColumnGrid pixels = gridOf(location.experiment);
    const CallIntervals& calls = callsOf(data_, location);
    const std::uint32_t first = firstCallFrom(calls, static_cast<TimeNs>(std::floor(pixels.begin)));
    const std::uint32_t end = firstCallFrom(calls, static_cast<TimeNs>(std::ceil(pixels.end())));
    return static_cast<double>(end - first) / pixels.count;
}

bool RowSamples::takeKept(std::span<const LocationRef> locations, bool byTreeOfItsOwn, std::size_t number)
{
    if (!keeping_.from || !keeping_.from->areOf(data_, layout_.scale.span, columns_.size())) return false;
    const KeptSamples::RowPtr row = keeping_.from->find(locations, byTreeOfItsOwn, options_.detail);
    if (!row) return false;
    columns_ = row->columns;
    outliers_ = row->outliers;
    if (keeping_.into) keeping_.into->add(number, locations, row);
    return true;
}

void RowSamples::keep(std::span<const LocationRef> locations, bool byTreeOfItsOwn, std::size_t number) const
{
    if (!keeping_.into || !keeping_.into->areOf(data_, layout_.scale.span, columns_.size())) return;
    keeping_.into->add(number, locations,
                       std::make_shared<const KeptSamples::Row>(
                           KeptSamples::Row{options_.detail, byTreeOfItsOwn, columns_, outliers_}));
}

void RowSamples::take(LocationRef location, std::size_t number)
{
    if (takeKept({&location, 1}, false, number)) return;
    const RowSource source(callsOf(data_, location),
                           data_.indexes[location.experiment]->locations[location.id.index()]);
    const std::uint32_t columnPx = options_.detail.columnPx(1, callsPerPx(location));
    decide(location.experiment, {&source, 1}, columnPx, Task());
    outliers_.clear();
    findOutliers(location, columnPx);
    keep({&location, 1}, false, number);
}

void RowSamples::takeTogether(std::span<const LocationRef> locations, const Task& task, std::size_t number)
{
    outliers_.clear();
    if (locations.empty()) return std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    const std::uint32_t experiment = locations.front().experiment;
    std::vector<LocationRef> sorted(locations.begin(), locations.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<RowSource> sources = sourcesOf(sorted);
    const std::shared_ptr<const BundleTree> made = sources.size() > 1 ? madeFor(sorted) : nullptr;
    if (takeKept(sorted, made != nullptr, number)) return;
    if (made) sources.assign(1, RowSource(*made, sorted.size(), membersOf(sorted)));
    const std::uint32_t columnPx = options_.detail.columnPx(sources.size(), 0);
    decide(experiment, sources, columnPx, task);
    for (const LocationRef& location : sorted) findOutliers(location, columnPx);
    if (!task.stopRequested()) keep(sorted, made != nullptr, number);
}

void RowSamples::decide(std::uint32_t experiment, std::span<const RowSource> sources, std::uint32_t columnPx,
                        const Task& task)
{
    const ColumnGrid pixels = gridOf(experiment);
    samples_.resize((pixels.count + columnPx - 1) / columnPx);
    const ColumnGrid grid{pixels.begin, pixels.nsPerColumn * columnPx,
                          static_cast<std::uint32_t>(samples_.size())};
    deciderOf(experiment).sampler.sample(sources, grid, options_.detail.callsPerColumn(), samples_, task);
    if (columnPx == 1) return columns_.swap(samples_);
    for (std::size_t sample = 0, column = 0; column < columns_.size(); ++sample)
        for (const std::size_t end = std::min(column + columnPx, columns_.size()); column < end; ++column)
            columns_[column] = samples_[sample];
}

/// A tree of exactly these locations that was made since they were first drawn together. With few locations
/// in all that is not worth its while.
std::shared_ptr<const BundleTree> RowSamples::madeFor(std::span<const LocationRef> locations) const
{
    const std::uint32_t number = locations.front().experiment;
    if (data_.indexes[number]->bundles.empty()) return nullptr;
    std::vector<LocationId> ids;
    for (const LocationRef& location : locations) ids.push_back(location.id);
    return data_.groups->find(number, ids);
}

/// The index's tree of exactly these locations, which are of one bundle; null where it has none.
const BundleTree* RowSamples::bundleOf(std::span<const LocationRef> locations) const
{
    const LocationRef first = locations.front();
    const TimelineIndex& index = *data_.indexes[first.experiment];
    const std::size_t bundle = bundleNumber(first);
    if (bundle >= index.bundles.size()) return nullptr;
    const auto& traces = data_.session.experiments[first.experiment]->trace->locations;
    const std::size_t begin = bundle * TimelineIndex::kBundle;
    const std::size_t end = std::min<std::size_t>(begin + TimelineIndex::kBundle, traces.size());
    std::size_t calling = 0;
    for (std::size_t location = begin; location < end; ++location)
        calling += traces[location].intervals.size() > 0;
    for (const LocationRef& location : locations) calling -= traces[location.id.index()].intervals.size() > 0;
    return calling == 0 ? &index.bundles[bundle] : nullptr;
}

std::vector<RowSource::Member> RowSamples::membersOf(std::span<const LocationRef> locations) const
{
    std::vector<RowSource::Member> members;
    for (const LocationRef& location : locations)
        members.push_back({&callsOf(data_, location), &skipOf(data_, location)});
    return members;
}

/// Whole bundles, and each location that is of none, in the order of locations.
std::vector<RowSource> RowSamples::sourcesOf(std::span<const LocationRef> locations) const
{
    std::vector<RowSource> sources;
    for (std::size_t first = 0; first < locations.size();) {
        std::size_t end = first + 1;
        while (end < locations.size() && bundleNumber(locations[end]) == bundleNumber(locations[first]))
            ++end;
        const auto together = locations.subspan(first, end - first);
        if (const BundleTree* bundle = bundleOf(together))
            sources.emplace_back(*bundle, bundleSize(data_, together.front()), membersOf(together));
        else
            for (const LocationRef& alone : together)
                sources.emplace_back(callsOf(data_, alone),
                                     data_.indexes[alone.experiment]->locations[alone.id.index()]);
        first = end;
    }
    return sources;
}

void RowSamples::findOutliers(LocationRef location, std::uint32_t columnPx)
{
    const double narrowNs = 2 * layout_.scale.nsPerPixel() * columnPx;
    found_.clear();
    findOutlierColumns(data_.indexes[location.experiment]->locations[location.id.index()].outliers.span(),
                       gridOf(location.experiment), narrowNs, found_);
    for (const OutlierColumn& outlier : found_)
        outliers_.push_back({outlier.column, location, outlier.call, outlier.callPath, outlier.isNarrow});
}

}  // namespace skein
