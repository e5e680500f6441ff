// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tree_profile/tree_profile.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace skein::caliper {

/// What a column or attribute of Caliper's means for a profile.
struct ColumnMeaning {
    enum class Kind : std::uint8_t { Other, Rank, Calls, Amount };
    Kind kind = Kind::Other;
    std::string name;  ///< of the metric; "time" for the usual one, as Hatchet calls it
    std::string unit;
    double scale = 1.0;
    TreeRowAmount amount = TreeRowAmount::Exclusive;
    MetricAggregation aggregation = MetricAggregation::Sum;
};

/// `unit` is Caliper's word for it; empty where it has none: then times without one in their names are in
/// `timeScale` ns.
ColumnMeaning meaningOf(std::string_view column, std::string_view alias, std::string_view unit,
                        double timeScale);

}  // namespace skein::caliper
