// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// OTF2 archives (Score-P, TAU, EZTrace …), read with libotf2: all definitions and events that the model has
/// a place for; locations in parallel. Time stamps are corrected by the clock offsets that the archive
/// brings.
extern const Importer kOtf2Importer;

}  // namespace skein
