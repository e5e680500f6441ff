// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/trace/trace.h"

namespace skein {

/// Names locations that carry nothing but metrics after them: tools give such a location the name of a
/// thread, or none. Where several carry the same metrics, their own names follow in brackets. What the
/// archive called a location becomes its property "Name in the archive". O(locations + streams).
void nameMetricLocations(const Trace& trace, Definitions& definitions);

}  // namespace skein
