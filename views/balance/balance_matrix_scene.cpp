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
        const std::size_t firstColumn = matrix_.columns.size();
        addColumns(number, *found);
        addRows(number, regionTable(experiment, *found->profile, *found->column), firstColumn);
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
    bool counts(const QueriedProfile& found, std::uint32_t number, LocationId id) const
    {
        const LocationScope one = std::vector<LocationId>{id};
        if (found.locations && !std::binary_search(found.locations->begin(), found.locations->end(), id))
            return false;
        return scopeSize(*session_.experiments[number], *found.profile, one) == 1;
    }

    /// What each location that counts is added to.
    SeriesEntities entitiesOf(const Definitions& definitions, const std::vector<bool>& hidden) const
    {
        auto entities = seriesEntities(definitions, request_.columns, hidden);
        if (!entities) entities = seriesEntities(definitions, SeriesEntity::Process, hidden);
        return entities ? std::move(*entities) : SeriesEntities();
    }

    /// By rank, whatever the order of definition.
    void addColumns(std::uint32_t number, const QueriedProfile& found)
    {
        const Definitions& definitions = session_.experiments[number]->definitions;
        std::vector<bool> hidden(definitions.locations.size());
        for (std::size_t id = 0; id < hidden.size(); ++id)
            hidden[id] = !counts(found, number, LocationId(id));
        const SeriesEntities entities = entitiesOf(definitions, hidden);
        std::vector<std::size_t> entityOf(hidden.size(), kNoColumn), columnOfEntity;
        columnOfEntity.assign(entities.names.size(), kNoColumn);
        for (std::size_t entity = 0; entity < entities.locations.size(); ++entity)
            for (const LocationId id : entities.locations[entity]) entityOf[id.index()] = entity;
        for (const LocationId id : locationsByRank(definitions)) {
            const std::size_t entity = entityOf[id.index()];
            if (entity == kNoColumn) continue;
            std::size_t& column = columnOfEntity[entity];
            if (column == kNoColumn) {
                column = matrix_.columns.size();
                const bool all = request_.columns.entity == SeriesEntity::Component;
                matrix_.columns.push_back(
                    {number, all ? session_.experiments[number]->name : entities.names[entity], {}});
            }
            matrix_.columns[column].locations.push_back(id);
        }
        matrix_.columnTotals.resize(matrix_.columns.size());
    }

    void addRows(std::uint32_t number, const RegionTable& table, std::size_t firstColumn)
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
        std::vector<std::vector<LocationId>> groups;
        for (std::size_t column = firstColumn; column < matrix_.columns.size(); ++column)
            groups.push_back(matrix_.columns[column].locations);
        const RegionTable grouped = groupedTable(table, groups);
        for (std::size_t group = 0; group < groups.size(); ++group)
            for (const RegionCell& cell : grouped.cellsOf(group))
                if (BalanceRow* row = rowOf[cell.region]) {
                    matrix_.columnTotals[firstColumn + group] += cell.exclusive;
                    row->values[firstColumn + group] =
                        request_.quantity == BalanceQuantity::Inclusive ? cell.inclusive : cell.exclusive;
                }
    }

    static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

    const Session& session_;
    const BalanceRequest& request_;
    SessionProfiles profiles_;
    BalanceMatrix matrix_;
    std::map<std::string, BalanceRow> rows_;
};

}  // namespace

std::vector<BalanceColumns> balanceColumns(const Session& session)
{
    std::vector<BalanceColumns> columns{SeriesEntity::Location, SeriesEntity::Process, SeriesEntity::Node,
                                        SeriesEntity::Component};
    for (const ExperimentPtr& experiment : session.experiments)
        for (const SeriesGrouping& grouping : seriesGroupings(experiment->definitions))
            if (grouping.entity == SeriesEntity::Level
                && std::find(columns.begin(), columns.end(), grouping) == columns.end())
                columns.push_back(grouping);
    return columns;
}

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
