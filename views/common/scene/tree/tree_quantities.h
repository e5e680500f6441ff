// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/tree/shown_tree.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What pictures of the call tree can show of each call path.
namespace skein {

enum class TreeAmount : std::uint8_t {
    Inclusive,
    Exclusive,
    Calls,
    PerCall,    ///< mean of a call
    Shortest,   ///< of single calls, where they are known
    Longest,    ///< as Shortest
    Imbalance,  ///< maximum by mean over locations
    Deviation,  ///< standard deviation over locations
    Derived,    ///< by expression
};

/// "inclusive", "calls", "maximum / mean over locations" …
std::string name(TreeAmount amount);
Combining combiningOf(TreeAmount amount);

struct TreeQuantity {
    MetricRef metric;  ///< as in ViewState
    TreeAmount amount = TreeAmount::Inclusive;
    std::string expression = {};  ///< of TreeAmount::Derived

    bool operator==(const TreeQuantity&) const = default;
};

/// All that can be asked of a session: those of `metric` first, inclusive and exclusive of all others after
/// them, and the expression if there is one.
std::vector<TreeQuantity> treeQuantities(const Session& session, MetricRef metric,
                                         const std::string& expression = {});
/// "Time, inclusive"; "Calls".
std::string quantityName(const Session& session, const TreeQuantity& quantity);
/// True of ratios of runs by name, where much is good: their colours begin at the other end.
bool isSpeedUp(const std::string& quantityName);

/// One value a row, NaN where it is not known, and the unit that formatAmount() wants.
struct RowQuantity {
    std::vector<double> values;
    std::string unit;
    std::string name;
    Combining combining = Combining::RowOnly;
    bool isDifference = false;  ///< of two runs: colours are the same far from 0 on both sides
};

/// `rows` are those of `query`; another metric is summed up again and found by call path. Errors: Cancelled.
Result<RowQuantity> quantityOfRows(const Session& session, const ProfileQuery& query,
                                   const CallTreeRows& rows, const TreeQuantity& quantity, const Task& task);

inline constexpr std::size_t kSpreadBins = 8;
/// How many locations have an amount in each eighth of 0 … the greatest amount of a location.
using LocationSpread = std::array<std::uint32_t, kSpreadBins>;

/// The inclusive amounts of every row over the locations of the query; those without a call count with 0.
/// Zeros for rows of which no location is known or only one has something to tell. One entry a row, or none
/// where there is but one location. Errors: Cancelled.
Result<std::vector<LocationSpread>> locationSpreads(const Session& session, const ProfileQuery& query,
                                                    const CallTreeRows& rows, const Task& task);

}  // namespace skein
