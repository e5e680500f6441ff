// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/comm_matrix/comm_matrix_scene.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// A block of pixels in which each shows the greatest shade that was put there. Picture and table must
/// outlive it.
class CommShadeBlock {
public:
    CommShadeBlock(const Rect& body, const CommMatrixPicture& picture, const CommMatrixTable& table);

    /// Rows and columns [first, end) fill the block.
    void look(double firstRow, double endRow, double firstColumn, double endColumn);
    /// O(cells in sight + their pixels).
    void fill(const Task& task);
    PixelItem pixels(const Theme& theme) const;

private:
    /// A value whose shade was worked out.
    struct KnownShade {
        double value = -1;
        std::uint16_t step = 0;
    };

    void fillRow(std::size_t row);
    PixelItem differencePixels(const Theme& theme) const;
    std::uint16_t differenceShade(double value) const;
    std::uint16_t shadeOf(const CommMatrixCell& cell);
    std::uint16_t stepOf(double value);
    bool isStronger(std::uint16_t shade, std::uint16_t other) const;
    void put(const CommMatrixCell& cell);
    bool isMarked(const CommMatrixCell& cell) const;

    const CommMatrixPicture& picture_;
    const CommMatrixTable& table_;
    std::size_t width_, height_;
    std::vector<std::uint16_t> shades_;  ///< 0: nothing; 1 … 511 dimmed, 513 … 1023 strong
    std::array<KnownShade, 4096> known_{};
    Rect body_;
    double firstRow_ = 0, firstColumn_ = 0, endRow_ = 0, endColumn_ = 0;
    double rowPixels_ = 1, columnPixels_ = 1;
};

}  // namespace skein
