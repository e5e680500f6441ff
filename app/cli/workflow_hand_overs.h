// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/open_session.h"
#include "core/base/result.h"
#include "core/session/hand_over.h"

#include <string>
#include <vector>

namespace skein::cli {

/// What the programs of a session handed over to each other: by the table that `coupling` names; where it is
/// empty, by the coupling.csv beside the archives, and nothing without one. Errors: those of reading and
/// placing the table; Cancelled.
Result<std::vector<HandOver>> workflowHandOvers(const OpenSession& opened, const std::string& coupling,
                                                const Task& task);

}  // namespace skein::cli
