// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/tree_quantities.h"

#include "core/select/metric_choice.h"
#include "views/common/scene/tree/derived_column.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr double kUnknownAmount = std::numeric_limits<double>::quiet_NaN();

double treeAmountOf(const CallTreeRow& row, TreeAmount amount)
{
    const ProfileValues& values = row.values;
    const bool singles = values.durations.count > 0;
    switch (amount) {
    case TreeAmount::Inclusive: return values.inclusive;
    case TreeAmount::Exclusive: return values.exclusive;
    case TreeAmount::Calls: return values.calls;
    case TreeAmount::PerCall: return values.mean().value_or(kUnknownAmount);
    case TreeAmount::Shortest: return singles ? values.durations.minimum : kUnknownAmount;
    case TreeAmount::Longest: return singles ? values.durations.maximum : kUnknownAmount;
    case TreeAmount::Imbalance: return row.balance.imbalance().value_or(kUnknownAmount);
    case TreeAmount::Deviation: return row.balance.worst.valid() ? row.balance.deviation : kUnknownAmount;
    case TreeAmount::Derived: break;
    }
    return kUnknownAmount;
}

std::string treeUnitOf(const Session& session, const CallTreeRows& rows, const TreeQuantity& quantity)
{
    if (quantity.amount == TreeAmount::Calls || quantity.amount == TreeAmount::Imbalance
        || quantity.metric == kCallsMetric)
        return {};
    if (rows.time && rows.insteadOfTime.empty()) return "ns";
    const MetricRef metric = quantity.metric;
    if (!metric.valid() || metric.experiment >= session.experiments.size()) return {};
    return session.experiments[metric.experiment]->definitions.metric(metric.id).unit;
}

/// As it is called where these rows show it: another metric may stand for a time that was not recorded.
std::string nameAtRows(const Session& session, const CallTreeRows& rows, const TreeQuantity& quantity)
{
    const bool other = quantity.amount != TreeAmount::Derived && quantity.amount != TreeAmount::Calls
        && !quantity.metric.valid() && !rows.insteadOfTime.empty();
    return other ? rows.insteadOfTime + ", " + name(quantity.amount) : quantityName(session, quantity);
}

std::string metricNameOf(const Session& session, MetricRef metric)
{
    for (const MetricChoice& choice : metricChoices(session))
        if (choice.metric == metric) return choice.name;
    return nameOfTime(session);
}

/// The values of another metric's rows at these rows, by their call paths.
std::vector<double> alignedTo(const CallTreeRows& rows, const CallTreeRows& others,
                              const std::vector<double>& values)
{
    std::vector<double> result(rows.rows.size(), kUnknownAmount);
    for (std::size_t row = 0; row < result.size(); ++row) {
        std::int64_t found = -1;
        for (const CallPathId id : rows.rows[row].callPaths)
            if (found < 0) found = others.rowOf(rows.rows[row].experiment, id);
        if (found >= 0) result[row] = values[static_cast<std::size_t>(found)];
    }
    return result;
}

std::vector<double> amountsOf(const CallTreeRows& rows, TreeAmount amount)
{
    std::vector<double> values;
    values.reserve(rows.rows.size());
    for (const CallTreeRow& row : rows.rows) values.push_back(treeAmountOf(row, amount));
    return values;
}

/// Adds up what each location took of every row, one location at a time.
class SpreadMaker {
public:
    SpreadMaker(const CallTreeRows& rows) : rows_(rows), amounts_(rows.rows.size(), 0.0) {}

    void add(std::uint32_t number, const Experiment& experiment, const QueriedProfile& found,
             std::vector<LocationSpread>& spreads)
    {
        const MetricCube& cube = found.profile->callPaths;
        if (!found.column || *found.column >= cube.inclusive.size() || cube.inclusive[*found.column].empty())
            return;
        const Column<double>& inclusive = cube.inclusive[*found.column];
        std::vector<std::uint32_t> seen(amounts_.size(), 0);
        for (std::size_t location = 0; location < cube.locations(); ++location) {
            for (std::uint64_t at = cube.locationOffsets[location]; at < cube.locationOffsets[location + 1];
                 ++at)
                take(rows_.rowOf(number, CallPathId(cube.items[at])), inclusive[at]);
            for (const std::uint32_t row : touched_) bin(row, spreads[row], seen[row]);
            touched_.clear();
        }
        const std::size_t all = scopeSize(experiment, *found.profile, found.locations);
        for (std::size_t row = 0; row < seen.size(); ++row)
            if (seen[row] > 0 && all > seen[row])
                spreads[row][0] += static_cast<std::uint32_t>(all - seen[row]);
    }

private:
    void take(std::int64_t row, double amount)
    {
        if (row < 0 || !std::isfinite(amount)) return;
        const auto at = static_cast<std::uint32_t>(row);
        if (amounts_[at] == 0.0) touched_.push_back(at);
        amounts_[at] += amount;
    }

    void bin(std::uint32_t row, LocationSpread& spread, std::uint32_t& seen)
    {
        const double amount = std::exchange(amounts_[row], 0.0);
        const double most = rows_.rows[row].balance.maximum;
        if (amount == 0.0 || !(most > 0)) return;
        const double part = std::clamp(amount / most, 0.0, 1.0) * kSpreadBins;
        ++spread[std::min(static_cast<std::size_t>(part), kSpreadBins - 1)];
        ++seen;
    }

    const CallTreeRows& rows_;
    std::vector<double> amounts_;  ///< of the location at hand; 0 where it has nothing
    std::vector<std::uint32_t> touched_;
};

}  // namespace

std::string name(TreeAmount amount)
{
    switch (amount) {
    case TreeAmount::Inclusive: return "inclusive";
    case TreeAmount::Exclusive: return "exclusive";
    case TreeAmount::Calls: return "calls";
    case TreeAmount::PerCall: return "mean of a call";
    case TreeAmount::Shortest: return "shortest call";
    case TreeAmount::Longest: return "longest call";
    case TreeAmount::Imbalance: return "maximum / mean over locations";
    case TreeAmount::Deviation: return "deviation over locations";
    case TreeAmount::Derived: return "by expression";
    }
    return {};
}

Combining combiningOf(TreeAmount amount)
{
    if (amount == TreeAmount::Exclusive) return Combining::Sum;
    if (amount == TreeAmount::Inclusive || amount == TreeAmount::Calls) return Combining::RowOnly;
    return Combining::Largest;
}

std::vector<TreeQuantity> treeQuantities(const Session& session, MetricRef metric,
                                         const std::string& expression)
{
    std::vector<TreeQuantity> all;
    if (metric == kCallsMetric)
        for (const TreeAmount amount : {TreeAmount::Inclusive, TreeAmount::Exclusive})
            all.push_back({metric, amount});
    else
        for (int amount = 0; amount <= static_cast<int>(TreeAmount::Deviation); ++amount)
            all.push_back({metric, static_cast<TreeAmount>(amount)});
    for (const MetricChoice& choice : metricChoices(session)) {
        if (choice.metric == metric || choice.metric == kCallsMetric) continue;
        all.push_back({choice.metric, TreeAmount::Inclusive});
        all.push_back({choice.metric, TreeAmount::Exclusive});
    }
    if (!expression.empty()) all.push_back({metric, TreeAmount::Derived, expression});
    return all;
}

std::string quantityName(const Session& session, const TreeQuantity& quantity)
{
    if (quantity.amount == TreeAmount::Derived) return quantity.expression;
    if (quantity.amount == TreeAmount::Calls) return "Calls";
    return metricNameOf(session, quantity.metric) + ", " + name(quantity.amount);
}

bool isSpeedUp(const std::string& quantityName)
{
    std::string letters;
    for (const char letter : quantityName)
        if (std::isalpha(static_cast<unsigned char>(letter)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return letters.find("speedup") != std::string::npos || letters.find("efficiency") != std::string::npos;
}

Result<RowQuantity> quantityOfRows(const Session& session, const ProfileQuery& query,
                                   const CallTreeRows& rows, const TreeQuantity& quantity, const Task& task)
{
    RowQuantity result{{}, {}, nameAtRows(session, rows, quantity), combiningOf(quantity.amount)};
    if (quantity.amount == TreeAmount::Derived) {
        auto column = derivedOfRows(session, query, rows, DerivedRows::CallPaths, quantity.expression, task);
        if (!column) return tl::make_unexpected(column.error());
        if (!column->problem.empty()) return fail(ErrorCode::InvalidArgument, column->problem);
        result.values = std::move(column->values);
        result.unit = column->unit;
        return result;
    }
    if (quantity.metric == query.metric) {
        result.values = amountsOf(rows, quantity.amount);
        result.unit = treeUnitOf(session, rows, quantity);
        return result;
    }
    ProfileQuery other = query;
    other.metric = quantity.metric;
    const auto others = makeCallTreeRows(session, other, task);
    if (!others) return tl::make_unexpected(others.error());
    result.values = alignedTo(rows, *others, amountsOf(*others, quantity.amount));
    result.unit = treeUnitOf(session, *others, quantity);
    result.name = nameAtRows(session, *others, quantity);
    return result;
}

Result<std::vector<LocationSpread>> locationSpreads(const Session& session, const ProfileQuery& query,
                                                    const CallTreeRows& rows, const Task& task)
{
    std::vector<LocationSpread> spreads(rows.rows.size(), LocationSpread{});
    const SessionProfiles profiles(session, query);
    std::size_t locations = 0;
    const auto done =
        forEachExperiment(session, task, [&](std::uint32_t number, const Task& part) -> std::optional<Error> {
            if (!profiles.canTell(number)) return std::nullopt;
            const auto found = profiles.of(number, part);
            if (!found) return found.error();
            const Experiment& experiment = *session.experiments[number];
            locations = std::max(locations, scopeSize(experiment, *found->profile, found->locations));
            SpreadMaker(rows).add(number, experiment, *found, spreads);
            return std::nullopt;
        });
    if (!done) return tl::make_unexpected(done.error());
    if (locations < 2) spreads.clear();
    return spreads;
}

}  // namespace skein
