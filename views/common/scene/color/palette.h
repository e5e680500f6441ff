// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/select/view_state.h"
#include "views/common/scene/color/color.h"
#include "views/common/scene/color/region_shades.h"
#include "views/common/scene/drawing/theme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// The role of a region in a parallel program, as far as colours tell it. In the order in which legends list
/// them.
enum class PaletteGroup : std::uint8_t { User, Mpi, Threading, Accelerator, Memory, Io, Measurement };

/// "Application", "MPI", "OpenMP and threads" …
std::string_view name(PaletteGroup group);

/// Decides by paradigm and role, then by the measurement's own groups (TAU's "MPI", "OPENMP", "TAU_IO" …),
/// then by the usual prefixes of names (MPI_, omp_, pthread_ …). What nothing is known about counts as the
/// user's code.
PaletteGroup paletteGroupOf(const Region& region, const Definitions& definitions);

/// The role that the name of a measurement's group tells; nullopt for most.
std::optional<PaletteGroup> roleOfGroup(std::string_view groupName);

/// A group of regions as legends and menus list it: a role, or a group that archives recorded.
struct ShownGroup {
    std::string name;  ///< "MPI", "TAU_DEFAULT", "Others"
    RegionGrouping grouping = RegionGrouping::Role;
    std::uint32_t band = 0;  ///< of colours, see color_bands.h; those of roles are their PaletteGroup

    bool operator==(const ShownGroup&) const = default;
};

ShownGroup shownGroup(PaletteGroup group);

/// The colour that stands for the whole group in legends: the table's, or what the user has chosen. What was
/// chosen for a role counts for recorded groups of its colour, too.
Color groupColor(const ShownGroup& group, const Theme& theme);
Color groupColor(PaletteGroup group, const Theme& theme);

/// True when the user has chosen a colour for this very group.
bool hasChosenColor(const ShownGroup& group, const Theme& theme);

/// A shade of the group's colour, see region_shades.h: by role the name's hash chooses it, and `choice` keeps
/// those apart that dominate a picture. Shades of other groups, and those of colours that the user has
/// chosen, are spread around the group's colour by the name alone. `regionName` is what displayName() gives.
Color regionColor(std::string_view regionName, const ShownGroup& group, const Theme& theme,
                  const ShadeChoice& choice = {});
Color regionColor(std::string_view regionName, PaletteGroup group, const Theme& theme);

/// The colour of every region of an experiment, and whether dark or light text reads better on it.
struct RegionPalette {
    std::vector<std::uint32_t> argb;    ///< index = RegionId
    std::vector<std::uint32_t> groups;  ///< index = RegionId; index into groupColors
    std::vector<Color> groupColors;
    bool dark = false;

    Color color(RegionId region) const { return fromArgb(argb[region.index()]); }
    Color colorOfGroup(RegionId region) const { return groupColors[groups[region.index()]]; }
};

/// By role. Other groupings: scene/region_groups.h.
RegionPalette regionPalette(const Definitions& definitions, const Theme& theme);
/// The palette of regions that are in these of the groups: `groupOf` has an index into `groups` a region.
RegionPalette regionPalette(const Definitions& definitions, const std::vector<ShownGroup>& groups,
                            std::vector<std::uint32_t> groupOf, const Theme& theme,
                            const ShadeChoice& choice = {});

/// Black or white, whichever is easier to read on the colour.
Color textColorOn(Color background);

}  // namespace skein
