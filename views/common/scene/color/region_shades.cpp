// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/region_shades.h"

#include "views/common/scene/color/color_bands.h"
#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace skein {
namespace {

// Found by annealing: the least distance of any two is 10.4, of any two as seen without one kind of cones 6.2
// (Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision deficiency",
// IEEE TVCG 15(6), 2009, severity 1). tests/views/common/scene/color/region_shades_test.cpp works it out.
constexpr std::size_t kBlues = 6;
constexpr std::array<Lch, 12> kUser{{{77.3, 41.9, 260.4},
                                     {67.4, 22.8, 268.5},
                                     {55.0, 40.9, 279.8},
                                     {63.3, 43.8, 263.0},
                                     {57.8, 21.4, 288.0},
                                     {86.0, 46.0, 281.7},
                                     {66.5, 36.0, 119.8},
                                     {66.5, 30.3, 156.2},
                                     {86.0, 31.8, 168.6},
                                     {81.6, 43.0, 123.7},
                                     {56.1, 25.5, 137.4},
                                     {76.6, 18.4, 121.8}}};
constexpr std::array<Lch, 3> kPointToPoint{{{39.4, 75.0, 32.0}, {40.0, 35.0, 22.0}, {30.0, 58.5, 22.3}}};
constexpr std::array<Lch, 3> kRequest{{{33.5, 51.7, 359.2}, {47.8, 36.7, 348.1}, {26.1, 69.4, 335.0}}};
constexpr std::array<Lch, 4> kCollective{
    {{45.0, 30.0, 65.9}, {24.8, 46.6, 52.6}, {35.3, 47.9, 72.0}, {48.4, 70.1, 66.4}}};
constexpr std::array<Lch, 2> kOneSided{{{48.7, 38.7, 318.6}, {37.9, 38.0, 331.8}}};
constexpr std::array<Lch, 2> kSetup{{{24.3, 10.6, 16.2}, {48.4, 8.4, 29.4}}};
constexpr std::array<Lch, 3> kThreading{{{82.4, 63.9, 81.3}, {71.9, 52.4, 97.4}, {88.9, 42.1, 73.4}}};
constexpr std::array<Lch, 2> kAccelerator{{{70.9, 40.9, 192.2}, {54.4, 39.9, 196.6}}};
constexpr std::array<Lch, 2> kMemory{{{76.6, 21.8, 335.9}, {70.8, 45.2, 358.7}}};
constexpr std::array<Lch, 3> kIo{{{48.3, 64.2, 302.1}, {29.9, 44.0, 298.6}, {40.2, 68.8, 313.6}}};
constexpr Lch kUserGroup{60, 16, 185};
constexpr Lch kMpiGroup{49, 57.6, 24.4};

constexpr std::uint32_t bandOf(PaletteGroup group) { return static_cast<std::uint32_t>(group); }

std::span<const Lch> shadesOfKind(MpiKind kind)
{
    switch (kind) {
    case MpiKind::PointToPoint: return kPointToPoint;
    case MpiKind::Request: return kRequest;
    case MpiKind::Collective: return kCollective;
    case MpiKind::OneSided: return kOneSided;
    case MpiKind::Setup: break;
    }
    return kSetup;
}

struct KindPrefix {
    std::string_view prefix;
    MpiKind kind;
};

/// The first that fits counts.
constexpr std::array<KindPrefix, 40> kPrefixesOfKinds{{
    {"wait", MpiKind::Request},
    {"test", MpiKind::Request},
    {"get_", MpiKind::Setup},
    {"put", MpiKind::OneSided},
    {"get", MpiKind::OneSided},
    {"rput", MpiKind::OneSided},
    {"rget", MpiKind::OneSided},
    {"win_", MpiKind::OneSided},
    {"accumulate", MpiKind::OneSided},
    {"raccumulate", MpiKind::OneSided},
    {"fetch_and_op", MpiKind::OneSided},
    {"compare_and_swap", MpiKind::OneSided},
    {"barrier", MpiKind::Collective},
    {"bcast", MpiKind::Collective},
    {"broadcast", MpiKind::Collective},
    {"reduce", MpiKind::Collective},
    {"allreduce", MpiKind::Collective},
    {"gather", MpiKind::Collective},
    {"allgather", MpiKind::Collective},
    {"scatter", MpiKind::Collective},
    {"alltoall", MpiKind::Collective},
    {"scan", MpiKind::Collective},
    {"exscan", MpiKind::Collective},
    {"collective", MpiKind::Collective},
    {"neighbor_", MpiKind::Collective},
    {"send", MpiKind::PointToPoint},
    {"bsend", MpiKind::PointToPoint},
    {"ssend", MpiKind::PointToPoint},
    {"rsend", MpiKind::PointToPoint},
    {"psend", MpiKind::PointToPoint},
    {"precv", MpiKind::PointToPoint},
    {"recv", MpiKind::PointToPoint},
    {"mrecv", MpiKind::PointToPoint},
    {"probe", MpiKind::PointToPoint},
    {"mprobe", MpiKind::PointToPoint},
    {"start", MpiKind::PointToPoint},
    {"buffer_", MpiKind::PointToPoint},
    {"cancel", MpiKind::PointToPoint},
    {"pready", MpiKind::PointToPoint},
    {"parrived", MpiKind::PointToPoint},
}};

/// Setup where none fits.
MpiKind kindByPrefix(std::string_view operation)
{
    const auto found =
        std::find_if(kPrefixesOfKinds.begin(), kPrefixesOfKinds.end(),
                     [&](const KindPrefix& entry) { return operation.starts_with(entry.prefix); });
    return found == kPrefixesOfKinds.end() ? MpiKind::Setup : found->kind;
}

}  // namespace

std::string_view name(MpiKind kind)
{
    static constexpr std::array<std::string_view, kMpiKinds> names{
        "point to point", "waiting for requests", "collectives", "one-sided", "setup and others"};
    return names[static_cast<std::size_t>(kind)];
}

MpiKind mpiKindOf(std::string_view regionName)
{
    std::string text(regionName);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::string_view operation = text;
    for (const std::string_view front : {"p", "mpi", "_", " ", "shmem_"})
        if (operation.starts_with(front) && (front != "p" || operation.starts_with("pmpi")))
            operation.remove_prefix(front.size());
    const MpiKind kind = kindByPrefix(operation);
    // Those that do not block: MPI_Isend, MPI_Ibarrier.
    return kind == MpiKind::Setup && operation.starts_with("i") ? kindByPrefix(operation.substr(1)) : kind;
}

std::span<const Lch> shadesOf(std::uint32_t band, MpiKind kind)
{
    switch (band) {
    case bandOf(PaletteGroup::User): return kUser;
    case bandOf(PaletteGroup::Mpi): return shadesOfKind(kind);
    case bandOf(PaletteGroup::Threading): return kThreading;
    case bandOf(PaletteGroup::Accelerator): return kAccelerator;
    case bandOf(PaletteGroup::Memory): return kMemory;
    case bandOf(PaletteGroup::Io): return kIo;
    case kBlueBand: return std::span(kUser).first(kBlues);
    case kGreenBand: return std::span(kUser).subspan(kBlues);
    default: return {};
    }
}

Lch groupShadeOf(std::uint32_t band)
{
    if (band == bandOf(PaletteGroup::User)) return kUserGroup;
    if (band == bandOf(PaletteGroup::Mpi)) return kMpiGroup;
    return shadesOf(band, MpiKind::Setup).front();
}

ShadeChoice::ShadeChoice(const std::vector<Dominant>& dominant)
{
    std::set<const Lch*> taken;
    for (const Dominant& region : dominant) {
        const auto shades = shadesOf(region.band, mpiKindOf(region.name));
        if (shades.empty() || chosen_.contains(region.name)) continue;
        const std::size_t wanted = nameHash(region.name) % shades.size();
        std::size_t shade = wanted;
        for (std::size_t step = 0; step < shades.size(); ++step) {
            shade = (wanted + step) % shades.size();
            if (!taken.contains(&shades[shade])) break;
            shade = wanted;
        }
        taken.insert(&shades[shade]);
        chosen_.emplace(region.name, shade);
    }
}

std::size_t ShadeChoice::of(std::string_view regionName, std::span<const Lch> shades) const
{
    const auto found = chosen_.find(regionName);
    return (found != chosen_.end() ? found->second : nameHash(regionName)) % shades.size();
}

}  // namespace skein
