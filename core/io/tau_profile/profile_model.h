// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tau_profile/profile_assembler.h"

namespace skein::tau {

/// Turns joined files into an Experiment; see ProfileAssembler for what becomes of what.
Result<Experiment> buildProfileExperiment(ProfileAssembler::Joined joined, const Task& task);

}  // namespace skein::tau
