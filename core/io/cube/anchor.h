// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/task.h"
#include "core/definitions/definitions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the anchor.xml of a Cube profile says, as it stands there.
namespace skein::cube {

inline constexpr std::uint32_t kNoEntry = 0xFFFFFFFFu;

/// Which of the two amounts of a call path a metric stores; the other one is worked out.
enum class StoredAmount : std::uint8_t {
    Exclusive,
    Inclusive,
    None,  ///< derived from other metrics by an expression
};

struct AnchorMetric {
    std::uint64_t id = 0;
    std::uint32_t parent = kNoEntry;  ///< index of a metric before it
    std::string uniqueName, displayName, dataType, unit, description, expression;
    StoredAmount stored = StoredAmount::Exclusive;
};

struct AnchorRegion {
    std::uint64_t id = 0;
    std::string name, mangledName, paradigm, role, description, module;
    std::int64_t beginLine = -1, endLine = -1;
};

struct AnchorParameter {
    std::string name, value;
};

/// A call path.
struct AnchorNode {
    std::uint64_t id = 0;
    std::uint64_t region = 0;         ///< id
    std::uint32_t parent = kNoEntry;  ///< index of a node before it
    std::int64_t line = -1;
    std::string module;
    std::vector<AnchorParameter> parameters;
};

/// A machine, node or other part of the system tree; a process; or a thread.
struct AnchorPlace {
    std::uint64_t id = 0;
    std::uint32_t parent = kNoEntry;  ///< index of a place of the kind above it, or of the same kind
    std::string name, className;      ///< className: <class> of nodes, <type> of groups and locations
    std::int64_t rank = -1;
    std::vector<Property> properties;
};

struct AnchorGroup : AnchorPlace {
    std::uint32_t creator = kNoEntry;  ///< the group that it stands in; then `parent` is that group's
};

struct AnchorTopology {
    struct Coordinates {
        bool ofGroup = false;  ///< the id is a process's
        std::uint64_t id = 0;
        std::vector<std::uint32_t> position;
    };
    std::string name;
    std::vector<CartesianTopology::Dimension> dimensions;
    std::vector<Coordinates> coordinates;
};

struct Anchor {
    std::vector<Property> properties;
    std::vector<AnchorMetric> metrics;  ///< a parent before its children
    std::vector<AnchorRegion> regions;
    std::vector<AnchorNode> nodes;  ///< in preorder
    std::vector<AnchorPlace> systemTree;
    std::vector<AnchorGroup> groups;
    std::vector<AnchorPlace> locations;
    std::vector<AnchorTopology> topologies;
};

/// Goes through the text once, without a tree of it in memory. Also knows the <machine>, <node>, <process>
/// and <thread> of older versions. What is cut off or odd is reported under the name of the file. nullopt
/// after a stop request. O(text).
std::optional<Anchor> parseAnchor(std::string_view text, std::string_view file, ImportReport& report,
                                  const Task& task);

}  // namespace skein::cube
