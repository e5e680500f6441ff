// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace skein {

/// How many threads of this process can run at the same time: the processors that its affinity leaves it
/// (taskset, batch systems), and no more than its control group pays for (containers): quotas of cgroup v2
/// (cpu.max) and v1 (cpu.cfs_quota_us) of the group and of all above it, rounded up, since a thread that is
/// held back for a part of the time still gets more done than none. At least 1. What the system does not tell
/// limits nothing. Reads some small files.
int usableThreads();

/// The quota alone, of the control groups as the files below `root` tell them: `root`/proc/self/cgroup,
/// `root`/proc/self/mountinfo and what that names. Infinite where there is none.
double processorQuota(const std::filesystem::path& root);

}  // namespace skein
