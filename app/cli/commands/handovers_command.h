// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace skein::cli {

/// Prints what the components of a workflow handed over to each other.
Command handoversCommand();

}  // namespace skein::cli
