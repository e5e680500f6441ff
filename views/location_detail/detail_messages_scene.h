// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/location_detail/location_detail_scene.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// A line from a call of the location to one of its peers.
struct DetailMessage {
    MessageRef message;
    Point call;  ///< in the row of the call that sends or receives, at the time at which it does
    Point peer;  ///< at the place of the peer, at the time of the other end
    LocationId other;
    bool sent = false;
};

struct DetailMessages {
    std::vector<DetailMessage> drawn;
    bool thinned = false;  ///< not all of them are drawn, for want of room
};

/// The strip of the peers at the bottom of the layout's body: one place a peer, by rank. Takes its height
/// from the calls; there is none where the location has no messages or the picture is too low for it.
void placePeers(LocationDetailLayout& layout, const TimelineData& data, const ViewState& state,
                double leastForCalls, const Canvas& canvas);

/// The lines of the location's messages that cross the visible span. Up to 400 all of them; of more, those
/// that happen within about 8 to 16 pixels are thinned together, sends and receives for themselves: one that
/// is alone is always drawn, and the choice does not change when the view is moved. O(pixels · log messages).
DetailMessages detailMessages(const TimelineData& data, const ViewState& state,
                              const LocationDetailLayout& layout);

/// Where the message's line is; nullopt where it is none of this location or its peer is hidden.
std::optional<DetailMessage> placedDetailMessage(const TimelineData& data, const ViewState& state,
                                                 const LocationDetailLayout& layout, MessageRef message);

/// The names of the peers beside the strip, the lines, and where there is room which peer it is.
void drawPeers(DrawList& list, const TimelineData& data, const LocationDetailLayout& layout,
               const Canvas& canvas);
void drawDetailMessages(DrawList& list, const DetailMessages& messages, const TimelineData& data,
                        const LocationDetailLayout& layout, const Canvas& canvas);
/// One that is selected or under the pointer: a square where it is sent, a diamond where it is received.
void drawChosenMessage(DrawList& list, const DetailMessage& message, Color color, double width,
                       const Canvas& canvas);

/// The one within 4 logical pixels; an invalid one where there is none.
MessageRef detailMessageAt(const DetailMessages& messages, Point point, const Canvas& canvas);

}  // namespace skein
