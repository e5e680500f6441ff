// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_states.h"
#include "core/trace/trace.h"
#include "python/native/archive.h"
#include "python/native/arrays.h"

#include <cstddef>
#include <fmt/format.h>

namespace skein::python {
namespace {

const Trace& traceOf(const Archive& archive)
{
    if (!archive.experiment->trace)
        raiseError({ErrorCode::NotRecorded,
                    archive.label + " is a profile: it has no calls, messages or times.",
                    {}});
    return *archive.experiment->trace;
}

py::dict calls(const Archive& archive, std::uint64_t location)
{
    const Trace& trace = traceOf(archive);
    if (location >= trace.locations.size())
        raiseError({ErrorCode::InvalidArgument,
                    fmt::format("{} has {} locations, from 0 on; there is none of number {}.", archive.label,
                                trace.locations.size(), location),
                    {}});
    const CallIntervals& rows = trace.locations[location].intervals;
    py::dict fields;
    fields["begin_ns"] = columnArray(rows.begin);
    fields["end_ns"] = columnArray(rows.end);
    fields["call_path"] = columnArray(rows.callPath);
    fields["depth"] = columnArray(rows.depth);
    return fields;
}

py::dtype messageType()
{
    return RowType(sizeof(Message))
        .add("send_ns", "<i8", offsetof(Message, sendTime))
        .add("receive_ns", "<i8", offsetof(Message, receiveTime))
        .add("send_end_ns", "<i8", offsetof(Message, sendEnd))
        .add("bytes", "<u8", offsetof(Message, bytes))
        .add("sender", "<u4", offsetof(Message, sender))
        .add("receiver", "<u4", offsetof(Message, receiver))
        .add("communicator", "<u4", offsetof(Message, communicator))
        .add("tag", "<u4", offsetof(Message, tag))
        .add("send_call", "<u4", offsetof(Message, sendInterval))
        .add("receive_call", "<u4", offsetof(Message, receiveInterval))
        .finish();
}

py::dtype collectiveType()
{
    return RowType(sizeof(CollectiveOperation))
        .add("begin_ns", "<i8", offsetof(CollectiveOperation, begin))
        .add("end_ns", "<i8", offsetof(CollectiveOperation, end))
        .add("first_member", "<u8", offsetof(CollectiveOperation, firstMember))
        .add("members", "<u4", offsetof(CollectiveOperation, memberCount))
        .add("communicator", "<u4", offsetof(CollectiveOperation, communicator))
        .add("root", "<u4", offsetof(CollectiveOperation, root))
        .add("kind", "u1", offsetof(CollectiveOperation, kind))
        .finish();
}

py::dtype memberType()
{
    return RowType(sizeof(CollectiveMember))
        .add("begin_ns", "<i8", offsetof(CollectiveMember, begin))
        .add("end_ns", "<i8", offsetof(CollectiveMember, end))
        .add("bytes_sent", "<u8", offsetof(CollectiveMember, bytesSent))
        .add("bytes_received", "<u8", offsetof(CollectiveMember, bytesReceived))
        .add("location", "<u4", offsetof(CollectiveMember, location))
        .add("call", "<u4", offsetof(CollectiveMember, interval))
        .finish();
}

py::dtype rmaType()
{
    return RowType(sizeof(RmaOperation))
        .add("begin_ns", "<i8", offsetof(RmaOperation, begin))
        .add("end_ns", "<i8", offsetof(RmaOperation, end))
        .add("bytes", "<u8", offsetof(RmaOperation, bytes))
        .add("origin", "<u4", offsetof(RmaOperation, origin))
        .add("target", "<u4", offsetof(RmaOperation, target))
        .add("communicator", "<u4", offsetof(RmaOperation, communicator))
        .add("call", "<u4", offsetof(RmaOperation, interval))
        .add("kind", "u1", offsetof(RmaOperation, kind))
        .finish();
}

py::dtype ioType()
{
    return RowType(sizeof(IoOperation))
        .add("begin_ns", "<i8", offsetof(IoOperation, begin))
        .add("end_ns", "<i8", offsetof(IoOperation, end))
        .add("bytes_requested", "<u8", offsetof(IoOperation, bytesRequested))
        .add("bytes_transferred", "<u8", offsetof(IoOperation, bytesTransferred))
        .add("location", "<u4", offsetof(IoOperation, location))
        .add("handle", "<u4", offsetof(IoOperation, handle))
        .add("file", "<u4", offsetof(IoOperation, file))
        .add("call", "<u4", offsetof(IoOperation, interval))
        .add("kind", "u1", offsetof(IoOperation, kind))
        .finish();
}

py::dtype threadEventType()
{
    return RowType(sizeof(ThreadEvent))
        .add("time_ns", "<i8", offsetof(ThreadEvent, time))
        .add("object", "<u8", offsetof(ThreadEvent, object))
        .add("location", "<u4", offsetof(ThreadEvent, location))
        .add("value", "<u4", offsetof(ThreadEvent, value))
        .add("call", "<u4", offsetof(ThreadEvent, interval))
        .add("kind", "u1", offsetof(ThreadEvent, kind))
        .finish();
}

py::dtype sampleType()
{
    return RowType(sizeof(CallPathSample))
        .add("time_ns", "<i8", offsetof(CallPathSample, time))
        .add("location", "<u4", offsetof(CallPathSample, location))
        .add("call_path", "<u4", offsetof(CallPathSample, callPath))
        .finish();
}

py::dtype markerType()
{
    return RowType(sizeof(Marker))
        .add("time_ns", "<i8", offsetof(Marker, time))
        .add("duration_ns", "<i8", offsetof(Marker, durationNs))
        .add("location", "<u4", offsetof(Marker, location))
        .add("text", "<u4", offsetof(Marker, text))
        .add("category", "<u4", offsetof(Marker, category))
        .add("severity", "u1", offsetof(Marker, severity))
        .finish();
}

py::dtype waitType()
{
    return RowType(sizeof(WaitState))
        .add("begin_ns", "<i8", offsetof(WaitState, begin))
        .add("end_ns", "<i8", offsetof(WaitState, end))
        .add("location", "<u4", offsetof(WaitState, location))
        .add("cause", "<u4", offsetof(WaitState, cause))
        .add("call", "<u4", offsetof(WaitState, interval))
        .add("cause_call", "<u4", offsetof(WaitState, causeInterval))
        .add("message", "<u4", offsetof(WaitState, message))
        .add("kind", "u1", offsetof(WaitState, kind))
        .finish();
}

/// The names of an enumeration's values, by their numbers.
template <typename Kind>
py::list namesUpTo(Kind last)
{
    py::list names;
    for (int kind = 0; kind <= static_cast<int>(last); ++kind)
        names.append(std::string(name(static_cast<Kind>(kind))));
    return names;
}

py::dict kindNames()
{
    py::dict kinds;
    kinds["collectives"] = namesUpTo(CollectiveKind::Other);
    kinds["rma_operations"] = namesUpTo(RmaKind::Other);
    kinds["io_operations"] = namesUpTo(IoKind::Other);
    kinds["thread_events"] = namesUpTo(ThreadEventKind::LockRelease);
    kinds["wait_states"] = namesUpTo(WaitKind::WaitAtNxN);
    return kinds;
}

py::array table(const Archive& archive, const std::string& which)
{
    const Trace& trace = traceOf(archive);
    if (which == "messages") return columnArray(trace.messages, messageType());
    if (which == "unmatched_receives") return columnArray(trace.unmatchedReceives, messageType());
    if (which == "collectives") return columnArray(trace.collectives, collectiveType());
    if (which == "collective_members") return columnArray(trace.collectiveMembers, memberType());
    if (which == "rma_operations") return columnArray(trace.rmaOperations, rmaType());
    if (which == "io_operations") return columnArray(trace.ioOperations, ioType());
    if (which == "thread_events") return columnArray(trace.threadEvents, threadEventType());
    if (which == "stack_samples") return columnArray(trace.samples, sampleType());
    if (which == "markers") return columnArray(trace.markers, markerType());
    raiseError({ErrorCode::InvalidArgument, "A trace has no table \"" + which + "\".", {}});
}

const char* formatOf(MetricValueType type)
{
    return type == MetricValueType::Double ? "<f8" : type == MetricValueType::Int64 ? "<i8" : "<u8";
}

/// Samples of metrics that were recorded together; all values of a metric's column have the metric's type.
py::list metricStreams(const Archive& archive)
{
    const Definitions& definitions = archive.experiment->definitions;
    py::list streams;
    for (const MetricStream& stream : traceOf(archive).metricStreams) {
        py::list ids, formats;
        for (const MetricId metric : stream.metrics) {
            ids.append(metric.value());
            formats.append(formatOf(definitions.metric(metric).valueType));
        }
        const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(stream.samples()),
                                             static_cast<py::ssize_t>(stream.metrics.size())};
        py::dict fields;
        fields["recorder"] = stream.recorder.value();
        fields["metrics"] = ids;
        fields["formats"] = formats;
        fields["times_ns"] = columnArray(stream.times);
        fields["values"] = sharedArray(std::make_shared<const Column<std::uint64_t>>(stream.values),
                                       {stream.values.data(), py::dtype::of<std::uint64_t>(), shape});
        streams.append(fields);
    }
    return streams;
}

py::array waitStates(const Archive& archive, int threads, const py::object& progress)
{
    const WaitStates found = made(
        {progress, threads}, [&](const Task& task) { return findWaitStates(*archive.experiment, task); });
    return columnArray(found.states, waitType());
}

py::tuple extent(const Archive& archive)
{
    const Trace& trace = traceOf(archive);
    return py::make_tuple(trace.extent.begin, trace.extent.end);
}

}  // namespace

void defineTraceTables(py::module_& module)
{
    module.def("extent", &extent);
    module.def("calls", &calls);
    module.def("table", &table);
    module.def("kind_names", &kindNames);
    module.def("metric_streams", &metricStreams);
    module.def("wait_states", &waitStates, py::arg("archive"), py::arg("threads") = 0,
               py::arg("progress") = py::none());
    module.attr("NO_TIME") = kNoTime;
    module.attr("NO_CALL") = kNoInterval;
}

}  // namespace skein::python
