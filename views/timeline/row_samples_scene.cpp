// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_samples_scene.h"

#include "core/index/column_sampler.h"
#include "core/index/first_call.h"
#include "views/common/scene/calls/call_stack.h"

#include <algorithm>
#include <bit>
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

RowSamples::RowSamples(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout)
    : data_(data),
      options_(options),
      layout_(layout),
      samplers_(data.session.experiments.size()),
      columns_(static_cast<std::size_t>(layout.body.width))
{
}

RowSamples::Samplers& RowSamples::samplersOf(std::uint32_t experiment)
{
    std::unique_ptr<Samplers>& samplers = samplers_[experiment];
    if (!samplers) samplers = std::make_unique<Samplers>(*data_.session.experiments[experiment]);
    return *samplers;
}

ColumnGrid RowSamples::gridOf(std::uint32_t experiment) const
{
    const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
    return {static_cast<double>(span.begin), layout_.scale.nsPerPixel(),
            static_cast<std::uint32_t>(columns_.size())};
}

/// While the view moves, rows for which several trees are gone through have wider columns than others.
std::uint32_t RowSamples::columnPxFor(std::size_t treesOfOneRow) const
{
    constexpr std::size_t kWidest = 8;
    if (options_.columnPx <= 1) return 1;
    return options_.columnPx
        * static_cast<std::uint32_t>(
               std::bit_floor(std::clamp<std::size_t>(treesOfOneRow / 2, 1, kWidest / 2)));
}

/// Calls sample(grid, columns) for as many columns of `width` pixels as there are, and shows each in all of
/// its pixels.
template <typename Sample>
void RowSamples::sampleColumns(const ColumnGrid& grid, std::uint32_t width, Sample sample)
{
    if (width <= 1) return sample(grid, columns_);
    samples_.resize((grid.count + width - 1) / width);
    sample(ColumnGrid{grid.begin, grid.nsPerColumn * width, static_cast<std::uint32_t>(samples_.size())},
           samples_);
    for (std::size_t column = 0; column < columns_.size(); ++column)
        columns_[column] = samples_[column / width];
}

/// While the view moves. Between one call in two pixels and two in one, columns of twice the width cost half
/// as much: with fewer calls all of them are gone through, with more the tree has nodes of about a column.
std::uint32_t RowSamples::columnPxFor(const CallIntervals& calls, const ColumnGrid& pixels) const
{
    if (options_.columnPx <= 1) return 1;
    const std::uint32_t first = firstCallFrom(calls, static_cast<TimeNs>(std::floor(pixels.begin)));
    const std::uint32_t end = firstCallFrom(calls, static_cast<TimeNs>(std::ceil(pixels.end())));
    const double callsPerPx = static_cast<double>(end - first) / pixels.count;
    return callsPerPx > 0.5 && callsPerPx < 2 ? 2 * options_.columnPx : options_.columnPx;
}

void RowSamples::take(LocationRef location)
{
    const std::uint32_t number = location.experiment;
    const CallIntervals& calls = callsOf(data_, location);
    ColumnSampler sampler(*data_.session.experiments[number]->callTree, calls,
                          data_.indexes[number]->locations[location.id.index()]);
    const std::uint32_t columnPx = columnPxFor(calls, gridOf(number));
    sampleColumns(gridOf(number), columnPx, [&](const ColumnGrid& grid, std::span<ColumnSample> columns) {
        sampler.sample(grid, columns, options_.exactCalls);
    });
    outliers_.clear();
    findOutliers(location, columnPx);
}

void RowSamples::takeTogether(std::span<const LocationRef> locations, const Task& task)
{
    outliers_.clear();
    std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    if (locations.empty()) return;
    const std::uint32_t number = locations.front().experiment;
    std::vector<LocationRef> sorted(locations.begin(), locations.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<BundleSampler::Member> members;
    for (const LocationRef& location : sorted)
        members.push_back(
            {&callsOf(data_, location), &data_.indexes[number]->locations[location.id.index()]});
    sampleTogether(sorted, members, task);
    for (const LocationRef& location : sorted) findOutliers(location, options_.columnPx);
}

void RowSamples::sampleTogether(std::span<const LocationRef> sorted, Members members, const Task& task)
{
    const std::uint32_t number = sorted.front().experiment;
    const bool oneBundle = bundleNumber(sorted.front()) == bundleNumber(sorted.back());
    const BundleTree* bundle = oneBundle ? bundleOf(sorted) : nullptr;
    const std::shared_ptr<const BundleTree> made = bundle ? nullptr : madeFor(sorted);
    if (made) bundle = made.get();
    Samplers& samplers = samplersOf(number);
    const std::vector<GroupSampler::Group> groups =
        bundle ? std::vector<GroupSampler::Group>() : groupsOf(sorted, members);
    sampleColumns(gridOf(number), columnPxFor(groups.size()),
                  [&](const ColumnGrid& grid, std::span<ColumnSample> columns) {
                      const bool isAsked = options_.exactCalls > 1;
                      if (isAsked
                          && samplers.bundle.sampleExactly(members, grid, columns,
                                                           std::size_t{grid.count} * options_.exactCalls))
                          return;
                      if (bundle || oneBundle) samplers.bundle.sample(members, bundle, grid, columns);
                      else samplers.group.sample(groups, grid, columns, task);
                  });
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

/// Whole bundles, and each location that is of none. Both lists are in the order of locations.
std::vector<GroupSampler::Group> RowSamples::groupsOf(std::span<const LocationRef> locations,
                                                      Members members) const
{
    std::vector<GroupSampler::Group> groups;
    for (std::size_t first = 0; first < locations.size();) {
        std::size_t end = first + 1;
        while (end < locations.size() && bundleNumber(locations[end]) == bundleNumber(locations[first]))
            ++end;
        const BundleTree* const bundle = bundleOf(locations.subspan(first, end - first));
        if (bundle)
            groups.push_back({members.subspan(first, end - first), &bundle->tree, &bundle->leads,
                              bundleSize(data_, locations[first])});
        for (std::size_t alone = first; !bundle && alone < end; ++alone)
            groups.push_back({members.subspan(alone, 1), &members[alone].index->tree, nullptr, 1});
        first = end;
    }
    return groups;
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
