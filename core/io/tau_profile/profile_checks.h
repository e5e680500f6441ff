// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tau_profile/profile_assembler.h"

namespace skein::tau {

/// Reports what only the files of a profile together show: files of several runs, by the times at which their
/// threads started, and ranks or threads that have the same times as others, because a file was copied.
/// O(rows).
void checkThreads(ProfileAssembler::Joined& joined);

}  // namespace skein::tau
