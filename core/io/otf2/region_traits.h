// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"

namespace skein {

/// Fills in what a measurement did not tell about a region, from its name: TAU and EZTrace give MPI routines
/// no paradigm of their own, and only Score-P knows roles. What the archive tells is kept.
void deriveTraits(Region& region);

}  // namespace skein
