// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "views/common/scene/color.h"
#include "views/common/scene/theme.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace skein {

/// What a region belongs to, as far as colours tell it. In the order in which legends list them.
enum class PaletteGroup : std::uint8_t { User, Mpi, Threading, Accelerator, Memory, Io, Measurement };

/// "Application", "MPI", "OpenMP and threads" …
std::string_view name(PaletteGroup group);

/// Decides by paradigm and role, then by the measurement's own groups (TAU's "MPI", "OPENMP", "TAU_IO" …), then by the
/// usual prefixes of names (MPI_, omp_, pthread_ …). What nothing is known about counts as the user's code.
PaletteGroup paletteGroupOf(const Region& region, const Definitions& definitions);

/// The colour that stands for the whole group in legends: the table's, or what the user has chosen.
Color groupColor(PaletteGroup group, const Theme& theme);

/// A shade of the group's colour that depends on the name alone, so that it is the same from run to run. Groups keep
/// to bands of lightness that do not overlap, so that they are told apart without seeing hue: in the light theme I/O,
/// MPI, memory, accelerator, user, threading, measurement from dark to light; in the dark theme measurement is darkest.
/// Colours that the user has chosen get shades around them.
Color regionColor(std::string_view regionName, PaletteGroup group, const Theme& theme);

/// The colour of every region of an experiment, and whether dark or light text reads better on it.
struct RegionPalette {
    std::vector<std::uint32_t> argb;      ///< index = RegionId
    std::vector<PaletteGroup> groups;     ///< index = RegionId
    std::array<Color, kPaletteGroups> groupColors{};
    bool dark = false;

    Color color(RegionId region) const { return fromArgb(argb[region.index()]); }
};

RegionPalette regionPalette(const Definitions& definitions, const Theme& theme);

/// Black or white, whichever is easier to read on the colour.
Color textColorOn(Color background);

}  // namespace skein
