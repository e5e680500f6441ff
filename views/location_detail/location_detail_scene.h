// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/axes/time_frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// Where the lines to a peer of the location end.
struct PeerPlace {
    LocationId peer;
    double y = 0;
};

/// WhenKnown: where to find them all of a large trace would keep the picture waiting they are left out until
/// somebody else has asked data.messages for them.
enum class DetailMessageDisplay { Hidden, Shown, WhenKnown };

struct LocationDetailOptions {
    double scroll = 0;
    DetailMessageDisplay messages = DetailMessageDisplay::Shown;
    LocationRef stay = {};  ///< see detailLocation()
};

/// Where everything of the picture of one location is. Device pixels.
struct LocationDetailLayout {
    Rect caption;
    TimeFrame frame;
    Rect calls;  ///< the part of the body that has the calls; below it the peers of the location's messages
    Rect peers;  ///< empty where none are drawn
    std::vector<PeerPlace> peerPlaces;  ///< by location
    LocationMessagesPtr messages;       ///< null where none are drawn, or nobody has asked for them before
    LocationRef location;               ///< invalid where there is none to show
    std::uint32_t rows = 0;             ///< one a depth of the call stack
    double rowHeight = 0;               ///< with the gap below
    double scroll = 0;                  ///< device pixels scrolled out above
    double maximumScroll = 0;

    double top(std::uint32_t row) const { return calls.y - scroll + row * rowHeight; }
    /// Null for those that are not shown. O(log peers).
    const PeerPlace* peerOf(LocationId peer) const;
};

/// The location that is shown: of the selected ones that have calls and pass the filters `stay`, which was
/// shown before, or the first; else the first of all. So who selects a message, and with it both its ends,
/// stays where it was.
LocationRef detailLocation(const TimelineData& data, const ViewState& state, LocationRef stay = {});

/// "Rank 3", with the title of its experiment before it where several are open: each may have a rank 3.
std::string detailTitle(const Session& session, LocationRef location);

/// Whether the messages of a trace are so many that a picture should not wait until those of a location are
/// found.
bool takesLongToFindMessages(const TimelineData& data, LocationRef location);

/// Messages have their place as soon as locationDetailScene() or somebody else has asked data.messages for
/// them.
LocationDetailLayout locationDetailLayout(const TimelineData& data, const ViewState& state,
                                          const LocationDetailOptions& options, const Canvas& canvas);

/// One location, a row a depth of the call stack, none covered by another. Calls of hidden regions are left
/// out, what they called moves up. Calls that are wide enough have an outline and a name. Recursions deeper
/// than 128 levels end in the last row. Its messages are lines from the calls to the peers below. The cost
/// depends on the pixels, but for the first time that the messages of a location are drawn: then all messages
/// are gone through once. Buffer flushes are a band along the first row. Stops early when told to.
DrawList locationDetailScene(const TimelineData& data, const ViewState& state,
                             const LocationDetailOptions& options, const Canvas& canvas, const Task& task);

/// The selected, found and hovered calls and messages, the brushed span and the pointer's time.
DrawList locationDetailOverlay(const TimelineData& data, const ViewState& state,
                               const LocationDetailLayout& layout, const Canvas& canvas);

/// The time, and the message whose line is there or the call whose bar is there.
Hover locationDetailHit(const TimelineData& data, const ViewState& state, const LocationDetailLayout& layout,
                        const Canvas& canvas, Point point);

}  // namespace skein
