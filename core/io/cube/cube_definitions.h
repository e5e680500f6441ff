// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/cube/anchor.h"
#include "core/io/cube/value_format.h"
#include "core/profile/call_tree.h"

#include <vector>

namespace skein::cube {

/// A metric of the definitions that values are stored for: a number, or a part of a tuple.
struct StoredMetric {
    std::uint32_t anchor = 0;  ///< index into Anchor::metrics
    std::uint32_t part = 0;
    MetricId metric;
    ValueFormat format;
    double scale = 1.0;  ///< from the stored value to the metric's unit
};

/// What an anchor says, in the words of the data model.
struct CubeDefinitions {
    Definitions definitions;
    CallTree tree;                       ///< node i is call path i of the anchor
    std::vector<std::uint32_t> columns;  ///< [place in a row of the data]: index of the location
    std::vector<StoredMetric> stored;    ///< of types that are shown and not derived
};

/// Metrics of all kinds are defined, also those that are derived and those of types that are not shown; both
/// are reported by name. Names that are mangled only are demangled, the mangled ones stay as canonical names.
/// What is not defined gets a made-up name and is reported. Takes texts out of the anchor. O(anchor).
CubeDefinitions defineCube(Anchor& anchor, std::string_view file, ImportReport& report);

/// The numbers of call paths in index files: [number]: index into Anchor::nodes. In preorder for metrics
/// that store exclusive amounts. For others all children of a call path are numbered when it is visited, in
/// preorder.
std::vector<std::uint32_t> numberedNodes(const std::vector<AnchorNode>& nodes, StoredAmount stored);

}  // namespace skein::cube
