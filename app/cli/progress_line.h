// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

namespace skein::cli {

/// A receiver of progress that keeps one line on stderr up to date, ten times a second at most; an empty one
/// where stderr is no terminal. The line goes when the whole work reports that it is done (fraction 1).
Task::Progress progressLine();

/// Whether somebody may be reading along on stderr.
bool stderrIsTerminal();

/// Says on stderr that a stop was heard, where a result is still to be printed. May be called from any
/// thread.
void tellStopping();

/// Wipes the line, so that what follows starts on a clean one. Does nothing where there is none.
void clearProgressLine();

}  // namespace skein::cli
