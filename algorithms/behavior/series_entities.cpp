// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/series_entities.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace skein {
namespace {

struct EntityWord {
    std::string_view word;
    SeriesEntity entity;
};

constexpr std::array kEntityWords{
    EntityWord{"location", SeriesEntity::Location},   EntityWord{"process", SeriesEntity::Process},
    EntityWord{"node", SeriesEntity::Node},           EntityWord{"communicator", SeriesEntity::Communicator},
    EntityWord{"component", SeriesEntity::Component},
};

std::string lowerCased(std::string_view text)
{
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return low;
}

std::string processName(const LocationGroup& group)
{
    return group.rank >= 0 ? fmt::format("Rank {}", group.rank) : group.name;
}

/// Classes of the system tree in the order in which they come first, as they are written there.
std::vector<std::string> treeLevels(const Definitions& definitions)
{
    std::vector<std::string> levels;
    for (const SystemTreeNode& node : definitions.systemTree)
        if (!node.className.empty()
            && std::none_of(levels.begin(), levels.end(), [&](const std::string& level) {
                   return lowerCased(level) == lowerCased(node.className);
               }))
            levels.push_back(node.className);
    return levels;
}

/// The node of this class that a node is in, or is; none where there is none. Ids of damaged trees end it.
SystemTreeNodeId nodeOfClass(const Definitions& definitions, SystemTreeNodeId node, const std::string& low)
{
    for (std::size_t steps = 0; node.index() < definitions.systemTree.size(); ++steps) {
        if (steps > definitions.systemTree.size()) break;
        if (lowerCased(definitions.systemTree[node.index()].className) == low) return node;
        node = definitions.systemTree[node.index()].parent;
    }
    return {};
}

/// The node of class "node" that a process ran on; where there is none the nearest of any class.
SystemTreeNodeId hostOf(const Definitions& definitions, SystemTreeNodeId node)
{
    const SystemTreeNodeId host = nodeOfClass(definitions, node, "node");
    return host.valid() ? host : node;
}

std::string nodePath(const Definitions& definitions, SystemTreeNodeId node)
{
    const SystemTreeNode& own = definitions.systemTree[node.index()];
    if (own.parent.index() >= definitions.systemTree.size() || own.parent == node) return own.name;
    return definitions.systemTree[own.parent.index()].name + "/" + own.name;
}

/// Puts locations into columns by a number that each has.
class EntityColumns {
public:
    void add(LocationId location, std::uint64_t key, std::string name)
    {
        const auto [found, isNew] = places_.emplace(key, entities_.names.size());
        if (isNew) {
            entities_.names.push_back(std::move(name));
            entities_.locations.emplace_back();
        }
        entities_.locations[found->second].push_back(location);
    }

    SeriesEntities take() { return std::move(entities_); }

private:
    SeriesEntities entities_;
    std::map<std::uint64_t, std::size_t> places_;
};

constexpr std::uint64_t kGroupKeys = std::uint64_t{1} << 40, kLocationKeys = std::uint64_t{1} << 41;

/// Names of nodes alone, or behind that of what they are in where several are called so.
std::vector<std::string> nodeNames(const Definitions& definitions)
{
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const SystemTreeNode& node : definitions.systemTree) ++counts[{node.className, node.name}];
    std::vector<std::string> names;
    for (std::size_t i = 0; i < definitions.systemTree.size(); ++i) {
        const SystemTreeNode& node = definitions.systemTree[i];
        names.push_back(counts[{node.className, node.name}] > 1 ? nodePath(definitions, SystemTreeNodeId(i))
                                                                : node.name);
    }
    return names;
}

Result<void> knownLevel(const Definitions& definitions, const std::string& level)
{
    const std::string low = lowerCased(level);
    std::vector<std::string> levels = treeLevels(definitions);
    for (const std::string& each : levels)
        if (lowerCased(each) == low) return {};
    std::erase_if(levels, [](const std::string& each) { return lowerCased(each) == "node"; });
    return fail(
        ErrorCode::NotRecorded,
        fmt::format("There is no level \"{}\" in the system tree; there are {}location, process, node, "
                    "communicator and component.",
                    level, levels.empty() ? "" : fmt::format("{}, ", fmt::join(levels, ", "))));
}

SeriesEntities placedEntities(const Definitions& definitions, const SeriesGrouping& grouping,
                              const std::vector<bool>& hidden)
{
    const std::string low = lowerCased(grouping.level);
    const std::vector<std::string> names = nodeNames(definitions);
    EntityColumns columns;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
        if (i < hidden.size() && hidden[i]) continue;
        const LocationId id(i);
        const LocationGroupId group = definitions.locations[i].group;
        if (grouping.entity == SeriesEntity::Location || group.index() >= definitions.locationGroups.size()) {
            columns.add(id, kLocationKeys + i, displayName(definitions, id));
            continue;
        }
        const LocationGroup& process = definitions.locationGroups[group.index()];
        SystemTreeNodeId node;
        if (grouping.entity == SeriesEntity::Node) node = hostOf(definitions, process.node);
        if (grouping.entity == SeriesEntity::Level) node = nodeOfClass(definitions, process.node, low);
        if (node.index() < definitions.systemTree.size()) columns.add(id, node.index(), names[node.index()]);
        else columns.add(id, kGroupKeys + group.index(), processName(process));
    }
    return columns.take();
}

Result<SeriesEntities> communicatorEntities(const Definitions& definitions, const std::vector<bool>& hidden)
{
    SeriesEntities entities;
    std::map<std::string, std::size_t> counts;
    bool any = false;
    for (std::size_t i = 0; i < definitions.communicators.size(); ++i) {
        const Communicator& communicator = definitions.communicators[i];
        any |= !communicator.members.empty();
        std::vector<LocationId> members;
        for (const LocationId member : communicator.members)
            if (member.index() < definitions.locations.size()
                && !(member.index() < hidden.size() && hidden[member.index()]))
                members.push_back(member);
        if (members.empty()) continue;
        const std::string name =
            communicator.name.empty() ? fmt::format("communicator {}", i) : communicator.name;
        const std::size_t same = ++counts[name];
        entities.names.push_back(same > 1 ? fmt::format("{} ({})", name, same) : name);
        entities.locations.push_back(std::move(members));
        entities.communicators.emplace_back(i);
    }
    if (any) return entities;
    return fail(ErrorCode::NotRecorded, "No communicator is defined whose members are known.");
}

}  // namespace

SeriesGrouping seriesGrouping(std::string_view word)
{
    for (const EntityWord& known : kEntityWords)
        if (known.word == lowerCased(word)) return known.entity;
    return {SeriesEntity::Level, std::string(word)};
}

std::string seriesGroupingWord(const SeriesGrouping& grouping)
{
    for (const EntityWord& known : kEntityWords)
        if (known.entity == grouping.entity) return std::string(known.word);
    return grouping.level;
}

Result<SeriesEntities> seriesEntities(const Definitions& definitions, const SeriesGrouping& grouping,
                                      const std::vector<bool>& hidden)
{
    if (grouping.entity == SeriesEntity::Communicator) return communicatorEntities(definitions, hidden);
    if (grouping.entity == SeriesEntity::Level) {
        if (const auto known = knownLevel(definitions, grouping.level); !known)
            return Unexpected(known.error());
    }
    if (grouping.entity != SeriesEntity::Component) return placedEntities(definitions, grouping, hidden);
    SeriesEntities all{{"All locations"}, {{}}, {}};
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        if (i >= hidden.size() || !hidden[i]) all.locations[0].emplace_back(i);
    return all.locations[0].empty() ? SeriesEntities() : all;
}

std::vector<SeriesGrouping> seriesGroupings(const Definitions& definitions)
{
    std::vector<SeriesGrouping> found{SeriesEntity::Component};
    bool nodes = false;
    for (const std::string& level : treeLevels(definitions)) {
        const bool own = lowerCased(level) == "node";
        nodes |= own;
        found.push_back(own ? SeriesGrouping(SeriesEntity::Node)
                            : SeriesGrouping(SeriesEntity::Level, level));
    }
    if (!nodes && !definitions.systemTree.empty()) found.emplace_back(SeriesEntity::Node);
    found.emplace_back(SeriesEntity::Process);
    found.emplace_back(SeriesEntity::Location);
    // A level with no more columns than the one above tells nothing new.
    std::size_t before = 0;
    std::erase_if(found, [&](const SeriesGrouping& grouping) {
        if (grouping.entity == SeriesEntity::Process || grouping.entity == SeriesEntity::Location)
            return false;
        const auto entities = seriesEntities(definitions, grouping);
        const std::size_t columns = entities ? entities->names.size() : 0;
        const bool useless = columns <= before;
        if (!useless) before = columns;
        return useless;
    });
    if (seriesEntities(definitions, SeriesEntity::Communicator))
        found.emplace_back(SeriesEntity::Communicator);
    return found;
}

SeriesGrouping finerGrouping(const Definitions& definitions, const SeriesGrouping& grouping)
{
    if (grouping.entity == SeriesEntity::Communicator) return SeriesEntity::Process;
    const std::vector<SeriesGrouping> all = seriesGroupings(definitions);
    const auto at = std::find(all.begin(), all.end(), grouping);
    if (at == all.end()) return grouping.entity == SeriesEntity::Location ? grouping : SeriesEntity::Process;
    const auto next = at + 1;
    return next == all.end() || next->entity == SeriesEntity::Communicator ? *at : *next;
}

}  // namespace skein
