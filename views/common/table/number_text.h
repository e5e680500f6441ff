// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <QString>

/// Numbers as columns of tables show them: always four significant digits, so that equal places stand for
/// equal precision, with an SI prefix. What is not known is "–". Independent of the locale.
namespace skein {

/// A time as numbers of tables take it.
constexpr double tableNs(TimeNs time) { return static_cast<double>(time); }

/// "12.50 ms", "870.0 ns", "1.234 s".
QString tableDuration(double durationNs);

/// "1136", "22.64 k": whole numbers below 10 000 stay as they are.
QString tableCount(double count);

/// "1426 k", "0.12 ": a metric's value without unit.
QString tableNumber(double value);

/// "12.3": percent without its sign, one digit after the point.
QString tablePercent(double fraction);

}  // namespace skein
