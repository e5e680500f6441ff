// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/palette.h"

#include "views/common/scene/color/color_bands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace skein {
namespace {

// Shades of a chosen colour, to either side.
constexpr double kLightnessSpread = 5;
constexpr double kHueSpread = 10;

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

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

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

struct NamePrefix {
    std::string_view prefix;
    PaletteGroup group;
};

constexpr std::array<NamePrefix, 19> kPrefixes{{
    {".tau", PaletteGroup::Measurement},
    {"!$omp", PaletteGroup::Threading},
    {"cuda", PaletteGroup::Accelerator},
    {"eztrace", PaletteGroup::Measurement},
    {"fread", PaletteGroup::Io},
    {"fwrite", PaletteGroup::Io},
    {"gomp_", PaletteGroup::Threading},
    {"hip", PaletteGroup::Accelerator},
    {"kmp", PaletteGroup::Threading},
    {"mpi ", PaletteGroup::Mpi},
    {"mpi_", PaletteGroup::Mpi},
    {"omp_", PaletteGroup::Threading},
    {"openmp_", PaletteGroup::Threading},
    {"parallel ", PaletteGroup::Threading},
    {"pmpi_", PaletteGroup::Mpi},
    {"pthread_", PaletteGroup::Threading},
    {"scorep", PaletteGroup::Measurement},
    {"tau_", PaletteGroup::Measurement},
    {"trace buffer", PaletteGroup::Measurement},
}};

std::optional<PaletteGroup> byName(std::string_view regionName)
{
    const std::string text = lowered(regionName);
    const auto found = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                    [&](const NamePrefix& entry) { return text.starts_with(entry.prefix); });
    if (found == kPrefixes.end()) return std::nullopt;
    return found->group;
}

double within(double from, double to, std::uint64_t bits)
{
    return from + (to - from) * static_cast<double>(bits % 1024) / 1023;
}

std::optional<Color> chosenColor(const ShownGroup& group, const Theme& theme)
{
    if (group.grouping == RegionGrouping::Recorded)
        if (const auto found = theme.chosenRecorded.find(group.name); found != theme.chosenRecorded.end())
            return found->second;
    return group.band < kPaletteGroups ? theme.chosenGroups[group.band] : std::nullopt;
}

/// The shades of a group: those of its band, or to either side of the colour that was chosen for it.
class Shades {
public:
    Shades(const ShownGroup& group, const Theme& theme, const ShadeChoice& choice)
        : number_(group.band), choice_(choice), band_(colorBand(group.band, theme.dark))
    {
        const auto chosen = chosenColor(group, theme);
        if (!chosen) return;
        const Lch base = toLch(*chosen);
        const double hueFrom = base.hueDegrees - kHueSpread, hueTo = base.hueDegrees + kHueSpread;
        band_ = {base.lightness - kLightnessSpread,
                 base.lightness + kLightnessSpread,
                 base.chroma,
                 hueFrom,
                 hueTo,
                 hueFrom,
                 hueTo};
        spread_ = true;
    }

    Color of(std::string_view regionName) const
    {
        const auto shades = spread_ ? std::span<const Lch>() : shadesOf(number_, mpiKindOf(regionName));
        if (shades.empty()) return spread(regionName);
        const Lch& shade = shades[choice_.of(regionName, shades)];
        return fromLch(shade.lightness, shade.chroma, shade.hueDegrees);
    }

private:
    Color spread(std::string_view regionName) const
    {
        const std::uint64_t hash = nameHash(regionName);
        const bool second = (hash >> 8 & 1) != 0;
        return fromLch(within(band_.lightnessFrom, band_.lightnessTo, hash >> 12), band_.chroma,
                       second ? within(band_.secondHueFrom, band_.secondHueTo, hash >> 32)
                              : within(band_.hueFrom, band_.hueTo, hash >> 32));
    }

    std::uint32_t number_;
    const ShadeChoice& choice_;
    ColorBand band_;
    bool spread_ = false;
};

}  // namespace

std::string_view name(PaletteGroup group)
{
    static constexpr std::array<std::string_view, kPaletteGroups> names{
        "Application", "MPI", "OpenMP and threads", "Accelerator", "Memory", "I/O", "Measurement"};
    return names[static_cast<std::size_t>(group)];
}

std::optional<PaletteGroup> roleOfGroup(std::string_view groupName)
{
    const std::string text = lowered(groupName);
    if (hasWord(text, "mpi") || contains(text, "shmem")) return PaletteGroup::Mpi;
    if (contains(text, "openmp") || hasWord(text, "ompt") || contains(text, "pthread"))
        return PaletteGroup::Threading;
    if (contains(text, "cuda") || hasWord(text, "hip") || contains(text, "opencl"))
        return PaletteGroup::Accelerator;
    if (hasWord(text, "io") || contains(text, "posix")) return PaletteGroup::Io;
    if (contains(text, "memory")) return PaletteGroup::Memory;
    return std::nullopt;
}

PaletteGroup paletteGroupOf(const Region& region, const Definitions& definitions)
{
    if (const auto group = byParadigm(region)) return *group;
    for (const RegionGroupId id : region.groups)
        if (const auto group = roleOfGroup(definitions.regionGroups[id.index()].name)) return *group;
    return byName(region.name).value_or(PaletteGroup::User);
}

ShownGroup shownGroup(PaletteGroup group)
{
    return {std::string(name(group)), RegionGrouping::Role, static_cast<std::uint32_t>(group)};
}

bool hasChosenColor(const ShownGroup& group, const Theme& theme)
{
    if (group.grouping == RegionGrouping::Recorded) return theme.chosenRecorded.contains(group.name);
    return theme.chosenGroups[group.band].has_value();
}

Color groupColor(const ShownGroup& group, const Theme& theme)
{
    if (const auto chosen = chosenColor(group, theme)) return *chosen;
    if (group.band < kPaletteGroups && !shadesOf(group.band, MpiKind::Setup).empty()) {
        const Lch shade = groupShadeOf(group.band);
        return fromLch(shade.lightness, shade.chroma, shade.hueDegrees);
    }
    const ColorBand& band = colorBand(group.band, theme.dark);
    return fromLch((band.lightnessFrom + band.lightnessTo) / 2, band.chroma, (band.hueFrom + band.hueTo) / 2);
}

Color groupColor(PaletteGroup group, const Theme& theme) { return groupColor(shownGroup(group), theme); }

Color regionColor(std::string_view regionName, const ShownGroup& group, const Theme& theme,
                  const ShadeChoice& choice)
{
    return Shades(group, theme, choice).of(regionName);
}

Color regionColor(std::string_view regionName, PaletteGroup group, const Theme& theme)
{
    return regionColor(regionName, shownGroup(group), theme);
}

RegionPalette regionPalette(const Definitions& definitions, const Theme& theme)
{
    std::vector<ShownGroup> groups;
    for (int group = 0; group < kPaletteGroups; ++group)
        groups.push_back(shownGroup(static_cast<PaletteGroup>(group)));
    std::vector<std::uint32_t> groupOf;
    groupOf.reserve(definitions.regions.size());
    for (const Region& region : definitions.regions)
        groupOf.push_back(static_cast<std::uint32_t>(paletteGroupOf(region, definitions)));
    return regionPalette(definitions, groups, std::move(groupOf), theme);
}

RegionPalette regionPalette(const Definitions& definitions, const std::vector<ShownGroup>& groups,
                            std::vector<std::uint32_t> groupOf, const Theme& theme, const ShadeChoice& choice)
{
    RegionPalette palette;
    palette.dark = theme.dark;
    palette.groups = std::move(groupOf);
    std::vector<Shades> shades;
    for (const ShownGroup& group : groups) {
        palette.groupColors.push_back(groupColor(group, theme));
        shades.emplace_back(group, theme, choice);
    }
    palette.argb.reserve(definitions.regions.size());
    for (std::size_t region = 0; region < definitions.regions.size(); ++region)
        palette.argb.push_back(
            toArgb(shades[palette.groups[region]].of(displayName(definitions.regions[region]))));
    return palette;
}

Color textColorOn(Color background)
{
    // Where the contrast is 4.5 with either.
    constexpr double kDarkest = 51.4;
    return lightness(background) < kDarkest ? Color{255, 255, 255} : Color{20, 22, 26};
}

}  // namespace skein
