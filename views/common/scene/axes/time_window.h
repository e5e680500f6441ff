// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstdint>
#include <optional>

/// What zooming, moving and dragging do to a window of time. Windows stay within `whole` and never get
/// shorter than 1 µs (or `whole`, where that is shorter).
namespace skein {

/// The window nearest to the wanted one that keeps these promises.
TimeSpan windowWithin(TimeSpan wanted, TimeSpan whole);

/// `factor` times as long, with the time at `part` (0…1 of the window) staying where it is.
TimeSpan zoomedWindow(TimeSpan window, double factor, double part, TimeSpan whole);

TimeSpan movedWindow(TimeSpan window, TimeNs by, TimeSpan whole);

/// The part of a window that a drag takes along.
enum class WindowGrip : std::uint8_t { Begin, End, Whole, New };

/// The window after a drag from one time to another. An edge that is dragged over the other one takes its
/// place.
TimeSpan draggedWindow(TimeSpan before, WindowGrip grip, TimeNs from, TimeNs to, TimeSpan whole);

/// As the view state has it: nullopt where the window is everything.
std::optional<TimeSpan> visibleOf(TimeSpan window, TimeSpan whole);

}  // namespace skein
