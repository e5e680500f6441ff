// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A message line on the picture.
struct PlacedMessage {
    MessageRef message;
    Point from;  ///< the sender's row at the time of the send
    Point to;    ///< the receiver's row at the time of the receive
};

/// The messages that are drawn, and how many there were to draw.
struct VisibleMessages {
    std::vector<PlacedMessage> drawn;
    std::uint64_t total = 0;
};

/// Messages between visible rows that overlap the visible span. Where more than a few begin in a column of pixels, an
/// even choice of them stands for all: a message that is alone in its column is always drawn, and the choice does not
/// change when the view is moved. At most about 2 400.
VisibleMessages visibleMessages(const TimelineData& data, const TimelineLayout& layout);

/// Appends the lines; the more there are, the fainter.
void drawMessages(DrawList& list, const VisibleMessages& messages, const TimelineLayout& layout,
                  const TimelineOptions& options);

}  // namespace skein
