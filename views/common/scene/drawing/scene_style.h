// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/text_measure.h"
#include "views/common/scene/drawing/theme.h"

#include <string>

namespace skein {

/// How a scene is drawn, apart from what it shows.
struct SceneStyle {
    Theme theme;
    double scale = 1;     ///< device pixels per logical pixel
    std::string caption;  ///< over the picture; empty: none

    bool operator==(const SceneStyle&) const = default;
};

/// What a scene draws on: size in device pixels, style, and how large text is.
struct Canvas {
    int width = 0;
    int height = 0;
    const SceneStyle& style;
    const TextMeasure& measure;

    const Theme& theme() const { return style.theme; }
    /// Logical pixels as whole device pixels, at least one.
    double px(double logical) const;
    double lineHeight(FontStyle font = FontStyle::Small) const { return measure.lineHeight(font); }
};

}  // namespace skein
