// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pixel_batch.h"

#include "core/base/parallel_for.h"
#include "views/common/line_blend.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kPixelsOfBand = 1 << 18;  ///< fewer are not worth another thread
constexpr int kBandsOfThread = 4;               ///< some rows hold more than others
constexpr std::size_t kBlended = 8;             ///< pixels that are copied while one is blended

/// Of a block, that lie in a plane.
std::size_t pixelsWithin(const PixelPlane& plane, const PixelItem& item)
{
    const int height = std::accumulate(item.heights.begin(), item.heights.end(), 0);
    const int columns = std::min(plane.right, item.x + item.columns) - std::max(plane.left, item.x);
    const int rows = std::min(plane.bottom, item.y + height) - std::max(plane.top, item.y);
    return static_cast<std::size_t>(std::max(columns, 0)) * static_cast<std::size_t>(std::max(rows, 0));
}

/// Of a line, wherever it lies; its ends may be anywhere.
std::size_t pixelsAlong(const PixelPlane& plane, const LineItem& line)
{
    const double across = std::abs(line.to.x - line.from.x), down = std::abs(line.to.y - line.from.y);
    const double longest = std::max(plane.right - plane.left, plane.bottom - plane.top);
    return static_cast<std::size_t>(std::min(longest, std::max(across, down) + 1) * (line.width + 1));
}

}  // namespace

PixelBatch::Part PixelBatch::partOf(const PixelPlane& plane)
{
    return {plane.left, plane.top, plane.right, plane.bottom};
}

PixelBatch::Part PixelBatch::rowsOf(Part part, int top, int bottom)
{
    part.top = std::max(part.top, top);
    part.bottom = std::min(part.bottom, bottom);
    return part;
}

PixelPlane PixelBatch::planeOf(const Part& part) const
{
    return {plane_.bits, plane_.bytesPerLine, part.left, part.top, part.right, part.bottom};
}

template <typename Kind>
void PixelBatch::add(const PixelPlane& plane, const Kind& step)
{
    separated_ = false;
    if (steps_.empty()) {
        plane_ = plane;
        top_ = step.part.top;
        bottom_ = step.part.bottom;
    }
    top_ = std::min(top_, step.part.top);
    bottom_ = std::max(bottom_, step.part.bottom);
    steps_.push_back(step);
}

template <typename Kind>
Kind& PixelBatch::lastOf(const PixelPlane& plane, std::size_t first)
{
    Kind* const last = steps_.empty() ? nullptr : std::get_if<Kind>(&steps_.back());
    if (last && !separated_ && last->part == partOf(plane)) return *last;
    Kind next;
    next.part = partOf(plane);
    next.first = next.last = first;
    if constexpr (std::is_same_v<Kind, NarrowCopies>) {
        next.ground = std::exchange(ground_, std::nullopt);
        if (next.ground) pixels_ += pixelsOf(plane);
    }
    add(plane, next);
    return std::get<Kind>(steps_.back());
}

void PixelBatch::fill(const PixelPlane& plane, std::uint32_t argb, std::span<const CoveredRow> covered)
{
    separate();
    if (isEmpty(plane)) return;
    pixels_ += pixelsOf(plane);
    add(plane, Fill{partOf(plane), argb, covered.data(), covered.size()});
}

void PixelBatch::copy(const PixelPlane& plane, const PixelItem& item)
{
    const bool narrow = isNarrowBlock(item);
    if (!narrow) separate();
    // The ground is that of the first ones, whether they are seen or not.
    else if (isEmpty(plane)) ground_.reset();
    if (isEmpty(plane)) return;
    pixels_ += pixelsWithin(plane, item);
    if (narrow) {
        NarrowCopies& copies = lastOf<NarrowCopies>(plane, narrow_.size());
        narrow_.push_back(&item);
        ++copies.last;
        return;
    }
    const int height = std::accumulate(item.heights.begin(), item.heights.end(), 0);
    const Part rows = rowsOf(partOf(plane), item.y, item.y + height);
    if (rows.top < rows.bottom) add(plane, Copy{rows, &item});
}

void PixelBatch::blend(const PixelPlane& plane, const LineItem& line)
{
    if (isEmpty(plane)) return;
    pixels_ += kBlended * pixelsAlong(plane, line);
    Lines& lines = lastOf<Lines>(plane, lines_.size());
    lines_.push_back(&line);
    ++lines.last;
}

void PixelBatch::blend(const PixelPlane& plane, const TextMask& mask, int left, int top, std::uint32_t argb)
{
    separate();
    const Part rows = rowsOf(partOf(plane), top + mask.y, top + mask.y + mask.rows);
    if (rows.top >= rows.bottom) return;
    pixels_ += kBlended * mask.coverage.size();
    add(plane, Mask{rows, &mask, left, top, argb});
}

void PixelBatch::writeStep(const Fill& fill, const PixelPlane& rows) const
{
    if (fill.coveredRows == 0) fillPlane(rows, fill.argb);
    else fillUncovered(rows, {fill.covered, fill.coveredRows}, fill.argb);
}

void PixelBatch::writeStep(const Copy& copy, const PixelPlane& rows) const { copyPixels(rows, *copy.item); }

void PixelBatch::writeStep(const NarrowCopies& copies, const PixelPlane& rows) const
{
    copyNarrowBlocks(rows, std::span(narrow_).subspan(copies.first, copies.last - copies.first),
                     copies.ground);
}

void PixelBatch::writeStep(const Lines& lines, const PixelPlane& rows) const
{
    blendLines(planeOf(lines.part), std::span(lines_).subspan(lines.first, lines.last - lines.first),
               rows.top, rows.bottom);
}

void PixelBatch::writeStep(const Mask& mask, const PixelPlane& rows) const
{
    blendMask(rows, *mask.mask, mask.left, mask.top, mask.argb);
}

void PixelBatch::writeRows(int top, int bottom) const
{
    const auto write = [&](const auto& step) {
        if (step.part.top < bottom && step.part.bottom > top)
            writeStep(step, planeOf(rowsOf(step.part, top, bottom)));
    };
    for (const Step& step : steps_) std::visit(write, step);
}

int PixelBatch::bandsFor(int threads) const
{
    if (threads == 1) return 1;
    const auto worth = static_cast<int>(std::min<std::size_t>(pixels_ / kPixelsOfBand, 1 << 10));
    return std::clamp(std::min(worth, kBandsOfThread * threads), 1, std::max(1, bottom_ - top_));
}

void PixelBatch::write(const Task& task)
{
    if (steps_.empty()) return;
    const int rows = bottom_ - top_, bands = bandsFor(task.threads());
    // A stop request does not leave a picture half done.
    const Task whole = Task().withThreads(task.threads());
    parallelFor(static_cast<std::size_t>(bands), whole, [&](std::size_t number) {
        const auto band = static_cast<int>(number);
        writeRows(top_ + rows * band / bands, top_ + rows * (band + 1) / bands);
    });
    steps_.clear();
    narrow_.clear();
    lines_.clear();
    pixels_ = 0;
}

}  // namespace skein
