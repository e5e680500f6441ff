// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/series_entities.h"
#include "algorithms/profile/efficiency.h"
#include "views/common/scene/data/session_profiles.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

enum class BalanceQuantity : std::uint8_t { Inclusive, Exclusive };
/// What a column of the matrix stands for: any entity, but communicators, which share locations.
using BalanceColumns = SeriesGrouping;

/// What columns can stand for in a session: locations, processes, nodes, components, and the levels of the
/// archives' system trees.
std::vector<BalanceColumns> balanceColumns(const Session& session);

struct BalanceRequest {
    ProfileQuery query;
    BalanceQuantity quantity = BalanceQuantity::Inclusive;
    BalanceColumns columns = SeriesEntity::Location;
};

/// One or several locations of one experiment.
struct BalanceColumn {
    std::uint32_t experiment = 0;
    std::string name;
    std::vector<LocationId> locations;
};

/// A region by its name, in all experiments.
struct BalanceRow {
    std::string name;
    std::vector<RegionRef> regions;
    std::vector<double> values;  ///< a column; 0 where it was not called
    double total = 0;
    double mean = 0;  ///< a column
    double maximum = 0;
    std::size_t worst = 0;  ///< the first column with the maximum

    double lost() const { return maximum - mean; }
    double imbalance() const { return mean > 0 ? maximum / mean : 0; }
};

/// Regions × locations of the scope. Immutable; may cross threads.
struct BalanceMatrix {
    std::vector<BalanceColumn> columns;  ///< experiments one after the other, locations by rank
    std::vector<BalanceRow> rows;        ///< the greatest total first
    std::vector<double> columnTotals;    ///< exclusive amount of all regions, a column
    std::vector<std::optional<Efficiency>> efficiencies;  ///< an experiment; nullopt: none can be told
    bool time = true;                                     ///< values are ns
    BalanceColumns columnsAre = SeriesEntity::Location;
};

/// Sums up what the query leaves. Regions that filters hide have no row; rows that break others down neither.
/// Where an archive has no such level its processes stand for themselves. Errors: Cancelled. Complexity: that
/// of regionTable() and efficiencyOf().
Result<BalanceMatrix> makeBalanceMatrix(const Session& session, const BalanceRequest& request,
                                        const Task& task);

}  // namespace skein
