// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tree_graph/tree_graph_scene.h"

#include <memory>
#include <random>
#include <string>

/// Call trees of any size for benchmarks.
namespace skein::bench {

/// Deep in some places, wide in others, as call trees are.
inline TreeGraphSumsPtr treeSums(std::size_t nodes)
{
    std::mt19937 random(50);
    auto sums = std::make_shared<TreeGraphSums>();
    Session session;
    session.experiments.push_back(std::make_shared<const Experiment>());
    sums->session = std::make_shared<const Session>(std::move(session));
    sums->rows.hasTree = true;
    sums->rows.rowOfCallPath.resize(1);
    for (std::size_t node = 0; node < nodes; ++node) {
        CallTreeRow row;
        row.name = "solver::function" + std::to_string(random() % 2000) + "(double)";
        const std::size_t back = 1 + random() % std::max<std::size_t>(1, std::min<std::size_t>(node, 400));
        row.parent = node == 0 ? -1 : static_cast<std::int64_t>(node - back);
        row.callPaths = {CallPathId(node)};
        row.values.inclusive = static_cast<double>(random() % 1'000'000);
        row.values.exclusive = static_cast<double>(random() % 1'000'000);
        sums->rows.rowOfCallPath[0].push_back(static_cast<std::int64_t>(node));
        sums->color.values.push_back(row.values.inclusive);
        sums->size.values.push_back(row.values.exclusive);
        sums->rows.rows.push_back(std::move(row));
    }
    sums->color.name = "Time, inclusive";
    sums->size.name = "Time, exclusive";
    sums->color.unit = sums->size.unit = "ns";
    return sums;
}

/// Zoomed by a factor around the middle: 1 shows all.
inline TreeGraphOptions zoomedTree(const TreeGraph& graph, const Canvas& canvas, double factor)
{
    TreeGraphOptions options;
    TreeCamera camera = treeGraphLayout(graph, options, canvas).camera;
    camera.rowHeight *= factor;
    camera.y = canvas.height / 2.0 - (canvas.height / 2.0 - camera.y) * factor;
    options.camera = camera;
    return options;
}

}  // namespace skein::bench
