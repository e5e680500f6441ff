// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What Hatchet writes and reads as JSON: its literals (nested lists of {"frame", "metrics", "children"}) and
/// its graph frames ({"graph", "dataframe", …}).
namespace skein::hatchet {

/// One attribute of all rows: of frames, or a column of the data frame.
struct Attribute {
    std::string name;
    bool text = false;
    std::vector<double> numbers;     ///< [row]; NaN where a row has none
    std::vector<std::string> words;  ///< [row], of texts
};

/// A forest in preorder; siblings in Hatchet's order, by their frames. There is a row a node, or one a node,
/// rank and thread.
struct Graph {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    std::vector<std::uint32_t> parents;    ///< [node]; before their children, or kNone
    std::vector<std::string> names;        ///< [node]
    std::vector<double> nodeIds;           ///< [node]: Hatchet's numbers
    std::vector<std::uint32_t> rowNodes;   ///< [row]
    std::vector<std::int64_t> rowRanks;    ///< [row]; -1 where there are no ranks
    std::vector<std::int32_t> rowThreads;  ///< [row]; 0 where there are no threads
    std::vector<Attribute> attributes;     ///< but for the name, by name
};

/// True when a file's first bytes look like either form.
bool looksLikeHatchet(std::string_view head);

/// Cycles are cut, children that are not defined are left out, a node with several parents stays below the
/// first, of nodes with one number the first stays, as of rows of one node, rank and thread: each is told in
/// the report, and values that are no numbers. NaN and Infinity may stand
/// for numbers as Python writes them. Deep trees need no stack. Errors: Malformed (no JSON, no node),
/// Cancelled.
Result<Graph> parseGraph(std::string_view text, const std::string& file, ImportReport& report,
                         const Task& task);

/// Errors: those of parseGraph(), and of reading.
Result<Graph> readGraph(const std::filesystem::path& path, ImportReport& report, const Task& task);

}  // namespace skein::hatchet
