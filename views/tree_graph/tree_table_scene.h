// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tree_graph/tree_graph_scene.h"

#include <string>
#include <vector>

namespace skein {

/// Nodes as a table: what the user sees of each, and the number behind it for sorting and copying.
struct TreeTable {
    struct Cell {
        std::string text;
        double number = 0;
        bool isNumber = false;
    };
    std::vector<std::string> header;  ///< with units where numbers have any
    std::vector<std::vector<Cell>> rows;
};

/// Name, call path, both quantities of the picture with their shares, and what is known of the calls. Numbers
/// of surrogates are those that the picture shows.
TreeTable treeTable(const TreeGraph& graph, const std::vector<std::uint32_t>& nodes);

/// Lines of cells between tabs, numbers with every digit: what spreadsheets and pandas.read_clipboard() take.
std::string treeTableText(const TreeTable& table);

}  // namespace skein
