// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_clusters_scene.h"

#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/palette.h"
#include "views/timeline/timeline_bars_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr double kClusterMarkPx = 4, kSelectedClusterPx = 7;
constexpr std::int32_t kNoCluster = -1;

bool tellsApart(const SessionBehavior& behavior)
{
    return !behavior.streamed && behavior.clusterSizes.size() > 1;
}

/// By location of the behaviour's archive.
std::vector<std::int32_t> clustersOfLocations(const SessionBehavior& behavior)
{
    std::vector<std::int32_t> clusters;
    for (std::size_t column = 0; column < behavior.clusters.labels.size(); ++column)
        for (const LocationId location : behavior.locations[column]) {
            if (location.index() >= clusters.size()) clusters.resize(location.index() + 1, kNoCluster);
            clusters[location.index()] = static_cast<std::int32_t>(behavior.clusters.labels[column]);
        }
    return clusters;
}

bool isSelectedCluster(const SessionBehavior& behavior, const ViewState& state, std::uint32_t cluster)
{
    const auto& selected = state.selected.clusters;
    return std::find(selected.begin(), selected.end(), ClusterRef{behavior.request.experiment, cluster})
        != selected.end();
}

class ClusterMarks {
public:
    ClusterMarks(const SessionBehavior& behavior, const TimelineLayout& layout, const Canvas& canvas)
        : behavior_(behavior),
          layout_(layout),
          clusterOf_(clustersOfLocations(behavior)),
          counts_(behavior.clusterSizes.size()),
          width_(canvas.px(kClusterMarkPx)),
          gap_(rowGap(layout.rowHeight, canvas.style.scale))
    {
    }

    std::vector<PlacedCluster> place()
    {
        const double pinnedEnd = layout_.labels.y + layout_.pinnedHeight;
        for (std::size_t at = 0; at < layout_.places.size(); ++at) {
            const PlacedRow& place = layout_.places[at];
            const double above = at < layout_.pinnedRows ? layout_.labels.y : pinnedEnd;
            const double top = std::round(place.y);
            const double bottom = std::max(top + 1, std::round(place.y + place.height) - gap_);
            if (bottom <= above || top >= layout_.labels.bottom()) continue;
            count(layout_.rows[place.row]);
            divide(top, bottom, above);
        }
        return std::move(marks_);
    }

private:
    void count(const TimelineRow& row)
    {
        std::fill(counts_.begin(), counts_.end(), 0);
        if (isHeader(row)) return;
        forEachLocation(row, [&](LocationRef location) {
            if (location.experiment != behavior_.request.experiment
                || location.id.index() >= clusterOf_.size())
                return;
            if (const std::int32_t cluster = clusterOf_[location.id.index()]; cluster != kNoCluster)
                ++counts_[static_cast<std::size_t>(cluster)];
        });
    }

    void divide(double top, double bottom, double above)
    {
        const auto all = std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
        std::size_t before = 0;
        for (std::uint32_t cluster = 0; cluster < counts_.size(); ++cluster) {
            if (counts_[cluster] == 0) continue;
            const auto edge = [&](std::size_t part) {
                return std::round(top
                                  + (bottom - top) * static_cast<double>(part) / static_cast<double>(all));
            };
            const double from = edge(before);
            before += counts_[cluster];
            add(cluster, std::max(from, above), std::min(edge(before), layout_.labels.bottom()));
        }
    }

    /// What follows on one of the same cluster makes it longer; what lies within it is not seen.
    void add(std::uint32_t cluster, double top, double bottom)
    {
        if (!marks_.empty()) {
            PlacedCluster& last = marks_.back();
            if (top < last.mark.bottom() && top >= last.mark.y) top = last.mark.bottom();
            if (bottom <= top) return;
            if (last.cluster == cluster && last.mark.bottom() == top) {
                last.mark.height = bottom - last.mark.y;
                return;
            }
        }
        if (bottom > top) marks_.push_back({cluster, {layout_.labels.x, top, width_, bottom - top}});
    }

    const SessionBehavior& behavior_;
    const TimelineLayout& layout_;
    std::vector<std::int32_t> clusterOf_;
    std::vector<std::size_t> counts_;  ///< of the present row
    double width_, gap_;
    std::vector<PlacedCluster> marks_;
};

/// As many numbers as there is room for.
std::vector<PlacedCluster> keyUntil(const SessionBehavior& behavior, const TimelineLayout& layout,
                                    const Canvas& canvas, double right)
{
    std::vector<PlacedCluster> key;
    const double height = std::min(canvas.lineHeight(), layout.corner.height);
    const double y = std::round(layout.corner.y + (layout.corner.height - height) / 2);
    double x = layout.corner.x + canvas.px(2);
    for (std::uint32_t cluster = 0; cluster < behavior.clusterSizes.size(); ++cluster) {
        const double width =
            std::round(canvas.measure.width(std::to_string(cluster + 1), FontStyle::Small) + canvas.px(6));
        if (x + width > right) break;
        key.push_back({cluster, {x, y, width, height}});
        x += width + canvas.px(1);
    }
    return key;
}

}  // namespace

std::vector<PlacedCluster> placedClusters(const SessionBehavior& behavior, const TimelineLayout& layout,
                                          const Canvas& canvas)
{
    if (!tellsApart(behavior)) return {};
    return ClusterMarks(behavior, layout, canvas).place();
}

std::vector<PlacedCluster> clusterKey(const SessionBehavior& behavior, const TimelineLayout& layout,
                                      const Canvas& canvas)
{
    if (!tellsApart(behavior)) return {};
    // The ruler's own words stand at the right of the corner. "Time" gives way; what times are counted from
    // does not.
    const std::string base = timeAxis(layout.scale, FontStyle::Small, canvas.measure).base;
    const std::string words = base.empty() ? "Time" : base + " +";
    const double end = layout.corner.right() - canvas.px(2);
    const double beside = end - canvas.px(10) - canvas.measure.width(words, FontStyle::Small);
    std::vector<PlacedCluster> key = keyUntil(behavior, layout, canvas, beside);
    if (key.size() < behavior.clusterSizes.size() && base.empty())
        key = keyUntil(behavior, layout, canvas, end);
    return key;
}

TimelineClusters layOutClusters(const SessionBehavior& behavior, const TimelineLayout& layout,
                                const Canvas& canvas)
{
    return {placedClusters(behavior, layout, canvas), clusterKey(behavior, layout, canvas)};
}

void drawTimelineClusters(DrawList& list, const TimelineClusters& clusters, const SessionBehavior& behavior,
                          const ViewState& state, const TimelineLayout& layout, const Canvas& canvas)
{
    const bool dark = canvas.theme().dark;
    for (const PlacedCluster& one : clusters.marks) {
        Rect mark = one.mark;
        if (isSelectedCluster(behavior, state, one.cluster)) mark.width = canvas.px(kSelectedClusterPx);
        list.fillRect(mark, clusterColor(one.cluster, dark));
    }
    if (!clusters.key.empty()) {
        const Rect& last = clusters.key.back().mark;
        const double words = canvas.measure.width("Time", FontStyle::Small) + canvas.px(8);
        if (last.right() > layout.corner.right() - words)
            list.fillRect({layout.corner.x, last.y, layout.corner.width - canvas.px(2), last.height},
                          canvas.theme().panel);
    }
    for (const PlacedCluster& one : clusters.key) {
        const Color color = clusterColor(one.cluster, dark);
        list.fillRect(one.mark, color);
        list.text(one.mark, std::to_string(one.cluster + 1), textColorOn(color),
                  isSelectedCluster(behavior, state, one.cluster) ? FontStyle::Bold : FontStyle::Small,
                  Align::Center);
    }
}

std::optional<std::uint32_t> timelineClusterAt(const TimelineClusters& clusters, const TimelineLayout& layout,
                                               const Canvas& canvas, Point point)
{
    if (layout.corner.contains(point))
        for (const PlacedCluster& one : clusters.key)
            if (one.mark.contains(point)) return one.cluster;
    // Narrow marks are hit beside them, too.
    if (!layout.labels.contains(point) || point.x >= layout.labels.x + canvas.px(kSelectedClusterPx))
        return std::nullopt;
    for (const PlacedCluster& one : clusters.marks)
        if (point.y >= one.mark.y && point.y < one.mark.bottom()) return one.cluster;
    return std::nullopt;
}

std::vector<std::string> clusterText(const SessionBehavior& behavior, std::uint32_t cluster)
{
    const std::size_t all = behavior.clusters.labels.size();
    const std::size_t size = behavior.clusterSizes[cluster];
    return {fmt::format("Cluster {}: {} of {}{}", cluster + 1, size, all,
                        size == 1 ? ", like no other" : " behave alike"),
            fmt::format("By {}, as the panel Behaviour shows",
                        behavior.findingsOf.empty() ? behavior.request.metric : behavior.findingsOf),
            "Click: select its locations"};
}

}  // namespace skein
