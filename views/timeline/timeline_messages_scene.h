// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A message line on the picture.
struct PlacedMessage {
    MessageRef message;
    Point from;          ///< the sender's row at the time of the send
    Point to;            ///< the receiver's row at the time of the receive
    double opacity = 1;  ///< at most; less where lines lie upon each other, which are a density then
    double faint = 1;    ///< of the usual opacity: less where there are many
};

/// The messages that are drawn, and how many there were to draw.
struct VisibleMessages {
    std::vector<PlacedMessage> drawn;
    std::uint64_t total = 0;  ///< messages that overlap the span
    bool thinned = false;     ///< not all of them are drawn, for want of room
};

/// Messages that the filters leave, between different visible rows, that overlap the visible span. Where
/// there are more than 400 for the length of the window and many begin within about 8 to 16 pixels, a few of
/// these stand for all. Where what is seen of the lines is still longer than 60 000 pixels, of which those
/// along the rows count a quarter, a part of them is left out, down to about a hundred. The choice does not
/// change when the view is moved (see MessageShares). O(pixels · log messages).
VisibleMessages visibleMessages(const TimelineData& data, const TimelineLayout& layout,
                                const std::vector<Filter>& filters = {});

/// Appends the lines; the more there are, the fainter.
void drawMessages(DrawList& list, const VisibleMessages& messages, const TimelineLayout& layout,
                  const TimelineOptions& options);

}  // namespace skein
