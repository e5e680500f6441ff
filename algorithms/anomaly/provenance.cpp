// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/provenance.h"

#include "core/trace/nested_calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

namespace skein {
namespace {

using nlohmann::json;

class ProvenanceWriter {
public:
    ProvenanceWriter(const Experiment& experiment, const FoundAnomalies& found,
                     const ProvenanceParams& params)
        : experiment_(experiment),
          trace_(*experiment.trace),
          found_(found),
          params_(params),
          messagesOf_(experiment.trace->locations.size())
    {
        std::set<LocationId> wanted;
        for (std::size_t i = 0; i < found.anomalies; ++i) {
            wanted.insert(found.calls[i].location);
            anomalies_.insert({found.calls[i].location, found.calls[i].call});
        }
        for (std::uint32_t i = 0; i < trace_.messages.size(); ++i)
            for (const LocationId end : {trace_.messages[i].sender, trace_.messages[i].receiver})
                if (wanted.contains(end)) messagesOf_[end.index()].push_back(i);
    }

    json records() const
    {
        json list = json::array();
        for (std::size_t i = 0; i < found_.anomalies; ++i) list.push_back(record(found_.calls[i]));
        return list;
    }

private:
    static std::int64_t microseconds(TimeNs time) { return time / 1000; }

    std::string eventId(LocationId location, std::uint32_t call) const
    {
        const PlaceOfLocation& place = found_.places[location.index()];
        return fmt::format("{}:{}:{}", place.rank, place.thread, call);
    }

    bool isAnomaly(LocationId location, std::uint32_t call) const
    {
        return anomalies_.contains({location, call});
    }

    /// What every list of calls tells of one.
    json execution(LocationId location, std::uint32_t call) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        const PlaceOfLocation& place = found_.places[location.index()];
        const std::uint32_t function = found_.functionsOfCalls->of(calls.callPath[call]);
        const auto& regions = experiment_.definitions.regions;
        return {{"pid", 0},
                {"rid", place.rank},
                {"tid", place.thread},
                {"fid", function},
                {"func", function < regions.size() ? regions[function].name : std::string("not defined")},
                {"entry", microseconds(calls.begin[call])},
                {"exit", microseconds(calls.end[call])},
                {"event_id", eventId(location, call)},
                {"is_anomaly", isAnomaly(location, call)}};
    }

    json callStack(LocationId location, std::uint32_t call) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        json stack = json::array();
        for (std::uint32_t at = call; at != kNoInterval; at = callerOf(calls, at))
            stack.push_back(execution(location, at));
        return stack;
    }

    /// Calls before and after, by entry, with who called them.
    json window(LocationId location, std::uint32_t call, TimeSpan& span) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        const auto around = static_cast<std::uint32_t>(params_.calls);
        const std::uint32_t first = call > around ? call - around : 0;
        const auto last =
            static_cast<std::uint32_t>(std::min<std::size_t>(calls.size(), std::size_t{call} + around + 1));
        json list = json::array();
        for (std::uint32_t each = first; each < last; ++each) {
            json row = execution(location, each);
            const std::uint32_t caller = callerOf(calls, each);
            row["parent_event_id"] = caller == kNoInterval ? "root" : eventId(location, caller);
            list.push_back(row);
            span = span.united(calls.span(each));
        }
        return list;
    }

    json messages(LocationId location, TimeSpan span) const
    {
        json list = json::array();
        for (const std::uint32_t i : messagesOf_[location.index()]) {
            const Message& message = trace_.messages[i];
            const bool sent = message.sender == location;
            const TimeNs time = sent ? message.sendTime : message.receiveTime;
            if (time == kNoTime || time < span.begin || time > span.end) continue;
            const std::uint32_t call = sent ? message.sendInterval : message.receiveInterval;
            list.push_back({{"type", sent ? "SEND" : "RECV"},
                            {"src", found_.places[message.sender.index()].rank},
                            {"tar", found_.places[message.receiver.index()].rank},
                            {"bytes", message.bytes},
                            {"tag", message.tag},
                            {"timestamp", microseconds(time)},
                            {"execdata_key", call == kNoInterval ? "" : eventId(location, call)}});
            if (list.size() >= params_.messages) break;
        }
        return list;
    }

    json record(const JudgedCall& call) const
    {
        json row = execution(call.location, call.call);
        row["runtime_total"] = microseconds(call.durationNs);
        row["runtime_exclusive"] = microseconds(call.ownNs);
        row["outlier_score"] = call.score;
        row["outlier_severity"] = microseconds(call.severityNs);
        row["call_stack"] = callStack(call.location, call.call);
        TimeSpan span{call.begin, call.begin + call.durationNs};
        json executions = window(call.location, call.call, span);
        row["event_window"] = {{"exec_window", std::move(executions)},
                               {"comm_window", messages(call.location, span)}};
        row["counter_events"] = json::array();
        const TailBreak& usual = found_.models->own(call.function);
        row["algo_params"] = {{"algorithm", std::string(name(found_.models->params().detector))},
                              {"sigma", found_.models->params().sigma},
                              {"median", usual.median / 1000.0},
                              {"deviation", usual.deviation / 1000.0},
                              {"count", usual.count}};
        row["reason"] = std::string(name(call.reason));
        return row;
    }

    const Experiment& experiment_;
    const Trace& trace_;
    const FoundAnomalies& found_;
    const ProvenanceParams params_;
    std::set<std::pair<LocationId, std::uint32_t>> anomalies_;
    std::vector<std::vector<std::uint32_t>> messagesOf_;  ///< of locations with anomalies
};

}  // namespace

std::string provenanceJson(const Experiment& experiment, const FoundAnomalies& found,
                           const ProvenanceParams& params)
{
    const json document{{"anomalies", ProvenanceWriter(experiment, found, params).records()}};
    return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace skein
