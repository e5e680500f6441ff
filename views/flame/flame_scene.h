// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/timeline_data.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/scene/tree/tree_quantities.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Callers above what they call; functions above their callers; or calls over time on one location.
enum class FlameOrder : std::uint8_t { TopDown, BottomUp, Time };
/// Icicles hang from their root, flames stand on it.
enum class FlameRoot : std::uint8_t { Top, Bottom };
/// Siblings from left to right: the largest first, or by name.
enum class FlameSiblings : std::uint8_t { Largest, Name };

struct FlameRequest {
    ProfileQuery query;
    TreeEdits edits;
    FlameOrder order = FlameOrder::TopDown;
    FlameSiblings siblings = FlameSiblings::Largest;
    RegionGrouping grouping = RegionGrouping::Role;
};

inline constexpr std::uint32_t kNoFrame = 0xFFFFFFFFu;

/// A bar: `begin` and `width` are parts of the whole, 0 … 1.
struct FlameFrame {
    std::uint32_t parent = kNoFrame;  ///< stands before it
    std::uint32_t row = 0;
    std::uint32_t depth = 0;
    double begin = 0, width = 0;
};

/// What a flame graph draws. Immutable; may cross threads.
struct Flame {
    SessionPtr session;
    CallTreeRows rows;
    FlameOrder order = FlameOrder::TopDown;
    std::vector<FlameFrame> frames;
    double whole = 0.0;
    std::uint32_t levels = 0;
    std::size_t leftOut = 0;  ///< rows without an amount, or beyond what can be shown
    bool complete = true;     ///< see CallerRows
    std::string name, unit;
    std::vector<RegionPalette> palettes;  ///< light and dark by experiment: [2 · experiment + dark]

    std::string nameOf(std::uint32_t frame) const;
    /// The first frame of a row; kNoFrame for none. O(1).
    std::uint32_t frameOf(std::size_t row) const { return row < frames_.size() ? frames_[row] : kNoFrame; }
    std::vector<std::uint32_t> frames_;  ///< of each row
};

using FlamePtr = std::shared_ptr<const Flame>;

/// For the orders that are sums. Errors: Cancelled, and those of makeCallTreeRows().
Result<FlamePtr> makeFlame(SessionPtr session, const FlameRequest& request, const Task& task);

struct FlameOptions {
    std::uint32_t focus = kNoFrame;  ///< the frame that fills the width
    FlameRoot root = FlameRoot::Top;
    std::string search;  ///< frames whose names contain it are lit, ignoring case
    double scroll = 0;   ///< device pixels

    bool operator==(const FlameOptions&) const = default;
};

struct FlameLayout {
    Rect head, body;
    double rowHeight = 0;
    double maximumScroll = 0;
    double from = 0, to = 1;  ///< the part of the whole that fills the width

    /// The bar of a depth.
    double top(std::uint32_t depth, FlameRoot root, double scroll) const
    {
        return root == FlameRoot::Top ? body.y + depth * rowHeight - scroll
                                      : body.bottom() - (depth + 1) * rowHeight + scroll;
    }
};

FlameLayout flameLayout(const Flame& flame, const FlameOptions& options, const Canvas& canvas);

/// Frames and a line of words above them. The cost depends on the pixels and, a little, on the number of
/// frames. Ids: kind 1, `item` the frame.
DrawList flameScene(const Flame& flame, const Selection& selected, const FlameOptions& options,
                    const Canvas& canvas);
std::optional<std::uint32_t> frameAt(const Flame& flame, const FlameOptions& options,
                                     const FlameLayout& layout, Point point);
std::vector<std::string> frameTooltip(const Flame& flame, std::uint32_t frame);
/// How much of the whole frames have whose names contain the text, outermost ones only: 0 … 1.
double searchShare(const Flame& flame, const std::string& text);

}  // namespace skein
