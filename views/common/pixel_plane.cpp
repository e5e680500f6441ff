// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pixel_plane.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace skein {
namespace {

constexpr std::ptrdiff_t kFewPixels = 512;  ///< shorter stretches are not streamed
constexpr int kNarrowBlock = 32;            ///< pixels
constexpr int kBandRows = 64;               ///< as many rows of a large picture as fit into a cache

#ifdef __SSE2__
constexpr std::ptrdiff_t kLine =
    64 / sizeof(std::uint32_t);  ///< pixels in a line of the caches: only whole ones are streamed

/// How many pixels of a stretch lie before the first whole line of the caches; all of a short one.
std::ptrdiff_t beforeWholeLines(const std::uint32_t* target, std::ptrdiff_t count)
{
    constexpr auto kBytes = static_cast<std::uintptr_t>(kLine) * sizeof(std::uint32_t);
    if (count < kFewPixels) return count;
    return static_cast<std::ptrdiff_t>((kBytes - reinterpret_cast<std::uintptr_t>(target) % kBytes) % kBytes
                                       / sizeof(std::uint32_t));
}
#endif

/// Past the caches: pictures are larger than they are, and what is overwritten need not be read.
void streamCopy(const std::uint32_t* source, std::uint32_t* target, std::ptrdiff_t count)
{
#ifdef __SSE2__
    const std::ptrdiff_t first = beforeWholeLines(target, count);
    target = std::copy_n(source, first, target);
    source += first;
    count -= first;
    for (; count >= kLine; count -= kLine)
        for (std::ptrdiff_t block = 0; block < kLine; block += 4, source += 4, target += 4)
            _mm_stream_si128(reinterpret_cast<__m128i*>(target),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(source)));
#endif
    std::copy_n(source, count, target);
}

void streamFill(std::uint32_t* target, std::ptrdiff_t count, std::uint32_t argb)
{
#ifdef __SSE2__
    const std::ptrdiff_t first = beforeWholeLines(target, count);
    target = std::fill_n(target, first, argb);
    count -= first;
    const __m128i four = _mm_set1_epi32(static_cast<int>(argb));
    for (; count >= kLine; count -= kLine)
        for (std::ptrdiff_t block = 0; block < kLine; block += 4, target += 4)
            _mm_stream_si128(reinterpret_cast<__m128i*>(target), four);
#endif
    std::fill_n(target, count, argb);
}

/// What was streamed is visible to other threads from here on.
void finishStreaming()
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

void copyOpaque(const std::uint32_t* source, std::uint32_t* target, std::ptrdiff_t count)
{
    for (std::ptrdiff_t column = 0; column < count; ++column)
        target[column] = source[column] >> 24 != 0 ? source[column] : target[column];
}

/// Alphas are 0 or 255.
bool isOpaque(const std::uint32_t* first, const std::uint32_t* last)
{
    return std::accumulate(first, last, 0xFF000000u, std::bit_and<>()) >> 24 != 0;
}

bool isEmpty(const std::uint32_t* first, const std::uint32_t* last)
{
    return std::all_of(first, last, [](std::uint32_t argb) { return argb >> 24 == 0; });
}

/// Calls visit(values, top, bottom) for each line of the block that is seen; values are those from the
/// plane's left on.
template <typename Visit>
void visitLines(const PixelItem& item, const PixelPlane& plane, Visit visit)
{
    int y = item.y;
    const std::uint32_t* values = item.argb.data() + (plane.left - item.x);
    for (const int height : item.heights) {
        const int top = std::max(y, plane.top);
        const int bottom = std::min(y + height, plane.bottom);
        if (bottom > top) visit(values, top, bottom);
        values += item.columns;
        y += height;
    }
}

/// The columns of a plane that a block has.
PixelPlane columnsOf(const PixelItem& item, PixelPlane plane)
{
    plane.left = std::max(plane.left, item.x);
    plane.right = std::min(plane.right, item.x + item.columns);
    return plane;
}

/// Nothing outside of the rectangle's whole pixels is told to be covered.
PixelPlane cut(PixelPlane plane, const Rect& rect)
{
    plane.left = std::max(plane.left, static_cast<int>(std::ceil(rect.x)));
    plane.top = std::max(plane.top, static_cast<int>(std::ceil(rect.y)));
    plane.right = std::min(plane.right, static_cast<int>(std::floor(rect.right())));
    plane.bottom = std::min(plane.bottom, static_cast<int>(std::floor(rect.bottom())));
    return plane;
}

/// Where a block goes on in the next band.
struct BlockCursor {
    const PixelItem* item = nullptr;
    PixelPlane seen;
    std::size_t line = 0;
    int y = 0;  ///< of the line
};

void copyRows(const PixelPlane& seen, const std::uint32_t* values, int top, int bottom)
{
    const std::ptrdiff_t width = seen.right - seen.left;
    const bool opaque = isOpaque(values, values + width);
    if (!opaque && isEmpty(values, values + width)) return;
    for (int row = top; row < bottom; ++row) {
        if (opaque) std::copy_n(values, width, seen.at(seen.left, row));
        else copyOpaque(values, seen.at(seen.left, row), width);
    }
}

void copyBand(BlockCursor& at, int bandTop, int bandBottom)
{
    const PixelItem& item = *at.item;
    const int end = std::min(bandBottom, at.seen.bottom);
    for (; at.line < item.heights.size() && at.y < end; at.y += item.heights[at.line++]) {
        const int below = at.y + item.heights[at.line];
        const int top = std::max({at.y, bandTop, at.seen.top});
        const std::uint32_t* const values =
            item.argb.data() + at.line * static_cast<std::size_t>(item.columns) + (at.seen.left - item.x);
        if (top < std::min(below, end)) copyRows(at.seen, values, top, std::min(below, end));
        if (below > bandBottom) return;
    }
}

void cover(std::vector<CoveredRow>& rows, const PixelItem& item, const PixelPlane& clip)
{
    if (isNarrowBlock(item)) return;
    const PixelPlane seen = columnsOf(item, clip);
    const int width = seen.right - seen.left;
    if (width <= 0) return;
    visitLines(item, seen, [&](const std::uint32_t* values, int top, int bottom) {
        if (!isOpaque(values, values + width)) return;
        for (int row = top; row < bottom; ++row) {
            CoveredRow& covered = rows[static_cast<std::size_t>(row)];
            if (width > covered.to - covered.from) covered = {seen.left, seen.right};
        }
    });
}

}  // namespace

void copyPixels(const PixelPlane& plane, const PixelItem& item)
{
    const PixelPlane seen = columnsOf(item, plane);
    const std::ptrdiff_t width = seen.right - seen.left;
    if (width <= 0) return;
    visitLines(item, seen, [&](const std::uint32_t* values, int top, int bottom) {
        // Columns of trees are empty for the most part.
        const bool opaque = isOpaque(values, values + width);
        if (!opaque && isEmpty(values, values + width)) return;
        for (int row = top; row < bottom; ++row) {
            if (opaque) streamCopy(values, seen.at(seen.left, row), width);
            else copyOpaque(values, seen.at(seen.left, row), width);
        }
    });
    if (width >= kFewPixels) finishStreaming();
}

bool isNarrowBlock(const PixelItem& item) { return item.columns <= kNarrowBlock; }

void copyNarrowBlocks(const PixelPlane& plane, std::span<const PixelItem* const> items)
{
    std::vector<BlockCursor> cursors;
    cursors.reserve(items.size());
    for (const PixelItem* const item : items) {
        const PixelPlane seen = columnsOf(*item, plane);
        if (seen.right > seen.left) cursors.push_back({item, seen, 0, item->y});
    }
    for (int top = plane.top; top < plane.bottom; top += kBandRows)
        for (BlockCursor& at : cursors) copyBand(at, top, std::min(top + kBandRows, plane.bottom));
}

std::vector<CoveredRow> coveredRows(const DrawList& list)
{
    std::vector<CoveredRow> rows(static_cast<std::size_t>(std::max(0, list.height)));
    std::vector<PixelPlane> clips{{nullptr, 0, 0, 0, list.width, list.height}};
    for (const DrawItem& item : list.items) {
        if (const auto* pixels = std::get_if<PixelItem>(&item)) cover(rows, *pixels, clips.back());
        else if (const auto* clip = std::get_if<PushClip>(&item))
            clips.push_back(cut(clips.back(), clip->rect));
        else if (std::holds_alternative<PopClip>(item) && clips.size() > 1) clips.pop_back();
    }
    return rows;
}

void fillUncovered(const PixelPlane& plane, std::span<const CoveredRow> covered, std::uint32_t argb)
{
    for (int y = plane.top; y < plane.bottom; ++y) {
        const CoveredRow row = static_cast<std::size_t>(y) < covered.size()
            ? covered[static_cast<std::size_t>(y)]
            : CoveredRow();
        const int from = std::clamp(row.from, plane.left, plane.right);
        const int to = std::clamp(row.to, from, plane.right);
        streamFill(plane.at(plane.left, y), from - plane.left, argb);
        streamFill(plane.at(to, y), plane.right - to, argb);
    }
    if (plane.right - plane.left >= kFewPixels) finishStreaming();
}

}  // namespace skein
