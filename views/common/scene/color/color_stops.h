// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/color/color.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skein {

/// Where along the values the quarters of the sequential colours lie, and which colours they are: the one
/// colour scale of all views of communication. Positions ascend in 0 … 1.
struct ColorStops {
    static constexpr std::size_t kColors = 5;

    std::array<double, 3> at{0.25, 0.5, 0.75};
    /// What the user chose of nothing, of each stop and of the greatest value; others are the usual ones of
    /// the theme.
    std::array<std::optional<Color>, kColors> own{};

    /// The part of the colours, 0 … 1, for the part of the values, 0 … 1: straight between the stops.
    double colorPart(double valuePart) const;
    /// The colour of a part of the values. Of the usual colours only those from `least` on are taken, so that
    /// small values stand out from the background.
    Color color(bool dark, double valuePart, double least = 0) const;
    /// One of the kColors colours between which the others lie.
    Color anchor(bool dark, std::size_t index, double least = 0) const;
    bool hasOwnColors() const;
    /// Moves a stop; the others stay on their sides of it.
    void move(std::size_t stop, double to);
    /// Three positions, and where there are colours of the user's the five, as "rrggbb" or "-".
    std::string text() const;

    bool operator==(const ColorStops&) const = default;
};

/// What text() gives; the usual stops for any other text.
ColorStops colorStopsOf(std::string_view text);

/// The usual positions with greys for colours: greyScaleColor().
ColorStops greyStops(bool dark);

/// Under this name ViewState::panels keeps the stops.
inline constexpr const char* kColorStopsPanel = "communication_colors";
ColorStops colorStopsOf(const ViewState& state);

}  // namespace skein
