// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/regions/region_groups.h"
#include "views/common/scene/tree/shown_tree.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Which rows of a call tree a user means who prunes many at once.
namespace skein {

struct PruneRule {
    enum class Kind : std::uint8_t {
        Name,    ///< the name contains the text, ignoring case
        Match,   ///< `matches` says so of the name
        Group,   ///< the region's group is called so, ignoring case
        Source,  ///< the source file, or the library, contains the text, ignoring case
        Depth,   ///< deeper than so many callers
        Leaves,  ///< calls nothing that is shown
    };
    Kind kind = Kind::Name;
    std::string text;
    std::uint32_t depth = 0;
    std::function<bool(const std::string&)> matches = {};
};

/// Rows that are nodes of `shown` and that the rule means, in order. An empty text means none. O(rows).
std::vector<std::uint32_t> rowsThatMatch(const RegionGroups& groups, const CallTreeRows& rows,
                                         const ShownTree& shown, const PruneRule& rule);

/// Rows to prune so that what is left has values in [from, to] or leads to what has: subtrees in which no row
/// has. Rows whose value is not known count as outside. One value a row; rows that `base` has pruned are out.
/// O(rows).
std::vector<std::uint32_t> rowsOutside(const CallTreeRows& rows, const std::vector<double>& values,
                                       double from, double to);

enum class BinScale : std::uint8_t { Linear, Logarithmic };

/// How many rows have values in each bin: those that would go alone or with all below them, as nothing below
/// has a greater value, and inner ones that something greater hangs on.
struct PruneHistogram {
    std::vector<double> edges;  ///< one more than bins; increasing
    std::vector<std::uint32_t> prunable, internal;
    double least = 0.0, greatest = 0.0;
    std::size_t unknown = 0;  ///< rows without a value
    BinScale scale = BinScale::Linear;
};

/// Logarithmic bins begin at the least value above 0, which have one bin for all below it before them. Rows
/// of experiments do not count. O(rows · log bins).
PruneHistogram pruneHistogram(const CallTreeRows& rows, const std::vector<double>& values, std::size_t bins,
                              BinScale scale);

}  // namespace skein
