// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_blend.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace skein {
namespace {

constexpr double kOne = 65536;  ///< positions across a line are whole numbers of 1 / 65536 pixel

/// Pixels are fetched from memory so many steps before they are blended: the picture is larger than the
/// caches.
constexpr int kStepsAhead = 12;
constexpr int kRowsAhead = 2;

/// Lines that leave their rows sooner are blended pixel by pixel.
constexpr int kShortRun = 12;

/// A line on its way along its longer axis.
struct Walk {
    int at;             ///< pixel along
    int last;           ///< one past the last pixel
    std::int64_t from;  ///< across, where the covered part begins at this pixel
    std::int64_t step;  ///< what is added to `from` at the next pixel
    std::int64_t width;
    std::uint32_t color;
    std::uint32_t alpha;  ///< of 256
};

/// Mixes `part` of 256 of a colour into a pixel; two channels at a time.
std::uint32_t mixedOf256(std::uint32_t under, std::uint32_t over, std::uint32_t part)
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
    const auto clamped = [&](double at) {
        return static_cast<int>(std::clamp(at, static_cast<double>(first), static_cast<double>(end)));
    };
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
        const std::int64_t covered =
            std::min(to, (std::int64_t{at} + 1) << 16) - std::max(walk.from, std::int64_t{at} << 16);
        std::uint32_t& value = *pixel(at);
        value = mixedOf256(value, walk.color, static_cast<std::uint32_t>(walk.alpha * covered >> 16));
    }
    walk.from += walk.step;
    ++walk.at;
}

/// How many steps a position stays within its pixel.
std::int64_t stepsWithin(std::int64_t at, std::int64_t step)
{
    if (step == 0) return std::numeric_limits<std::int32_t>::max();
    const std::int64_t inside = at & 0xFFFF;
    return step > 0 ? (0xFFFF - inside) / step + 1 : inside / -step + 1;
}

/// A colour over neighbouring pixels, of each part / 65536 of 256; the part changes evenly.
void blendRun(std::uint32_t* pixels, std::int64_t count, std::uint32_t color, std::int64_t part,
              std::int64_t partStep)
{
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128();
    const __m128i over = _mm_unpacklo_epi8(_mm_set1_epi32(static_cast<int>(color)), zero);
    const __m128i opaque = _mm_set1_epi32(static_cast<int>(0xFF000000u));
    const __m128i whole = _mm_set1_epi16(256);
    const auto at = [&](int pixel) { return static_cast<int>(part + pixel * partStep); };
    __m128i parts = count < 4 ? zero : _mm_setr_epi32(at(0), at(1), at(2), at(3));
    const __m128i fourSteps = _mm_set1_epi32(static_cast<int>(4 * partStep));
    const auto mix = [&](__m128i under, __m128i share) {
        return _mm_srli_epi16(
            _mm_add_epi16(_mm_mullo_epi16(under, _mm_sub_epi16(whole, share)), _mm_mullo_epi16(over, share)),
            8);
    };
    for (; count >= 4;
         count -= 4, pixels += 4, part += 4 * partStep, parts = _mm_add_epi32(parts, fourSteps)) {
        const __m128i under = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels));
        const __m128i shares = _mm_packs_epi32(_mm_srai_epi32(parts, 16), zero);
        const __m128i twice = _mm_unpacklo_epi16(shares, shares);
        const __m128i low = mix(_mm_unpacklo_epi8(under, zero), _mm_unpacklo_epi32(twice, twice));
        const __m128i high = mix(_mm_unpackhi_epi8(under, zero), _mm_unpackhi_epi32(twice, twice));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels),
                         _mm_or_si128(_mm_packus_epi16(low, high), opaque));
    }
#endif
    for (; count > 0; --count, ++pixels, part += partStep)
        *pixels = mixedOf256(*pixels, color, static_cast<std::uint32_t>(part >> 16));
}

/// Goes on to the first pixel along that is not before `at`.
void skipTo(Walk& walk, std::int64_t at)
{
    const std::int64_t steps = std::min<std::int64_t>(at, walk.last) - walk.at;
    if (steps <= 0) return;
    walk.from += steps * walk.step;
    walk.at += static_cast<int>(steps);
}

/// Leaves away, as far as whole steps go, what lies outside of [first, end) across.
void cutAcross(Walk& walk, int first, int end)
{
    const std::int64_t low = (std::int64_t{first} << 16) - walk.width, high = std::int64_t{end} << 16;
    if (walk.step == 0) {
        if (walk.from < low || walk.from > high) walk.last = walk.at;
        return;
    }
    const std::int64_t toLow = (low - walk.from) / walk.step, toHigh = (high - walk.from) / walk.step;
    const std::int64_t enters = walk.at + std::min(toLow, toHigh) - 1,
                       leaves = walk.at + std::max(toLow, toHigh) + 2;
    walk.last = static_cast<int>(std::clamp<std::int64_t>(leaves, walk.at, walk.last));
    skipTo(walk, enters);
}

/// Pixel by pixel.
void blendSlanted(const PixelPlane& plane, Walk walk)
{
    while (walk.at < walk.last) {
        const int x = walk.at;
        const auto soon = static_cast<int>((walk.from + kStepsAhead * walk.step) >> 16);
        if (x + kStepsAhead < plane.right && plane.top <= soon && soon < plane.bottom)
            __builtin_prefetch(plane.at(x + kStepsAhead, soon), 1);
        blendStep(walk, plane.top, plane.bottom, [&](int y) { return plane.at(x, y); });
    }
}

/// As long as the same rows are covered, each of them in one go.
void blendNearlyLevel(const PixelPlane& plane, Walk walk)
{
    while (walk.at < walk.last) {
        const std::int64_t to = walk.from + walk.width;
        const std::int64_t count =
            std::min({static_cast<std::int64_t>(walk.last - walk.at), stepsWithin(walk.from, walk.step),
                      stepsWithin(to - 1, walk.step)});
        const std::int64_t first = walk.from >> 16;
        const std::int64_t last = (to - 1) >> 16;
        for (std::int64_t row = std::max<std::int64_t>(first, plane.top);
             row <= std::min<std::int64_t>(last, plane.bottom - 1); ++row) {
            const std::int64_t covered = std::min(to, (row + 1) << 16) - std::max(walk.from, row << 16);
            const std::int64_t grows = (row == last) - (row == first);
            blendRun(plane.at(walk.at, static_cast<int>(row)), count, walk.color, walk.alpha * covered,
                     walk.alpha * grows * walk.step);
        }
        walk.from += count * walk.step;
        walk.at += static_cast<int>(count);
    }
}

void blendFlat(const PixelPlane& plane, const LineItem& line)
{
    Walk walk = walkOf(line, {line.from.y, line.from.x}, {line.to.y, line.to.x}, plane.left, plane.right);
    cutAcross(walk, plane.top, plane.bottom);
    if (std::abs(walk.step) * kShortRun > kOne) blendSlanted(plane, walk);
    else blendNearlyLevel(plane, walk);
}

void blendSteep(const PixelPlane& plane, std::vector<Walk> walks)
{
    std::stable_sort(walks.begin(), walks.end(), [](const Walk& a, const Walk& b) { return a.at < b.at; });
    for (Walk& walk : walks) skipTo(walk, plane.top);
    std::erase_if(walks, [](const Walk& walk) { return walk.at >= walk.last; });
    std::vector<Walk> active;
    std::size_t next = 0;
    for (int y = plane.top; y < plane.bottom && (next < walks.size() || !active.empty()); ++y) {
        for (; next < walks.size() && walks[next].at == y; ++next) active.push_back(walks[next]);
        std::uint32_t* const row = plane.at(0, y);
        const std::uint32_t* const ahead = plane.at(0, std::min(y + kRowsAhead, plane.bottom - 1));
        for (Walk& walk : active) {
            const auto soon = static_cast<int>((walk.from + kRowsAhead * walk.step) >> 16);
            if (plane.left <= soon && soon < plane.right) __builtin_prefetch(ahead + soon, 1);
            blendStep(walk, plane.left, plane.right, [row](int x) { return row + x; });
        }
        std::erase_if(active, [](const Walk& walk) { return walk.at >= walk.last; });
    }
}

}  // namespace

void blendLines(const PixelPlane& plane, std::span<const LineItem* const> lines, int top, int bottom)
{
    PixelPlane part = plane;
    part.top = std::max(plane.top, top);
    part.bottom = std::min(plane.bottom, bottom);
    std::vector<Walk> steep;
    for (const LineItem* line : lines) {
        const auto [upper, lower] = std::minmax(line->from.y, line->to.y);
        const bool isFlat = std::abs(line->to.x - line->from.x) > lower - upper;
        // In a column a flat line is at most √2 of its width high.
        if (const double reach = isFlat ? line->width + 1 : 1;
            lower < part.top - reach || upper > part.bottom + reach)
            continue;
        if (isFlat) blendFlat(part, *line);
        else steep.push_back(walkOf(*line, line->from, line->to, plane.top, plane.bottom));
    }
    blendSteep(part, std::move(steep));
}

}  // namespace skein
