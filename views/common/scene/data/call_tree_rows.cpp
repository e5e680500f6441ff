// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/call_tree_rows.h"

#include "core/select/filters.h"
#include "core/select/metric_choice.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace skein {
namespace {

std::int64_t lookUp(const std::vector<std::vector<std::int64_t>>& table, std::size_t experiment,
                    std::size_t item)
{
    return experiment < table.size() && item < table[experiment].size() ? table[experiment][item] : -1;
}

std::string lowerCase(std::string text)
{
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

double inclusiveOfRoots(const std::vector<CallPathRow>& rows)
{
    double sum = 0.0;
    for (const CallPathRow& row : rows) {
        if (row.parent >= 0) continue;
        const bool adds = row.values.aggregation == MetricAggregation::Sum;
        sum = adds ? sum + row.values.inclusive : std::max(sum, row.values.inclusive);
    }
    return sum;
}

/// In a flat profile the outermost region holds the rest: its inclusive time is the whole.
double inclusiveOfFlat(const std::vector<RegionRow>& rows) { return wholeExclusive(rows); }

void mergeInto(CallPathRow& row, CallPathRow& other)
{
    row.callPaths.insert(row.callPaths.end(), other.callPaths.begin(), other.callPaths.end());
    row.locations = std::max(row.locations, other.locations);
    row.values.merge(other.values);
    row.balance = {};  // What each location took of both together is not known here.
}

/// Rows that name the row above them, in any order that has it before them, as a preorder.
std::vector<CallPathRow> inPreorder(std::vector<CallPathRow> rows)
{
    std::vector<std::vector<std::size_t>> below(rows.size() + 1);
    for (std::size_t row = 0; row < rows.size(); ++row)
        below[static_cast<std::size_t>(rows[row].parent + 1)].push_back(row);
    std::vector<CallPathRow> ordered;
    std::vector<std::ptrdiff_t> placeOf(rows.size(), -1);
    std::vector<std::size_t> next(below[0].rbegin(), below[0].rend());
    while (!next.empty()) {
        const std::size_t row = next.back();
        next.pop_back();
        next.insert(next.end(), below[row + 1].rbegin(), below[row + 1].rend());
        placeOf[row] = static_cast<std::ptrdiff_t>(ordered.size());
        if (rows[row].parent >= 0) rows[row].parent = placeOf[static_cast<std::size_t>(rows[row].parent)];
        ordered.push_back(std::move(rows[row]));
    }
    return ordered;
}

/// Leaves hidden rows out; what was below them stands below the nearest row above that is shown, one row a
/// name.
std::vector<CallPathRow> withoutHidden(std::vector<CallPathRow> rows, const std::set<std::string>& hidden)
{
    if (hidden.empty()) return rows;
    std::vector<std::ptrdiff_t> placeOf(rows.size(), -1);
    std::map<std::pair<std::ptrdiff_t, std::string>, std::size_t> placeOfName;
    std::vector<CallPathRow> kept;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::ptrdiff_t above =
            rows[row].parent < 0 ? -1 : placeOf[static_cast<std::size_t>(rows[row].parent)];
        placeOf[row] = above;
        if (hidden.contains(rows[row].name)) continue;
        const auto [known, isNew] = placeOfName.try_emplace({above, rows[row].name}, kept.size());
        placeOf[row] = static_cast<std::ptrdiff_t>(known->second);
        if (!isNew) {
            mergeInto(kept[known->second], rows[row]);
            continue;
        }
        kept.push_back(std::move(rows[row]));
        kept.back().parent = above;
    }
    return inPreorder(std::move(kept));
}

template <typename RowType>
void showCalls(std::vector<RowType>& rows)
{
    for (RowType& row : rows) {
        row.values.inclusive = row.values.exclusive = row.values.calls;
        row.values.durations = {};
        row.values.aggregation = MetricAggregation::Sum;
        row.balance = {};
    }
}

/// Preorder: everything below a row stands after it.
void sumUpwards(std::vector<CallPathRow>& rows)
{
    for (std::size_t row = rows.size(); row-- > 0;) {
        if (rows[row].parent < 0) continue;
        CallPathRow& above = rows[static_cast<std::size_t>(rows[row].parent)];
        if (rows[row].breakdown == above.breakdown) above.values.inclusive += rows[row].values.inclusive;
    }
}

class RowsBuilder {
public:
    RowsBuilder(const Session& session, const ProfileQuery& query)
        : session_(session), query_(query), profiles_(session, query)
    {
        result_.time = query.metric != kCallsMetric;
        result_.rowOfCallPath.resize(session.experiments.size());
        result_.rowOfRegion.resize(session.experiments.size());
    }

    std::optional<Error> add(std::uint32_t index, const Task& task)
    {
        if (!profiles_.canTell(index)) return std::nullopt;
        const auto found = profiles_.of(index, task);
        if (!found) return found.error();
        if (!found->column) return std::nullopt;
        const Experiment& experiment = *session_.experiments[index];
        result_.time = result_.time && isTime(experiment, found->cube(), *found->column);
        if (result_.insteadOfTime.empty()) result_.insteadOfTime = found->insteadOfTime;
        experiment_ = index;
        addRows(experiment, *found);
        return std::nullopt;
    }
    CallTreeRows finish() && { return std::move(result_); }

private:
    void addRows(const Experiment& experiment, const QueriedProfile& found)
    {
        const Profile& profile = *found.profile;
        const std::set<std::string> hidden = hiddenNames(session_, experiment_, query_.filters);
        auto paths = profileByCallPath(experiment, profile, *found.column, found.locations);
        if (paths.empty()) {
            auto regions = profileByRegion(experiment, profile, *found.column, found.locations);
            std::erase_if(regions, [&](const RegionRow& region) { return hidden.contains(region.name); });
            if (query_.metric == kCallsMetric) showCalls(regions);
            return addFlat(regions);
        }
        if (query_.metric == kCallsMetric) {
            showCalls(paths);
            sumUpwards(paths);
        }
        const double total = inclusiveOfRoots(paths);
        addTree(withoutHidden(std::move(paths), hidden), total);
    }

    /// With several experiments each is a row of its own, above its roots.
    std::int64_t addExperiment(double total)
    {
        if (session_.experiments.size() < 2) return -1;
        CallTreeRow row;
        row.name = session_.experiments[experiment_]->name;
        row.experiment = experiment_;
        row.values.inclusive = row.total = total;
        result_.rows.push_back(std::move(row));
        return static_cast<std::int64_t>(result_.rows.size()) - 1;
    }

    std::string worstOf(const LocationBalance& balance) const
    {
        if (!balance.worst.valid()) return {};
        return displayName(session_.experiments[experiment_]->definitions, balance.worst);
    }

    void addTree(const std::vector<CallPathRow>& paths, double total)
    {
        result_.hasTree = true;
        const std::int64_t above = addExperiment(total);
        const auto first = static_cast<std::int64_t>(result_.rows.size());
        const CallTree& tree = *session_.experiments[experiment_]->callTree;
        auto& rowOf = result_.rowOfCallPath[experiment_];
        rowOf.assign(tree.size(), -1);
        for (const CallPathRow& path : paths) {
            CallTreeRow row{path.name,
                            path.parent < 0 ? above : first + path.parent,
                            experiment_,
                            path.callPaths,
                            {},
                            path.values,
                            total,
                            path.balance,
                            worstOf(path.balance)};
            for (const CallPathId id : path.callPaths) {
                rowOf[id.index()] = static_cast<std::int64_t>(result_.rows.size());
                row.regions.push_back(tree.region(id));
            }
            result_.rows.push_back(std::move(row));
        }
        const Experiment& experiment = *session_.experiments[experiment_];
        if (experiment.trace && experiment.profile) addNamesakes(experiment, above, first);
    }

    /// Where a profile was recorded beside a trace, call paths of the trace stand for the row of the same
    /// names. What has no caller in the trace may stand below the program in the profile.
    void addNamesakes(const Experiment& experiment, std::int64_t above, std::int64_t first)
    {
        std::map<std::pair<std::int64_t, std::string>, std::int64_t> known;
        std::vector<std::int64_t> tops{above};
        for (auto row = first; row < static_cast<std::int64_t>(result_.rows.size()); ++row) {
            const CallTreeRow& found = result_.rows[static_cast<std::size_t>(row)];
            known.try_emplace({found.parent, found.name}, row);
            const bool measured = !found.regions.empty()
                && experiment.definitions.region(found.regions.front()).paradigm == Paradigm::Measurement;
            if (found.parent == above && measured) tops.push_back(row);
        }
        const CallTree& tree = *experiment.callTree;
        auto& rowOf = result_.rowOfCallPath[experiment_];
        for (std::size_t node = 0; node < tree.size(); ++node) {
            const CallPathId path(node), parent = tree.parent(path);
            if (rowOf[node] >= 0 || (parent.valid() && rowOf[parent.index()] < 0)) continue;
            const std::string& name = experiment.definitions.region(tree.region(path)).name;
            for (const std::int64_t top : parent.valid() ? std::vector{rowOf[parent.index()]} : tops) {
                const auto found = known.find({top, name});
                if (found == known.end()) continue;
                CallTreeRow& row = result_.rows[static_cast<std::size_t>(found->second)];
                row.callPaths.push_back(path);
                row.regions.push_back(tree.region(path));
                rowOf[node] = found->second;
                break;
            }
        }
    }

    void addFlat(const std::vector<RegionRow>& regions)
    {
        const double total = inclusiveOfFlat(regions);
        const std::int64_t above = addExperiment(total);
        auto& rowOf = result_.rowOfRegion[experiment_];
        rowOf.assign(session_.experiments[experiment_]->definitions.regions.size(), -1);
        for (const RegionRow& region : regions) {
            for (const RegionId id : region.regions)
                rowOf[id.index()] = static_cast<std::int64_t>(result_.rows.size());
            result_.rows.push_back({region.name,
                                    above,
                                    experiment_,
                                    {},
                                    region.regions,
                                    region.values,
                                    total,
                                    region.balance,
                                    worstOf(region.balance)});
        }
    }

    const Session& session_;
    const ProfileQuery& query_;
    SessionProfiles profiles_;
    CallTreeRows result_;
    std::uint32_t experiment_ = 0;
};

}  // namespace

std::int64_t CallTreeRows::rowOf(std::uint32_t experiment, CallPathId callPath) const
{
    return lookUp(rowOfCallPath, experiment, callPath.index());
}

std::int64_t CallTreeRows::rowOf(std::uint32_t experiment, RegionId region) const
{
    return lookUp(rowOfRegion, experiment, region.index());
}

Result<CallTreeRows> makeCallTreeRows(const Session& session, const ProfileQuery& query, const Task& task)
{
    RowsBuilder builder(session, query);
    const auto done = forEachExperiment(
        session, task, [&](std::uint32_t index, const Task& part) { return builder.add(index, part); });
    if (!done) return tl::make_unexpected(done.error());
    return std::move(builder).finish();
}

std::vector<std::uint8_t> matchRows(const CallTreeRows& rows, const std::string& text)
{
    const std::string wanted = lowerCase(text);
    std::vector<std::uint8_t> matches(rows.rows.size(), wanted.empty() ? 2 : 0);
    if (wanted.empty()) return matches;
    for (std::size_t row = rows.rows.size(); row-- > 0;) {
        if (lowerCase(rows.rows[row].name).find(wanted) != std::string::npos) matches[row] = 2;
        const std::int64_t parent = rows.rows[row].parent;
        if (matches[row] && parent >= 0) matches[static_cast<std::size_t>(parent)] |= 1;
    }
    for (std::uint8_t& match : matches) match = match >= 2 ? 2 : match;
    return matches;
}

}  // namespace skein
