// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_shades_scene.h"

#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace skein {
namespace {

/// Half of this is how much what is not selected keeps of its colour.
constexpr double kDimmed = 0.78;

/// 0 … 1: how strong the colour of a value is.
double shadeOfValue(const CommMatrixTable& table, bool logarithmic, double value)
{
    if (!(value > 0) || table.greatest <= 0) return 0;
    if (!logarithmic || table.smallest >= table.greatest) return value / table.greatest;
    constexpr double kLeast = 0.08;
    return kLeast
        + (1 - kLeast) * std::log(value / table.smallest) / std::log(table.greatest / table.smallest);
}

}  // namespace

CommShadeBlock::CommShadeBlock(const Rect& body, const CommMatrixPicture& picture,
                               const CommMatrixTable& table)
    : picture_(picture),
      table_(table),
      width_(static_cast<std::size_t>(std::max(1.0, body.width))),
      height_(static_cast<std::size_t>(std::max(1.0, body.height))),
      shades_(width_ * height_, 0),
      body_(body)
{
}

void CommShadeBlock::look(double firstRow, double endRow, double firstColumn, double endColumn)
{
    firstRow_ = firstRow;
    firstColumn_ = firstColumn;
    rowPixels_ = static_cast<double>(height_) / std::max(1e-9, endRow - firstRow);
    columnPixels_ = static_cast<double>(width_) / std::max(1e-9, endColumn - firstColumn);
    endRow_ = std::min(static_cast<double>(table_.size()), endRow);
    endColumn_ = std::min(static_cast<double>(table_.size()), endColumn);
}

void CommShadeBlock::fill(const Task& task)
{
    const auto first = static_cast<std::size_t>(std::max(0.0, firstRow_));
    const auto end = static_cast<std::size_t>(std::ceil(endRow_));
    for (std::size_t row = first; row < end && !task.stopRequested(); ++row) fillRow(row);
}

PixelItem CommShadeBlock::pixels(const Theme& theme) const
{
    if (picture_.differences) return differencePixels(theme);
    PixelItem item{static_cast<int>(body_.x),
                   static_cast<int>(body_.y),
                   static_cast<int>(width_),
                   std::vector<int>(height_, 1),
                   {},
                   {}};
    item.argb.reserve(shades_.size());
    std::array<std::uint32_t, 1024> colors{};
    for (std::size_t i = 0; i < 512; ++i) {
        const double part = static_cast<double>(i) / 511.0;
        const Color strong = table_.changes.empty() ? picture_.stops.color(theme.dark, part)
                                                    : divergingColor(theme.dark, 2 * part - 1);
        colors[i] = toArgb(i == 0 ? theme.background : mix(strong, theme.background, kDimmed));
        colors[i + 512] = toArgb(strong);
    }
    const std::uint32_t empty = toArgb(theme.background);
    for (const std::uint16_t shade : shades_) item.argb.push_back(shade == 0 ? empty : colors[shade]);
    return item;
}

void CommShadeBlock::fillRow(std::size_t row)
{
    const auto begin = table_.cells.begin() + static_cast<std::ptrdiff_t>(table_.firstCell[row]);
    const auto end = table_.cells.begin() + static_cast<std::ptrdiff_t>(table_.firstCell[row + 1]);
    const auto from = static_cast<std::uint32_t>(std::max(0.0, firstColumn_));
    auto cell = std::lower_bound(
        begin, end, from, [](const CommMatrixCell& of, std::uint32_t column) { return of.column < column; });
    for (; cell != end && cell->column < endColumn_; ++cell) put(*cell);
}

/// Colours of a difference at its shade: below 512 less, above it more.
PixelItem CommShadeBlock::differencePixels(const Theme& theme) const
{
    PixelItem item{static_cast<int>(body_.x),
                   static_cast<int>(body_.y),
                   static_cast<int>(width_),
                   std::vector<int>(height_, 1),
                   {},
                   {}};
    item.argb.reserve(shades_.size());
    for (const std::uint16_t shade : shades_)
        item.argb.push_back(
            toArgb(shade == 0 ? theme.background
                              : divergingColor(theme.dark, (static_cast<double>(shade) - 512.0) / 511.0)));
    return item;
}

/// 1 … 1023, 512 for none.
std::uint16_t CommShadeBlock::differenceShade(double value) const
{
    const double part = table_.greatest > 0 ? std::clamp(value / table_.greatest, -1.0, 1.0) : 0.0;
    return static_cast<std::uint16_t>(512 + std::lround(part * 511));
}

std::uint16_t CommShadeBlock::shadeOf(const CommMatrixCell& cell)
{
    const auto place = static_cast<std::size_t>(&cell - table_.cells.data());
    if (picture_.differences) return differenceShade(table_.values[place]);
    if (table_.changes.empty()) {
        const std::uint16_t step = stepOf(table_.values[place]);
        return static_cast<std::uint16_t>(isMarked(cell) ? step + 512 : step);
    }
    const double change = table_.changes[place];
    if (change == 0) return 0;
    const auto step = static_cast<std::uint16_t>(1 + std::lround((0.5 + change / table_.greatest / 2) * 510));
    return static_cast<std::uint16_t>(isMarked(cell) ? step + 512 : step);
}

/// 1 … 511. Most programs send the same few amounts over and over, and a logarithm takes longer than all the
/// rest of a cell.
std::uint16_t CommShadeBlock::stepOf(double value)
{
    const std::uint64_t hash = std::bit_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15u;
    KnownShade& known = known_[hash >> 52];
    static_assert(std::tuple_size_v<decltype(known_)> == 4096);
    if (known.value != value || known.step == 0)
        known = {value,
                 static_cast<std::uint16_t>(
                     1 + std::lround(shadeOfValue(table_, picture_.logarithmic, value) * 510))};
    return known.step;
}

/// Whether a shade is to be seen where another one is already: the greatest value, or the greatest change
/// to either side.
bool CommShadeBlock::isStronger(std::uint16_t shade, std::uint16_t other) const
{
    const auto strength = [this](int of) {
        if (of == 0) return 0;
        if (picture_.differences) return std::abs(of - 512) + 1;
        return table_.changes.empty() ? of : std::abs((of - 1) % 512 - 255) + 1;
    };
    return strength(shade) > strength(other);
}

void CommShadeBlock::put(const CommMatrixCell& cell)
{
    const std::uint16_t shade = shadeOf(cell);
    if (shade == 0) return;
    const auto edge = [](double place, double pixels, std::size_t most) {
        return static_cast<std::size_t>(
            std::clamp(std::floor(place * pixels), 0.0, static_cast<double>(most)));
    };
    const std::size_t left = edge(cell.column - firstColumn_, columnPixels_, width_ - 1);
    const std::size_t right = std::max(left + 1, edge(cell.column + 1 - firstColumn_, columnPixels_, width_));
    const std::size_t top = edge(cell.row - firstRow_, rowPixels_, height_ - 1);
    const std::size_t bottom = std::max(top + 1, edge(cell.row + 1 - firstRow_, rowPixels_, height_));
    for (std::size_t y = top; y < bottom; ++y) {
        for (std::size_t x = left; x < right; ++x)
            if (isStronger(shade, shades_[y * width_ + x])) shades_[y * width_ + x] = shade;
    }
}

bool CommShadeBlock::isMarked(const CommMatrixCell& cell) const
{
    if (picture_.marked.empty()) return true;
    for (const std::uint32_t sender : table_.items[cell.row].ranks) {
        const auto from = std::ranges::lower_bound(picture_.marked, std::uint64_t{sender} << 32);
        for (auto pair = from; pair != picture_.marked.end() && *pair >> 32 == sender; ++pair) {
            const auto receiver = static_cast<std::uint32_t>(*pair);
            if (receiver < table_.itemOfRank.size() && table_.itemOfRank[receiver] == cell.column)
                return true;
        }
    }
    return false;
}

}  // namespace skein
