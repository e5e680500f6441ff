// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <optional>
#include <string_view>

namespace skein {

/// A time as users write it: "1500" (ns), "12.5ms", "3us", "2 s", "1h". nullopt when it is none.
std::optional<TimeNs> parseTime(std::string_view text);

}  // namespace skein
