// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_scene.h"

#include "core/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_set>

namespace skein {
namespace {

/// Times in ns that go on; those that are beyond what ns can tell stop there.
std::vector<TimeNs> liveEdges(const std::vector<double>& times)
{
    constexpr double kFarthest = 4e9;  // seconds
    std::vector<TimeNs> edges;
    for (const double time : times) {
        const auto ns = static_cast<TimeNs>(std::llround(std::clamp(time, -kFarthest, kFarthest) * 1e9));
        edges.push_back(edges.empty() ? ns : std::max(ns, edges.back() + 1));
    }
    const TimeNs last = edges.size() > 1 ? edges.back() - edges[edges.size() - 2] : 1;
    edges.push_back(edges.back() + last);
    return edges;
}

double meanOfRow(std::span<const double> row)
{
    double sum = 0, count = 0;
    for (const double value : row)
        if (std::isfinite(value)) {
            sum += value;
            ++count;
        }
    return count > 0 ? sum / count : std::nan("");
}

SessionBehaviorPtr behaviorOf(const OnlineSeries& series, const std::string& metric)
{
    auto behavior = std::make_shared<SessionBehavior>();
    behavior->request.metric = metric;
    behavior->table = series.window();
    behavior->table.metric = metric;
    for (std::size_t i = 0; i < behavior->table.columns.size(); ++i)
        behavior->locations.push_back({LocationId(i)});
    behavior->edges = liveEdges(behavior->table.times);
    behavior->wholeEnd = behavior->edges.back();
    for (std::size_t row = 0; row < behavior->table.rows(); ++row)
        behavior->mean.push_back(meanOfRow(behavior->table.row(row)));
    showSoFar(*behavior, series.windowChanges(), series.changeParams());
    behavior->streamed = true;
    behavior->clusters = series.clusters();
    behavior->clusters.labels.resize(behavior->table.columns.size(), 0);
    behavior->clusters.clusters = std::max<std::uint32_t>(1, behavior->clusters.clusters);
    behavior->clusterShare = series.clusterShare();
    behavior->placeShare = series.placeShare();
    behavior->projection = series.places();
    behavior->projection.places.resize(2 * behavior->table.columns.size(), 0.0);
    behavior->clusterSizes.assign(behavior->clusters.clusters, 0);
    for (const std::uint32_t label : behavior->clusters.labels) ++behavior->clusterSizes[label];
    behavior->bands = clusterBands(*behavior, 0);
    return behavior;
}

std::string passedText(const StreamTransform& transform)
{
    if (transform.params() == StreamTransformParams{}) return {};
    std::string text =
        fmt::format("{} of {} passed on", formatGrouped(static_cast<std::int64_t>(transform.passed())),
                    formatGrouped(static_cast<std::int64_t>(transform.seen())));
    if (transform.withheld() > 0)
        text += fmt::format(", {} had moved too little",
                            formatGrouped(static_cast<std::int64_t>(transform.withheld())));
    return text;
}

/// Messages of the same two entities are added up; those of entities that are not shown are left out.
std::vector<LiveCell> liveCells(const OnlineTraffic& traffic, const StreamTransform& transform)
{
    std::map<std::pair<std::size_t, std::size_t>, LiveCell> cells;
    for (const OnlineTraffic::Messages& message : traffic.messages) {
        const auto from = transform.placeOf(message.from), to = transform.placeOf(message.to);
        if (!from || !to) continue;
        LiveCell& cell = cells[{*from, *to}];
        cell.from = static_cast<std::uint32_t>(*from);
        cell.to = static_cast<std::uint32_t>(*to);
        cell.bytes += message.bytes;
        cell.messages += message.messages;
    }
    std::vector<LiveCell> found;
    for (auto& [pair, cell] : cells) {
        if (transform.params().join == StreamJoin::Mean) {
            const auto pairs =
                static_cast<double>(transform.joinedAt(pair.first) * transform.joinedAt(pair.second));
            cell.bytes /= pairs;
            cell.messages /= pairs;
        }
        found.push_back(cell);
    }
    return found;
}

}  // namespace

std::vector<LiveGranularity> streamGranularities(const StreamRows& rows)
{
    constexpr std::size_t kMostLevels = 16;  // to choose from; groups may have more
    const std::vector<std::string>& names = rows.entities();
    const auto pathOf = [&](std::size_t i) -> const std::string& {
        return i < rows.groups().size() && !rows.groups()[i].empty() ? rows.groups()[i] : names[i];
    };
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < names.size(); ++i)
        deepest = std::max(deepest,
                           static_cast<std::size_t>(std::count(pathOf(i).begin(), pathOf(i).end(), '/')) + 1);
    deepest = std::min(deepest, kMostLevels);
    std::vector<LiveGranularity> found;
    if (deepest < 2 && rows.groups().empty()) return found;
    for (std::size_t level = 1; level <= deepest; ++level) {
        std::unordered_set<std::string_view> groups;
        for (std::size_t i = 0; i < names.size(); ++i) groups.insert(upToLevel(pathOf(i), level));
        if (groups.size() == names.size()) break;
        const std::string label = level <= rows.levels().size()
            ? fmt::format("By {}", rows.levels()[level - 1])
            : fmt::format("By level {}, such as {}", level, upToLevel(pathOf(0), level));
        found.push_back({label, {}, level});
    }
    if (!found.empty()) found.push_back({"Each entity", {}, 0});
    return found;
}

std::vector<LiveGranularity> rossGranularities(const std::vector<std::string>& entities)
{
    std::vector<LiveGranularity> found;
    for (const std::string& entity : entities) {
        std::string upper = entity;
        for (char& letter : upper)
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        if (entities.size() > 1) found.push_back({"By " + upper, entity, 0});
    }
    return found;
}

std::vector<std::size_t> liveMetrics(const OnlineBehavior& online, const std::optional<std::string>& metric)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < online.metricCount(); ++i) {
        if (metric && online.metricName(i) == *metric) return {i};
        const bool has = online.series(i).window().rows() > 1 && !online.series(i).window().columns.empty();
        if (metric ? i == 0 : has && found.size() < kMostLivePanes) found.push_back(i);
    }
    return found;
}

LivePicture livePicture(const OnlineBehavior& online, const std::string& metric)
{
    LivePicture live;
    for (std::size_t i = 0; i < online.metricCount(); ++i) live.metrics.push_back(online.metricName(i));
    if (live.metrics.empty()) return live;
    const std::size_t shown = liveMetrics(online, metric).front();
    const OnlineSeries& series = online.series(shown);
    live.rows = series.rows();
    const StreamTransform& transform = online.transform(shown);
    live.passed = passedText(transform);
    if (transform.seen() > 0 && transform.entities().empty())
        live.nothing = "Values have come, but of entities that Transforms… filters out.";
    if (series.window().rows() < 2 || series.window().columns.empty()) return live;
    const SessionBehaviorPtr behavior = behaviorOf(series, live.metrics[shown]);
    auto data = std::make_shared<TimelineData>();
    data->clock.extent = {behavior->edges.front(), behavior->edges.back()};
    data->longestLabel = "0000000000";
    live.data = std::move(data);
    live.picture = makeBehaviorPicture(behavior);
    if (const auto& traffic = online.lastTraffic()) {
        live.traffic = liveCells(*traffic, transform);
        live.trafficTime = traffic->time;
    }
    return live;
}

LivePicture livePictureOfAll(const OnlineBehavior& online)
{
    std::vector<std::shared_ptr<const LivePicture>> panes;
    for (const std::size_t i : liveMetrics(online, std::nullopt)) {
        auto pane = std::make_shared<LivePicture>(livePicture(online, online.metricName(i)));
        if (pane->picture) panes.push_back(std::move(pane));
    }
    if (panes.empty()) return livePicture(online, {});
    LivePicture live = *panes.front();
    live.panes = std::move(panes);
    return live;
}

std::string liveStatus(const LivePicture& live)
{
    const std::string passed = live.passed.empty() ? std::string() : " · " + live.passed;
    const std::string odd = live.notes.empty() ? std::string() : " · " + live.notes.back();
    if (!live.picture) return fmt::format("{} time points{}{}", live.rows, passed, odd);
    const SessionBehavior& behavior = *live.picture->behavior;
    std::string text = fmt::format(
        "{} time points of {} entities{} · {} changes in sight · clusters from {:.0f} % of the entities",
        formatGrouped(static_cast<std::int64_t>(live.rows)),
        formatGrouped(static_cast<std::int64_t>(behavior.table.columns.size())), passed,
        behavior.changes.changes.size(), behavior.clusterShare * 100);
    if (!live.panes.empty() && live.panes.size() < live.metrics.size())
        text += fmt::format(" · the first {} of {} metrics", live.panes.size(), live.metrics.size());
    if (!live.causes.empty()) text += " · " + live.causes;
    return text + odd;
}

}  // namespace skein
