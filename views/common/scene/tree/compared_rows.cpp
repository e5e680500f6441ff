// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/compared_rows.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr double kComparedNs = 1e9;

/// The metric in the language of expressions, without `.inc`.
std::string comparedMetric(const Session& session, MetricRef metric)
{
    if (metric == kCallsMetric) return "calls";
    const std::string name = profileMetricName(session, metric);
    return name.empty() ? "time" : "\"" + name + "\"";
}

class ComparedRowsMaker {
public:
    ComparedRowsMaker(const Session& session, const ComparedRowsRequest& request)
        : session_(session),
          request_(request),
          choice_(withinSession(request.choice, session.experiments.size())),
          clock_(sessionClock(session, request.clockShiftsNs)),
          metric_(comparedMetric(session, request.metric))
    {
    }

    Result<ComparedRowsPtr> make(const Task& task)
    {
        auto a = tableOf(choice_.a, task.part(0.0, 0.4));
        if (!a) return Unexpected(std::move(a.error()));
        auto b = tableOf(choice_.b, task.part(0.4, 0.8));
        if (!b) return Unexpected(std::move(b.error()));
        a_ = std::move(*a);
        b_ = std::move(*b);
        const bool calls = request_.metric == kCallsMetric;
        auto exclusive = compared(metric_ + (calls ? "" : ".exc"));
        if (!exclusive) return Unexpected(std::move(exclusive.error()));
        auto inclusive = compared(metric_ + (calls ? "" : ".inc"));
        if (!inclusive) return Unexpected(std::move(inclusive.error()));
        if (task.stopRequested()) return cancelled();
        take(*exclusive, *inclusive);
        if (request_.proposes) propose();
        return ComparedRowsPtr(std::make_shared<const ComparedRows>(std::move(out_)));
    }

private:
    Result<MeasuredTable> tableOf(const ComparedPart& part, const Task& task) const
    {
        const std::uint32_t number = part.experiment;
        ProfilePart of;
        if (part.span) of.window = clock_.toExperiment(number, *part.span);
        of.locations = keptLocations(session_, number, request_.filters);
        return measuredTable(*session_.experiments[number], of, {metric_, false, request_.byRegion}, task);
    }

    Result<Comparison> compared(const std::string& metric) const
    {
        CompareParams params;
        params.metric = metric;
        params.per = choice_.per;
        params.phaseRegion = choice_.phaseRegion;
        params.matches = choice_.matches;
        auto comparison = compareRuns({{&a_}}, {{&b_}}, params);
        if (!comparison)
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("The runs cannot be compared by {}: {}.", metric_, comparison.error().message));
        return std::move(*comparison);
    }

    void take(const Comparison& exclusive, const Comparison& inclusive)
    {
        const bool time = exclusive.unit == "s";
        scale_ = time ? kComparedNs : 1.0;
        out_.unit = time ? "ns" : exclusive.unit;
        out_.rows.time = time;
        out_.titleA = comparedTitle(session_, choice_.a);
        out_.titleB = comparedTitle(session_, choice_.b);
        out_.ranksA = static_cast<double>(a_.ranks);
        out_.ranksB = static_cast<double>(b_.ranks);
        out_.rows.rowOfCallPath.resize(session_.experiments.size());
        out_.rows.rowOfRegion.resize(session_.experiments.size());
        for (const std::uint32_t number : {choice_.a.experiment, choice_.b.experiment}) {
            const Experiment& experiment = *session_.experiments[number];
            out_.rows.rowOfCallPath[number].assign(experiment.callTree->size(), -1);
            out_.rows.rowOfRegion[number].assign(experiment.definitions.regions.size(), -1);
        }
        out_.verdicts = exclusive.verdicts;
        for (std::size_t node = 0; node < exclusive.joint.table.size(); ++node) {
            out_.exclusive.push_back(scaled(exclusive.changes[node]));
            out_.inclusive.push_back(scaled(inclusive.changes[node]));
            addRow(exclusive.joint, node);
        }
    }

    ChangeEstimate scaled(ChangeEstimate change) const
    {
        change.a *= scale_;
        change.b *= scale_;
        change.low *= scale_;
        change.high *= scale_;
        return change;
    }

    void addRow(const JointTree& joint, std::size_t node)
    {
        CallTreeRow row;
        row.name = std::string(joint.table.name(node));
        const std::uint32_t parent = joint.table.parent(node);
        if (parent != CallTable::kNone) {
            row.parent = parent;
            out_.rows.hasTree = true;
        }
        out_.callPaths.emplace_back();
        out_.regions.emplace_back();
        row.experiment = joint.has(0, node) ? choice_.a.experiment : choice_.b.experiment;
        if (joint.has(0, node)) addSide(row, a_, choice_.a.experiment, joint.nodeOf[0][node]);
        if (joint.has(1, node)) addSide(row, b_, choice_.b.experiment, joint.nodeOf[1][node]);
        const double in = out_.inclusive.back().difference(), ex = out_.exclusive.back().difference();
        row.values.inclusive = std::fabs(in);
        row.values.exclusive = std::fabs(ex);
        row.values.calls = joint.has(1, node) ? b_.calls[joint.nodeOf[1][node]] : 0.0;
        out_.rows.rows.push_back(std::move(row));
    }

    void addSide(CallTreeRow& row, const MeasuredTable& table, std::uint32_t experiment, std::uint32_t node)
    {
        const auto number = static_cast<std::int64_t>(out_.rows.rows.size());
        const bool own = row.experiment == experiment;
        if (!table.callPaths.empty())
            for (const CallPathId id : table.callPaths[node]) {
                out_.rows.rowOfCallPath[experiment][id.index()] = number;
                if (own) row.callPaths.push_back(id);
                out_.callPaths.back().push_back({experiment, id});
            }
        const RegionId region = table.regions[node];
        if (own && row.regions.empty()) row.regions.push_back(region);
        out_.regions.back().push_back({experiment, region});
        if (table.callPaths.empty()) out_.rows.rowOfRegion[experiment][region.index()] = number;
    }

    void propose()
    {
        for (MatchProposal& one : proposeMatches(a_.table, b_.table)) {
            const auto same = [&](const PathMatch& match) { return match == one.match; };
            if (std::none_of(choice_.matches.begin(), choice_.matches.end(), same))
                out_.proposals.push_back(std::move(one));
        }
    }

    const Session& session_;
    const ComparedRowsRequest& request_;
    ComparisonChoice choice_;
    SessionClock clock_;
    std::string metric_;
    MeasuredTable a_, b_;
    double scale_ = 1.0;
    ComparedRows out_;
};

}  // namespace

Result<ComparedRowsPtr> makeComparedRows(const Session& session, const ComparedRowsRequest& request,
                                         const Task& task)
{
    return ComparedRowsMaker(session, request).make(task);
}

std::string comparedTitle(const Session& session, const ComparedPart& part)
{
    if (part.experiment >= session.experiments.size()) return "?";
    std::string title = session.experiments[part.experiment]->name;
    if (part.span)
        title += fmt::format(", {} … {}", formatDuration(static_cast<double>(part.span->begin)),
                             formatDuration(static_cast<double>(part.span->end)));
    return title;
}

std::vector<std::uint32_t> byGrowth(const ComparedRows& compared)
{
    std::vector<std::uint32_t> order(compared.exclusive.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto growth = [&](std::uint32_t row) {
        const double difference = compared.exclusive[row].difference();
        return std::isnan(difference) ? -HUGE_VAL : difference;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return growth(x) > growth(y); });
    return order;
}

Selection selectionOfCompared(const Session& session, const ComparedRows& compared, std::size_t row)
{
    if (row >= compared.callPaths.size()) return {};
    if (!compared.callPaths[row].empty()) return select(session, compared.callPaths[row]);
    return select(session, compared.regions[row]);
}

}  // namespace skein
