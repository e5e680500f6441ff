// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/hand_over.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What components of a workflow do with files: I/O operations that a trace recorded, and what one component
/// handed over to another one.
namespace skein {

/// Sorts the I/O operations of every trace by location; null where there are none at all. O(operations log
/// operations).
SessionIoPtr makeSessionIo(const Session& session);

/// Appends a band along the upper edge of rows wherever the location read, wrote, or did something else with
/// a file. Every operation of the visible span has at least one pixel. `options.io` must be there.
void drawIo(DrawList& list, const TimelineData& data, const TimelineOptions& options,
            const TimelineLayout& layout);

/// Appends a band for every hand-over between rows that are placed: as wide as its writing at one end and as
/// its reading at the other, at least one pixel, with the number of the output where there is room. Bands
/// that would fall on the same pixels are drawn once. `options.handOvers` must be there.
void drawHandOvers(DrawList& list, const TimelineData& data, const TimelineOptions& options,
                   const TimelineLayout& layout, const TextMeasure& measure);

/// The hand-over within 4 logical pixels of the point; nullopt where there is none. O(hand-overs).
std::optional<std::uint32_t> handOverAt(const TimelineData& data, const TimelineOptions& options,
                                        const TimelineLayout& layout, Point point);

/// "Output 3, part of rank 5: 64.6 KiB", who wrote and read it and for how long, and how long the reader
/// waited.
std::vector<std::string> handOverTooltip(const TimelineData& data, const HandOver& handOver);

/// The I/O operation of a location at a session time, in words: "write 4 KiB to out.dat, 12 µs"; empty where
/// there is none.
std::string ioTooltip(const TimelineData& data, const SessionIo& io, LocationRef location, TimeNs time);

}  // namespace skein
