// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/call_tree_rows.h"

#include <string>
#include <vector>

/// Metrics by expression for rows of call trees and summaries.
namespace skein {

/// What an expression gives; NaN where it has no value.
struct DerivedColumn {
    std::string expression;      ///< empty: there is none
    std::string unit;            ///< as formatAmount() wants it: "ns" for times
    std::vector<double> values;  ///< one a row
    std::string problem;         ///< a sentence where an experiment cannot work it out; else empty
};

/// Which rows of a call tree are asked about.
enum class DerivedRows : std::uint8_t { CallPaths, Regions };

/// The expression as it is for each row's call path, or for its region over all call paths, in the part of
/// the run that `query` leaves. `rows` are those of that query, in any order. Errors: those of
/// measuredTable().
Result<DerivedColumn> derivedOfRows(const Session& session, const ProfileQuery& query,
                                    const CallTreeRows& rows, DerivedRows which,
                                    const std::string& expression, const Task& task);

/// The same of regions alone: a row names an experiment and one region of each name.
struct DerivedRegion {
    std::uint32_t experiment = 0;
    RegionId region;
};
Result<DerivedColumn> derivedOfRegions(const Session& session, const ProfileQuery& query,
                                       const std::vector<DerivedRegion>& rows, const std::string& expression,
                                       const Task& task);

/// "3.2 ms", "1.25", "4.1 MB/s"; empty without a value.
std::string derivedText(const DerivedColumn& column, std::size_t row);

}  // namespace skein
