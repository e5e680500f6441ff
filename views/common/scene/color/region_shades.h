// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// What an operation of MPI is for. Each kind has a hue of its own.
enum class MpiKind : std::uint8_t {
    PointToPoint,  ///< red
    Request,       ///< waiting for requests, and testing them: purple red
    Collective,    ///< brown and orange
    OneSided,      ///< violet red
    Setup,         ///< everything else: reddish grey
};
inline constexpr std::size_t kMpiKinds = 5;

/// "point to point", "waiting for requests" …
std::string_view name(MpiKind kind);

/// By the operation's name, whatever its case and with or without "PMPI_" or "MPI_" in front.
MpiKind mpiKindOf(std::string_view regionName);

/// The shades that the regions of a band of colours (color_bands.h) take, those of MPI by kind; the same in
/// light and dark themes. All shades of all roles differ from each other by 10 and more (CIEDE2000), and by 6
/// and more to eyes without one of the three kinds of cones, where lightness does what hue cannot; text reads
/// on each with a contrast of 4.5. MPI is darker than all of the application. Empty for bands of which the
/// shades are spread by the name alone.
std::span<const Lch> shadesOf(std::uint32_t band, MpiKind kind);

/// The colour of a role's group as a whole, which differs from all shades in the same way.
Lch groupShadeOf(std::uint32_t band);

/// Which of its band's shades each region takes: the one that its name's hash tells, so that it is the same
/// in every run, but for regions that dominate a picture. Of these the next one gives way to those before it,
/// so that no two of a band have the same shade while there are others. Immutable.
class ShadeChoice {
public:
    struct Dominant {
        std::string name;  ///< as displayName() gives it
        std::uint32_t band = 0;
    };

    /// By name alone.
    ShadeChoice() = default;
    /// The dominant regions, the most dominant first.
    explicit ShadeChoice(const std::vector<Dominant>& dominant);

    /// Index into `shades`, which are those of the region's band.
    std::size_t of(std::string_view regionName, std::span<const Lch> shades) const;

private:
    std::map<std::string, std::size_t, std::less<>> chosen_;
};

}  // namespace skein
