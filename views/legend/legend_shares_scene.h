// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/session_profiles.h"

#include <map>
#include <string>
#include <vector>

namespace skein {

/// Parts of the own time by region name; each 0 … 1.
using OwnTimeShares = std::map<std::string, double>;

/// Of all runs of a session. Of large traces estimated, see regionOwnTimes(). Empty where nothing was
/// measured.
OwnTimeShares ownTimeShares(const Session& session);

/// What the filters leave of locations and times; regions count whether they are hidden or not, for a legend
/// tells what could be shown.
std::vector<Filter> withoutRegions(std::vector<Filter> filters);

/// Of the part of a session that is asked for, exactly. Errors: Cancelled, and those of profileOfPart().
Result<OwnTimeShares> ownTimeSharesOf(const Session& session, const ProfileQuery& query, const Task& task);

}  // namespace skein
