// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "views/common/scene/data/session_anomalies.h"

#include <filesystem>
#include <vector>

namespace skein {

/// Writes the anomalies of every trace with what was said of them, see provenanceJson(): into `file`, those
/// of the second trace and more into "name-2.json" beside it, which must not exist: `file` alone is replaced.
/// Gives the files. Errors: InvalidArgument where one exists, before anything is written; Io; Cancelled.
Result<std::vector<std::filesystem::path>> saveProvenance(const SessionAnomalies& anomalies,
                                                          const std::vector<CallVerdict>& said,
                                                          VerdictUse use, const std::filesystem::path& file,
                                                          const Task& task);

}  // namespace skein
