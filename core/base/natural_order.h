// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace skein {

/// Orders names as people count them: "n9" before "n10", "n09" beside "n9".
struct NaturalOrder {
    bool operator()(std::string_view a, std::string_view b) const;
};

}  // namespace skein
