// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launcher/launcher_format.h"

/// The formats one by one; each lives in a file of its own.
namespace skein::launcher {

LauncherFormat bgqFormat();
LauncherFormat crayFormat();
LauncherFormat csvFormat();
LauncherFormat fluxFormat();
LauncherFormat fujitsuFormat();
LauncherFormat hydraFormat();
LauncherFormat intelMpiFormat();
LauncherFormat jsrunFormat();
LauncherFormat lsfFormat();
LauncherFormat openMpiFormat();
LauncherFormat pjmFormat();
LauncherFormat slurmFormat();
LauncherFormat sstFormat();

}  // namespace skein::launcher
