// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/machine/topology.h"
#include "views/common/scene/data/placed_machine.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <memory>
#include <vector>

namespace skein {

/// What is sketched. Immutable; may cross threads.
struct MachineSketch {
    std::shared_ptr<const Topology> topology;  ///< not null
    PlacedMachinePtr machine;                  ///< null: no ranks are placed
};

/// Places of all vertices in a square of their own units: nodes along the dimensions of the machine, in turn
/// to the right and down, with gaps between what is farther apart; levels of fat trees and fabrics above each
/// other. O(vertices).
std::vector<Point> machinePlaces(const Topology& topology);

/// Nodes as dots, filled where ranks run; routers as squares; links as lines where they are few. Machines of
/// more nodes than there is room for say so.
DrawList machineSketchScene(const MachineSketch& sketch, const Canvas& canvas, const Task& task);

}  // namespace skein
