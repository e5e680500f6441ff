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
                     const ProvenanceParams& params, const CallVerdicts& verdicts, const Task& task)
        : experiment_(experiment),
          trace_(*experiment.trace),
          found_(found),
          params_(params),
          verdicts_(verdicts),
          task_(task),
          messagesOf_(experiment.trace->locations.size())
    {
        std::set<LocationId> wanted;
        collect();
        for (const JudgedCall& call : recorded_) wanted.insert(call.location);
        for (std::uint32_t i = 0; i < trace_.messages.size(); ++i)
            for (const LocationId end : {trace_.messages[i].sender, trace_.messages[i].receiver})
                if (wanted.contains(end)) messagesOf_[end.index()].push_back(i);
    }

    json records() const
    {
        json list = json::array();
        for (const JudgedCall& call : recorded_) {
            if (task_.stopRequested()) break;
            list.push_back(record(call));
        }
        return list;
    }

private:
    /// Anomalies, and calls that somebody said something of, as they were found; then the others by location.
    void collect()
    {
        const auto take = [&](const JudgedCall& call) {
            const bool odd = verdicts_.labelOf(found_, call) == AnomalyLabel::Anomaly;
            if (odd || verdicts_.saidOf(call.location, call.call)) recorded_.push_back(call);
            if (odd) anomalies_.insert({call.location, call.call});
        };
        for (const JudgedCall& call : found_.calls) take(call);
        if (verdicts_.empty()) return;
        forEachJudgedCall(
            experiment_, found_, {},
            [&](const JudgedCall& call) {
                if (call.label == AnomalyLabel::Normal) take(call);
                return true;
            },
            task_);
    }

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
        row["reason"] = std::string(whyOf(call));
        if (const auto said = verdicts_.saidOf(call.location, call.call))
            row["user_verdict"] = std::string(name(*said));
        return row;
    }

    const Experiment& experiment_;
    const Trace& trace_;
    const FoundAnomalies& found_;
    const ProvenanceParams params_;
    const CallVerdicts& verdicts_;
    const Task& task_;
    std::vector<JudgedCall> recorded_;
    std::set<std::pair<LocationId, std::uint32_t>> anomalies_;
    std::vector<std::vector<std::uint32_t>> messagesOf_;  ///< of locations with anomalies
};

}  // namespace

std::string provenanceJson(const Experiment& experiment, const FoundAnomalies& found,
                           const ProvenanceParams& params, const CallVerdicts& verdicts, const Task& task)
{
    const json document{{"anomalies", ProvenanceWriter(experiment, found, params, verdicts, task).records()}};
    if (task.stopRequested()) return {};
    return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace skein
