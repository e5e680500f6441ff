// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/caller_rows.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace skein {
namespace {

constexpr int kMostNestingSteps = 64;

/// A call path of a function, and how far out its callers have been followed.
struct CallerMember {
    std::uint32_t leaf = 0;
    std::uint32_t at = 0;
};

/// A row of the result whose callers may have to be found.
struct CallerGroup {
    std::int64_t row = -1;
    std::size_t first = 0, last = 0;  ///< its members
};

class CallerRowsMaker {
public:
    CallerRowsMaker(const CallTreeRows& rows, const CallerRowsOptions& options)
        : rows_(rows.rows),
          options_(options),
          nameOf_(rows_.size()),
          sameAbove_(rows_.size(), -1),
          stamps_(rows_.size(), 0)
    {
        result_.rows.time = rows.time;
        result_.rows.insteadOfTime = rows.insteadOfTime;
        result_.rows.hasTree = true;
        result_.rows.rowOfCallPath.resize(rows.rowOfCallPath.size());
        result_.rows.rowOfRegion.resize(rows.rowOfRegion.size());
        for (std::size_t number = 0; number < rows.rowOfCallPath.size(); ++number) {
            result_.rows.rowOfCallPath[number].assign(rows.rowOfCallPath[number].size(), -1);
            result_.rows.rowOfRegion[number].assign(rows.rowOfRegion[number].size(), -1);
        }
        nameRows();
        findRecursion();
    }

    CallerRows make(const Task& task)
    {
        std::vector<CallerMember> members;
        std::vector<CallerGroup> groups = functions(members);
        std::size_t named = members.size();
        while (!groups.empty() && result_.levels < options_.levels && !task.stopRequested()) {
            std::vector<CallerMember> outer;
            std::vector<CallerGroup> next;
            for (const CallerGroup& group : groups) addCallers(group, members, outer, next);
            named += outer.size();
            members = std::move(outer);
            groups = std::move(next);
            if (groups.empty()) break;
            ++result_.levels;
            if (result_.rows.rows.size() < options_.mostRows && named < options_.mostMembers) continue;
            result_.complete = false;
            break;
        }
        return std::move(result_);
    }

private:
    bool isCall(std::size_t row) const
    {
        return !rows_[row].callPaths.empty() || !rows_[row].regions.empty();
    }

    void nameRows()
    {
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            nameOf_[row] = numbers.try_emplace(rows_[row].name, static_cast<std::uint32_t>(numbers.size()))
                               .first->second;
        names_ = numbers.size();
    }

    /// The nearest row above each that has its name. Rows are in preorder: what is open is a stack.
    void findRecursion()
    {
        std::vector<std::int64_t> latest(names_, -1);
        std::vector<std::pair<std::size_t, std::int64_t>>
            open;  // row, and what was latest of its name before
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            while (!open.empty() && static_cast<std::int64_t>(open.back().first) != rows_[row].parent) {
                latest[nameOf_[open.back().first]] = open.back().second;
                open.pop_back();
            }
            sameAbove_[row] = latest[nameOf_[row]];
            open.emplace_back(row, latest[nameOf_[row]]);
            if (isCall(row)) latest[nameOf_[row]] = static_cast<std::int64_t>(row);
        }
    }

    std::vector<CallerGroup> functions(std::vector<CallerMember>& members)
    {
        std::vector<std::int64_t> experimentRow(result_.rows.rowOfCallPath.size(), -1);
        for (std::uint32_t row = 0; row < rows_.size(); ++row) {
            if (isCall(row)) {
                if (options_.function.empty() || rows_[row].name == options_.function)
                    members.push_back({row, row});
                continue;
            }
            experimentRow[rows_[row].experiment] = static_cast<std::int64_t>(result_.rows.rows.size());
            result_.rows.rows.push_back(rows_[row]);
        }
        return groupsOf(members, 0, [&](const CallerMember& member) {
            return experimentRow[rows_[member.leaf].experiment];
        });
    }

    void addCallers(const CallerGroup& group, const std::vector<CallerMember>& members,
                    std::vector<CallerMember>& outer, std::vector<CallerGroup>& next)
    {
        const std::size_t first = outer.size();
        for (std::size_t member = group.first; member < group.last; ++member) {
            const std::int64_t caller = rows_[members[member].at].parent;
            if (caller >= 0 && isCall(static_cast<std::size_t>(caller)))
                outer.push_back({members[member].leaf, static_cast<std::uint32_t>(caller)});
        }
        const auto found = groupsOf(outer, first, [&](const CallerMember&) { return group.row; });
        next.insert(next.end(), found.begin(), found.end());
    }

    /// Members from `first` on in groups of the same experiment and name, each a row of the result.
    template <typename ParentOf>
    std::vector<CallerGroup> groupsOf(std::vector<CallerMember>& members, std::size_t first,
                                      ParentOf parentOf)
    {
        const auto key = [this](const CallerMember& member) {
            return std::pair(rows_[member.at].experiment, nameOf_[member.at]);
        };
        std::stable_sort(
            members.begin() + static_cast<std::ptrdiff_t>(first), members.end(),
            [&](const CallerMember& left, const CallerMember& right) { return key(left) < key(right); });
        std::vector<CallerGroup> groups;
        for (std::size_t from = first; from < members.size();) {
            std::size_t to = from + 1;
            while (to < members.size() && key(members[to]) == key(members[from])) ++to;
            groups.push_back({static_cast<std::int64_t>(result_.rows.rows.size()), from, to});
            addRow(members, from, to, parentOf(members[from]));
            from = to;
        }
        return groups;
    }

    void addRow(const std::vector<CallerMember>& members, std::size_t from, std::size_t to,
                std::int64_t parent)
    {
        const auto number = static_cast<std::int64_t>(result_.rows.rows.size());
        const bool outermost = members[from].leaf == members[from].at;
        CallTreeRow row;
        row.name = rows_[members[from].at].name;
        row.parent = parent;
        row.experiment = rows_[members[from].at].experiment;
        row.total = rows_[members[from].leaf].total;
        ++stamp_;
        for (std::size_t at = from; at < to; ++at) stamps_[members[at].leaf] = stamp_;
        row.values.aggregation = rows_[members[from].leaf].values.aggregation;
        for (std::size_t at = from; at < to; ++at) addMember(row, members[at], outermost ? number : -1);
        std::sort(row.regions.begin(), row.regions.end());
        row.regions.erase(std::unique(row.regions.begin(), row.regions.end()), row.regions.end());
        if (to - from == 1) {
            row.balance = rows_[members[from].leaf].balance;
            row.worst = rows_[members[from].leaf].worst;
        }
        result_.rows.rows.push_back(std::move(row));
    }

    void addMember(CallTreeRow& row, const CallerMember& member, std::int64_t number)
    {
        const CallTreeRow& leaf = rows_[member.leaf];
        ProfileValues values = leaf.values;
        if (values.aggregation == MetricAggregation::Sum && isNested(member.leaf)) values.inclusive = 0.0;
        row.values.merge(values);
        row.callPaths.insert(row.callPaths.end(), leaf.callPaths.begin(), leaf.callPaths.end());
        const CallTreeRow& called = rows_[member.at];
        row.regions.insert(row.regions.end(), called.regions.begin(), called.regions.end());
        if (number < 0) return;
        for (const CallPathId id : leaf.callPaths)
            result_.rows.rowOfCallPath[leaf.experiment][id.index()] = number;
        if (leaf.callPaths.empty())
            for (const RegionId id : leaf.regions)
                result_.rows.rowOfRegion[leaf.experiment][id.index()] = number;
    }

    /// Whether an outer call of the function is in the same row: it holds this one's amount.
    bool isNested(std::uint32_t leaf) const
    {
        std::int64_t above = sameAbove_[leaf];
        for (int step = 0; above >= 0 && step < kMostNestingSteps; ++step) {
            if (stamps_[static_cast<std::size_t>(above)] == stamp_) return true;
            above = sameAbove_[static_cast<std::size_t>(above)];
        }
        return false;
    }

    const std::vector<CallTreeRow>& rows_;
    const CallerRowsOptions& options_;
    std::vector<std::uint32_t> nameOf_;
    std::vector<std::int64_t> sameAbove_;
    std::vector<std::uint32_t> stamps_;  ///< number of the last row that has the call path
    std::uint32_t stamp_ = 0;
    std::size_t names_ = 0;
    CallerRows result_;
};

}  // namespace

CallerRows makeCallerRows(const CallTreeRows& rows, const CallerRowsOptions& options, const Task& task)
{
    return CallerRowsMaker(rows, options).make(task);
}

}  // namespace skein
