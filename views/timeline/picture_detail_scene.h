// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein {

/// How finely a timeline is drawn: the one place where that is decided. A value, for pictures while the view
/// moves, at rest, and decided exactly; the table in docs/DESIGN.md says what each means. Widths are in
/// device pixels.
class PictureDetail {
public:
    /// At rest.
    PictureDetail() = default;

    /// While newer views follow each other. `cells`: rows that are gone through × columns of the picture; up
    /// to 120 000 it is as fine as at rest.
    static PictureDetail moving(double cells);

    /// Decided by all calls where those of the picture are `mostCalls` at most; up to 256 a column.
    static PictureDetail exact(double cells, std::uint64_t mostCalls);

    /// Of a row of so many trees, with so many calls a pixel in its only location: how many pixels beside
    /// each other show the same sample.
    std::uint32_t columnPx(std::size_t trees, double callsPerPx) const;
    /// How many calls a column may be gone through.
    std::uint32_t callsPerColumn() const { return callsPerColumn_; }
    /// How many pixels beside each other have the same colour of a single call.
    std::uint32_t colorPx() const { return isCoarse_ ? 4 : 1; }
    /// Whether columns with many calls show how their time divides, or only what took most of it.
    bool dividesColumns() const { return !isCoarse_; }
    /// Calls from here on get a line at their entry and a name.
    double narrowestMarkPx() const { return isCoarse_ ? 20 : 10; }

    /// True when columns that were decided with this detail do for a picture with another one.
    bool servesFor(const PictureDetail& other) const
    {
        return callsPerColumn_ >= other.callsPerColumn_ && (!isCoarse_ || other.isCoarse_);
    }
    /// True when pictures differ at most in how exactly columns are decided.
    bool isAsWideAs(const PictureDetail& other) const { return isCoarse_ == other.isCoarse_; }
    bool operator==(const PictureDetail&) const = default;

private:
    bool isCoarse_ = false;
    std::uint32_t callsPerColumn_ = 2;
};

}  // namespace skein
