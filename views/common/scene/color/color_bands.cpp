// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color_bands.h"

#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kFlushBand = kOthersBand + 3;
constexpr std::uint32_t kFirstFreeBand = kOthersBand + 4;
constexpr std::uint32_t kBands = kFirstFreeBand + 11;
constexpr std::uint32_t kFreeBands = kBands - kFirstFreeBand;

constexpr ColorBand around(double lightness, double chroma, double hue)
{
    return {lightness - 2.5, lightness + 2.5, chroma, hue - 6, hue + 6, hue - 6, hue + 6};
}

/// The roles' bands do not overlap in lightness; there is no room for more of that kind. The others differ
/// from them and from each other by 10 and more (CIEDE2000, the middles).
constexpr std::array<ColorBand, kBands> kLightBands{{
    {63, 74, 34, 250, 275, 138, 162},  // User: blue and green
    {42, 53, 54, 22, 42, 22, 42},      // Mpi: red
    {80, 86, 62, 72, 92, 72, 92},      // Threading: orange to yellow
    {57, 60, 34, 195, 210, 195, 210},  // Accelerator: teal
    {54, 56, 30, 340, 355, 340, 355},  // Memory: rose
    {32, 39, 46, 305, 318, 305, 318},  // Io: violet
    {88, 91, 3, 260, 260, 260, 260},   // Measurement: grey
    {72, 76, 3, 260, 260, 260, 260},   // of no group: darker grey
    {63, 74, 36, 240, 285, 240, 285},  // blue
    {63, 74, 36, 122, 178, 122, 178},  // green
    around(63, 64, 350),               // pink
    around(44, 46, 275),               // navy
    around(44, 38, 65),                // brown
    around(68, 68, 58),                // orange
    around(79, 66, 118),               // lime
    around(46, 40, 145),               // dark green
    around(82, 34, 205),               // cyan
    around(76, 32, 308),               // lavender
    around(78, 34, 32),                // salmon
    around(60, 54, 102),               // olive
    around(56, 66, 318),               // purple
    around(47, 22, 235),               // steel
}};

constexpr std::array<ColorBand, kBands> kDarkBands = [] {
    std::array<ColorBand, kBands> bands = kLightBands;
    bands[0] = {61, 71, 34, 250, 275, 138, 162};
    bands[1] = {44, 53, 54, 22, 42, 22, 42};
    bands[2] = {78, 84, 58, 72, 92, 72, 92};
    bands[3] = {57, 59, 34, 195, 210, 195, 210};
    bands[5] = {36, 42, 46, 305, 318, 305, 318};
    bands[6] = {29, 33, 4, 260, 260, 260, 260};
    bands[kOthersBand] = {60, 64, 3, 260, 260, 260, 260};
    bands[kBlueBand] = {61, 71, 36, 240, 285, 240, 285};
    bands[kGreenBand] = {61, 71, 36, 122, 178, 122, 178};
    return bands;
}();

struct KnownGroup {
    std::string_view name;
    std::uint32_t band;
};

/// TAU puts what it instruments into TAU_DEFAULT, what the user marks by hand into TAU_USER, its own
/// outermost timer into TAU_UTILITY, its flushes into TRACER, and, in old archives, calls of MPI into
/// TAU_MESSAGE.
constexpr std::array<KnownGroup, 6> kKnownGroups{{
    {"FLUSH", kFlushBand},
    {"TAU_DEFAULT", kGreenBand},
    {"TAU_MESSAGE", static_cast<std::uint32_t>(PaletteGroup::Mpi)},
    {"TAU_USER", kBlueBand},
    {"TAU_UTILITY", static_cast<std::uint32_t>(PaletteGroup::Measurement)},
    {"TRACER", kFlushBand},
}};

std::optional<std::uint32_t> knownBand(std::string_view groupName)
{
    const auto known = std::find_if(kKnownGroups.begin(), kKnownGroups.end(),
                                    [&](const KnownGroup& group) { return group.name == groupName; });
    if (known != kKnownGroups.end()) return known->band;
    if (const auto role = roleOfGroup(groupName)) return static_cast<std::uint32_t>(*role);
    return std::nullopt;
}

std::uint32_t freeBand(std::string_view groupName, const std::array<bool, kBands>& taken)
{
    const auto first = static_cast<std::uint32_t>(nameHash(groupName) % kFreeBands);
    for (std::uint32_t step = 0; step < kFreeBands; ++step) {
        const std::uint32_t band = kFirstFreeBand + (first + step) % kFreeBands;
        if (!taken[band]) return band;
    }
    return kFirstFreeBand + first;
}

}  // namespace

const ColorBand& colorBand(std::uint32_t number, bool dark)
{
    return (dark ? kDarkBands : kLightBands)[number];
}

std::vector<std::uint32_t> bandsOf(const std::vector<std::string>& groupNames)
{
    std::vector<std::uint32_t> bands(groupNames.size(), kBands);
    std::array<bool, kBands> taken{};
    for (std::size_t group = 0; group < bands.size(); ++group) {
        const auto known = knownBand(groupNames[group]);
        if (known && !std::exchange(taken[*known], true)) bands[group] = *known;
    }
    for (std::size_t group = 0; group < bands.size(); ++group) {
        if (bands[group] != kBands) continue;
        bands[group] = freeBand(groupNames[group], taken);
        taken[bands[group]] = true;
    }
    return bands;
}

std::uint64_t nameHash(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ull;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ull;
    return hash ^ (hash >> 32);
}

}  // namespace skein
