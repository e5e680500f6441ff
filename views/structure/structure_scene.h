// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/structure/structure_data_scene.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// One of the two trees of an execution, and where its nodes are. Device pixels.
struct StructurePane {
    std::size_t execution = 0;
    StructureSide side = StructureSide::Execution;
    Rect title, body;
    std::vector<Point> nodes;   ///< by shown node
    std::vector<double> radii;  ///< the area is the time
};

struct StructureLayout {
    Rect caption, legend;
    std::vector<StructurePane> panes;
};

StructureLayout structureLayout(const StructurePicture& picture, const Canvas& canvas);

/// Executions below each other, each beside its normal twin: circles of the same place in both are the same
/// node. Area is time, colour is function; what is longer or extra has an orange ring, what is shorter or
/// missing a blue one, anomalies a thick border. O(nodes²) for the labels.
DrawList structureScene(const StructurePicture& picture, const ViewState& state, const Canvas& canvas);

struct StructureHit {
    std::size_t execution = 0;
    StructureSide side = StructureSide::Execution;
    std::uint32_t node = 0;  ///< of the alignment
};
std::optional<StructureHit> structureNodeAt(const StructurePicture& picture, const Canvas& canvas,
                                            Point point);

/// Function, times in both, the difference, and what it hides.
std::vector<std::string> structureTooltip(const StructurePicture& picture, const StructureHit& hit);

}  // namespace skein
