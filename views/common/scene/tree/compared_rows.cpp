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
#include <utility>

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
          metric_(comparedMetric(session, request.metric)),
          mentioned_(metric_ + ' ' + request.expression)
    {
    }

    Result<ComparedRowsPtr> make(const Task& task)
    {
        if (const auto read = readSide(choice_.a, a_, task.part(0.0, 0.4)); !read)
            return Unexpected(read.error());
        if (const auto read = readSide(choice_.b, b_, task.part(0.4, 0.8)); !read)
            return Unexpected(read.error());
        const bool calls = request_.metric == kCallsMetric;
        auto exclusive = compared(metric_ + (calls ? "" : ".exc"));
        if (!exclusive) return Unexpected(std::move(exclusive.error()));
        auto inclusive = compared(metric_ + (calls ? "" : ".inc"));
        if (!inclusive) return Unexpected(std::move(inclusive.error()));
        if (task.stopRequested()) return cancelled();
        take(*exclusive, *inclusive);
        if (!request_.expression.empty()) derive(exclusive->joint);
        if (request_.proposes) propose();
        return ComparedRowsPtr(std::make_shared<const ComparedRows>(std::move(out_)));
    }

private:
    /// A run of a side, or one that repeats it.
    struct RunTable {
        std::uint32_t experiment = 0;
        MeasuredTable table;
    };

    Result<void> readSide(const ComparedPart& part, std::vector<RunTable>& runs, const Task& task) const
    {
        std::vector<std::uint32_t> numbers{part.experiment};
        numbers.insert(numbers.end(), part.also.begin(), part.also.end());
        for (const std::uint32_t number : numbers) {
            auto table = tableOf(number, part, task);
            if (!table) return Unexpected(std::move(table.error()));
            runs.push_back({number, std::move(*table)});
        }
        return {};
    }

    Result<MeasuredTable> tableOf(std::uint32_t number, const ComparedPart& part, const Task& task) const
    {
        ProfilePart of;
        if (part.span) of.window = clock_.toExperiment(number, *part.span);
        of.locations = keptLocations(session_, number, request_.filters);
        return measuredTable(
            *session_.experiments[number], of,
            {mentioned_, false, request_.byRegion, hiddenNames(session_, number, request_.filters)}, task);
    }

    Result<Comparison> compared(const std::string& metric) const
    {
        CompareParams params;
        params.metric = metric;
        params.per = choice_.per;
        params.phaseRegion = choice_.phaseRegion;
        params.matches = choice_.matches;
        CompareSide a, b;
        for (const RunTable& run : a_) a.runs.push_back(&run.table);
        for (const RunTable& run : b_) b.runs.push_back(&run.table);
        auto comparison = compareRuns(a, b, params);
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
        out_.ranksA = static_cast<double>(a_.front().table.ranks);
        out_.ranksB = static_cast<double>(b_.front().table.ranks);
        out_.repeated = a_.size() + b_.size() > 2;
        out_.rows.rowOfCallPath.resize(session_.experiments.size());
        out_.rows.rowOfRegion.resize(session_.experiments.size());
        for (const auto* side : {&a_, &b_})
            for (const RunTable& run : *side) {
                const Experiment& experiment = *session_.experiments[run.experiment];
                out_.rows.rowOfCallPath[run.experiment].assign(experiment.callTree->size(), -1);
                out_.rows.rowOfRegion[run.experiment].assign(experiment.definitions.regions.size(), -1);
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
        bool owned = false;
        double callsOfB = 0.0;
        for (std::size_t run = 0; run < a_.size() + b_.size(); ++run) {
            if (!joint.has(run, node)) continue;
            const RunTable& of = run < a_.size() ? a_[run] : b_[run - a_.size()];
            const std::uint32_t own = joint.nodeOf[run][node];
            if (!std::exchange(owned, true)) row.experiment = of.experiment;
            addSide(row, of.table, of.experiment, own);
            if (run >= a_.size()) callsOfB += of.table.calls[own] / static_cast<double>(b_.size());
        }
        const double in = out_.inclusive.back().difference(), ex = out_.exclusive.back().difference();
        row.values.inclusive = std::fabs(in);
        row.values.exclusive = std::fabs(ex);
        row.values.calls = callsOfB;
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

    void derive(const JointTree& joint)
    {
        const ExpressionRun a{"a", &a_.front().table, joint.nodeOf[0]};
        const ExpressionRun b{"b", &b_.front().table, joint.nodeOf[a_.size()]};
        const std::string& expression = request_.expression;
        const auto parsed = MetricExpression::parse(expression);
        if (!parsed) return addProblem(expression, parsed.error());
        if (parsed->namesRun("a") || parsed->namesRun("b"))
            return addDerived(*parsed, expression, {a, b}, joint.table.size());
        addDerived(*parsed, "A: " + expression, {a}, joint.table.size());
        addDerived(*parsed, "B: " + expression, {b}, joint.table.size());
    }

    void addDerived(const MetricExpression& expression, const std::string& title,
                    const std::vector<ExpressionRun>& runs, std::size_t nodes)
    {
        auto metric = expression.evaluate(runs, nodes);
        if (!metric) return addProblem(title, metric.error());
        const bool seconds = metric->unit == "s";
        if (seconds)
            for (double& value : metric->values) value *= kComparedNs;
        out_.derived.push_back({title, seconds ? "ns" : metric->unit, std::move(metric->values), {}});
    }

    void addProblem(const std::string& title, const TextProblem& problem)
    {
        out_.derived.push_back({title,
                                {},
                                std::vector<double>(out_.rows.rows.size(), std::nan("")),
                                sentenceOf(problem, request_.expression)});
    }

    void propose()
    {
        for (MatchProposal& one : proposeMatches(a_.front().table.table, b_.front().table.table)) {
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
    std::string mentioned_;        ///< names of all metrics that are wanted stand in it
    std::vector<RunTable> a_, b_;  ///< the chosen run first
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
    if (!part.also.empty()) title += fmt::format(" and {} more", part.also.size());
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
