// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pixel_batch.h"

#include "core/base/parallel_for.h"
#include "views/common/line_blend.h"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kPixelsOfBand = 1 << 18;  ///< fewer are not worth another thread
constexpr int kBandsOfThread = 4;               ///< some rows hold more than others

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
void PixelBatch::add(const PixelPlane& plane, const Kind& step, std::size_t pixels)
{
    if (steps_.empty()) {
        plane_ = plane;
        top_ = step.part.top;
        bottom_ = step.part.bottom;
    }
    top_ = std::min(top_, step.part.top);
    bottom_ = std::max(bottom_, step.part.bottom);
    pixels_ += pixels;
    steps_.push_back(step);
}

template <typename Kind>
Kind& PixelBatch::lastOf(const PixelPlane& plane, std::size_t first)
{
    Kind* const last = steps_.empty() ? nullptr : std::get_if<Kind>(&steps_.back());
    if (last && last->part == partOf(plane)) return *last;
    Kind next;
    next.part = partOf(plane);
    next.first = next.last = first;
    if constexpr (std::is_same_v<Kind, NarrowCopies>) next.ground = std::exchange(ground_, std::nullopt);
    add(plane, next, pixelsOf(plane));
    return std::get<Kind>(steps_.back());
}

void PixelBatch::fill(const PixelPlane& plane, std::uint32_t argb, std::span<const CoveredRow> covered)
{
    if (!isEmpty(plane))
        add(plane, Fill{partOf(plane), argb, covered.data(), covered.size()}, pixelsOf(plane));
}

void PixelBatch::copy(const PixelPlane& plane, const PixelItem& item)
{
    if (isEmpty(plane)) return;
    if (isNarrowBlock(item)) {
        NarrowCopies& copies = lastOf<NarrowCopies>(plane, narrow_.size());
        narrow_.push_back(&item);
        ++copies.last;
        return;
    }
    const int height = std::accumulate(item.heights.begin(), item.heights.end(), 0);
    const Part rows = rowsOf(partOf(plane), item.y, item.y + height);
    if (rows.top < rows.bottom) add(plane, Copy{rows, &item}, pixelsOf(plane));
}

void PixelBatch::blend(const PixelPlane& plane, const LineItem& line)
{
    if (isEmpty(plane)) return;
    Lines& lines = lastOf<Lines>(plane, lines_.size());
    lines_.push_back(&line);
    ++lines.last;
}

void PixelBatch::blend(const PixelPlane& plane, const TextMask& mask, int left, int top, std::uint32_t argb)
{
    const Part rows = rowsOf(partOf(plane), top + mask.y, top + mask.y + mask.rows);
    if (rows.top < rows.bottom) add(plane, Mask{rows, &mask, left, top, argb}, mask.coverage.size());
}

void PixelBatch::write(const Fill& fill, const PixelPlane& rows) const
{
    if (fill.coveredRows == 0) fillPlane(rows, fill.argb);
    else fillUncovered(rows, {fill.covered, fill.coveredRows}, fill.argb);
}

void PixelBatch::write(const Copy& copy, const PixelPlane& rows) const { copyPixels(rows, *copy.item); }

void PixelBatch::write(const NarrowCopies& copies, const PixelPlane& rows) const
{
    copyNarrowBlocks(rows, std::span(narrow_).subspan(copies.first, copies.last - copies.first),
                     copies.ground);
}

void PixelBatch::write(const Lines& lines, const PixelPlane& rows) const
{
    blendLines(planeOf(lines.part), std::span(lines_).subspan(lines.first, lines.last - lines.first),
               rows.top, rows.bottom);
}

void PixelBatch::write(const Mask& mask, const PixelPlane& rows) const
{
    blendMask(rows, *mask.mask, mask.left, mask.top, mask.argb);
}

void PixelBatch::writeRows(int top, int bottom) const
{
    const auto write = [&](const auto& step) {
        if (step.part.top < bottom && step.part.bottom > top)
            this->write(step, planeOf(rowsOf(step.part, top, bottom)));
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
