// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/normal_twin.h"
#include "algorithms/anomaly/tree_alignment.h"
#include "algorithms/layout/force_layout.h"
#include "views/common/scene/data/session_anomalies.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

inline constexpr std::size_t kMostStructures = 3;  ///< executions below each other

/// An execution and the most typical one of those that are normal, node by node upon each other.
struct ComparedExecution {
    IntervalRef of;
    std::optional<IntervalRef> twin;  ///< nullopt: its function has no other normal execution
    ExecutionTree first, second;      ///< without a twin twice the same
    TreeAlignment alignment;
    std::vector<AnomalyLabel> labels;  ///< of each node of the alignment: its call's, or of one in it
};

struct StructureData {
    SessionPtr session;
    std::vector<ComparedExecution> executions;
    std::size_t selected = 0;  ///< calls of which these are the first
};
using StructureDataPtr = std::shared_ptr<const StructureData>;

/// Finds the twins and compares. Errors: Cancelled. O(calls + nodes²).
Result<StructureDataPtr> compareStructures(const SessionAnomalies& anomalies, const Selection& selected,
                                           const std::vector<CallVerdict>& verdicts, const Task& task);

enum class StructureShape : std::uint8_t { Tidy, Force };

struct StructureOptions {
    StructureShape shape = StructureShape::Tidy;
    std::optional<std::uint32_t> depth = {};  ///< nullopt: as far as about 20 nodes
    bool twins = true;                        ///< else the executions alone

    bool operator==(const StructureOptions&) const = default;
};

/// What is shown of an execution, and where: both trees have the same places.
struct PlacedExecution {
    OpenedTree opened;
    std::vector<PlanePoint> places;    ///< of each shown node; tidy: x is the depth
    std::vector<TimeNs> differenceNs;  ///< of each shown node with what it hides; Σ = of the durations
    std::vector<AnomalyLabel> labels;  ///< the same
};

struct StructurePicture {
    StructureDataPtr data;
    StructureOptions options;
    std::vector<PlacedExecution> placed;  ///< by execution
    /// Logical pixels by which the user has dragged nodes, by execution and shown node; empty: none.
    std::vector<std::vector<PlanePoint>> draggedPx = {};
};
using StructurePicturePtr = std::shared_ptr<const StructurePicture>;

/// The same with a node of the alignment, where it is shown, so much farther from where it was laid out; it
/// moves in both trees. Where it is not shown, the same.
StructurePicturePtr withDragged(const StructurePicture& picture, std::size_t execution, std::uint32_t node,
                                PlanePoint byPx);

/// Errors: Cancelled.
Result<StructurePicturePtr> placeStructures(StructureDataPtr data, const StructureOptions& options,
                                            const Task& task);

/// The call that a node stands for in one of the two executions; nullopt: it has none there.
enum class StructureSide : std::uint8_t { Execution, Twin };
std::optional<IntervalRef> callOfNode(const ComparedExecution& compared, StructureSide side,
                                      std::uint32_t node);
const ExecutionNode* executionNode(const ComparedExecution& compared, StructureSide side, std::uint32_t node);
std::string functionOfNode(const StructureData& data, const ComparedExecution& compared, std::uint32_t node);
std::uint32_t functionNumber(const ComparedExecution& compared, std::uint32_t node);
/// "extra", "missing", "longer", "shorter", "same": of the node itself, by its difference.
std::string structureKind(const AlignedNode& node);

}  // namespace skein
