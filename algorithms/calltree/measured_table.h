// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/call_table.h"
#include "algorithms/profile/restrict.h"
#include "core/io/hatchet/hatchet_graph.h"
#include "core/session/experiment.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// How amounts of the nodes are divided among locations; those without a value count as 0.
struct LocationSpreads {
    std::vector<double> maximum;    ///< of one location
    std::vector<double> mean;       ///< over the locations that recorded something
    std::vector<double> deviation;  ///< standard deviation over them (divisor n)
};

/// The amounts of one metric, one entry a node, summed over locations (of minima and maxima the extreme).
struct MeasuredMetric {
    std::string name;  ///< "time" for the time, whatever the archive calls it
    std::string unit;  ///< "s" for times
    bool adds = true;  ///< false for minima and maxima: they are no part of a whole
    std::vector<double> inclusive, exclusive;
    LocationSpreads inclusiveSpread, exclusiveSpread;
};

/// The call tree of an experiment as a table: call paths merged by name, siblings by name. Columns are
/// `name`, `group`, `file`, `line`, `calls`, and of every metric M `M` (exclusive) and `M (inc)`. Times are
/// in seconds, as Hatchet has them.
struct MeasuredTable {
    CallTable table;
    std::vector<std::vector<CallPathId>> callPaths;  ///< [node]; empty for a flat profile
    std::vector<RegionId> regions;                   ///< [node]: one of its name
    std::vector<double> calls;
    std::vector<MeasuredMetric> metrics;
    std::size_t locations = 0;  ///< that recorded something
    std::size_t ranks = 0;      ///< processes among them

    /// nullptr where there is none; ignores case. "time" is the time.
    const MeasuredMetric* metric(std::string_view name) const;
};

/// Which metrics the table is to have besides the time.
struct MeasuredMetrics {
    std::string_view mentionedIn;  ///< those whose name stands in this text
    bool allInMemory = true;       ///< those that need not be read first
    bool byRegion = false;         ///< a root for every region, and no call paths
    /// Names of regions that are left out: what they call stands in their place, a node a name.
    std::set<std::string> hidden = {};
};

/// Of a trace or a profile; one without call paths has a root for every region. Errors: those of
/// profileOfPart(). O(rows · metrics).
Result<MeasuredTable> measuredTable(const Experiment& experiment, const ProfilePart& part,
                                    const MeasuredMetrics& metrics, const Task& task);

/// A node's region and the definitions that it stands in; null: it has none.
struct NodeRegion {
    const Definitions* definitions = nullptr;
    const Region* region = nullptr;
};
/// Adds the columns `group` (as recorded, else the paradigm), `file` and `line`. One entry a node.
void addRegionColumns(CallTable& table, const std::vector<NodeRegion>& regions);

/// A graph as it is, with all attributes under their own names; amounts of several ranks are summed.
CallTable tableOfGraph(const hatchet::Graph& graph);

}  // namespace skein
