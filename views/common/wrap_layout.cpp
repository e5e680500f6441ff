// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/wrap_layout.h"

#include <QSpacerItem>
#include <QWidget>

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

/// Words of choices end in an ellipsis below their hint: that is allowed for a tenth of it, before a line is
/// broken.
constexpr int kLeastOfHintPercent = 90;
constexpr int kSpacingPx = 8;

bool isStretch(QLayoutItem& item) { return item.spacerItem() != nullptr; }

bool takesRoom(QLayoutItem& item)
{
    return !isStretch(item) && item.expandingDirections().testFlag(Qt::Horizontal);
}

int hintOf(QLayoutItem& item)
{
    return isStretch(item) ? 0 : std::max(item.sizeHint().width(), item.minimumSize().width());
}

int leastOf(QLayoutItem& item)
{
    return std::max(item.minimumSize().width(), hintOf(item) * kLeastOfHintPercent / 100);
}

int lineHeight(const std::vector<QLayoutItem*>& line)
{
    int height = 0;
    for (QLayoutItem* item : line)
        if (!isStretch(*item)) height = std::max(height, item->sizeHint().height());
    return height;
}

int sumOf(const std::vector<int>& widths) { return std::accumulate(widths.begin(), widths.end(), 0); }

/// What controls of a line keep: a control that is wider than the whole line gives up what it can.
std::vector<int> leastWidths(const std::vector<QLayoutItem*>& line, int roomPx)
{
    std::vector<int> widths;
    for (QLayoutItem* item : line) widths.push_back(leastOf(*item));
    if (sumOf(widths) <= roomPx) return widths;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (!isStretch(*line[i])) widths[i] = line[i]->minimumSize().width();
    return widths;
}

/// Widths of one line whose sum is at most `roomPx` where what controls need at least allows it.
std::vector<int> widthsWithin(const std::vector<QLayoutItem*>& line, int roomPx)
{
    std::vector<int> widths;
    for (QLayoutItem* item : line) widths.push_back(hintOf(*item));
    const std::vector<int> least = leastWidths(line, roomPx);
    const int hint = sumOf(widths), slack = std::max(1, hint - sumOf(least));
    const int over = std::clamp(hint - roomPx, 0, slack);
    auto taking =
        std::ranges::count_if(line, [](QLayoutItem* item) { return isStretch(*item) || takesRoom(*item); });
    int spare = std::max(0, roomPx - hint);
    for (std::size_t i = 0; i < line.size(); ++i) {
        // Rounded up: the line must not be longer than its room.
        widths[i] -= (over * (widths[i] - least[i]) + slack - 1) / slack;
        if (!isStretch(*line[i]) && !takesRoom(*line[i])) continue;
        const int share = spare / static_cast<int>(taking--);
        widths[i] += share;
        spare -= share;
    }
    return widths;
}

}  // namespace

WrapLayout::WrapLayout(QWidget* parent) : QLayout(parent) { setSpacing(kSpacingPx); }

WrapLayout::~WrapLayout() = default;

void WrapLayout::addStretch() { addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding)); }

void WrapLayout::insertWidget(int index, QWidget* widget)
{
    addWidget(widget);
    std::rotate(items_.begin() + index, items_.end() - 1, items_.end());
}

void WrapLayout::addItem(QLayoutItem* item)
{
    items_.emplace_back(item);
    invalidate();
}

int WrapLayout::count() const { return static_cast<int>(items_.size()); }

QLayoutItem* WrapLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index)
{
    if (!itemAt(index)) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    invalidate();
    return item;
}

Qt::Orientations WrapLayout::expandingDirections() const { return Qt::Horizontal; }

bool WrapLayout::hasHeightForWidth() const { return true; }

std::vector<WrapLayout::Line> WrapLayout::linesFor(int widthPx) const
{
    std::vector<Line> lines(1);
    int used = 0;
    for (const auto& item : items_) {
        if (item->isEmpty() && !isStretch(*item)) continue;
        const int wanted = leastOf(*item), gap = used > 0 && wanted > 0 ? spacing() : 0;
        if (used > 0 && used + gap + wanted > widthPx) {
            lines.emplace_back();
            used = 0;
        }
        used += wanted + (used > 0 ? gap : 0);
        lines.back().push_back(item.get());
    }
    return lines;
}

int WrapLayout::heightForWidth(int widthPx) const
{
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom();
    const std::vector<Line> lines = linesFor(widthPx - margins.left() - margins.right());
    for (const Line& line : lines) height += lineHeight(line);
    return height + static_cast<int>(lines.size() - 1) * spacing();
}

QSize WrapLayout::minimumSize() const
{
    QSize least;
    for (const auto& item : items_) least = least.expandedTo(item->minimumSize());
    return least.grownBy(contentsMargins());
}

QSize WrapLayout::sizeHint() const
{
    const QMargins margins = contentsMargins();
    int width = 0;
    for (const auto& item : items_)
        if (!item->isEmpty()) width += hintOf(*item) + (width > 0 ? spacing() : 0);
    width += margins.left() + margins.right();
    return {width, heightForWidth(width)};
}

void WrapLayout::placeLine(const Line& line, const QRect& rect) const
{
    const auto shown =
        std::count_if(line.begin(), line.end(), [](QLayoutItem* item) { return !isStretch(*item); });
    const int gaps = std::max(0, static_cast<int>(shown) - 1) * spacing();
    const std::vector<int> widths = widthsWithin(line, rect.width() - gaps);
    int x = rect.left();
    for (std::size_t i = 0; i < line.size(); ++i) {
        const int height = line[i]->sizeHint().height();
        if (!isStretch(*line[i]))
            line[i]->setGeometry({x, rect.top() + (rect.height() - height) / 2, widths[i], height});
        x += widths[i] + (isStretch(*line[i]) ? 0 : spacing());
    }
}

void WrapLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    const QRect inner = rect.marginsRemoved(contentsMargins());
    int y = inner.top();
    for (const Line& line : linesFor(inner.width())) {
        const int height = lineHeight(line);
        placeLine(line, {inner.left(), y, inner.width(), height});
        y += height + spacing();
    }
}

}  // namespace skein
