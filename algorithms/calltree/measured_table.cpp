// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/measured_table.h"

#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/named_tree.h"
#include "algorithms/profile/trace_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace skein {
namespace {

constexpr double kNsInASecond = 1e9;
constexpr std::uint32_t kNoTableNode = CallTable::kNone;

/// Nodes of a table in preorder, siblings by name, and which node an item of the profile's cube is.
struct TableShape {
    std::vector<std::uint32_t> nodeOfItem;
    std::vector<std::uint32_t> parents;
    std::vector<RegionId> regions;
};

/// Renumbers nodes so that they stand in preorder with siblings by name.
TableShape inPreorder(const TableShape& old, const std::vector<Region>& regions)
{
    std::vector<std::vector<std::uint32_t>> children(old.parents.size() + 1);
    for (std::uint32_t node = 0; node < old.parents.size(); ++node)
        children[old.parents[node] == kNoTableNode ? old.parents.size() : old.parents[node]].push_back(node);
    for (auto& siblings : children)
        std::stable_sort(siblings.begin(), siblings.end(), [&](std::uint32_t a, std::uint32_t b) {
            return regions[old.regions[a].index()].name < regions[old.regions[b].index()].name;
        });
    TableShape out;
    std::vector<std::uint32_t> newNumber(old.parents.size());
    std::vector<std::uint32_t> open(children.back().rbegin(), children.back().rend());
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        newNumber[node] = static_cast<std::uint32_t>(out.parents.size());
        out.parents.push_back(old.parents[node] == kNoTableNode ? kNoTableNode
                                                                : newNumber[old.parents[node]]);
        out.regions.push_back(old.regions[node]);
        open.insert(open.end(), children[node].rbegin(), children[node].rend());
    }
    for (const std::uint32_t node : old.nodeOfItem)
        out.nodeOfItem.push_back(node == kNoTableNode ? kNoTableNode : newNumber[node]);
    return out;
}

/// Leaves nodes of these names out; those below stand below the nearest node above that is left, one a name.
TableShape withoutNames(const TableShape& old, const std::vector<Region>& regions,
                        const std::set<std::string>& hidden)
{
    TableShape out;
    std::vector<std::uint32_t> placeOf(old.parents.size(), kNoTableNode);  // of hidden ones: that above
    std::vector<std::uint32_t> numberOf(old.parents.size(), kNoTableNode);
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> known;
    for (std::size_t node = 0; node < old.parents.size(); ++node) {
        const std::uint32_t above =
            old.parents[node] == kNoTableNode ? kNoTableNode : placeOf[old.parents[node]];
        const std::string& name = regions[old.regions[node].index()].name;
        placeOf[node] = above;
        if (hidden.contains(name)) continue;
        const auto [found, isNew] =
            known.try_emplace({above, name}, static_cast<std::uint32_t>(out.parents.size()));
        placeOf[node] = numberOf[node] = found->second;
        if (!isNew) continue;
        out.parents.push_back(above);
        out.regions.push_back(old.regions[node]);
    }
    for (const std::uint32_t node : old.nodeOfItem) out.nodeOfItem.push_back(numberOf[node]);
    return out;
}

TableShape shapeOf(const Experiment& experiment, bool flat, const std::set<std::string>& hidden)
{
    const std::vector<Region>& regions = experiment.definitions.regions;
    TableShape shape;
    if (!flat) {
        NamedTree tree = mergeByName(*experiment.callTree, regions);
        shape = {std::move(tree.nodeOf), std::move(tree.parents), std::move(tree.regions)};
    } else {
        const std::vector<std::uint32_t> numbers = nameNumbers(regions);
        for (std::size_t region = 0; region < regions.size(); ++region) {
            if (numbers[region] == shape.parents.size()) {
                shape.parents.push_back(kNoTableNode);
                shape.regions.emplace_back(region);
            }
            shape.nodeOfItem.push_back(numbers[region]);
        }
    }
    shape = inPreorder(shape, regions);
    return hidden.empty() ? shape : inPreorder(withoutNames(shape, regions, hidden), regions);
}

/// Sums, extremes and deviations over locations of one amount.
class SpreadSums {
public:
    SpreadSums(std::size_t nodes, MetricAggregation aggregation)
        : aggregation_(aggregation),
          adds_(aggregation == MetricAggregation::Sum),
          total(nodes, adds_ ? 0.0 : std::numeric_limits<double>::quiet_NaN()),
          here_(nodes),
          seen_(nodes),
          maximum_(nodes),
          squares_(nodes),
          sum_(nodes),
          counts_(nodes)
    {
    }

    void add(std::uint32_t node, double value)
    {
        if (std::isnan(value)) return;
        if (seen_[node] == 0) {
            seen_[node] = 1;
            touched_.push_back(node);
            here_[node] = value;
        } else here_[node] = combined(aggregation_, here_[node], value);
    }

    /// What was added since the last call is that of one location.
    void endLocation()
    {
        for (const std::uint32_t node : touched_) {
            const double value = here_[node];
            total[node] = adds_ ? total[node] + value : combined(aggregation_, total[node], value);
            maximum_[node] = counts_[node] == 0 ? value : std::max(maximum_[node], value);
            // Welford's update, so that equal values have no deviation at all.
            const double before = counts_[node] == 0 ? 0.0 : sum_[node] / static_cast<double>(counts_[node]);
            ++counts_[node];
            sum_[node] += value;
            squares_[node] += (value - before) * (value - sum_[node] / static_cast<double>(counts_[node]));
            seen_[node] = 0;
        }
        touched_.clear();
    }

    /// Over `locations`, of which those that were not met count as 0.
    LocationSpreads spreads(std::size_t locations) const
    {
        LocationSpreads out;
        for (std::size_t node = 0; node < total.size(); ++node) {
            const auto met = static_cast<double>(counts_[node]);
            const double all = std::max(met, static_cast<double>(adds_ ? locations : counts_[node]));
            const double mean = all > 0.0 ? sum_[node] / all : 0.0;
            const double own = met > 0.0 ? sum_[node] / met : 0.0;
            const double squares = squares_[node] + met * own * own * (all > 0.0 ? 1.0 - met / all : 0.0);
            out.maximum.push_back(met < all ? std::max(maximum_[node], 0.0) : maximum_[node]);
            out.mean.push_back(mean);
            out.deviation.push_back(all > 0.0 ? std::sqrt(std::max(squares, 0.0) / all) : 0.0);
        }
        return out;
    }

private:
    MetricAggregation aggregation_;
    bool adds_;

public:
    std::vector<double> total;

private:
    std::vector<double> here_;
    std::vector<std::uint8_t> seen_;
    std::vector<double> maximum_, squares_, sum_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> touched_;
};

void scale(std::vector<double>& values, double by)
{
    for (double& value : values) value /= by;
}

void scale(LocationSpreads& spreads, double by)
{
    scale(spreads.maximum, by);
    scale(spreads.mean, by);
    scale(spreads.deviation, by);
}

std::string recordedGroupOf(const NodeRegion& of)
{
    for (const RegionGroupId group : of.region->groups)
        if (group.index() < of.definitions->regionGroups.size())
            return of.definitions->regionGroups[group.index()].name;
    return std::string(name(of.region->paradigm));
}

class MeasuredTableMaker {
public:
    MeasuredTableMaker(const Experiment& experiment, const ProfilePart& part, const MeasuredMetrics& metrics,
                       const Task& task)
        : experiment_(experiment), part_(part), wanted_(metrics), task_(task)
    {
    }

    Result<MeasuredTable> make()
    {
        ProfilePart part = part_;
        if (part.metric.empty()) part.metric = firstMentionedOfTrace();
        auto profile = profileOfPart(experiment_, part, task_);
        if (!profile) return tl::make_unexpected(std::move(profile.error()));
        profile_ = *profile;
        flat_ = wanted_.byRegion || (profile_->callPaths.rows() == 0 && profile_->regions.rows() > 0);
        shape_ = shapeOf(experiment_, flat_, wanted_.hidden);
        describeNodes();
        countCalls();
        for (std::size_t column = 0; column < cube().metrics.size(); ++column)
            if (auto added = addMetric(column); !added) return tl::make_unexpected(std::move(added.error()));
        addColumns();
        return std::move(out_);
    }

private:
    const MetricCube& cube() const { return flat_ ? profile_->regions : profile_->callPaths; }

    bool isMentioned(const std::string& name) const
    {
        if (name.empty()) return false;
        const auto same = [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        };
        return std::search(wanted_.mentionedIn.begin(), wanted_.mentionedIn.end(), name.begin(), name.end(),
                           same)
            != wanted_.mentionedIn.end();
    }

    /// A trace is summed up with one metric besides its time.
    std::string firstMentionedOfTrace() const
    {
        if (experiment_.profile && !part_.window) return {};
        for (const TraceMetric& metric : traceMetrics(experiment_)) {
            const std::string& name = experiment_.definitions.metric(metric.metric).name;
            if (metric.attribution == Attribution::PerCall && isMentioned(name)) return name;
        }
        return {};
    }

    void describeNodes()
    {
        const Definitions& definitions = experiment_.definitions;
        std::vector<std::string> names;
        std::vector<NodeRegion> regions;
        for (const RegionId id : shape_.regions) {
            names.push_back(definitions.region(id).name);
            regions.push_back({&definitions, &definitions.region(id)});
        }
        out_.table = CallTable(shape_.parents, names);
        addRegionColumns(out_.table, regions);
        out_.regions = shape_.regions;
        if (flat_) return;
        out_.callPaths.resize(out_.table.size());
        for (std::uint32_t path = 0; path < shape_.nodeOfItem.size(); ++path)
            if (shape_.nodeOfItem[path] != kNoTableNode)
                out_.callPaths[shape_.nodeOfItem[path]].emplace_back(path);
    }

    void countCalls()
    {
        out_.calls.assign(out_.table.size(), 0.0);
        for (std::size_t row = 0; row < cube().rows(); ++row)
            if (const std::uint32_t node = shape_.nodeOfItem[cube().items[row]]; node != kNoTableNode)
                out_.calls[node] += cube().calls[row];
        out_.locations = scopeSize(experiment_, *profile_, part_.locations);
        std::set<std::int64_t> ranks;
        for (std::size_t location = 0; location < cube().locations(); ++location)
            if (cube().locationOffsets[location] != cube().locationOffsets[location + 1])
                ranks.insert(experiment_.definitions.locations[location].rank);
        out_.ranks = ranks.size();
    }

    Result<void> addMetric(std::size_t column)
    {
        const std::string archiveName = metricName(experiment_, cube(), column);
        const auto time = metricColumn(experiment_, *profile_, "time");
        const bool isTheTime = time && *time == column && isTime(experiment_, cube(), column);
        const bool inMemory = !cube().inclusive[column].empty() || cube().rows() == 0;
        if (!isTheTime && !isMentioned(archiveName) && !(inMemory && wanted_.allInMemory)) return {};
        auto read = withColumn(profile_, column, task_);
        if (!read) return tl::make_unexpected(std::move(read.error()));
        const MetricCube& from = flat_ ? (*read)->regions : (*read)->callPaths;
        MeasuredMetric metric;
        metric.name = isTheTime ? "time" : archiveName;
        sumUp(from, column, metric);
        const bool seconds = isTime(experiment_, from, column);
        metric.unit = seconds ? "s" : experiment_.definitions.metric(from.metrics[column]).unit;
        if (seconds) inSeconds(metric);
        out_.metrics.push_back(std::move(metric));
        return {};
    }

    void sumUp(const MetricCube& from, std::size_t column, MeasuredMetric& metric) const
    {
        const MetricAggregation aggregation = aggregationOf(experiment_, from, column);
        metric.adds = aggregation == MetricAggregation::Sum;
        SpreadSums inclusive(out_.table.size(), aggregation), exclusive(out_.table.size(), aggregation);
        for (std::size_t location = 0; location < from.locations(); ++location) {
            for (std::uint64_t row = from.locationOffsets[location]; row < from.locationOffsets[location + 1];
                 ++row) {
                const std::uint32_t node = shape_.nodeOfItem[from.items[row]];
                if (node == kNoTableNode) continue;
                inclusive.add(node, from.inclusive[column][row]);
                exclusive.add(node, from.exclusive[column][row]);
            }
            inclusive.endLocation();
            exclusive.endLocation();
        }
        metric.inclusiveSpread = inclusive.spreads(out_.locations);
        metric.exclusiveSpread = exclusive.spreads(out_.locations);
        metric.inclusive = std::move(inclusive.total);
        metric.exclusive = std::move(exclusive.total);
    }

    static void inSeconds(MeasuredMetric& metric)
    {
        scale(metric.inclusive, kNsInASecond);
        scale(metric.exclusive, kNsInASecond);
        scale(metric.inclusiveSpread, kNsInASecond);
        scale(metric.exclusiveSpread, kNsInASecond);
    }

    void addColumns()
    {
        out_.table.add({"calls", "", out_.calls, {}, {}, false});
        for (const MeasuredMetric& metric : out_.metrics) {
            out_.table.add({metric.name, metric.unit, metric.exclusive, {}, {}, false});
            out_.table.add({metric.name + " (inc)", metric.unit, metric.inclusive, {}, {}, false});
        }
    }

    const Experiment& experiment_;
    const ProfilePart& part_;
    const MeasuredMetrics& wanted_;
    const Task& task_;
    std::shared_ptr<const Profile> profile_;
    bool flat_ = false;
    TableShape shape_;
    MeasuredTable out_;
};

/// The numbers of rows by node: of several rows their sum.
std::vector<double> nodeNumbers(const hatchet::Graph& graph, const hatchet::Attribute& attribute)
{
    std::vector<double> values(graph.names.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < graph.rowNodes.size(); ++row) {
        double& value = values[graph.rowNodes[row]];
        const double more = attribute.numbers[row];
        value = std::isnan(value) ? more : std::isnan(more) ? value : value + more;
    }
    return values;
}

TableColumn nodeWords(const hatchet::Graph& graph, const hatchet::Attribute& attribute)
{
    std::vector<std::string> words(graph.names.size());
    for (std::size_t row = graph.rowNodes.size(); row-- > 0;)
        words[graph.rowNodes[row]] = attribute.words[row];
    return textColumn(attribute.name, words);
}

}  // namespace

const MeasuredMetric* MeasuredTable::metric(std::string_view name) const
{
    for (const MeasuredMetric& one : metrics)
        if (equalIgnoringCase(one.name, name)) return &one;
    return nullptr;
}

Result<MeasuredTable> measuredTable(const Experiment& experiment, const ProfilePart& part,
                                    const MeasuredMetrics& metrics, const Task& task)
{
    return MeasuredTableMaker(experiment, part, metrics, task).make();
}

void addRegionColumns(CallTable& table, const std::vector<NodeRegion>& regions)
{
    std::vector<std::string> groups, files;
    std::vector<double> lines;
    for (const NodeRegion& of : regions) {
        groups.push_back(of.region ? recordedGroupOf(of) : std::string());
        files.push_back(of.region ? of.region->sourceFile : std::string());
        lines.push_back(of.region && of.region->beginLine > 0 ? of.region->beginLine
                                                              : std::numeric_limits<double>::quiet_NaN());
    }
    table.add(textColumn("group", groups));
    table.add(textColumn("file", files));
    table.add({"line", "", std::move(lines), {}, {}, false});
}

CallTable tableOfGraph(const hatchet::Graph& graph)
{
    CallTable table(graph.parents, graph.names, graph.nodeIds);
    for (const hatchet::Attribute& attribute : graph.attributes)
        table.add(attribute.text
                      ? nodeWords(graph, attribute)
                      : TableColumn{attribute.name, "", nodeNumbers(graph, attribute), {}, {}, false});
    return table;
}

}  // namespace skein
