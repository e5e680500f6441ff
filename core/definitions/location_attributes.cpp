// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/location_attributes.h"

#include "core/base/text_pattern.h"

#include <algorithm>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kDeepestTree = 64;

/// Attributes of one location as they are found.
class AttributeList {
public:
    void add(std::string name, std::string value)
    {
        if (!value.empty()) list_.push_back({std::move(name), std::move(value)});
    }

    void addAll(const std::vector<Property>& properties)
    {
        list_.insert(list_.end(), properties.begin(), properties.end());
    }

    /// Nodes from the inside out; of damaged trees, whose nodes lie in each other, the innermost.
    void addNodes(const Definitions& definitions, SystemTreeNodeId node)
    {
        const auto& tree = definitions.systemTree;
        for (std::size_t steps = 0; node.index() < tree.size() && steps < kDeepestTree; ++steps) {
            const SystemTreeNode& own = tree[node.index()];
            if (!own.className.empty()) add(own.className, own.name);
            addAll(own.properties);
            node = own.parent;
        }
    }

    std::vector<Property> take() { return std::move(list_); }

private:
    std::vector<Property> list_;
};

}  // namespace

std::vector<Property> locationAttributes(const Definitions& definitions, LocationId id)
{
    AttributeList list;
    const Location& location = definitions.location(id);
    list.add("name", displayName(definitions, id));
    list.add("kind", std::string(name(location.kind)));
    if (location.rank >= 0) list.add("rank", std::to_string(location.rank));
    list.add("thread", std::to_string(location.thread));
    const bool grouped = location.group.index() < definitions.locationGroups.size();
    if (!grouped) {
        list.addAll(location.properties);
        return list.take();
    }
    const LocationGroup& process = definitions.locationGroups[location.group.index()];
    list.add("process", process.name);
    list.add("process kind", std::string(name(process.kind)));
    list.addAll(location.properties);
    list.addAll(process.properties);
    list.addNodes(definitions, process.node);
    return list.take();
}

std::vector<std::string> locationAttributeNames(const Definitions& definitions)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        for (const Property& attribute : locationAttributes(definitions, LocationId(i)))
            if (std::none_of(names.begin(), names.end(),
                             [&](const std::string& known) { return sameInAnyCase(known, attribute.name); }))
                names.push_back(attribute.name);
    return names;
}

bool isLike(const Definitions& definitions, LocationId location, const AttributeConditions& wanted)
{
    if (wanted.empty()) return true;
    const std::vector<Property> attributes = locationAttributes(definitions, location);
    return allHold(wanted, [&](std::string_view name) -> std::optional<std::string_view> {
        for (const Property& attribute : attributes)
            if (sameInAnyCase(attribute.name, name)) return attribute.value;
        return std::nullopt;
    });
}

}  // namespace skein
