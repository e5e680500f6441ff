// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"

namespace skein {

/// Fills in what a measurement did not tell about a region, from its name: TAU and EZTrace give MPI routines no
/// paradigm of their own, and only Score-P knows roles. What the archive tells is kept.
void deriveTraits(Region& region);

/// Gives every region without a group the group of its paradigm ("MPI", "OpenMP" …; "User" for code that was
/// instrumented by hand or by the compiler), made where it is missing.
void groupByParadigm(Definitions& definitions);

}  // namespace skein
