// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/anomalies/anomalies_scene.h"
#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/common/scene/drawing/svg_text.h"
#include "views/timeline/timeline_scene.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <vector>

/// What the window would tell where the pointer rests, for every place of a picture: tooltips of notebooks.
namespace skein::python {

/// More places than this are not told: the page would become too heavy. The widest are.
inline constexpr std::size_t kMostTips = 4000;

struct DrawnTimeline {
    const TimelineData& data;
    const ViewState& state;
    const TimelineOptions& options;
    const TimelineLayout& layout;
    const TextMeasure& measure;
};

/// Calls that are three pixels wide, and messages.
std::vector<SvgTip> timelineTips(const DrawList& list, const DrawnTimeline& drawn, const Task& task);
/// Every node of a tree.
std::vector<SvgTip> treeTips(const TreeGraph& graph, const TreeGraphOptions& options, const Canvas& canvas);
/// Every pair of a matrix; those of the greatest values where there are too many.
std::vector<SvgTip> matrixTips(const CommMatrixPicture& picture, const Canvas& canvas);
/// Every call that is not normal.
std::vector<SvgTip> scatterTips(const SessionAnomalies& anomalies, const ViewState& state,
                                const AnomalyChoices& choices, const Canvas& canvas);

}  // namespace skein::python
