// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/color/color.h"

#include <array>
#include <string>
#include <string_view>

namespace skein {

/// Where along the values the quarters of the sequential colours lie: the one colour scale of all views of
/// communication. Positions ascend in 0 … 1.
struct ColorStops {
    std::array<double, 3> at{0.25, 0.5, 0.75};

    /// The part of the colours, 0 … 1, for the part of the values, 0 … 1: straight between the stops.
    double colorPart(double valuePart) const;
    Color color(bool dark, double valuePart) const;
    /// Moves a stop; the others stay on their sides of it.
    void move(std::size_t stop, double to);
    std::string text() const;

    bool operator==(const ColorStops&) const = default;
};

/// Three ascending numbers in 0 … 1; the usual stops for any other text.
ColorStops colorStopsOf(std::string_view text);

/// Under this name ViewState::panels keeps the stops.
inline constexpr const char* kColorStopsPanel = "communication_colors";
ColorStops colorStopsOf(const ViewState& state);

}  // namespace skein
