// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/task_runner.h"

#include <QString>

namespace skein {

/// "0:07", "12:30", "1:02:03": whole seconds, for progress.
QString clockText(qint64 ms);

/// "42 %".
QString percentText(double fraction);

/// "about 0:07 left", or nothing while it is not known.
QString timeLeftText(const JobInfo& job);

/// "finished", "cancelled", "failed: …", or the stage of a running job.
QString stateText(const JobInfo& job);

}  // namespace skein
