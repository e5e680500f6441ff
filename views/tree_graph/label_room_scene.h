// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Rows of pixels [from, to).
struct RowRun {
    int from = 0;
    int to = 0;
};

/// Which parts of a picture are taken, a row of pixels high and kCell pixels wide each, so that labels can be
/// placed without lying upon anything. What is outside counts as taken.
class LabelRoom {
public:
    static constexpr int kCell = 4;

    LabelRoom(int width, int height);

    void take(const Rect& rect);
    /// Rows of one strip of columns: quicker than a rectangle for each.
    void takeRows(double left, double width, std::span<const RowRun> rows);
    /// What is taken in another room of the same size, as well.
    void takeAllOf(const LabelRoom& other);
    /// O(height of the rectangle · width / 256).
    bool isFree(const Rect& rect) const;
    /// How far a box of this place and height may be wide, at most `most`; whole cells.
    double freeWidth(Point corner, double height, double most) const;

private:
    struct Cells {
        int left = 0, right = 0, top = 0, bottom = 0;  ///< half open
    };
    Cells cellsOf(const Rect& rect) const;
    bool rowIsFree(int row, int left, int right) const;

    int columns_, rows_, words_;
    std::vector<std::uint64_t> taken_;
};

}  // namespace skein
