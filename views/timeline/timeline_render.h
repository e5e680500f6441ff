// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/timeline/timeline_layout_scene.h"

#include <filesystem>

namespace skein {

struct TimelinePicture {
    int width = 1600;  ///< device pixels
    int height = 1000;
    TimelineOptions options;  ///< an empty caption is replaced by timelineCaption()
};

/// Draws a timeline to a .png or .svg, without a window; needs a QGuiApplication for its fonts.
/// Errors: InvalidArgument, Io, Cancelled.
Result<void> saveTimeline(const TimelineData& data, const ViewState& state, const TimelinePicture& picture,
                          const std::filesystem::path& path, const Task& task);

/// The same for a session without indexes: they are built first.
Result<void> renderTimeline(const Session& session, const ViewState& state, const TimelinePicture& picture,
                            const std::filesystem::path& path, const Task& task);

}  // namespace skein
