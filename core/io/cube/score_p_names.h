// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/enums.h"

#include <optional>
#include <string_view>

/// The words that Score-P and Cube use for kinds, in those of the data model.
namespace skein::cube {

LocationGroupKind groupKindOf(std::string_view type);
LocationKind locationKindOf(std::string_view type);
RegionRole roleOf(std::string_view role);
Paradigm paradigmOf(std::string_view paradigm);
/// By the metric's name.
MetricKind metricKindOf(std::string_view name);

/// How many nanoseconds a unit of time is; nullopt for other units.
std::optional<double> nanosecondsIn(std::string_view unit);
inline bool isTimeUnit(std::string_view unit) { return nanosecondsIn(unit).has_value(); }

}  // namespace skein::cube
