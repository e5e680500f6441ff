// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/location_attributes.h"

#include "core/base/text_pattern.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

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

/// Names of attributes in the order of locationAttributes(); what locations share is looked at once.
class AttributeNames {
public:
    explicit AttributeNames(const Definitions& definitions)
        : definitions_(definitions),
          seenGroups_(definitions.locationGroups.size()),
          seenNodes_(definitions.systemTree.size())
    {
    }

    void addOf(LocationId id)
    {
        const Location& location = definitions_.location(id);
        const std::size_t group = location.group.index();
        const bool grouped = group < seenGroups_.size();
        add("name");
        add("kind");
        if (location.rank >= 0) add("rank");
        add("thread");
        if (grouped && !seenGroups_[group]) addProcess(definitions_.locationGroups[group]);
        addAll(location.properties);
        if (!grouped || seenGroups_[group]) return;
        seenGroups_[group] = true;
        addAll(definitions_.locationGroups[group].properties);
        addNodes(definitions_.locationGroups[group].node);
    }

    std::vector<std::string> take() { return std::move(names_); }

private:
    void add(std::string_view name)
    {
        if (std::ranges::none_of(names_,
                                 [&](const std::string& known) { return sameInAnyCase(known, name); }))
            names_.emplace_back(name);
    }

    void addAll(const std::vector<Property>& properties)
    {
        for (const Property& property : properties) add(property.name);
    }

    void addProcess(const LocationGroup& process)
    {
        if (!process.name.empty()) add("process");
        add("process kind");
    }

    /// Whoever was here before has gone on from here.
    void addNodes(SystemTreeNodeId node)
    {
        while (node.index() < seenNodes_.size() && !seenNodes_[node.index()]) {
            seenNodes_[node.index()] = true;
            const SystemTreeNode& own = definitions_.systemTree[node.index()];
            if (!own.className.empty() && !own.name.empty()) add(own.className);
            addAll(own.properties);
            node = own.parent;
        }
    }

    const Definitions& definitions_;
    std::vector<std::string> names_;
    std::vector<bool> seenGroups_, seenNodes_;
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
    AttributeNames names(definitions);
    for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) names.addOf(LocationId(i));
    return names.take();
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
