// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

/// A set of parts of a ViewState. kBrushed is the marked span with the marked rows, kColors are the colour
/// mode, its scaling and the grouping of regions; kOverlays is what is drawn over the calls: marks of wait
/// states and lines of messages; kCauses are chains of causes; kPanels is what the user has chosen in single
/// panels.
class ViewParts {
public:
    static const ViewParts kNothing, kVisible, kBrushed, kSelected, kHover, kMetric, kFilters, kClocks,
        kMarks, kRows, kHits, kColors, kOverlays, kMachine, kTree, kVerdicts, kPanels, kCauses, kComparison,
        kPlacements, kEverything;

    constexpr ViewParts() = default;
    constexpr bool any() const { return bits_ != 0; }
    /// True when the sets have a part in common.
    constexpr bool has(ViewParts parts) const { return (bits_ & parts.bits_) != 0; }
    constexpr ViewParts operator|(ViewParts other) const { return ViewParts(bits_ | other.bits_); }
    constexpr ViewParts& operator|=(ViewParts other) { return *this = *this | other; }
    /// Those that are in both sets; those that are not in the other.
    constexpr ViewParts of(ViewParts other) const { return ViewParts(bits_ & other.bits_); }
    constexpr ViewParts without(ViewParts other) const { return ViewParts(bits_ & ~other.bits_); }
    constexpr bool operator==(const ViewParts&) const = default;

private:
    constexpr explicit ViewParts(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

inline constexpr ViewParts ViewParts::kNothing{0};
inline constexpr ViewParts ViewParts::kVisible{1};
inline constexpr ViewParts ViewParts::kBrushed{2};
inline constexpr ViewParts ViewParts::kSelected{4};
inline constexpr ViewParts ViewParts::kHover{8};
inline constexpr ViewParts ViewParts::kMetric{16};
inline constexpr ViewParts ViewParts::kFilters{32};
inline constexpr ViewParts ViewParts::kClocks{64};
inline constexpr ViewParts ViewParts::kMarks{128};
inline constexpr ViewParts ViewParts::kRows{256};
inline constexpr ViewParts ViewParts::kHits{512};
inline constexpr ViewParts ViewParts::kOverlays{1024};
inline constexpr ViewParts ViewParts::kColors{2048};
inline constexpr ViewParts ViewParts::kMachine{4096};
inline constexpr ViewParts ViewParts::kTree{8192};
inline constexpr ViewParts ViewParts::kVerdicts{16384};
inline constexpr ViewParts ViewParts::kPanels{32768};
inline constexpr ViewParts ViewParts::kCauses{65536};
inline constexpr ViewParts ViewParts::kComparison{131072};
inline constexpr ViewParts ViewParts::kPlacements{262144};
inline constexpr ViewParts ViewParts::kEverything{0x7FFFFFFF};

}  // namespace skein
