// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/prediction/prediction_data_scene.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Where the fields are. Device pixels. `measured` and `links` are empty where nothing is told there.
struct PredictionLayout {
    Rect caption, head, predicted, measured, links;
};
PredictionLayout predictionLayout(const Prediction& prediction, const Canvas& canvas);

/// Predicted seconds of each phase as it is and as tried; below them what was measured in MPI in this and in
/// the other run; beside them, for a rerun, the bytes of each link against what was predicted. Where phases
/// are more than columns a column shows the greatest. O(phases + links).
DrawList predictionScene(const Prediction& prediction, const Canvas& canvas, const Task& task);

/// The phase at a point of either field.
std::optional<std::size_t> predictedPhaseAt(const Prediction& prediction, const PredictionLayout& layout,
                                            Point point, const Canvas& canvas);
/// The link whose dot is nearest, within 6 logical pixels, as a place in prediction.links.
std::optional<std::size_t> predictedLinkAt(const Prediction& prediction, const PredictionLayout& layout,
                                           Point point, const Canvas& canvas);
std::vector<std::string> predictedPhaseText(const Prediction& prediction, std::size_t phase);
std::vector<std::string> predictedLinkText(const Prediction& prediction, std::size_t link);

}  // namespace skein
