// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/correct_clocks.h"

#include "core/base/parallel_for.h"
#include "core/clocks/shortest_messages.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

/// Puts one location's times on the reference's clock. Monotonic for drifts below one, so events keep their
/// order.
struct Shift {
    double offsetNs = 0.0;
    double drift = 0.0;
    TimeNs originNs = 0;

    TimeNs operator()(TimeNs time) const
    {
        if (time == kNoTime) return time;
        return time - std::llround(offsetNs + drift * static_cast<double>(time)) - originNs;
    }
};

class TraceCorrection {
public:
    TraceCorrection(const Experiment& experiment, const ClockOffsets& offsets, const Task& task)
        : from_(*experiment.trace), task_(task)
    {
        const std::vector<std::uint32_t> clocks = clocks::clocksOfLocations(experiment.definitions);
        for (const std::uint32_t clock : clocks)
            shifts_.push_back(clock < offsets.groups.size()
                                  ? Shift{offsets.groups[clock].offsetNs, offsets.groups[clock].drift, 0}
                                  : Shift());
        shifts_.resize(std::max(shifts_.size(), from_.locations.size()));
        moveOrigin();
    }

    TimeNs originNs() const { return originNs_; }

    /// Nothing when the task was stopped.
    std::shared_ptr<const Trace> run()
    {
        auto trace = std::make_shared<Trace>();
        trace->locations.resize(from_.locations.size());
        const bool complete = parallelFor(from_.locations.size(), task_, [&](std::size_t location) {
            trace->locations[location] = shifted(from_.locations[location], shifts_[location]);
        });
        if (!complete) return nullptr;
        for (const LocationTrace& location : trace->locations)
            if (location.events > 0) trace->extent.end = std::max(trace->extent.end, location.extent.end);
        shiftMessages(*trace);
        shiftCollectives(*trace);
        shiftStreams(*trace);
        if (task_.stopRequested()) return nullptr;
        shiftTables(*trace);
        return trace;
    }

private:
    const Shift& shiftOf(LocationId location) const
    {
        return location.index() < shifts_.size() ? shifts_[location.index()] : unlocated_;
    }

    /// The earliest event becomes time 0 again.
    void moveOrigin()
    {
        TimeNs earliest = std::numeric_limits<TimeNs>::max();
        for (std::size_t location = 0; location < from_.locations.size(); ++location)
            if (from_.locations[location].events > 0)
                earliest = std::min(earliest, shifts_[location](from_.locations[location].extent.begin));
        originNs_ = earliest == std::numeric_limits<TimeNs>::max() ? 0 : earliest;
        for (Shift& shift : shifts_) shift.originNs = originNs_;
        unlocated_.originNs = originNs_;
    }

    static Column<TimeNs> shifted(const Column<TimeNs>& times, const Shift& shift)
    {
        std::vector<TimeNs> moved(times.begin(), times.end());
        for (TimeNs& time : moved) time = shift(time);
        return Column<TimeNs>(std::move(moved));
    }

    static LocationTrace shifted(const LocationTrace& from, const Shift& shift)
    {
        LocationTrace to = from;
        to.intervals.begin = shifted(from.intervals.begin, shift);
        to.intervals.end = shifted(from.intervals.end, shift);
        std::vector<EventAttribute> attributes(from.attributes.begin(), from.attributes.end());
        for (EventAttribute& row : attributes) row.time = shift(row.time);
        to.attributes = Column<EventAttribute>(std::move(attributes));
        if (from.events > 0) to.extent = {shift(from.extent.begin), shift(from.extent.end)};
        return to;
    }

    /// Applies `move` to every row and sorts by time, then location; what one location recorded keeps its
    /// order.
    template <typename Row, typename Move>
    static Column<Row> sortedRows(const Column<Row>& rows, TimeNs Row::*time, LocationId Row::*location,
                                  Move move)
    {
        std::vector<Row> moved(rows.begin(), rows.end());
        for (Row& row : moved) move(row);
        std::stable_sort(moved.begin(), moved.end(), [=](const Row& a, const Row& b) {
            return std::tie(a.*time, a.*location) < std::tie(b.*time, b.*location);
        });
        return Column<Row>(std::move(moved));
    }

    void shiftMessages(Trace& trace) const
    {
        const auto move = [&](Message& message) {
            message.sendTime = shiftOf(message.sender)(message.sendTime);
            message.sendEnd = shiftOf(message.sender)(message.sendEnd);
            message.receiveTime = shiftOf(message.receiver)(message.receiveTime);
        };
        trace.messages = sortedRows(from_.messages, &Message::sendTime, &Message::sender, move);
        trace.unmatchedReceives =
            sortedRows(from_.unmatchedReceives, &Message::receiveTime, &Message::receiver, move);
    }

    void shiftCollectives(Trace& trace) const
    {
        std::vector<CollectiveOperation> operations(from_.collectives.begin(), from_.collectives.end());
        std::vector<CollectiveMember> members(from_.collectiveMembers.begin(), from_.collectiveMembers.end());
        for (CollectiveMember& member : members) {
            member.begin = shiftOf(member.location)(member.begin);
            member.end = shiftOf(member.location)(member.end);
        }
        for (CollectiveOperation& operation : operations) {
            const auto own = std::span(members).subspan(operation.firstMember, operation.memberCount);
            if (own.empty()) continue;
            operation.begin = std::min_element(own.begin(), own.end(), [](const auto& a, const auto& b) {
                                  return a.begin < b.begin;
                              })->begin;
            operation.end = std::max_element(own.begin(), own.end(), [](const auto& a, const auto& b) {
                                return a.end < b.end;
                            })->end;
        }
        std::stable_sort(operations.begin(), operations.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        std::vector<CollectiveMember> arranged;
        arranged.reserve(members.size());
        for (CollectiveOperation& operation : operations) {
            const auto own = std::span(members).subspan(operation.firstMember, operation.memberCount);
            operation.firstMember = arranged.size();
            arranged.insert(arranged.end(), own.begin(), own.end());
        }
        trace.collectives = Column<CollectiveOperation>(std::move(operations));
        trace.collectiveMembers = Column<CollectiveMember>(std::move(arranged));
    }

    void shiftStreams(Trace& trace) const
    {
        trace.metricStreams = from_.metricStreams;
        for (MetricStream& stream : trace.metricStreams)
            stream.times = shifted(stream.times, shiftOf(stream.recorder));
    }

    template <typename Row>
    Column<Row> spans(const Column<Row>& rows, LocationId Row::*location) const
    {
        return sortedRows(rows, &Row::begin, location, [&](Row& row) {
            row.begin = shiftOf(row.*location)(row.begin);
            row.end = shiftOf(row.*location)(row.end);
        });
    }

    template <typename Row>
    Column<Row> points(const Column<Row>& rows) const
    {
        return sortedRows(rows, &Row::time, &Row::location,
                          [&](Row& row) { row.time = shiftOf(row.location)(row.time); });
    }

    void shiftTables(Trace& trace) const
    {
        trace.rmaOperations = spans(from_.rmaOperations, &RmaOperation::origin);
        trace.ioOperations = spans(from_.ioOperations, &IoOperation::location);
        trace.bufferFlushes = spans(from_.bufferFlushes, &BufferFlush::location);
        trace.programRuns = spans(from_.programRuns, &ProgramRun::location);
        trace.threadEvents = points(from_.threadEvents);
        trace.parameterEvents = points(from_.parameterEvents);
        trace.markers = points(from_.markers);
        trace.samples = points(from_.samples);
    }

    const Trace& from_;
    const Task& task_;
    std::vector<Shift> shifts_;  ///< [location]
    Shift unlocated_;
    TimeNs originNs_ = 0;
};

}  // namespace

Result<Experiment> correctClocks(const Experiment& experiment, const ClockOffsets& offsets, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} is no trace; only traces have clocks to correct.", experiment.name));
    if (offsets.groups.size() != experiment.definitions.locationGroups.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The clock offsets are not those of {}.", experiment.name));
    if (!offsets.needed()) return experiment;
    TraceCorrection correction(experiment, offsets, task);
    Experiment corrected = experiment;
    corrected.trace = correction.run();
    corrected.timelineIndex = nullptr;
    corrected.summary = nullptr;
    if (!corrected.trace) return cancelled();
    const double ticksPerNs = static_cast<double>(experiment.definitions.clock.ticksPerSecond) * 1e-9;
    const auto moved =
        static_cast<std::int64_t>(std::floor(static_cast<double>(correction.originNs()) * ticksPerNs));
    corrected.definitions.clock.originTicks += static_cast<std::uint64_t>(moved);
    return corrected;
}

}  // namespace skein
