// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/palette.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace skein {
namespace {

/// A band of colours in CIELCh: shades spread over lightness and hue. Every other name takes the second band of hues.
struct Band {
    double lightnessFrom, lightnessTo;
    double chroma;
    double hueFrom, hueTo;
    double secondHueFrom, secondHueTo;
};

constexpr std::array<Band, kPaletteGroups> kLightBands{{
    {63, 74, 34, 250, 275, 138, 162},  // User: blue and green
    {42, 53, 54, 22, 42, 22, 42},      // Mpi: red
    {80, 86, 62, 72, 92, 72, 92},      // Threading: orange to yellow
    {57, 60, 34, 195, 210, 195, 210},  // Accelerator: teal
    {54, 56, 30, 340, 355, 340, 355},  // Memory: rose
    {32, 39, 46, 305, 318, 305, 318},  // Io: violet
    {88, 91, 3, 260, 260, 260, 260},   // Measurement: grey
}};

constexpr std::array<Band, kPaletteGroups> kDarkBands{{
    {61, 71, 34, 250, 275, 138, 162},
    {44, 53, 54, 22, 42, 22, 42},
    {78, 84, 58, 72, 92, 72, 92},
    {57, 59, 34, 195, 210, 195, 210},
    {54, 56, 30, 340, 355, 340, 355},
    {36, 42, 46, 305, 318, 305, 318},
    {29, 33, 4, 260, 260, 260, 260},
}};

// Shades of a chosen colour, to either side.
constexpr double kLightnessSpread = 5;
constexpr double kHueSpread = 10;

const Band& bandOf(PaletteGroup group, bool dark)
{
    return (dark ? kDarkBands : kLightBands)[static_cast<std::size_t>(group)];
}

/// FNV-1a with a final mix: the same on every machine.
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ull;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ull;
    return hash ^ (hash >> 32);
}

std::optional<PaletteGroup> byParadigm(const Region& region)
{
    switch (region.paradigm) {
    case Paradigm::Mpi:
    case Paradigm::Shmem: return PaletteGroup::Mpi;
    case Paradigm::OpenMp:
    case Paradigm::Pthread: return PaletteGroup::Threading;
    case Paradigm::Cuda:
    case Paradigm::Hip:
    case Paradigm::OpenCl:
    case Paradigm::OpenAcc:
    case Paradigm::Kokkos: return PaletteGroup::Accelerator;
    case Paradigm::Io: return PaletteGroup::Io;
    case Paradigm::Memory: return PaletteGroup::Memory;
    case Paradigm::Measurement: return PaletteGroup::Measurement;
    default: break;
    }
    if (region.role == RegionRole::FileIo) return PaletteGroup::Io;
    if (region.role == RegionRole::Artificial) return PaletteGroup::Measurement;
    return std::nullopt;
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// True when the text has the word, with no letter before or after it: "TAU_MPI" is MPI's, "COMPILER" is not.
bool hasWord(std::string_view text, std::string_view word)
{
    const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isLetter(text[at - 1])) && (end == text.size() || !isLetter(text[end]))) return true;
    }
    return false;
}

std::optional<PaletteGroup> byGroupName(std::string_view groupName)
{
    const std::string text = lowered(groupName);
    if (hasWord(text, "mpi") || contains(text, "shmem")) return PaletteGroup::Mpi;
    if (contains(text, "openmp") || hasWord(text, "ompt") || contains(text, "pthread")) return PaletteGroup::Threading;
    if (contains(text, "cuda") || hasWord(text, "hip") || contains(text, "opencl")) return PaletteGroup::Accelerator;
    if (hasWord(text, "io") || contains(text, "posix")) return PaletteGroup::Io;
    if (contains(text, "memory")) return PaletteGroup::Memory;
    return std::nullopt;
}

struct NamePrefix {
    std::string_view prefix;
    PaletteGroup group;
};

constexpr std::array<NamePrefix, 19> kPrefixes{{
    {".tau", PaletteGroup::Measurement}, {"!$omp", PaletteGroup::Threading},  {"cuda", PaletteGroup::Accelerator},
    {"eztrace", PaletteGroup::Measurement}, {"fread", PaletteGroup::Io},      {"fwrite", PaletteGroup::Io},
    {"gomp_", PaletteGroup::Threading},  {"hip", PaletteGroup::Accelerator},  {"kmp", PaletteGroup::Threading},
    {"mpi ", PaletteGroup::Mpi},         {"mpi_", PaletteGroup::Mpi},         {"omp_", PaletteGroup::Threading},
    {"openmp_", PaletteGroup::Threading}, {"parallel ", PaletteGroup::Threading}, {"pmpi_", PaletteGroup::Mpi},
    {"pthread_", PaletteGroup::Threading}, {"scorep", PaletteGroup::Measurement},
    {"tau_", PaletteGroup::Measurement}, {"trace buffer", PaletteGroup::Measurement},
}};

std::optional<PaletteGroup> byName(std::string_view regionName)
{
    const std::string text = lowered(regionName);
    const auto found = std::find_if(kPrefixes.begin(), kPrefixes.end(), [&](const NamePrefix& entry) {
        return text.starts_with(entry.prefix);
    });
    if (found == kPrefixes.end()) return std::nullopt;
    return found->group;
}

double within(double from, double to, std::uint64_t bits) { return from + (to - from) * static_cast<double>(bits % 1024) / 1023; }

}  // namespace

std::string_view name(PaletteGroup group)
{
    static constexpr std::array<std::string_view, kPaletteGroups> names{
        "Application", "MPI", "OpenMP and threads", "Accelerator", "Memory", "I/O", "Measurement"};
    return names[static_cast<std::size_t>(group)];
}

PaletteGroup paletteGroupOf(const Region& region, const Definitions& definitions)
{
    if (const auto group = byParadigm(region)) return *group;
    for (const RegionGroupId id : region.groups)
        if (const auto group = byGroupName(definitions.regionGroups[id.index()].name)) return *group;
    return byName(region.name).value_or(PaletteGroup::User);
}

Color groupColor(PaletteGroup group, const Theme& theme)
{
    if (const auto& chosen = theme.chosenGroups[static_cast<std::size_t>(group)]) return *chosen;
    const Band& band = bandOf(group, theme.dark);
    return fromLch((band.lightnessFrom + band.lightnessTo) / 2, band.chroma, (band.hueFrom + band.hueTo) / 2);
}

Color regionColor(std::string_view regionName, PaletteGroup group, const Theme& theme)
{
    const std::uint64_t hash = hashOf(regionName);
    if (const auto& chosen = theme.chosenGroups[static_cast<std::size_t>(group)]) {
        const Lch base = toLch(*chosen);
        return fromLch(within(base.lightness - kLightnessSpread, base.lightness + kLightnessSpread, hash >> 12), base.chroma,
                       within(base.hueDegrees - kHueSpread, base.hueDegrees + kHueSpread, hash >> 32));
    }
    const Band& band = bandOf(group, theme.dark);
    const bool second = (hash >> 8 & 1) != 0;
    const double hueFrom = second ? band.secondHueFrom : band.hueFrom;
    const double hueTo = second ? band.secondHueTo : band.hueTo;
    return fromLch(within(band.lightnessFrom, band.lightnessTo, hash >> 12), band.chroma, within(hueFrom, hueTo, hash >> 32));
}

RegionPalette regionPalette(const Definitions& definitions, const Theme& theme)
{
    RegionPalette palette;
    palette.dark = theme.dark;
    for (int group = 0; group < kPaletteGroups; ++group)
        palette.groupColors[static_cast<std::size_t>(group)] = groupColor(static_cast<PaletteGroup>(group), theme);
    for (const Region& region : definitions.regions) {
        palette.groups.push_back(paletteGroupOf(region, definitions));
        palette.argb.push_back(toArgb(regionColor(displayName(region), palette.groups.back(), theme)));
    }
    return palette;
}

Color textColorOn(Color background)
{
    // Where both read well (contrast ≥ 3.9), neighbouring shades of a group should not differ.
    constexpr double kDarkest = 53.7;
    return lightness(background) < kDarkest ? Color{255, 255, 255} : Color{20, 22, 26};
}

}  // namespace skein
