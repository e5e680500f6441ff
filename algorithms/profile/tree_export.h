// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/aggregate.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <string>
#include <string_view>

namespace skein {

/// Call trees as other tools read them; docs/FORMATS.md says what is in each.
enum class TreeFormat {
    Hatchet,     ///< Hatchet's literal: GraphFrame.from_literal(json.load(file))
    Csv,         ///< pandas.read_csv(file)
    Json,        ///< pandas.read_json(file)
    Folded,      ///< flamegraph.pl, speedscope
    Speedscope,  ///< speedscope.app
};

/// The sums over all locations of one metric of a profile, as text. Times are in seconds for Hatchet and in
/// ns elsewhere. Of a flat profile every region is a root. Errors: NotRecorded where there is nothing,
/// Cancelled. O(rows log rows).
Result<std::string> exportTree(const Experiment& experiment, const Profile& profile, std::size_t metricColumn,
                               TreeFormat format, const Task& task);

struct ProfilePart;

/// The same of a part of a run. `metric` is as metricColumn() knows it. Errors: those of profileOfPart() and
/// metricColumn(), too.
Result<std::string> exportPart(const Experiment& experiment, const ProfilePart& part, std::string_view metric,
                               TreeFormat format, const Task& task);

}  // namespace skein
