// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/theme.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// A band of colours in CIELCh, for the regions of a group: shades spread over lightness and hue. Every other
/// name takes the second band of hues.
struct ColorBand {
    double lightnessFrom, lightnessTo;
    double chroma;
    double hueFrom, hueTo;
    double secondHueFrom, secondHueTo;
};

/// The bands are numbered: first those of the roles, by PaletteGroup, then that of regions of no group, then
/// those of groups that archives recorded.
inline constexpr std::uint32_t kOthersBand = kPaletteGroups;
/// The halves of the application's band.
inline constexpr std::uint32_t kBlueBand = kOthersBand + 1;
inline constexpr std::uint32_t kGreenBand = kOthersBand + 2;

const ColorBand& colorBand(std::uint32_t number, bool dark);

/// The band of each of the recorded groups with these names, which are sorted and without duplicates. Names
/// of TAU and those that tell a role ("MPI", "OPENMP", "TAU_IO", "PTHREAD") have the band that belongs to
/// them, all others one by their hash: the same name has the same colour in every archive. Where two names
/// want the same band the first takes it, and the second the next one that is free. Bands are shared only
/// where there are more groups than bands.
std::vector<std::uint32_t> bandsOf(const std::vector<std::string>& groupNames);

/// FNV-1a with a final mix: the same on every machine.
std::uint64_t nameHash(std::string_view text);

}  // namespace skein
