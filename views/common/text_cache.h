// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/pixel_plane.h"
#include "views/common/scene/drawing/draw_list.h"

#include <QFont>
#include <QSizeF>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein {

/// How much of each pixel a text covers.
struct TextMask {
    QSizeF size;  ///< of the box it is laid out in
    int x = 0;    ///< of the first pixel, from the upper left corner of that box
    int y = 0;
    int columns = 0;
    int rows = 0;
    std::vector<std::uint8_t> coverage;  ///< of 255, row by row
    bool usable = true;  ///< false where red, green and blue of a pixel are covered unlike, and for very long
                         ///< texts: a painter must draw them
};

/// Mixes an opaque colour into the pixels that a mask covers; its box begins at (left, top). The same values
/// as a QPainter gives.
void blendMask(const PixelPlane& plane, const TextMask& mask, int left, int top, std::uint32_t argb);

/// Widths and masks of texts in the fonts of a picture. The same few hundred names stand in picture after
/// picture, and shaping and drawing them takes longer than all the rest of a text. Thread-safe; forgets
/// everything when it has become large.
class TextCache {
public:
    /// Of one line. `font` must be the same for a style at every call. O(letters).
    double width(std::string_view text, FontStyle style, const QFont& font);
    /// As above; never null.
    std::shared_ptr<const TextMask> mask(const std::string& text, FontStyle style, const QFont& font);

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    template <typename Value>
    using Texts =
        std::array<std::unordered_map<std::string, Value, Hash, std::equal_to<>>, 4>;  ///< by FontStyle

    void makeRoom(std::size_t bytes);

    std::mutex mutex_;
    Texts<double> widths_;
    Texts<std::shared_ptr<const TextMask>> masks_;
    std::size_t bytes_ = 0;
};

}  // namespace skein
