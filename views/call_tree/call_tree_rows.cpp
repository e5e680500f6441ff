// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_rows.h"

#include "algorithms/profile/summarize.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace skein {
namespace {

std::int64_t lookUp(const std::vector<std::vector<std::int64_t>>& table, std::size_t experiment, std::size_t item)
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
    for (const CallPathRow& row : rows)
        if (row.parent < 0) sum += row.values.inclusive;
    return sum;
}

/// In a flat profile the outermost region holds the rest: its inclusive time is the whole.
double inclusiveOfFlat(const std::vector<RegionRow>& rows)
{
    double exclusive = 0.0;
    for (const RegionRow& row : rows) exclusive += row.values.exclusive;
    return exclusive;
}

class RowsBuilder {
public:
    explicit RowsBuilder(const Session& session) : session_(session)
    {
        result_.rowOfCallPath.resize(session.experiments.size());
        result_.rowOfRegion.resize(session.experiments.size());
    }

    std::optional<Error> add(std::uint32_t index, const Task& task)
    {
        const Experiment& experiment = *session_.experiments[index];
        if (!experiment.trace && !experiment.profile) return std::nullopt;
        const auto profile = profileOf(experiment, std::nullopt, task);
        if (!profile) return profile.error();
        const auto column = metricColumn(experiment, **profile, {});
        if (!column) return std::nullopt;
        experiment_ = index;
        const auto paths = profileByCallPath(experiment, **profile, *column);
        if (paths.empty()) addFlat(profileByRegion(experiment, **profile, *column));
        else addTree(paths);
        return std::nullopt;
    }
    CallTreeRows finish() && { return std::move(result_); }

private:
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

    void addTree(const std::vector<CallPathRow>& paths)
    {
        result_.hasTree = true;
        const double total = inclusiveOfRoots(paths);
        const std::int64_t above = addExperiment(total);
        const auto first = static_cast<std::int64_t>(result_.rows.size());
        const CallTree& tree = *session_.experiments[experiment_]->callTree;
        auto& rowOf = result_.rowOfCallPath[experiment_];
        rowOf.assign(tree.size(), -1);
        for (const CallPathRow& path : paths) {
            CallTreeRow row{path.name, path.parent < 0 ? above : first + path.parent, experiment_, path.callPaths, {},
                            path.values, total};
            for (const CallPathId id : path.callPaths) {
                rowOf[id.index()] = static_cast<std::int64_t>(result_.rows.size());
                row.regions.push_back(tree.region(id));
            }
            result_.rows.push_back(std::move(row));
        }
    }

    void addFlat(const std::vector<RegionRow>& regions)
    {
        const double total = inclusiveOfFlat(regions);
        const std::int64_t above = addExperiment(total);
        auto& rowOf = result_.rowOfRegion[experiment_];
        rowOf.assign(session_.experiments[experiment_]->definitions.regions.size(), -1);
        for (const RegionRow& region : regions) {
            for (const RegionId id : region.regions) rowOf[id.index()] = static_cast<std::int64_t>(result_.rows.size());
            result_.rows.push_back({region.name, above, experiment_, {}, region.regions, region.values, total});
        }
    }

    const Session& session_;
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

Result<CallTreeRows> makeCallTreeRows(const Session& session, const Task& task)
{
    RowsBuilder builder(session);
    const auto count = static_cast<double>(session.experiments.size());
    for (std::uint32_t index = 0; index < session.experiments.size(); ++index) {
        const auto error = builder.add(index, task.part(index / count, (index + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (error) return tl::make_unexpected(*error);
    }
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
