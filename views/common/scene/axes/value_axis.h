// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// "12.5 ms" for "ns", "1.4 MiB" for "B", otherwise a number with SI prefix and the unit: "3.2 M", "4 k
/// events".
std::string formatAmount(double amount, std::string_view unit);

/// Round values (1, 2 or 5 × 10ⁿ; powers of two × the same for bytes) within [from, to] in steps so that at
/// most `most` lie there. Empty where the range is empty or not finite.
std::vector<double> roundValues(double from, double to, int most, std::string_view unit = {});

}  // namespace skein
