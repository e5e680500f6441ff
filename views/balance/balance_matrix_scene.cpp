// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_matrix_scene.h"

#include "algorithms/profile/region_table.h"
#include "views/common/scene/calls/location_order.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace skein {
namespace {

class MatrixBuilder {
public:
    MatrixBuilder(const Session& session, const BalanceRequest& request)
        : session_(session), request_(request), profiles_(session, request.query)
    {
        matrix_.efficiencies.resize(session.experiments.size());
        matrix_.columnsAre = request.columns;
    }

    std::optional<Error> add(std::uint32_t number, const Task& task)
    {
        if (!profiles_.canTell(number)) return std::nullopt;
        const auto found = profiles_.of(number, task);
        if (!found) return found.error();
        if (!found->column) return std::nullopt;
        const Experiment& experiment = *session_.experiments[number];
        matrix_.time = matrix_.time && isTime(experiment, found->cube(), *found->column);
        addColumns(number, *found);
        addRows(number, regionTable(experiment, *found->profile, *found->column));
        // Of some of the processes it would say what it does not mean.
        if (!found->locations)
            if (auto efficiency = efficiencyOf(experiment, profiles_.spanOf(number), task))
                matrix_.efficiencies[number] = *efficiency;
        return std::nullopt;
    }

    BalanceMatrix finish() &&
    {
        for (auto& [name, row] : rows_) {
            row.values.resize(matrix_.columns.size());
            row.total = std::accumulate(row.values.begin(), row.values.end(), 0.0);
            row.mean = row.values.empty() ? 0 : row.total / static_cast<double>(row.values.size());
            const auto most = std::max_element(row.values.begin(), row.values.end());
            row.worst = static_cast<std::size_t>(most - row.values.begin());
            row.maximum = most == row.values.end() ? 0 : *most;
            if (row.maximum > 0) matrix_.rows.push_back(std::move(row));
        }
        std::stable_sort(matrix_.rows.begin(), matrix_.rows.end(),
                         [](const BalanceRow& a, const BalanceRow& b) { return a.total > b.total; });
        return std::move(matrix_);
    }

private:
    /// One key a column: the location, its process, the node of the process; a component has one.
    std::uint64_t keyOf(const Definitions& definitions, LocationId id) const
    {
        if (request_.columns == BalanceColumns::Component) return 0;
        const Location& location = definitions.location(id);
        if (request_.columns == BalanceColumns::Location || !location.group.valid()) return id.value();
        if (request_.columns == BalanceColumns::Process) return location.group.value();
        return definitions.locationGroups[location.group.index()].node.value();
    }

    std::string nameOf(std::uint32_t number, const Definitions& definitions, LocationId id) const
    {
        if (request_.columns == BalanceColumns::Component) return session_.experiments[number]->name;
        const Location& location = definitions.location(id);
        if (request_.columns == BalanceColumns::Location || !location.group.valid())
            return displayName(definitions, id);
        const LocationGroup& process = definitions.locationGroups[location.group.index()];
        if (request_.columns == BalanceColumns::Process || !process.node.valid())
            return location.rank >= 0 ? "Rank " + std::to_string(location.rank) : process.name;
        return definitions.systemTree[process.node.index()].name;
    }

    bool counts(const QueriedProfile& found, std::uint32_t number, LocationId id) const
    {
        const LocationScope one = std::vector<LocationId>{id};
        if (found.locations && !std::binary_search(found.locations->begin(), found.locations->end(), id))
            return false;
        return scopeSize(*session_.experiments[number], *found.profile, one) == 1;
    }

    void addColumns(std::uint32_t number, const QueriedProfile& found)
    {
        const Definitions& definitions = session_.experiments[number]->definitions;
        columnOf_.assign(definitions.locations.size(), kNoColumn);
        std::map<std::uint64_t, std::size_t> known;
        for (const LocationId id : locationsByRank(definitions)) {
            if (!counts(found, number, id)) continue;
            const auto [place, isNew] = known.try_emplace(keyOf(definitions, id), matrix_.columns.size());
            if (isNew) matrix_.columns.push_back({number, nameOf(number, definitions, id), {}});
            matrix_.columns[place->second].locations.push_back(id);
            columnOf_[id.index()] = place->second;
        }
        matrix_.columnTotals.resize(matrix_.columns.size());
    }

    void addRows(std::uint32_t number, const RegionTable& table)
    {
        std::vector<BalanceRow*> rowOf;
        for (const RegionRow& region : table.regions) {
            const bool shown = !region.breakdown && !region.regions.empty()
                && passes(request_.query.filters, RegionRef{number, region.regions.front()});
            rowOf.push_back(shown ? &rows_[region.name] : nullptr);
            if (!shown) continue;
            rowOf.back()->name = region.name;
            rowOf.back()->values.resize(matrix_.columns.size());
            for (const RegionId id : region.regions) rowOf.back()->regions.push_back({number, id});
        }
        for (std::size_t location = 0; location < table.locations(); ++location) {
            const std::size_t column = columnOf_[location];
            if (column == kNoColumn) continue;
            for (const RegionCell& cell : table.cellsOf(location)) {
                BalanceRow* row = rowOf[cell.region];
                if (!row) continue;
                matrix_.columnTotals[column] += cell.exclusive;
                row->values[column] +=
                    request_.quantity == BalanceQuantity::Inclusive ? cell.inclusive : cell.exclusive;
            }
        }
    }

    static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

    const Session& session_;
    const BalanceRequest& request_;
    SessionProfiles profiles_;
    BalanceMatrix matrix_;
    std::map<std::string, BalanceRow> rows_;
    std::vector<std::size_t> columnOf_;  ///< of each location of the experiment that is added
};

}  // namespace

Result<BalanceMatrix> makeBalanceMatrix(const Session& session, const BalanceRequest& request,
                                        const Task& task)
{
    MatrixBuilder builder(session, request);
    const auto done = forEachExperiment(
        session, task, [&](std::uint32_t number, const Task& part) { return builder.add(number, part); });
    if (!done) return tl::make_unexpected(done.error());
    return std::move(builder).finish();
}

}  // namespace skein
