// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

/// An sRGB colour with straight alpha.
struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t alpha = 255;
    bool operator==(const Color&) const = default;
};

}  // namespace skein
