// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/enums.h"
#include "core/trace/events.h"

#include <otf2/otf2.h>

/// OTF2's enumerations in the words of the model. Values that OTF2 does not define become Unknown or Other.
namespace skein::otf2 {

LocationKind locationKind(OTF2_LocationType type);
LocationGroupKind locationGroupKind(OTF2_LocationGroupType type);
RegionRole regionRole(OTF2_RegionRole role);
Paradigm paradigm(OTF2_Paradigm paradigm);
MetricKind metricKind(OTF2_MetricType type);
MetricMode metricMode(OTF2_MetricMode mode);
MetricOccurrence metricOccurrence(OTF2_MetricOccurrence occurrence);
MetricValueType metricValueType(OTF2_Type type);
AttributeType attributeType(OTF2_Type type);
CollectiveKind collectiveKind(OTF2_CollectiveOp operation);
MarkerSeverity markerSeverity(OTF2_MarkerSeverity severity);

}  // namespace skein::otf2
