// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_profiles.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// One line of the call tree: an experiment of several, a call path, or a region of a flat profile.
struct CallTreeRow {
    std::string name;
    std::int64_t parent = -1;  ///< index of the row above it, which stands before it; -1: outermost
    std::uint32_t experiment = 0;
    std::vector<CallPathId> callPaths;
    std::vector<RegionId> regions;
    ProfileValues values;
    double total = 0.0;  ///< inclusive amount of its whole experiment
    LocationBalance balance = {};
    std::string worst = {};  ///< name of the location with most
};

/// What the call tree shows of a session, in preorder. Immutable; may cross threads.
struct CallTreeRows {
    std::vector<CallTreeRow> rows;
    bool hasTree = false;  ///< false: every profile is flat
    bool time = true;      ///< values are ns; false: of another metric
    /// The metric that stands in place of the time of a profile that has none; empty: there is none such.
    std::string insteadOfTime = {};

    /// The row of a call path; -1 where there is none. O(1).
    std::int64_t rowOf(std::uint32_t experiment, CallPathId callPath) const;
    /// The row of a region of a flat profile; -1 where there is none. O(1).
    std::int64_t rowOf(std::uint32_t experiment, RegionId region) const;

    std::vector<std::vector<std::int64_t>> rowOfCallPath;  ///< [experiment][call path]
    std::vector<std::vector<std::int64_t>> rowOfRegion;    ///< [experiment][region]; flat profiles only
};

/// Sums every experiment up; of calls as the metric the inclusive amount counts those below, too. An
/// experiment that has neither profile nor trace gives no rows, nor does one without the metric. The calls
/// below a hidden region stand in its place, together with those of the same name that are there already.
/// Errors: Cancelled.
Result<CallTreeRows> makeCallTreeRows(const Session& session, const ProfileQuery& query, const Task& task);

/// The rows that the name filter keeps: those whose name contains `text` (ignoring case), and those above
/// them. Empty text keeps all. One entry a row; 2 where the row itself matches, 1 where something below does.
/// O(rows).
std::vector<std::uint8_t> matchRows(const CallTreeRows& rows, const std::string& text);

}  // namespace skein
