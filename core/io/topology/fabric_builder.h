// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein::topology {

enum class FabricKind : std::uint8_t { Node, Router };

/// Collects named vertices and links of an imported machine.
class FabricBuilder {
public:
    /// The vertex of that name, made where it is new. A vertex that is a router once stays one.
    std::uint32_t vertex(std::string_view name, FabricKind kind);
    void link(std::uint32_t from, std::uint32_t to, float capacity);
    void cable(std::uint32_t a, std::uint32_t b, float capacity);
    /// False once there is more than a Topology may have: then reading should end, and finish() fails.
    bool withinLimits() const
    {
        return names_.size() <= Topology::kMaximumVertices && links_.size() <= Topology::kMaximumLinks;
    }
    const std::string& name(std::uint32_t vertex) const { return names_[vertex]; }
    std::vector<LinkDefinition>& links() { return links_; }

    /// Nodes in the natural order of their names, then routers likewise. Errors: OutOfMemory; Malformed
    /// without nodes.
    Result<Topology> finish(const std::string& spec);

private:
    std::vector<std::string> names_;
    std::vector<FabricKind> kinds_;
    std::unordered_map<std::string, std::uint32_t> byName_;
    std::vector<LinkDefinition> links_;
};

}  // namespace skein::topology
