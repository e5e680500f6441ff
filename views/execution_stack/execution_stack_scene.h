// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/execution_stack/execution_stack_data_scene.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Where one execution is. Device pixels.
struct StackBand {
    Rect title, calls, peers;
    double rowHeight = 1;   ///< of a level of the stack
    double peerHeight = 1;  ///< of a peer

    double peerY(std::uint32_t peer) const { return peers.y + (peer + 0.5) * peerHeight; }
};

struct ExecutionStackLayout {
    Rect caption, context, ruler, labels, body;
    TimeScale focus;  ///< from the begin of an execution, over `body`
    TimeScale whole;  ///< the same over `context`
    std::vector<StackBand> bands;
};

/// `window`: what is in focus, from the begin of each execution; nullopt: all.
ExecutionStackLayout executionStackLayout(const ExecutionStackData& data,
                                          const std::optional<TimeSpan>& window, const Canvas& canvas);

/// The longest execution with some room around it: what can be shown.
TimeSpan wholeOfStack(const ExecutionStackData& data);

/// Executions below each other, each from its own begin: time to the right, the stack downwards, peers of its
/// messages below it with lines to them. On top all of the time, and in it what is in focus. O(calls inside).
DrawList executionStackScene(const ExecutionStackData& data, const std::optional<TimeSpan>& window,
                             const ViewState& state, const Canvas& canvas, const Task& task);

struct StackHit {
    std::optional<IntervalRef> call;
    std::optional<MessageRef> message;
};
/// A message within 4 logical pixels of its line, else the call there.
StackHit executionStackAt(const ExecutionStackData& data, const std::optional<TimeSpan>& window,
                          const Canvas& canvas, Point point);

std::vector<std::string> executionStackTooltip(const ExecutionStackData& data, const StackHit& hit);

}  // namespace skein
