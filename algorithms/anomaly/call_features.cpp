// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_features.h"

#include "algorithms/anomaly/anomaly_candidates.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::array<std::string_view, kCallFeatures> kCallFeatureNames{
    "duration", "exclusive", "begin", "end", "messages", "bytes", "children", "mpi", "waiting"};

struct DirectCallees {
    std::int64_t count = 0;
    TimeNs ns = 0;
};

DirectCallees directCallees(const CallIntervals& calls, std::uint32_t call)
{
    DirectCallees found;
    for (std::uint32_t below = call + 1, end = endOfSubtree(calls, call); below < end;
         below = endOfSubtree(calls, below)) {
        ++found.count;
        found.ns += calls.end[below] - calls.begin[below];
    }
    return found;
}

/// Of the calls first … end − 1: visit(call, ns).
template <typename Visit>
void forEachOutermostMpi(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t first,
                         std::uint32_t end, Visit visit)
{
    while (first < end) {
        if (!functions.isMpi(functions.of(calls.callPath[first]))) {
            ++first;
            continue;
        }
        visit(first, calls.end[first] - calls.begin[first]);
        first = endOfSubtree(calls, first);
    }
}

}  // namespace

std::string_view name(CallFeature feature)
{
    const auto index = static_cast<std::size_t>(feature);
    return index < kCallFeatureNames.size() ? kCallFeatureNames[index] : std::string_view("invalid");
}

bool isTime(CallFeature feature)
{
    return feature != CallFeature::Messages && feature != CallFeature::Bytes
        && feature != CallFeature::Children;
}

bool addsUp(CallFeature feature)
{
    return feature == CallFeature::Duration || feature == CallFeature::Messages
        || feature == CallFeature::Bytes || feature == CallFeature::Mpi || feature == CallFeature::Waiting;
}

Result<std::vector<CallFeature>> callFeaturesOf(std::string_view list)
{
    std::array<bool, kCallFeatures> wanted{};
    while (true) {
        const std::size_t comma = list.find(',');
        const std::string_view word = list.substr(0, comma);
        const auto at = std::find(kCallFeatureNames.begin(), kCallFeatureNames.end(), word);
        if (at == kCallFeatureNames.end())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("'{}' is no feature of calls; there are {}.", word,
                                    fmt::join(kCallFeatureNames, ", ")));
        wanted[static_cast<std::size_t>(at - kCallFeatureNames.begin())] = true;
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 1);
    }
    std::vector<CallFeature> features;
    for (std::size_t i = 0; i < kCallFeatures; ++i)
        if (wanted[i]) features.push_back(static_cast<CallFeature>(i));
    return features;
}

void CallFeatureIndex::SumsByCall::finish()
{
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
    std::size_t kept = 0;
    std::int64_t sum = 0;
    for (const Row& row : rows_) {
        sum += row.amount;
        if (kept > 0 && rows_[kept - 1].call == row.call) rows_[kept - 1].amount = sum;
        else rows_[kept++] = {row.call, sum};
    }
    rows_.resize(kept);
    rows_.shrink_to_fit();
}

std::int64_t CallFeatureIndex::SumsByCall::before(std::uint32_t call) const
{
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), call,
                                     [](const Row& row, std::uint32_t wanted) { return row.call < wanted; });
    return at == rows_.begin() ? 0 : std::prev(at)->amount;
}

std::int64_t CallFeatureIndex::SumsByCall::between(std::uint32_t first, std::uint32_t end) const
{
    return rows_.empty() ? 0 : before(end) - before(first);
}

void CallFeatureIndex::addMessages()
{
    const auto add = [this](LocationId location, std::uint32_t call, std::uint64_t bytes) {
        if (call == kNoInterval || location.index() >= locations_.size()) return;
        locations_[location.index()].messages.add(call, 1);
        locations_[location.index()].bytes.add(call, static_cast<std::int64_t>(bytes));
    };
    for (const Message& message : trace_->messages.span()) {
        add(message.sender, message.sendInterval, message.bytes);
        if (message.matched()) add(message.receiver, message.receiveInterval, message.bytes);
    }
    for (const Message& message : trace_->unmatchedReceives.span())
        add(message.receiver, message.receiveInterval, message.bytes);
}

std::uint32_t CallFeatureIndex::SumsByCall::lastBefore(std::uint32_t call) const
{
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), call,
                                     [](const Row& row, std::uint32_t wanted) { return row.call < wanted; });
    return at == rows_.begin() ? kNoInterval : std::prev(at)->call;
}

/// What lies in an operation of MPI has no sum of its own: it is gone through.
TimeNs CallFeatureIndex::mpiNs(LocationId location, std::uint32_t call) const
{
    const CallIntervals& calls = trace_->locations[location.index()].intervals;
    const SumsByCall& sums = locations_[location.index()].mpi;
    const std::uint32_t end = endOfSubtree(calls, call);
    const std::uint32_t around = sums.lastBefore(call);
    if (around == kNoInterval || call >= endOfSubtree(calls, around)) return sums.between(call, end);
    TimeNs sum = 0;
    forEachOutermostMpi(calls, *functions_, call, end, [&](std::uint32_t, TimeNs ns) { sum += ns; });
    return sum;
}

Result<CallFeatureIndex> CallFeatureIndex::build(const Trace& trace, const FunctionsOfCalls& functions,
                                                 const WaitStates& waits, const Task& task)
{
    CallFeatureIndex index;
    index.trace_ = &trace;
    index.functions_ = &functions;
    index.locations_.resize(trace.locations.size());
    task.report(0.0, "Counting what calls do");
    index.addMessages();
    if (task.stopRequested()) return cancelled();
    for (const WaitState& wait : waits.states.span())
        if (wait.location.index() < index.locations_.size())
            index.locations_[wait.location.index()].waits.add(wait.interval, wait.lengthNs());
    parallelFor(index.locations_.size(), task, [&](std::size_t location) {
        OfLocation& sums = index.locations_[location];
        const CallIntervals& calls = trace.locations[location].intervals;
        forEachOutermostMpi(calls, functions, 0, static_cast<std::uint32_t>(calls.size()),
                            [&](std::uint32_t call, TimeNs ns) { sums.mpi.add(call, ns); });
        for (SumsByCall* each : {&sums.messages, &sums.bytes, &sums.mpi, &sums.waits}) each->finish();
    });
    if (task.stopRequested()) return cancelled();
    return index;
}

std::int64_t CallFeatureIndex::value(LocationId location, std::uint32_t call, CallFeature feature) const
{
    const CallIntervals& calls = trace_->locations[location.index()].intervals;
    const OfLocation& sums = locations_[location.index()];
    const TimeNs durationNs = calls.end[call] - calls.begin[call];
    switch (feature) {
    case CallFeature::Duration: return durationNs;
    case CallFeature::Exclusive: return durationNs - directCallees(calls, call).ns;
    case CallFeature::Begin: return calls.begin[call];
    case CallFeature::End: return calls.end[call];
    case CallFeature::Messages: return sums.messages.between(call, endOfSubtree(calls, call));
    case CallFeature::Bytes: return sums.bytes.between(call, endOfSubtree(calls, call));
    case CallFeature::Children: return directCallees(calls, call).count;
    case CallFeature::Mpi: return mpiNs(location, call);
    case CallFeature::Waiting: return sums.waits.between(call, endOfSubtree(calls, call));
    }
    return 0;
}

CallFeatureValues CallFeatureIndex::values(LocationId location, std::uint32_t call) const
{
    CallFeatureValues found;
    for (std::size_t i = 0; i < kCallFeatures; ++i)
        found[i] = value(location, call, static_cast<CallFeature>(i));
    return found;
}

}  // namespace skein
