// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein::cli {

/// Says that from now on a stop leaves a result to print, such as the best map of a search until then: the
/// program then waits for the command to end. Without it the program ends a moment after a stop, whatever
/// still runs.
void expectResultAfterStop();

/// Whether a command has said so. May be called from any thread.
bool resultExpectedAfterStop();

}  // namespace skein::cli
