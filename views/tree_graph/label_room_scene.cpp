// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/label_room_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace skein {
namespace {

constexpr int kWordBits = 64;

/// Bits [from, to) of a word.
std::uint64_t bitsBetween(int from, int to)
{
    const std::uint64_t below = to >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
    return below & ~((std::uint64_t{1} << from) - 1);
}

}  // namespace

LabelRoom::LabelRoom(int width, int height)
    : columns_((std::max(0, width) + kCell - 1) / kCell),
      rows_(std::max(0, height)),
      words_((columns_ + kWordBits - 1) / kWordBits),
      taken_(static_cast<std::size_t>(words_) * static_cast<std::size_t>(rows_), 0)
{
}

LabelRoom::Cells LabelRoom::cellsOf(const Rect& rect) const
{
    // Asked for every node and line: conversions are quicker than calls of the library.
    const auto below = [](double value) {
        const int whole = static_cast<int>(std::clamp(value, -1e6, 1e6));
        return whole - (value < whole ? 1 : 0);
    };
    const auto above = [](double value) {
        const int whole = static_cast<int>(std::clamp(value, -1e6, 1e6));
        return whole + (value > whole && value < 1e6 ? 1 : 0);
    };
    return {below(rect.x / kCell), above(rect.right() / kCell), below(rect.y), above(rect.bottom())};
}

void LabelRoom::take(const Rect& rect)
{
    const Cells cells = cellsOf(rect);
    const int left = std::max(0, cells.left), right = std::min(columns_, cells.right);
    for (int row = std::max(0, cells.top); row < std::min(rows_, cells.bottom); ++row)
        for (int word = left / kWordBits; word * kWordBits < right; ++word) {
            const int from = std::max(0, left - word * kWordBits);
            const int to = std::min(kWordBits, right - word * kWordBits);
            if (from < to)
                taken_[static_cast<std::size_t>(row) * static_cast<std::size_t>(words_)
                       + static_cast<std::size_t>(word)] |= bitsBetween(from, to);
        }
}

void LabelRoom::takeRows(double left, double width, std::span<const RowRun> rows)
{
    const Cells cells = cellsOf({left, 0, width, 1});
    const int first = std::max(0, cells.left), end = std::min(columns_, cells.right);
    for (int word = first / kWordBits; word * kWordBits < end; ++word) {
        const int from = std::max(0, first - word * kWordBits);
        const int to = std::min(kWordBits, end - word * kWordBits);
        if (from >= to) continue;
        const std::uint64_t bits = bitsBetween(from, to);
        for (const RowRun& run : rows)
            for (int row = std::max(0, run.from); row < std::min(rows_, run.to); ++row)
                taken_[static_cast<std::size_t>(row) * static_cast<std::size_t>(words_)
                       + static_cast<std::size_t>(word)] |= bits;
    }
}

void LabelRoom::takeAllOf(const LabelRoom& other)
{
    for (std::size_t word = 0; word < std::min(taken_.size(), other.taken_.size()); ++word)
        taken_[word] |= other.taken_[word];
}

bool LabelRoom::rowIsFree(int row, int left, int right) const
{
    for (int word = left / kWordBits; word * kWordBits < right; ++word) {
        const int from = std::max(0, left - word * kWordBits);
        const int to = std::min(kWordBits, right - word * kWordBits);
        if (from < to
            && (taken_[static_cast<std::size_t>(row) * static_cast<std::size_t>(words_)
                       + static_cast<std::size_t>(word)]
                & bitsBetween(from, to)))
            return false;
    }
    return true;
}

bool LabelRoom::isFree(const Rect& rect) const
{
    const Cells cells = cellsOf(rect);
    if (cells.left < 0 || cells.right > columns_ || cells.top < 0 || cells.bottom > rows_) return false;
    for (int row = cells.top; row < cells.bottom; ++row)
        if (!rowIsFree(row, cells.left, cells.right)) return false;
    return true;
}

double LabelRoom::freeWidth(Point corner, double height, double most) const
{
    const Cells cells = cellsOf({corner.x, corner.y, most, height});
    if (cells.left < 0 || cells.left >= columns_ || cells.top < 0 || cells.bottom > rows_) return 0;
    int right = std::min(columns_, cells.right);
    for (int row = cells.top; row < cells.bottom && right > cells.left; ++row)
        for (int word = cells.left / kWordBits; word * kWordBits < right; ++word) {
            const int from = std::max(0, cells.left - word * kWordBits);
            const int to = std::min(kWordBits, right - word * kWordBits);
            if (from >= to) continue;
            const std::uint64_t hits = taken_[static_cast<std::size_t>(row) * static_cast<std::size_t>(words_)
                                              + static_cast<std::size_t>(word)]
                & bitsBetween(from, to);
            if (hits) right = word * kWordBits + std::countr_zero(hits);
        }
    return std::clamp(right * kCell - corner.x, 0.0, most);
}

}  // namespace skein
