// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/otf2/definition_resolver.h"

namespace skein::otf2 {

/// Finds the members of all communicators and RMA windows, and the rank of every process. Needs the
/// locations. A group's members are locations themselves, or positions in the COMM_LOCATIONS list of the
/// group's paradigm. Incomplete after a stop request.
void resolveCommunicators(const RawDefinitions& raw, ResolvedDefinitions& result, const Task& task);

}  // namespace skein::otf2
