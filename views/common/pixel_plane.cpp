// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pixel_plane.h"

#include "views/common/scene/drawing/pixel_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

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

/// Of strips a few pixels wide: a call of the library takes longer.
void copyFew(const std::uint32_t* source, std::uint32_t* target, std::ptrdiff_t count)
{
    constexpr std::ptrdiff_t kTogether = 4;
    for (; count >= kTogether; count -= kTogether, source += kTogether, target += kTogether)
        std::memcpy(target, source, kTogether * sizeof(std::uint32_t));
    for (; count > 0; --count) *target++ = *source++;
}

void copyOpaque(const std::uint32_t* source, std::uint32_t* target, std::ptrdiff_t count)
{
    for (std::ptrdiff_t column = 0; column < count; ++column)
        target[column] = source[column] >> 24 != 0 ? source[column] : target[column];
}

/// Alphas are 0 or 255.
bool isOpaque(const std::uint32_t* first, const std::uint32_t* last)
{
    // Four sums that do not wait for each other.
    constexpr std::ptrdiff_t kSums = 4;
    std::uint32_t sums[kSums] = {0xFF000000u, 0xFF000000u, 0xFF000000u, 0xFF000000u};
    for (; last - first >= kSums; first += kSums)
        for (std::ptrdiff_t sum = 0; sum < kSums; ++sum) sums[sum] &= first[sum];
    for (; first != last; ++first) sums[0] &= *first;
    return (sums[0] & sums[1] & sums[2] & sums[3]) >> 24 != 0;
}

bool isEmpty(const std::uint32_t* first, const std::uint32_t* last)
{
    return std::all_of(first, last, [](std::uint32_t argb) { return argb >> 24 == 0; });
}

/// Calls visit(values, top, bottom) for each line of the block that is seen, with all its values.
template <typename Visit>
void visitLines(const PixelItem& item, const PixelPlane& plane, Visit visit)
{
    int y = item.y;
    std::span<const std::uint32_t> left = item.argb;
    const std::size_t count = valuesPerLine(item);
    for (const int height : item.heights) {
        const int top = std::max(y, plane.top);
        const int bottom = std::min(y + height, plane.bottom);
        if (bottom > top) visit(left.first(count), top, bottom);
        left = left.subspan(count);
        y += height;
    }
}

/// The values of scanlines as pixels, of which those of a plane are asked for.
class SeenPixels {
public:
    SeenPixels(const PixelItem& item, const PixelPlane& seen)
        : item_(item),
          first_(static_cast<std::size_t>(seen.left - item.x)),
          count_(static_cast<std::size_t>(seen.right - seen.left))
    {
    }

    /// Where values are several pixels wide, those beside what is seen count, too.
    bool areOpaque(std::span<const std::uint32_t> line) const { return isOpaque(begin(line), end(line)); }
    bool areEmpty(std::span<const std::uint32_t> line) const { return isEmpty(begin(line), end(line)); }
    /// Until the next line is asked for.
    const std::uint32_t* of(std::span<const std::uint32_t> line)
    {
        if (item_.widths.empty()) return begin(line);
        pixels_.resize(static_cast<std::size_t>(item_.columns) + kExpandedTail);
        expandLine(item_, line.data(), pixels_.data());
        return pixels_.data() + first_;
    }

private:
    const std::uint32_t* begin(std::span<const std::uint32_t> line) const
    {
        return line.data() + (item_.widths.empty() ? first_ : 0);
    }
    const std::uint32_t* end(std::span<const std::uint32_t> line) const
    {
        return item_.widths.empty() ? begin(line) + count_ : line.data() + line.size();
    }

    const PixelItem& item_;
    std::size_t first_, count_;          ///< columns that are seen
    std::vector<std::uint32_t> pixels_;  ///< of a line; none where each value is one
};

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

/// Some rows of a plane, in its own memory or in a buffer.
struct Band {
    std::uint32_t* corner = nullptr;
    std::size_t pixelsPerLine = 0;
    int left = 0, top = 0, bottom = 0;

    std::uint32_t* at(int x, int y) const
    {
        return corner + static_cast<std::size_t>(y - top) * pixelsPerLine + (x - left);
    }
};

void copyRows(const Band& band, const PixelPlane& seen, const std::uint32_t* values, int top, int bottom)
{
    const std::ptrdiff_t width = seen.right - seen.left;
    const bool opaque = isOpaque(values, values + width);
    if (!opaque && isEmpty(values, values + width)) return;
    for (int row = top; row < bottom; ++row) {
        if (opaque) copyFew(values, band.at(seen.left, row), width);
        else copyOpaque(values, band.at(seen.left, row), width);
    }
}

void copyBand(BlockCursor& at, const Band& band)
{
    const PixelItem& item = *at.item;
    const int end = std::min(band.bottom, at.seen.bottom);
    for (; at.line < item.heights.size() && at.y < end; at.y += item.heights[at.line++]) {
        const int below = at.y + item.heights[at.line];
        const int top = std::max({at.y, band.top, at.seen.top});
        const std::uint32_t* const values =
            item.argb.data() + at.line * static_cast<std::size_t>(item.columns) + (at.seen.left - item.x);
        if (top < std::min(below, end)) copyRows(band, at.seen, values, top, std::min(below, end));
        if (below > band.bottom) return;
    }
}

/// Bands are made in a buffer that stays in the cache, and written past it.
void copyOverGround(const PixelPlane& plane, std::uint32_t ground, std::vector<BlockCursor> cursors)
{
    const std::ptrdiff_t width = plane.right - plane.left;
    const std::size_t pixelsPerLine = static_cast<std::size_t>(width) + kNarrowBlock;
    const int held = std::min(kBandRows, plane.bottom - plane.top);
    const auto buffer =
        std::make_unique_for_overwrite<std::uint32_t[]>(pixelsPerLine * static_cast<std::size_t>(held));
    const std::vector<std::uint32_t> groundLine(pixelsPerLine, ground);
    for (int top = plane.top; top < plane.bottom; top += kBandRows) {
        const Band band{buffer.get(), pixelsPerLine, plane.left, top,
                        std::min(top + kBandRows, plane.bottom)};
        // A call of the library for a line is many times as fast as a loop over its pixels.
        for (int row = top; row < band.bottom; ++row)
            std::memcpy(band.at(plane.left, row), groundLine.data(), pixelsPerLine * sizeof(std::uint32_t));
        for (BlockCursor& at : cursors) copyBand(at, band);
        for (int row = top; row < band.bottom; ++row)
            streamCopy(band.at(plane.left, row), plane.at(plane.left, row), width);
    }
    finishStreaming();
}

void cover(std::vector<CoveredRow>& rows, const PixelItem& item, const PixelPlane& clip)
{
    if (isNarrowBlock(item)) return;
    const PixelPlane seen = columnsOf(item, clip);
    const int width = seen.right - seen.left;
    if (width <= 0) return;
    const SeenPixels pixels(item, seen);
    visitLines(item, seen, [&](std::span<const std::uint32_t> line, int top, int bottom) {
        if (!pixels.areOpaque(line)) return;
        for (int row = top; row < bottom; ++row) {
            CoveredRow& covered = rows[static_cast<std::size_t>(row)];
            if (width > covered.to - covered.from) covered = {seen.left, seen.right};
        }
    });
}

/// Where the list draws first, but for its background, if these are narrow blocks.
std::optional<PixelPlane> partOfFirstNarrowBlocks(const DrawList& list)
{
    PixelPlane part{nullptr, 0, 0, 0, list.width, list.height};
    for (const DrawItem& item : list.items) {
        if (const auto* clip = std::get_if<PushClip>(&item)) {
            part = cut(part, clip->rect);
            continue;
        }
        const auto* block = std::get_if<PixelItem>(&item);
        return block && isNarrowBlock(*block) ? std::optional(part) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

void copyPixels(const PixelPlane& plane, const PixelItem& item)
{
    const PixelPlane seen = columnsOf(item, plane);
    const std::ptrdiff_t width = seen.right - seen.left;
    if (width <= 0) return;
    SeenPixels pixels(item, seen);
    visitLines(item, seen, [&](std::span<const std::uint32_t> line, int top, int bottom) {
        // Columns of trees are empty for the most part.
        const bool opaque = pixels.areOpaque(line);
        if (!opaque && pixels.areEmpty(line)) return;
        const std::uint32_t* const values = pixels.of(line);
        for (int row = top; row < bottom; ++row) {
            if (opaque) streamCopy(values, seen.at(seen.left, row), width);
            else copyOpaque(values, seen.at(seen.left, row), width);
        }
    });
    if (width >= kFewPixels) finishStreaming();
}

bool isNarrowBlock(const PixelItem& item) { return item.columns <= kNarrowBlock && item.widths.empty(); }

bool beginsWithNarrowBlocks(const DrawList& list) { return partOfFirstNarrowBlocks(list).has_value(); }

void copyNarrowBlocks(const PixelPlane& plane, std::span<const PixelItem* const> items,
                      std::optional<std::uint32_t> ground)
{
    std::vector<BlockCursor> cursors;
    cursors.reserve(items.size());
    for (const PixelItem* const item : items) {
        const PixelPlane seen = columnsOf(*item, plane);
        if (seen.right > seen.left) cursors.push_back({item, seen, 0, item->y});
    }
    if (isEmpty(plane)) return;
    if (ground) return copyOverGround(plane, *ground, std::move(cursors));
    for (int top = plane.top; top < plane.bottom; top += kBandRows) {
        const Band band{plane.at(plane.left, top), plane.bytesPerLine / sizeof(std::uint32_t), plane.left,
                        top, std::min(top + kBandRows, plane.bottom)};
        for (BlockCursor& at : cursors) copyBand(at, band);
    }
}

std::vector<CoveredRow> coveredRows(const DrawList& list)
{
    std::vector<CoveredRow> rows(static_cast<std::size_t>(std::max(0, list.height)));
    if (const auto part = partOfFirstNarrowBlocks(list); part && part->right > part->left)
        for (int row = part->top; row < part->bottom; ++row)
            rows[static_cast<std::size_t>(row)] = {part->left, part->right};
    std::vector<PixelPlane> clips{{nullptr, 0, 0, 0, list.width, list.height}};
    for (const DrawItem& item : list.items) {
        if (const auto* pixels = std::get_if<PixelItem>(&item)) cover(rows, *pixels, clips.back());
        else if (const auto* clip = std::get_if<PushClip>(&item))
            clips.push_back(cut(clips.back(), clip->rect));
        else if (std::holds_alternative<PopClip>(item) && clips.size() > 1) clips.pop_back();
    }
    return rows;
}

void fillPlane(const PixelPlane& plane, std::uint32_t argb)
{
    const std::ptrdiff_t width = plane.right - plane.left;
    if (width >= kFewPixels) return fillUncovered(plane, {}, argb);
    if (width <= 0) return;
    for (int y = plane.top; y < plane.bottom; ++y) std::fill_n(plane.at(plane.left, y), width, argb);
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
