// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/pixel_plane.h"
#include "views/common/text_cache.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace skein {

/// What a picture writes into its pixels without a painter, one thing over the other. It is gathered first
/// and then written in bands of rows beside each other: one core writes as fast as the memory takes it, so
/// that what is computed for one band (blended lines, widened values) costs least while another band is
/// written. The same bits for any number of threads. What is handed over by reference, and what `covered` is
/// of, must outlive write(). Planes are parts of one picture. Lines that follow each other have no order
/// among them (see blendLines()); everything else, and what separate() is called between, has.
class PixelBatch {
public:
    /// See fillPlane(), and fillUncovered() where something is covered.
    void fill(const PixelPlane& plane, std::uint32_t argb, std::span<const CoveredRow> covered = {});
    /// See copyPixels(), and copyNarrowBlocks() for narrow ones.
    void copy(const PixelPlane& plane, const PixelItem& item);
    /// The next narrow blocks are copied over a ground of this colour.
    void setGround(std::uint32_t argb) { ground_ = argb; }
    /// See blendLines().
    void blend(const PixelPlane& plane, const LineItem& line);
    /// See blendMask().
    void blend(const PixelPlane& plane, const TextMask& mask, int left, int top, std::uint32_t argb);

    /// What follows lies over what was before.
    void separate() { separated_ = true; }

    /// Writes everything, and forgets it.
    void write(const Task& task);

private:
    /// The part of the picture that a step may write.
    struct Part {
        int left = 0, top = 0, right = 0, bottom = 0;
        bool operator==(const Part&) const = default;
    };
    struct Fill {
        Part part;
        std::uint32_t argb = 0;
        const CoveredRow* covered = nullptr;
        std::size_t coveredRows = 0;
    };
    struct Copy {
        Part part;
        const PixelItem* item = nullptr;
    };
    /// Some of `narrow_`.
    struct NarrowCopies {
        Part part;
        std::size_t first = 0, last = 0;
        std::optional<std::uint32_t> ground;
    };
    /// Some of `lines_`.
    struct Lines {
        Part part;
        std::size_t first = 0, last = 0;
    };
    struct Mask {
        Part part;
        const TextMask* mask = nullptr;
        int left = 0, top = 0;
        std::uint32_t argb = 0;
    };
    using Step = std::variant<Fill, Copy, NarrowCopies, Lines, Mask>;

    static Part partOf(const PixelPlane& plane);
    static Part rowsOf(Part part, int top, int bottom);
    PixelPlane planeOf(const Part& part) const;
    void writeStep(const Fill& fill, const PixelPlane& rows) const;
    void writeStep(const Copy& copy, const PixelPlane& rows) const;
    void writeStep(const NarrowCopies& copies, const PixelPlane& rows) const;
    void writeStep(const Lines& lines, const PixelPlane& rows) const;
    void writeStep(const Mask& mask, const PixelPlane& rows) const;
    void writeRows(int top, int bottom) const;

    /// The last step, if it is of this kind and of the same part of the picture and nothing separates what
    /// follows from it, else a new one.
    template <typename Kind>
    Kind& lastOf(const PixelPlane& plane, std::size_t first);
    template <typename Kind>
    void add(const PixelPlane& plane, const Kind& step);
    int bandsFor(int threads) const;

    PixelPlane plane_;  ///< that the parts are of
    std::vector<Step> steps_;
    std::vector<const PixelItem*> narrow_;
    std::vector<const LineItem*> lines_;
    std::optional<std::uint32_t> ground_;
    bool separated_ = false;
    int top_ = 0, bottom_ = 0;  ///< rows that are written
    std::size_t pixels_ = 0;    ///< as many copied ones would take the time, about
};

}  // namespace skein
