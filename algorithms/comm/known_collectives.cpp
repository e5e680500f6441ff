// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/known_collectives.h"

#include "core/base/units.h"
#include "core/clocks/inferred_collectives.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace skein {
namespace {

/// The events in which TAU's wrapper tells the size: of an allreduce the vector, of an allgather what each
/// contributes, of an all-to-all what each sends to each (src/Profile/TauMpi.c). Its figures for operations
/// with different sizes are sums and tell none.
std::string_view sizeMetricOf(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::AllReduce: return "Message size for all-reduce";
    case CollectiveKind::AllGather: return "Message size for all-gather";
    case CollectiveKind::AllToAll: return "Message size for all-to-all";
    default: return {};
    }
}

/// Samples of the size events, by location.
class SizeSamples {
public:
    explicit SizeSamples(const Experiment& experiment) : trace_(*experiment.trace)
    {
        const auto& metrics = experiment.definitions.metrics;
        for (const MetricStream& stream : trace_.metricStreams)
            for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
                const MetricId metric = stream.metrics[column];
                if (metric.index() >= metrics.size()) continue;
                const Metric& of = metrics[metric.index()];
                for (const CollectiveKind kind : kKinds)
                    if (of.name == sizeMetricOf(kind))
                        series_.push_back({&stream, column, kind, of.valueType});
            }
    }

    /// The first sample within the call; nullopt: none, or no size.
    std::optional<std::uint64_t> sizeIn(CollectiveKind kind, const InferredCall& call) const
    {
        const TimeSpan span = trace_.locations[call.location.index()].intervals.span(call.interval);
        auto at = std::ranges::lower_bound(series_, call.location, {},
                                           [](const Series& series) { return series.stream->recorder; });
        for (; at != series_.end() && at->stream->recorder == call.location; ++at) {
            const Series& series = *at;
            if (series.kind != kind) continue;
            const auto& times = series.stream->times;
            const auto sample = static_cast<std::size_t>(
                std::lower_bound(times.begin(), times.end(), span.begin) - times.begin());
            if (sample == times.size() || times[sample] > span.end) continue;
            const double value = metricValue(
                series.stream->values[sample * series.stream->metrics.size() + series.column], series.type);
            if (value >= 0 && value < 0x1p53) return static_cast<std::uint64_t>(value);
        }
        return std::nullopt;
    }

private:
    static constexpr std::array kKinds{CollectiveKind::AllReduce, CollectiveKind::AllGather,
                                       CollectiveKind::AllToAll};
    struct Series {
        const MetricStream* stream;
        std::size_t column;
        CollectiveKind kind;
        MetricValueType type;
    };

    const Trace& trace_;
    std::vector<Series> series_;  ///< by recorder, as streams are
};

/// What a member of an operation over all processes sent and received in all, as collective events tell it.
std::pair<std::uint64_t, std::uint64_t> bytesOf(CollectiveKind kind, std::uint64_t size,
                                                std::uint64_t members)
{
    switch (kind) {
    case CollectiveKind::AllGather: return {size, size * members};
    case CollectiveKind::AllToAll: return {size * members, size * members};
    default: return {size, size};
    }
}

/// The members of an operation; empty where a size is missing, or where members tell different ones: then it
/// was not one operation.
std::vector<CollectiveMember> sizedMembers(const Trace& trace, const InferredCollective& operation,
                                           const SizeSamples& samples)
{
    std::vector<CollectiveMember> members;
    std::optional<std::uint64_t> size;
    if (operation.kind == CollectiveKind::Barrier) size = 0;
    else if (sizeMetricOf(operation.kind).empty()) return {};
    for (const InferredCall& call : operation.calls) {
        if (operation.kind != CollectiveKind::Barrier) {
            const auto told = samples.sizeIn(operation.kind, call);
            if (!told || (size && *size != *told)) return {};
            size = told;
        }
        const TimeSpan span = trace.locations[call.location.index()].intervals.span(call.interval);
        const auto [sent, received] = bytesOf(operation.kind, *size, operation.calls.size());
        members.push_back({span.begin, span.end, sent, received, call.location, call.interval});
    }
    return members;
}

std::uint64_t collectiveCalls(const Experiment& experiment, const Task& task)
{
    const auto ofPath = mpiCollectivesOf(*experiment.callTree, experiment.definitions);
    std::uint64_t calls = 0;
    for (const LocationTrace& location : experiment.trace->locations) {
        if (task.stopRequested()) return calls;
        calls += outermostCollectives(location.intervals, ofPath).size();
    }
    return calls;
}

}  // namespace

std::span<const CollectiveOperation> KnownCollectives::operations() const
{
    if (fromRegions_) return operations_;
    return {trace_->collectives.data(), trace_->collectives.size()};
}

std::span<const CollectiveMember> KnownCollectives::membersOf(const CollectiveOperation& operation) const
{
    const std::span<const CollectiveMember> all = fromRegions_
        ? std::span<const CollectiveMember>(members_)
        : std::span<const CollectiveMember>(trace_->collectiveMembers.data(),
                                            trace_->collectiveMembers.size());
    if (operation.firstMember + operation.memberCount > all.size()) return {};
    return all.subspan(operation.firstMember, operation.memberCount);
}

bool collectivesAreRegions(const Experiment& experiment)
{
    return experiment.trace && experiment.trace->collectives.empty()
        && std::ranges::any_of(experiment.definitions.regions,
                               [](const Region& region) { return mpiCollective(region.name).has_value(); });
}

Result<KnownCollectives> knownCollectives(const Experiment& experiment, const Task& task)
{
    if (!experiment.trace)
        return fail(
            ErrorCode::NotRecorded,
            fmt::format("{} holds no trace, so its collective operations are not known.", experiment.name));
    KnownCollectives known;
    known.trace_ = experiment.trace.get();
    known.fromRegions_ = collectivesAreRegions(experiment);
    if (!known.fromRegions_) return known;
    const SizeSamples samples(experiment);
    std::vector<std::vector<CollectiveMember>> found;
    for (const InferredCollective& inferred : inferCollectives(experiment, task)) {
        auto members = sizedMembers(*experiment.trace, inferred, samples);
        if (members.size() < 2) continue;
        CollectiveOperation operation;
        operation.kind = inferred.kind;
        operation.memberCount = static_cast<std::uint32_t>(members.size());
        operation.begin = std::ranges::min(members, {}, &CollectiveMember::begin).begin;
        operation.end = std::ranges::max(members, {}, &CollectiveMember::end).end;
        operation.firstMember = known.members_.size();
        known.members_.insert(known.members_.end(), members.begin(), members.end());
        known.operations_.push_back(operation);
    }
    std::ranges::stable_sort(known.operations_, {}, &CollectiveOperation::begin);
    known.leftCalls_ = collectiveCalls(experiment, task) - known.members_.size();
    if (task.stopRequested()) return cancelled();
    return known;
}

std::string tellExpansion(const KnownCollectives& known, const std::optional<TimeSpan>& window,
                          const std::string& algorithm)
{
    const auto count = std::ranges::count_if(known.operations(), [&](const CollectiveOperation& operation) {
        return !window || window->contains(operation.begin);
    });
    const std::string how = algorithm == "default" ? "as MPICH chooses by default" : algorithm;
    std::string text = count == 0 ? "none recorded" : fmt::format("{} expanded: {}", count, how);
    if (!known.fromRegions()) return text;
    text = count == 0 ? "none expanded" : text + ", taken from regions as over all ranks";
    if (known.leftCalls() > 0)
        text += fmt::format("; {} calls in all are left out: nothing tells their members, root or size",
                            formatGrouped(static_cast<std::int64_t>(known.leftCalls())));
    return text;
}

}  // namespace skein
