// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_bars_scene.h"

#include "algorithms/profile/region_table.h"
#include "algorithms/profile/sampled_metrics.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "core/session/experiment_titles.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

/// A region's amount on a location before bars and series are known.
struct Share {
    LocationRef location;
    std::uint32_t series = 0;
    Moments values;  ///< only the sum where the quantity is not of samples
};

/// Numbers series by name, over all experiments.
class BarSeriesTable {
public:
    std::uint32_t of(const std::string& name, const std::vector<RegionRef>& regions)
    {
        const auto [known, isNew] = numbers_.try_emplace(name, static_cast<std::uint32_t>(series.size()));
        if (isNew) series.push_back({name, {}, 0});
        auto& all = series[known->second].regions;
        all.insert(all.end(), regions.begin(), regions.end());
        return known->second;
    }

    std::vector<ProfileSeries> series;

private:
    std::map<std::string, std::uint32_t> numbers_;
};

std::string labelOf(const Session& session, LocationRef location, ProfileGrouping grouping,
                    const std::string& title)
{
    const Definitions& definitions = session.experiments[location.experiment]->definitions;
    const auto named = [&](const std::string& name) {
        return session.experiments.size() > 1 ? title + " · " + name : name;
    };
    if (grouping == ProfileGrouping::Location) return named(displayName(definitions, location.id));
    if (grouping == ProfileGrouping::Component) return title;
    const LocationGroupId group = definitions.location(location.id).group;
    if (!group.valid() || group.index() >= definitions.locationGroups.size()) return named("other locations");
    const LocationGroup& process = definitions.locationGroups[group.index()];
    if (grouping == ProfileGrouping::Process)
        return named(process.rank >= 0 ? fmt::format("Rank {}", process.rank) : process.name);
    const bool known = process.node.valid() && process.node.index() < definitions.systemTree.size();
    return named(known ? definitions.systemTree[process.node.index()].name : "other locations");
}

/// Collects shares of all experiments, then makes bars of them.
class ShareCollector {
public:
    ShareCollector(const Session& session, const ProfileRequest& request)
        : session_(session), request_(request), profiles_(session, request)
    {
    }

    std::optional<Error> add(std::uint32_t number, const Task& task)
    {
        if (!profiles_.canTell(number)) {
            result_.someWithoutTimes = result_.someWithoutTimes || session_.experiments[number]->profile;
            return std::nullopt;
        }
        return isOfSamples(request_.quantity) ? addSamples(number, task) : addRegions(number, task);
    }

    Result<ProfileBars> finish()
    {
        if (!found_ && reason_) return tl::make_unexpected(*reason_);
        describe();
        makeBars();
        orderSeries();
        return std::move(result_);
    }

private:
    std::optional<Error> addRegions(std::uint32_t number, const Task& task)
    {
        const Experiment& experiment = *session_.experiments[number];
        const auto found = profiles_.of(number, task);
        if (!found) return found.error();
        if (!found->column) {
            reason_ = found->column.error();
            return std::nullopt;
        }
        found_ = true;
        if (insteadOfTime_.empty()) insteadOfTime_ = found->insteadOfTime;
        const MetricCube& cube = found->profile->regions;
        if (!cube.metrics.empty())
            unit_ = isTime(experiment, cube, *found->column)
                ? "ns"
                : experiment.definitions.metric(cube.metrics[*found->column]).unit;
        const bool amounts = request_.quantity == ProfileQuantity::Exclusive
            || request_.quantity == ProfileQuantity::Inclusive;
        if (amounts) aggregation_ = aggregationOf(experiment, cube, *found->column);
        addTable(number, regionTable(experiment, *found->profile, *found->column));
        return std::nullopt;
    }

    void addTable(std::uint32_t number, const RegionTable& table)
    {
        std::vector<std::uint32_t> seriesOf;
        for (const RegionRow& row : table.regions) seriesOf.push_back(seriesOfRow(number, row));
        for (std::size_t location = 0; location < table.locations(); ++location)
            for (const RegionCell& cell : table.cellsOf(location))
                if (seriesOf[cell.region] != kHidden && !std::isnan(amountOf(cell)))
                    shares_.push_back({{number, LocationId(location)},
                                       seriesOf[cell.region],
                                       {0, amountOf(cell), 0, 0, 0}});
    }

    std::uint32_t seriesOfRow(std::uint32_t number, const RegionRow& row)
    {
        if (row.breakdown && addsUp()) return kHidden;
        std::vector<RegionRef> regions;
        for (const RegionId region : row.regions) regions.push_back({number, region});
        if (regions.empty() || passes(request_.filters, regions.front())) return table_.of(row.name, regions);
        ++result_.hidden;
        return kHidden;
    }

    double amountOf(const RegionCell& cell) const
    {
        switch (request_.quantity) {
        case ProfileQuantity::Inclusive: return cell.inclusive;
        case ProfileQuantity::Calls: return cell.calls;
        case ProfileQuantity::Subroutines: return cell.subroutines;
        default: return cell.exclusive;
        }
    }

    std::optional<Error> addSamples(std::uint32_t number, const Task& task)
    {
        const Experiment& experiment = *session_.experiments[number];
        const auto cells = sampledMetric(experiment, request_.sampled, profiles_.spanOf(number), task);
        if (!cells) return cells.error();
        const auto& metrics = experiment.definitions.metrics;
        for (const Metric& metric : metrics)
            if (metric.name == request_.sampled) unit_ = metric.unit;
        for (const SampledCell& cell : *cells) addSample(number, cell);
        return std::nullopt;
    }

    void addSample(std::uint32_t number, const SampledCell& cell)
    {
        const LocationRef location{number, cell.location};
        const RegionRef region{number, cell.region};
        if (!passes(request_.filters, location) || (cell.region.valid() && !passes(request_.filters, region)))
            return;
        found_ = true;
        const Definitions& definitions = session_.experiments[number]->definitions;
        // A mean of the whole location is not made of those of its regions.
        const bool told = cell.region.valid() && addsUpByRegion();
        const auto series = told ? table_.of(definitions.region(cell.region).name, {region})
                                 : table_.of(request_.sampled, {});
        shares_.push_back({location, series, cell.values});
    }

    bool addsUp() const
    {
        return request_.quantity != ProfileQuantity::Inclusive && aggregation_ == MetricAggregation::Sum
            && (!isOfSamples(request_.quantity) || addsUpByRegion());
    }

    bool addsUpByRegion() const
    {
        return request_.quantity == ProfileQuantity::Events || request_.quantity == ProfileQuantity::Sum;
    }

    double amountOf(const Moments& values) const
    {
        switch (request_.quantity) {
        case ProfileQuantity::Events: return values.count;
        case ProfileQuantity::Mean: return values.mean();
        case ProfileQuantity::Minimum: return values.minimum;
        case ProfileQuantity::Maximum: return values.maximum;
        case ProfileQuantity::Deviation: return values.standardDeviation();
        default: return values.sum;
        }
    }

    /// Moments of a bar's series are merged before they are reduced to one number.
    void makeBars()
    {
        const std::vector<std::string> titles = experimentTitles(session_);
        std::map<std::string, std::size_t> known;
        std::vector<std::map<std::uint32_t, Moments>> values;
        std::stable_sort(shares_.begin(), shares_.end(), [this](const Share& a, const Share& b) {
            return placeOf(a.location) < placeOf(b.location);
        });
        for (const Share& share : shares_) {
            const std::string label =
                labelOf(session_, share.location, request_.grouping, titles[share.location.experiment]);
            const std::string key = fmt::format("{}\n{}", share.location.experiment,
                                                request_.grouping == ProfileGrouping::Location
                                                    ? fmt::format("{}", share.location.id.value())
                                                    : label);
            const auto [bar, isNew] = known.try_emplace(key, result_.bars.size());
            if (isNew) {
                result_.bars.push_back({label, {}, 0, {}});
                values.emplace_back();
            }
            auto& locations = result_.bars[bar->second].locations;
            if (locations.empty() || locations.back() != share.location) locations.push_back(share.location);
            const auto [sum, isFirst] = values[bar->second].try_emplace(share.series, share.values);
            if (!isFirst) merge(sum->second, share.values);
        }
        for (std::size_t bar = 0; bar < values.size(); ++bar) fill(result_.bars[bar], values[bar]);
    }

    /// Amounts of regions have no count, by which merge() would know them.
    void merge(Moments& sum, const Moments& values) const
    {
        if (isOfSamples(request_.quantity)) sum.merge(values);
        else sum.sum = combined(aggregation_, sum.sum, values.sum);
    }

    /// A bar of minima or maxima is as long as the extreme of all regions, and shows whose it is.
    void keepExtreme(ProfileBar& bar) const
    {
        const auto less = [](const ProfileSegment& a, const ProfileSegment& b) {
            return a.amount < b.amount;
        };
        const auto kept = aggregation_ == MetricAggregation::Minimum
            ? std::min_element(bar.segments.begin(), bar.segments.end(), less)
            : std::max_element(bar.segments.begin(), bar.segments.end(), less);
        if (kept != bar.segments.end()) bar.segments = {ProfileSegment(*kept)};
    }

    void fill(ProfileBar& bar, const std::map<std::uint32_t, Moments>& values)
    {
        std::sort(bar.locations.begin(), bar.locations.end());
        for (const auto& [series, moments] : values) {
            const double amount = amountOf(moments);
            bar.segments.push_back({series, amount});
        }
        if (aggregation_ != MetricAggregation::Sum) keepExtreme(bar);
        for (const ProfileSegment& segment : bar.segments) {
            bar.total += segment.amount;
            table_.series[segment.series].total += segment.amount;
        }
        result_.total += bar.total;
    }

    std::tuple<std::uint32_t, std::int64_t, std::int32_t, LocationId> placeOf(LocationRef location) const
    {
        const Location& found = session_.experiments[location.experiment]->definitions.location(location.id);
        constexpr std::int64_t kAfterRanks = std::int64_t{1} << 40;
        return {location.experiment, found.rank >= 0 ? found.rank : kAfterRanks, found.thread, location.id};
    }

    void orderSeries()
    {
        auto& series = table_.series;
        std::vector<std::uint32_t> order(series.size()), place(series.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return series[a].total != series[b].total ? series[a].total > series[b].total
                                                      : series[a].name < series[b].name;
        });
        for (std::uint32_t to = 0; to < order.size(); ++to) {
            place[order[to]] = to;
            auto& regions = series[order[to]].regions;
            std::sort(regions.begin(), regions.end());
            regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
            result_.series.push_back(std::move(series[order[to]]));
        }
        for (ProfileBar& bar : result_.bars) {
            for (ProfileSegment& segment : bar.segments) segment.series = place[segment.series];
            std::sort(bar.segments.begin(), bar.segments.end(),
                      [](const auto& a, const auto& b) { return a.series < b.series; });
        }
    }

    void describe()
    {
        const ProfileQuantity quantity = request_.quantity;
        const bool counts = quantity == ProfileQuantity::Calls || quantity == ProfileQuantity::Subroutines
            || quantity == ProfileQuantity::Events;
        const std::string metric = profileMetricName(session_, request_.metric);
        result_.unit = counts ? "" : unit_;
        const bool ofTime = !isOfSamples(quantity) && metric.empty();
        const std::string shown = !ofTime ? metric : insteadOfTime_.empty() ? "Time" : insteadOfTime_;
        result_.title = isOfSamples(quantity) ? request_.sampled + ", " + name(quantity)
            : counts                          ? (quantity == ProfileQuantity::Calls ? "Calls" : "Subroutines")
                                              : shown + ", " + name(quantity);
        result_.insteadOfTime = ofTime && !counts && !insteadOfTime_.empty();
        result_.addsUp = addsUp();
    }

    static constexpr std::uint32_t kHidden = 0xFFFFFFFFu;

    const Session& session_;
    const ProfileRequest& request_;
    SessionProfiles profiles_;
    BarSeriesTable table_;
    std::vector<Share> shares_;
    std::string unit_;
    MetricAggregation aggregation_ = MetricAggregation::Sum;
    std::string insteadOfTime_;  ///< see QueriedProfile
    bool found_ = false;
    std::optional<Error> reason_;
    ProfileBars result_;
};

}  // namespace

bool isOfSamples(ProfileQuantity quantity) { return quantity >= ProfileQuantity::Events; }

std::string name(ProfileQuantity quantity)
{
    switch (quantity) {
    case ProfileQuantity::Exclusive: return "exclusive";
    case ProfileQuantity::Inclusive: return "inclusive";
    case ProfileQuantity::Calls: return "calls";
    case ProfileQuantity::Subroutines: return "subroutines";
    case ProfileQuantity::Events: return "number of events";
    case ProfileQuantity::Sum: return "sum";
    case ProfileQuantity::Mean: return "mean";
    case ProfileQuantity::Minimum: return "minimum";
    case ProfileQuantity::Maximum: return "maximum";
    case ProfileQuantity::Deviation: return "standard deviation";
    }
    return {};
}

Result<ProfileBars> makeProfileBars(const Session& session, const ProfileRequest& request, const Task& task)
{
    ShareCollector collector(session, request);
    const auto done = forEachExperiment(
        session, task, [&](std::uint32_t number, const Task& part) { return collector.add(number, part); });
    if (!done) return tl::make_unexpected(done.error());
    return collector.finish();
}

}  // namespace skein
