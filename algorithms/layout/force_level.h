// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/pull_graph.h"
#include "algorithms/layout/push_tree.h"
#include "core/base/task.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace skein {

/// How long the steps of one level are and how many.
struct ForceSteps {
    double first = 1;    ///< the longest way a node goes in the first step
    double last = 0.01;  ///< ends when steps or all moves are shorter
    int most = 300;      ///< steps
    double seen = 0.9;   ///< see PushTree::pushOn()
};

/// Moves the nodes of one level of a layout along the forces of Hu's model (2005), all at once in each step.
class ForceLevel {
public:
    /// `part` numbers the connected parts of the nodes; `fixed` may be empty. All must outlive it.
    ForceLevel(const PullGraph& graph, std::span<const std::uint32_t> part, std::span<const char> fixed,
               PushRange range);

    /// Calls `moved` after each step. False where the task was stopped.
    bool settle(std::vector<PlanePoint>& points, const ForceSteps& steps, const Task& task,
                const std::function<void()>& moved) const;

    /// The factor by which all places would have to grow so that pushes and pulls hold each other; 1 where
    /// nothing pulls. 0 where the task was stopped.
    double balancingScale(const std::vector<PlanePoint>& points, const Task& task) const;

    /// What is left in the springs and pushes: the less, the better settled. O(nodes²).
    double energyOf(const std::vector<PlanePoint>& points) const;

private:
    struct Force {
        double x = 0, y = 0;
        double stiffness = 0;
    };
    using Centres = std::vector<PlanePoint>;

    Centres pullsOfParts(const std::vector<PlanePoint>& points) const;
    Force pullOn(std::uint32_t node, const std::vector<PlanePoint>& points) const;
    bool forces(const std::vector<PlanePoint>& points, double seen, const Task& task,
                std::vector<Force>& into) const;

    const PullGraph& graph_;
    std::span<const std::uint32_t> part_;
    std::span<const char> fixed_;
    PushRange range_;
    std::uint32_t parts_ = 0;
    std::vector<double> massOfPart_;
};

}  // namespace skein
