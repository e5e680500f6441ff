// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"

#include "core/base/memory_limit.h"
#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/trace/merge_rows.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <tuple>

namespace skein {

namespace {

Tick longestPause(std::uint64_t ticksPerSecond)
{
    constexpr std::uint64_t secondsOfYear = 366ull * 24 * 60 * 60;
    return ticksPerSecond > LocationTraceBuilder::kAnyPause / secondsOfYear ? LocationTraceBuilder::kAnyPause
                                                                            : ticksPerSecond * secondsOfYear;
}

}  // namespace

TraceBuilder::TraceBuilder(std::size_t locationCount, std::uint64_t ticksPerSecond)
    : storage(std::make_unique<TraceStorage>())
{
    locations.reserve(locationCount);
    for (std::size_t index = 0; index < locationCount; ++index)
        locations.emplace_back(LocationId(index), *storage, longestPause(ticksPerSecond));
}

/// The steps of finishTrace; each leaves the builders a little emptier and the trace a little fuller.
class TraceFinisher {
public:
    TraceFinisher(TraceBuilder builder, Definitions& definitions, ImportReport& report, const Task& task)
        : builder_(std::move(builder)), definitions_(definitions), report_(report), task_(task)
    {
    }

    Result<FinishedTrace> run()
    {
        if (!closeLocations()) return cancelled();
        const TickConverter converter(definitions_.clock.ticksPerSecond, definitions_.clock.originTicks);
        reportRepairs(converter);
        const auto numbers = mergeCallTrees();
        if (!numbers) return cancelled();
        task_.report(0.1, "Converting times");
        trace_->locations.resize(builder_.locations.size());
        const bool converted = parallelFor(builder_.locations.size(), task_, [&](std::size_t index) {
            finishLocation(index, (*numbers)[index], converter);
        });
        if (!converted || task_.stopRequested()) return cancelled();
        finishMarkers(converter);
        task_.report(0.4, "Matching messages");
        if (!finishMessages()) return cancelled();
        task_.report(0.8, "Sorting events");
        if (!finishCollectives()) return cancelled();
        mergeTables();
        if (task_.stopRequested() || !finishStreams()) return cancelled();
        return FinishedTrace{std::move(trace_), callTree_};
    }

private:
    using Builder = LocationTraceBuilder;

    bool closeLocations()
    {
        Tick origin = 0;
        bool any = false;
        for (Builder& location : builder_.locations) {
            if (task_.stopRequested()) return false;
            location.close();
            if (location.events_ == 0) continue;
            origin = any ? std::min(origin, location.first_) : location.first_;
            any = true;
        }
        definitions_.clock.originTicks = origin;
        return true;
    }

    std::string nameOf(RegionId region) const
    {
        return region.index() < definitions_.regions.size() ? displayName(definitions_.region(region))
                                                            : std::string();
    }

    void reportRepairs(const TickConverter& converter)
    {
        for (const Builder& location : builder_.locations)
            for (const auto& [kind, finding] : location.findings_) {
                const std::string time = formatDuration(static_cast<double>(converter.toNs(finding.time)));
                const std::string region = nameOf(finding.region), other = nameOf(finding.other);
                report_.add(kind, {}, displayName(definitions_, location.location()),
                            region.empty()      ? fmt::format("at {}", time)
                                : other.empty() ? fmt::format("{} at {}", region, time)
                                                : fmt::format("{} left as {} at {}", region, other, time),
                            -1, finding.count);
            }
    }

    /// The nodes' numbers in the common tree by location; nullopt when stopped.
    std::optional<std::vector<std::vector<std::uint32_t>>> mergeCallTrees()
    {
        CallTreeBuilder tree;
        std::vector<std::vector<std::uint32_t>> numbers;
        numbers.reserve(builder_.locations.size());
        for (Builder& location : builder_.locations) {
            auto merged = tree.merge(location.callTree_, task_);
            if (!merged) return std::nullopt;
            numbers.push_back(*std::move(merged));
            location.callTree_ = {};
        }
        callTree_ = std::make_shared<const CallTree>(std::move(tree).finish());
        return numbers;
    }

    void finishLocation(std::size_t index, const std::vector<std::uint32_t>& numbers,
                        const TickConverter& converter)
    {
        Builder& from = builder_.locations[index];
        LocationTrace& to = trace_->locations[index];
        to.events = from.events_;
        if (to.events > 0) to.extent = {converter.toNs(from.first_), converter.toNs(from.last_)};
        converter.convert(from.begin_.values);
        converter.convert(from.end_.values);
        if (task_.stopRequested()) return;
        for (std::uint32_t& path : from.callPath_.values) path = numbers[path];
        to.intervals = {from.begin_.column(), from.end_.column(), from.callPath_.column(),
                        from.depth_.column()};
        convertFields(from.attributeRows_.values, converter, &EventAttribute::time);
        to.attributes = from.attributeRows_.column();
        convertRows(from, converter);
        for (CallPathSample& sample : from.tables_.samples.span())
            if (sample.callPath.index() < numbers.size())
                sample.callPath = CallPathId(numbers[sample.callPath.index()]);
        columnsLeaveMemory(to.intervals.begin, to.intervals.end, to.intervals.callPath, to.intervals.depth,
                           to.attributes);
    }

    template <typename Row, typename... Fields>
    static void convertFields(std::span<Row> rows, const TickConverter& converter, Fields... fields)
    {
        for (Row& row : rows) (converter.convert(row.*fields), ...);
    }

    static void convertRows(Builder& from, const TickConverter& converter)
    {
        LocationTables& tables = from.tables_;
        convertFields(from.sends_.values, converter, &Message::sendTime, &Message::sendEnd);
        convertFields(from.receives_.values, converter, &PostedReceive::posted, &PostedReceive::completed);
        convertFields(from.collectives_.span(), converter, &CollectiveRecord::begin, &CollectiveRecord::end);
        convertFields(tables.rmaOperations.span(), converter, &RmaOperation::begin, &RmaOperation::end);
        convertFields(tables.ioOperations.span(), converter, &IoOperation::begin, &IoOperation::end);
        convertFields(tables.threadEvents.span(), converter, &ThreadEvent::time);
        convertFields(tables.parameterEvents.span(), converter, &ParameterEvent::time);
        convertFields(tables.markers.span(), converter, &Marker::time);
        convertFields(tables.samples.span(), converter, &CallPathSample::time);
        convertFields(tables.bufferFlushes.span(), converter, &BufferFlush::begin, &BufferFlush::end);
        convertFields(tables.programRuns.span(), converter, &ProgramRun::begin, &ProgramRun::end);
        for (MetricStreamBuilder& stream : from.streams_) converter.convert(stream.times.span());
    }

    bool finishMessages()
    {
        const std::vector<std::uint32_t> processes = processesOf(definitions_);
        MessageRecords records{{}, {}, processes};
        for (Builder& location : builder_.locations) {
            records.sends.push_back(location.sends_.values);
            records.receives.push_back(location.receives_.values);
        }
        auto unmatched = matchMessages(records, task_);
        if (!unmatched) return false;
        for (Builder& location : builder_.locations) location.receives_ = {};
        const auto earlier = [](const Message& a, const Message& b) {
            return std::tie(a.receiveTime, a.receiver) < std::tie(b.receiveTime, b.receiver);
        };
        std::stable_sort(unmatched->begin(), unmatched->end(), earlier);
        trace_->unmatchedReceives = Column<Message>(std::move(*unmatched));
        reportMessages();
        trace_->messages =
            mergedOf<Message>([](Builder& location) { return location.sends_.values; }, &Message::sendTime);
        for (Builder& location : builder_.locations) location.sends_ = {};
        return !task_.stopRequested();
    }

    void reportMessages()
    {
        std::atomic<std::uint64_t> unmatched{0};
        std::atomic<std::uint64_t> early{0};
        parallelFor(builder_.locations.size(), task_, [&](std::size_t index) {
            std::uint64_t ownUnmatched = 0;
            std::uint64_t ownEarly = 0;
            for (const Message& message : builder_.locations[index].sends_.values) {
                ownUnmatched += !message.matched();
                ownEarly += message.matched() && message.receiveTime < message.sendTime;
            }
            unmatched += ownUnmatched;
            early += ownEarly;
        });
        const auto receives = trace_->unmatchedReceives.size();
        if (unmatched > 0) report_.add(IssueKind::UnmatchedSend, {}, {}, {}, -1, unmatched);
        if (receives > 0) report_.add(IssueKind::UnmatchedReceive, {}, {}, {}, -1, receives);
        if (early > 0) report_.add(IssueKind::ClockSkew, {}, {}, {}, -1, early);
    }

    bool finishCollectives()
    {
        std::vector<std::span<const CollectiveRecord>> records;
        for (const Builder& location : builder_.locations) records.push_back(location.collectives_.span());
        auto grouped =
            groupCollectives(records, processesOf(definitions_), definitions_.communicators, task_);
        if (!grouped) return false;
        for (Builder& location : builder_.locations) location.collectives_ = {};
        trace_->collectives = Column<CollectiveOperation>(std::move(grouped->operations));
        trace_->collectiveMembers = Column<CollectiveMember>(std::move(grouped->members));
        return true;
    }

    template <typename Row>
    Column<Row> merged(ColumnBuilder<Row> LocationTables::*rows, TimeNs Row::*time)
    {
        const auto rowsOf = [&](Builder& location) { return (location.tables_.*rows).span(); };
        Column<Row> result = mergedOf<Row>(rowsOf, time);
        if (task_.stopRequested()) return {};
        for (Builder& location : builder_.locations) location.tables_.*rows = {};
        return result;
    }

    template <typename Row, typename RowsOf>
    Column<Row> mergedOf(const RowsOf& rowsOf, TimeNs Row::*time)
    {
        const auto earlier = [time](const Row& a, const Row& b) { return a.*time < b.*time; };
        std::vector<std::span<const Row>> parts(builder_.locations.size());
        parallelFor(parts.size(), task_, [&](std::size_t index) {
            const std::span<Row> rows = rowsOf(builder_.locations[index]);
            if (!std::is_sorted(rows.begin(), rows.end(), earlier))
                std::stable_sort(rows.begin(), rows.end(), earlier);
            parts[index] = rows;
        });
        return RowMerger<Row>(std::move(parts), time).run(builder_.storage->messages, task_);
    }

    void mergeTables()
    {
        trace_->rmaOperations = merged(&LocationTables::rmaOperations, &RmaOperation::begin);
        trace_->ioOperations = merged(&LocationTables::ioOperations, &IoOperation::begin);
        trace_->threadEvents = merged(&LocationTables::threadEvents, &ThreadEvent::time);
        trace_->parameterEvents = merged(&LocationTables::parameterEvents, &ParameterEvent::time);
        trace_->samples = merged(&LocationTables::samples, &CallPathSample::time);
        trace_->bufferFlushes = merged(&LocationTables::bufferFlushes, &BufferFlush::begin);
        trace_->programRuns = merged(&LocationTables::programRuns, &ProgramRun::begin);
    }

    /// Markers are few: those of the archive and those of the locations are simply sorted.
    void finishMarkers(const TickConverter& converter)
    {
        convertFields(builder_.markers.span(), converter, &Marker::time);
        std::vector<Marker> all(builder_.markers.span().begin(), builder_.markers.span().end());
        for (Builder& location : builder_.locations)
            all.insert(all.end(), location.tables_.markers.span().begin(),
                       location.tables_.markers.span().end());
        std::stable_sort(all.begin(), all.end(), [](const Marker& a, const Marker& b) {
            return std::tie(a.time, a.location) < std::tie(b.time, b.location);
        });
        trace_->markers = Column<Marker>(std::move(all));
    }

    bool finishStreams()
    {
        for (Builder& location : builder_.locations) {
            if (task_.stopRequested()) return false;
            for (MetricStreamBuilder& stream : location.streams_) {
                if (stream.times.empty()) continue;
                stream.description.times = stream.times.finish();
                stream.description.values = stream.values.finish();
                trace_->metricStreams.push_back(std::move(stream.description));
            }
            location.streams_.clear();
        }
        const auto firstMetric = [](const MetricStream& stream) {
            return stream.metrics.empty() ? MetricId() : stream.metrics.front();
        };
        std::stable_sort(trace_->metricStreams.begin(), trace_->metricStreams.end(),
                         [&](const MetricStream& a, const MetricStream& b) {
                             return std::pair(a.recorder, firstMetric(a))
                                 < std::pair(b.recorder, firstMetric(b));
                         });
        for (const LocationTrace& location : trace_->locations)
            if (location.events > 0) trace_->extent.end = std::max(trace_->extent.end, location.extent.end);
        return true;
    }

    TraceBuilder builder_;
    Definitions& definitions_;
    ImportReport& report_;
    const Task& task_;
    std::shared_ptr<Trace> trace_ = std::make_shared<Trace>();
    std::shared_ptr<const CallTree> callTree_;
};

Result<FinishedTrace> finishTrace(TraceBuilder builder, Definitions& definitions, ImportReport& report,
                                  const Task& task)
{
    try {
        const Unfinished<TraceFinisher> finisher(task, std::move(builder), definitions, report, task);
        return finisher->run();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "There is not enough memory for this trace.");
    }
}

}  // namespace skein
