// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skein {

/// "12.5 ms", "3.2 s", "870 ns": SI prefix, at most four significant digits. Independent of the locale.
std::string formatDuration(double durationNs);

/// "1.36 MiB", "512 B", or "1.426 MB" as byteUnits() says: at most four significant digits.
std::string formatBytes(double bytes);

/// "20GiB", "512 MB", "4096": a number with an optional unit (B; k, M, G, T with B or iB, the same: powers of
/// 1024). nullopt where it is none, negative, or over 2^62.
std::optional<std::uint64_t> parseBytes(std::string_view text);

/// "54.46 k", "1.2 M": SI prefix, at most four significant digits; whole numbers below 10 000 stay as they
/// are.
std::string formatCount(double count);

/// At most four significant digits, no trailing zeros, no exponent between 1e-4 and 1e15.
std::string formatNumber(double value);

/// "1,426,624": every digit, in groups of three.
std::string formatGrouped(std::int64_t value);

}  // namespace skein
