// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

/// Names of regions as tables show them.
namespace skein {

/// The name without TAU's source position and without blanks at its ends, folded where longNames() says so.
/// Samples and their like, whose names alone are the same for every line, have file and line behind.
QString shortRegionName(const std::string& name);

/// The whole name, and the source position on a line of its own, broken so that it can be read.
QString regionToolTip(const std::string& name);

/// "12,345,678 ns": every digit, for tool tips of rounded numbers. Empty where it is not known.
QString exactDuration(double durationNs);
/// "22,637".
QString exactNumber(double value);

}  // namespace skein
