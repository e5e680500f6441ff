// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_profiles.h"
#include "views/common/scene/tree/derived_column.h"

#include <cstdint>
#include <vector>

namespace skein {

struct SummaryRow {
    std::uint32_t experiment = 0;
    RegionRow region;
    std::string worst = {};  ///< name of the location with most
};

/// What each region took of a span of session time, over all experiments of a session.
struct SummaryRows {
    std::vector<SummaryRow> rows;  ///< greatest exclusive amount of an experiment first
    double totalExclusive = 0.0;
    bool time = true;  ///< values are ns; false: of another metric
    /// The metric that stands in place of the time of a profile that has none; empty: there is none such.
    std::string insteadOfTime = {};
    bool wholeRun = true;  ///< false: of a span
    bool someWithoutTimes =
        false;  ///< some experiments are profiles: they cannot be asked for a span and are left out
    DerivedColumn derived = {};
    std::uint32_t hidden = 0;  ///< regions that filters hide; their amounts are not in the total
};

/// `expression`: a metric worked out of others to show besides; empty: none. Errors: Cancelled, those of
/// measuredTable().
Result<SummaryRows> makeSummaryRows(const Session& session, const ProfileQuery& query, const Task& task,
                                    const std::string& expression = {});

}  // namespace skein
