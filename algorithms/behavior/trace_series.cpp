// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/trace_series.h"

#include "algorithms/timeline/metric_steps.h"
#include "algorithms/timeline/wait_index.h"
#include "core/base/parallel_for.h"
#include "core/index/span_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>

namespace skein {
namespace {

struct QuantityWord {
    std::string_view word;
    SeriesQuantity quantity;
};

constexpr std::array kQuantityWords{
    QuantityWord{"calls", SeriesQuantity::Calls},
    QuantityWord{"exclusive", SeriesQuantity::Exclusive},
    QuantityWord{"inclusive", SeriesQuantity::Inclusive},
    QuantityWord{"metric", SeriesQuantity::Metric},
    QuantityWord{"received-bytes", SeriesQuantity::ReceivedBytes},
    QuantityWord{"received-messages", SeriesQuantity::ReceivedMessages},
    QuantityWord{"sent-bytes", SeriesQuantity::SentBytes},
    QuantityWord{"sent-messages", SeriesQuantity::SentMessages},
    QuantityWord{"wait", SeriesQuantity::Wait},
};

/// The first calls whose begin is not before the time.
std::size_t firstCallFrom(const CallIntervals& calls, TimeNs time)
{
    return static_cast<std::size_t>(std::lower_bound(calls.begin.begin(), calls.begin.end(), time)
                                    - calls.begin.begin());
}

/// Which regions a name means: those called so, else those of a group called so; all for no name.
Result<std::vector<bool>> regionsNamed(const Experiment& experiment, std::string_view name)
{
    const Definitions& definitions = experiment.definitions;
    std::vector<bool> wanted(definitions.regions.size(), name.empty());
    if (name.empty()) return wanted;
    bool found = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Region& region = definitions.regions[i];
        const std::string shown = displayName(region);
        // TAU puts "()" behind the names of MPI's functions.
        wanted[i] = region.name == name || shown == name
            || (shown.ends_with("()") && shown.substr(0, shown.size() - 2) == name);
        found |= wanted[i];
    }
    if (found) return wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        for (const RegionGroupId group : definitions.regions[i].groups)
            if (group.index() < definitions.regionGroups.size()
                && definitions.regionGroups[group.index()].name == name)
                wanted[i] = true;
        found |= wanted[i];
    }
    if (found) return wanted;
    return fail(
        ErrorCode::NotRecorded,
        fmt::format("There is no region and no group of regions \"{}\" in {}.", name, experiment.name));
}

/// How often the time of each call path counts: −1 where that of its caller has it already.
std::vector<int> pathWeights(const CallTree& tree, const std::vector<bool>& wanted, SeriesQuantity quantity)
{
    std::vector<int> weights(tree.size(), 0);
    std::vector<bool> within(tree.size(), false);
    for (std::size_t node = 0; node < tree.size(); ++node) {
        const CallPathId id(node), parent = tree.parent(id);
        const bool own = wanted[tree.region(id).index()];
        const bool callers = parent.valid() && within[parent.index()];
        const bool caller = parent.valid() && wanted[tree.region(parent).index()];
        within[node] = own || callers;
        if (quantity == SeriesQuantity::Inclusive) weights[node] = own && !callers ? 1 : 0;
        else if (quantity == SeriesQuantity::Exclusive) weights[node] = (own ? 1 : 0) - (caller ? 1 : 0);
        else weights[node] = own ? 1 : 0;
    }
    return weights;
}

/// Values of every location before they are put together: [location × bins + bin].
struct LocationBins {
    LocationBins(std::size_t locationCount, std::size_t binCount)
        : bins(binCount), values(locationCount * binCount, 0.0)
    {
    }

    std::size_t bins;
    std::vector<double> values;

    double& at(LocationId location, std::size_t bin) { return values[location.index() * bins + bin]; }
};

/// The bin of a time; the number of bins where it lies in none.
std::size_t binOf(const std::vector<TimeNs>& edges, TimeNs time)
{
    if (time < edges.front() || time >= edges.back()) return edges.size() - 1;
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), time) - edges.begin()) - 1;
}

double timeInBin(SpanSums& sums, const CallIntervals& calls, const TimelineIndex::Location* index,
                 const std::vector<int>& weights, TimeSpan bin, const Task& task)
{
    if (index) sums.add(calls, *index, bin);
    else sums.add(calls, bin, task);
    TimeNs time = 0;
    for (const std::uint32_t path : sums.callPaths()) time += weights[path] * sums.timeNs(path);
    sums.clear();
    return static_cast<double>(time);
}

double callsInBin(CallTally& tally, const CallIntervals& calls, const TimelineIndex::Location* index,
                  const std::vector<int>& weights, TimeSpan bin)
{
    const std::size_t first = firstCallFrom(calls, bin.begin), last = firstCallFrom(calls, bin.end);
    std::uint64_t count = 0;
    if (!index) {
        for (std::size_t i = first; i < last; ++i) count += weights[calls.callPath[i]] != 0 ? 1 : 0;
        return static_cast<double>(count);
    }
    index->sums.addTo(tally, calls, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
    for (const std::uint32_t path : tally.sorted())
        if (weights[path] != 0) count += tally[path].calls;
    tally.clear();
    return static_cast<double>(count);
}

/// Puts what is asked for into bins between these edges; once prepared it is called for block after block.
using BinFiller = std::function<Result<void>(const std::vector<TimeNs>& edges, LocationBins& out)>;

Result<BinFiller> callFiller(const Experiment& experiment, const TraceSeriesParams& params, const Task& task)
{
    const auto wanted = regionsNamed(experiment, params.name);
    if (!wanted) return Unexpected(wanted.error());
    return BinFiller([&experiment, &task, quantity = params.quantity,
                      weights = pathWeights(*experiment.callTree, *wanted, params.quantity)](
                         const std::vector<TimeNs>& edges, LocationBins& out) -> Result<void> {
        const CallTree& tree = *experiment.callTree;
        const TimelineIndex* const index = experiment.timelineIndex.get();
        const bool done = parallelFor(experiment.trace->locations.size(), task, [&](std::size_t location) {
            const CallIntervals& calls = experiment.trace->locations[location].intervals;
            const TimelineIndex::Location* const own = index ? &index->locations[location] : nullptr;
            SpanSums sums(tree.size());
            CallTally tally(tree.size());
            for (std::size_t bin = 0; bin < out.bins && !task.stopRequested(); ++bin) {
                const TimeSpan span{edges[bin], edges[bin + 1]};
                out.at(LocationId(location), bin) = quantity == SeriesQuantity::Calls
                    ? callsInBin(tally, calls, own, weights, span)
                    : timeInBin(sums, calls, own, weights, span, task);
            }
        });
        if (!done || task.stopRequested()) return cancelled();
        return {};
    });
}

/// Calls take(message, where it counts, bin, amount) for every message that has a time and a place.
template <typename Take>
Result<void> eachBinnedMessage(const Experiment& experiment, const TraceSeriesParams& params,
                               const std::vector<TimeNs>& edges, const Task& task, const Take& take)
{
    const SeriesQuantity quantity = params.quantity;
    const MessageFilter filter(experiment, params.messages);
    constexpr std::size_t kBetweenQuestions = std::size_t{1} << 16;
    const bool sent = quantity == SeriesQuantity::SentBytes || quantity == SeriesQuantity::SentMessages;
    const bool bytes = quantity == SeriesQuantity::SentBytes || quantity == SeriesQuantity::ReceivedBytes;
    std::size_t count = 0;
    for (const Message& message : experiment.trace->messages) {
        if (++count % kBetweenQuestions == 0 && task.stopRequested()) return cancelled();
        const TimeNs time = sent ? message.sendTime : message.receiveTime;
        const LocationId location = sent ? message.sender : message.receiver;
        if (time == kNoTime || !location.valid() || !filter.passes(message)) continue;
        take(message, location, binOf(edges, time), bytes ? static_cast<double>(message.bytes) : 1.0);
    }
    return {};
}

BinFiller messageFiller(const Experiment& experiment, const TraceSeriesParams& params, const Task& task)
{
    return [&experiment, &task, params](const std::vector<TimeNs>& edges, LocationBins& out) {
        return eachBinnedMessage(experiment, params, edges, task,
                                 [&](const Message&, LocationId location, std::size_t bin, double amount) {
                                     if (bin < out.bins) out.at(location, bin) += amount;
                                 });
    };
}

/// Which kinds of wait states a name means.
Result<std::array<bool, kWaitKinds>> waitKindsNamed(std::string_view wanted)
{
    std::array<bool, kWaitKinds> kinds{};
    std::string known;
    bool found = false;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
        const std::string_view own = name(static_cast<WaitKind>(kind));
        kinds[kind] = wanted.empty() || wanted == own;
        found |= kinds[kind];
        known += fmt::format("{}{}", kind ? ", " : "", own);
    }
    if (found) return kinds;
    return fail(ErrorCode::NotRecorded,
                fmt::format("There is no wait state \"{}\"; there are {}.", wanted, known));
}

void addWaitToBins(const WaitState& state, const std::vector<TimeNs>& edges, LocationBins& out)
{
    const TimeNs begin = std::max(state.begin, edges.front());
    for (std::size_t bin = binOf(edges, begin); bin < out.bins; ++bin) {
        if (edges[bin] >= state.end) break;
        out.at(state.location, bin) +=
            static_cast<double>(std::min(state.end, edges[bin + 1]) - std::max(begin, edges[bin]));
    }
}

Result<BinFiller> waitFiller(const Experiment& experiment, const TraceSeriesParams& params, const Task& task)
{
    const auto kinds = waitKindsNamed(params.name);
    if (!kinds) return Unexpected(kinds.error());
    auto waits = findWaitStates(experiment, task);
    if (!waits) return Unexpected(waits.error());
    const MessageFilter filter(experiment, params.messages);
    auto wanted = waitsForMessages(*waits, *experiment.trace, filter);
    return BinFiller([kinds = *kinds, states = std::move(wanted.states)](const std::vector<TimeNs>& edges,
                                                                         LocationBins& out) -> Result<void> {
        for (const WaitState& state : states)
            if (kinds[static_cast<std::size_t>(state.kind)]) addWaitToBins(state, edges, out);
        return {};
    });
}

Result<BinFiller> metricFiller(const Experiment& experiment, const TraceSeriesParams& params,
                               const Task& task)
{
    auto found = metricLanes(experiment, params.name, task);
    if (!found) return Unexpected(found.error());
    using Lanes = std::decay_t<decltype(*found)>;
    return BinFiller([&task, lanes = std::make_shared<const Lanes>(std::move(*found))](
                         const std::vector<TimeNs>& edges, LocationBins& out) -> Result<void> {
        std::fill(out.values.begin(), out.values.end(), std::nan(""));
        for (const MetricLane& lane : lanes->lanes) {
            if (task.stopRequested()) return cancelled();
            for (std::size_t bin = 0; bin < out.bins; ++bin) {
                const StepRange range = lane.steps.over({edges[bin], edges[bin + 1]});
                if (!range.any()) continue;
                double& value = out.at(lane.recorder, bin);
                // Rates are per second, times in ns.
                const double own = lanes->rate ? range.integral * 1e-9 : range.mean();
                value = std::isnan(value) ? own : value + own;
            }
        }
        return {};
    });
}

SeriesTable emptySeries(const TraceSeriesParams& params, const SeriesEntities& entities)
{
    SeriesTable table;
    table.columns = entities.names;
    table.times.assign(params.edges.begin(), params.edges.end() - 1);
    const double empty = params.quantity == SeriesQuantity::Metric ? std::nan("") : 0.0;
    table.values.assign(table.times.size() * table.columns.size(), empty);
    return table;
}

/// Adds a block of bins up into rows from `firstRow` on.
void joinBlock(SeriesTable& table, const SeriesEntities& entities, const LocationBins& block,
               std::size_t firstRow)
{
    const std::size_t width = table.columns.size();
    for (std::size_t column = 0; column < width; ++column)
        for (const LocationId location : entities.locations[column])
            for (std::size_t bin = 0; bin < block.bins; ++bin) {
                const double value = block.values[location.index() * block.bins + bin];
                double& sum = table.values[(firstRow + bin) * width + column];
                if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
            }
}

/// Block after block, so that values of locations take no room beside those of the table.
Result<SeriesTable> joinedSeries(const Experiment& experiment, const TraceSeriesParams& params,
                                 const SeriesEntities& entities, const BinFiller& fill)
{
    constexpr std::size_t kValuesInBlock = std::size_t{1} << 22;
    const std::size_t locations = experiment.trace->locations.size(), bins = params.edges.size() - 1;
    const std::size_t most = std::max<std::size_t>(1, kValuesInBlock / std::max<std::size_t>(1, locations));
    SeriesTable table = emptySeries(params, entities);
    for (std::size_t first = 0; first < bins; first += most) {
        const std::size_t count = std::min(most, bins - first);
        const auto begin = params.edges.begin() + static_cast<std::ptrdiff_t>(first);
        LocationBins block(locations, count);
        const auto done = fill({begin, begin + static_cast<std::ptrdiff_t>(count) + 1}, block);
        if (!done) return Unexpected(done.error());
        joinBlock(table, entities, block, first);
    }
    tidySeries(table);
    return table;
}

/// Messages within communicators, a column each.
Result<SeriesTable> communicatorMessages(const Experiment& experiment, const TraceSeriesParams& params,
                                         const SeriesEntities& entities, const Task& task)
{
    SeriesTable table = emptySeries(params, entities);
    const std::size_t width = table.columns.size(), rows = table.rows();
    std::vector<std::size_t> columnOf(experiment.definitions.communicators.size(), width);
    for (std::size_t column = 0; column < width; ++column)
        columnOf[entities.communicators[column].index()] = column;
    const auto counts = [&](const Message& message, LocationId at) {
        return at.valid() && !(at.index() < params.hidden.size() && params.hidden[at.index()])
            && message.communicator.index() < columnOf.size()
            && columnOf[message.communicator.index()] < width;
    };
    const auto done =
        eachBinnedMessage(experiment, params, params.edges, task,
                          [&](const Message& message, LocationId at, std::size_t bin, double amount) {
                              if (bin < rows && counts(message, at))
                                  table.values[bin * width + columnOf[message.communicator.index()]] +=
                                      amount;
                          });
    if (!done) return Unexpected(done.error());
    tidySeries(table);
    return table;
}

Result<BinFiller> fillerFor(const Experiment& experiment, const TraceSeriesParams& params, const Task& task)
{
    switch (params.quantity) {
    case SeriesQuantity::Exclusive:
    case SeriesQuantity::Inclusive:
    case SeriesQuantity::Calls: return callFiller(experiment, params, task);
    case SeriesQuantity::SentMessages:
    case SeriesQuantity::SentBytes:
    case SeriesQuantity::ReceivedMessages:
    case SeriesQuantity::ReceivedBytes: break;
    case SeriesQuantity::Wait: return waitFiller(experiment, params, task);
    case SeriesQuantity::Metric: return metricFiller(experiment, params, task);
    }
    return messageFiller(experiment, params, task);
}

Unexpected noTraceForSeries(const Experiment& experiment)
{
    return fail(
        ErrorCode::NotRecorded,
        fmt::format("{} holds no trace: series over time are to be found in traces only.", experiment.name));
}

}  // namespace

bool ofMessages(SeriesQuantity quantity)
{
    return quantity == SeriesQuantity::SentMessages || quantity == SeriesQuantity::SentBytes
        || quantity == SeriesQuantity::ReceivedMessages || quantity == SeriesQuantity::ReceivedBytes;
}

bool followsMessageRules(SeriesQuantity quantity)
{
    return ofMessages(quantity) || quantity == SeriesQuantity::Wait;
}

TraceSeriesParams seriesQuantity(std::string_view text)
{
    TraceSeriesParams params;
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    for (const QuantityWord& known : kQuantityWords) {
        if (known.word != word) continue;
        params.quantity = known.quantity;
        if (colon != std::string_view::npos) params.name = text.substr(colon + 1);
        return params;
    }
    params.quantity = SeriesQuantity::Metric;
    params.name = text;
    return params;
}

std::vector<TimeNs> equalBins(TimeSpan extent, std::size_t bins)
{
    const auto length = static_cast<double>(extent.end - extent.begin) + 1.0;
    std::vector<TimeNs> edges{extent.begin};
    for (std::size_t bin = 1; bin < bins; ++bin) {
        const double share = static_cast<double>(bin) / static_cast<double>(bins);
        const TimeNs edge = extent.begin + static_cast<TimeNs>(std::floor(length * share));
        if (edge > edges.back()) edges.push_back(edge);
    }
    edges.push_back(extent.end + 1);
    return edges;
}

Result<std::vector<TimeNs>> binsByRegion(const Experiment& experiment, std::string_view region)
{
    if (!experiment.trace) return noTraceForSeries(experiment);
    const auto wanted = regionsNamed(experiment, region);
    if (!wanted) return Unexpected(wanted.error());
    const std::vector<int> outermost = pathWeights(*experiment.callTree, *wanted, SeriesQuantity::Inclusive);
    const TimeSpan extent = experiment.trace->extent;
    std::vector<TimeNs> edges{extent.begin};
    for (const LocationTrace& location : experiment.trace->locations) {
        const CallIntervals& calls = location.intervals;
        bool any = false;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (outermost[calls.callPath[i]] == 0) continue;
            any = true;
            if (calls.begin[i] > edges.back()) edges.push_back(calls.begin[i]);
        }
        if (!any) continue;
        edges.push_back(std::max(extent.end, edges.back()) + 1);
        return edges;
    }
    return fail(ErrorCode::NotRecorded,
                fmt::format("The region \"{}\" is never called in {}.", region, experiment.name));
}

Result<SeriesTable> traceSeries(const Experiment& experiment, const TraceSeriesParams& params,
                                const Task& task)
{
    if (!experiment.trace) return noTraceForSeries(experiment);
    if (params.edges.size() < 2 || !std::is_sorted(params.edges.begin(), params.edges.end()))
        return fail(ErrorCode::InvalidArgument, "There is no bin of time to tell values of.");
    const auto entities = seriesEntities(experiment.definitions, params.per, params.hidden);
    if (!entities) return Unexpected(entities.error());
    if (const auto fits = checkSeriesSize(params.edges.size() - 1, entities->names.size()); !fits)
        return Unexpected(fits.error());
    if (params.per.entity == SeriesEntity::Communicator && ofMessages(params.quantity))
        return communicatorMessages(experiment, params, *entities, task);
    const auto fill = fillerFor(experiment, params, task);
    if (!fill) return Unexpected(fill.error());
    return joinedSeries(experiment, params, *entities, *fill);
}

}  // namespace skein
