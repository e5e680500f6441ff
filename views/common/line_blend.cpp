// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_blend.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein {
namespace {

constexpr double kOne = 65536;  ///< positions across a line are whole numbers of 1 / 65536 pixel

/// Pixels are fetched from memory so many steps before they are blended: the picture is larger than the caches.
constexpr int kStepsAhead = 12;
constexpr int kRowsAhead = 2;

/// A line on its way along its longer axis.
struct Walk {
    int at;              ///< pixel along
    int last;            ///< one past the last pixel
    std::int64_t from;   ///< across, where the covered part begins at this pixel
    std::int64_t step;   ///< what is added to `from` at the next pixel
    std::int64_t width;
    std::uint32_t color;
    std::uint32_t alpha;  ///< of 256
};

/// Mixes `part` of 256 of a colour into a pixel; two channels at a time.
std::uint32_t mixed(std::uint32_t under, std::uint32_t over, std::uint32_t part)
{
    const std::uint32_t rest = 256 - part;
    const std::uint32_t redBlue = (((under & 0xFF00FFu) * rest + (over & 0xFF00FFu) * part) >> 8) & 0xFF00FFu;
    const std::uint32_t green = (((under & 0x00FF00u) * rest + (over & 0x00FF00u) * part) >> 8) & 0x00FF00u;
    return 0xFF000000u | redBlue | green;
}

Walk walkOf(const LineItem& line, Point from, Point to, int first, int end)
{
    if (from.y > to.y) std::swap(from, to);
    const double slope = to.y > from.y ? (to.x - from.x) / (to.y - from.y) : 0;
    const double width = line.width * std::sqrt(1 + slope * slope);
    const auto clamped = [&](double at) { return static_cast<int>(std::clamp(at, static_cast<double>(first), static_cast<double>(end))); };
    Walk walk{};
    walk.at = clamped(std::ceil(from.y - 0.5));
    walk.last = clamped(std::ceil(to.y - 0.5));
    walk.from = static_cast<std::int64_t>((from.x + (walk.at + 0.5 - from.y) * slope - width / 2) * kOne);
    walk.step = static_cast<std::int64_t>(slope * kOne);
    walk.width = static_cast<std::int64_t>(width * kOne);
    walk.color = toArgb(line.color);
    walk.alpha = line.color.alpha + (line.color.alpha >> 7);
    return walk;
}

/// One step: `pixel(at)` is the pixel across that is to be blended.
template <typename PixelAt>
void blendStep(Walk& walk, int acrossFirst, int acrossEnd, PixelAt pixel)
{
    const std::int64_t to = walk.from + walk.width;
    const int first = std::max(acrossFirst, static_cast<int>(walk.from >> 16));
    const int last = std::min(acrossEnd - 1, static_cast<int>((to - 1) >> 16));
    for (int at = first; at <= last; ++at) {
        const std::int64_t covered = std::min(to, (std::int64_t{at} + 1) << 16) - std::max(walk.from, std::int64_t{at} << 16);
        std::uint32_t& value = *pixel(at);
        value = mixed(value, walk.color, static_cast<std::uint32_t>(walk.alpha * covered >> 16));
    }
    walk.from += walk.step;
    ++walk.at;
}

std::uint32_t* pixelAt(const PixelPlane& plane, int x, int y)
{
    return reinterpret_cast<std::uint32_t*>(plane.bits + static_cast<std::size_t>(y) * plane.bytesPerLine) + x;
}

void blendFlat(const PixelPlane& plane, const LineItem& line)
{
    Walk walk = walkOf(line, {line.from.y, line.from.x}, {line.to.y, line.to.x}, plane.left, plane.right);
    while (walk.at < walk.last) {
        const int x = walk.at;
        const auto soon = static_cast<int>((walk.from + kStepsAhead * walk.step) >> 16);
        if (x + kStepsAhead < plane.right && plane.top <= soon && soon < plane.bottom)
            __builtin_prefetch(pixelAt(plane, x + kStepsAhead, soon), 1);
        blendStep(walk, plane.top, plane.bottom, [&](int y) { return pixelAt(plane, x, y); });
    }
}

void blendSteep(const PixelPlane& plane, std::vector<Walk> walks)
{
    std::stable_sort(walks.begin(), walks.end(), [](const Walk& a, const Walk& b) { return a.at < b.at; });
    std::vector<Walk> active;
    std::size_t next = 0;
    for (int y = plane.top; y < plane.bottom && (next < walks.size() || !active.empty()); ++y) {
        for (; next < walks.size() && walks[next].at == y; ++next)
            if (walks[next].at < walks[next].last) active.push_back(walks[next]);
        std::uint32_t* const row = pixelAt(plane, 0, y);
        const std::uint32_t* const ahead = pixelAt(plane, 0, std::min(y + kRowsAhead, plane.bottom - 1));
        for (Walk& walk : active) {
            const auto soon = static_cast<int>((walk.from + kRowsAhead * walk.step) >> 16);
            if (plane.left <= soon && soon < plane.right) __builtin_prefetch(ahead + soon, 1);
            blendStep(walk, plane.left, plane.right, [row](int x) { return row + x; });
        }
        std::erase_if(active, [](const Walk& walk) { return walk.at >= walk.last; });
    }
}

}  // namespace

void blendLines(const PixelPlane& plane, std::span<const LineItem* const> lines)
{
    std::vector<Walk> steep;
    for (const LineItem* line : lines) {
        const bool isFlat = std::abs(line->to.x - line->from.x) > std::abs(line->to.y - line->from.y);
        if (isFlat) blendFlat(plane, *line);
        else steep.push_back(walkOf(*line, line->from, line->to, plane.top, plane.bottom));
    }
    blendSteep(plane, std::move(steep));
}

}  // namespace skein
