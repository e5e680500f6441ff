// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau/tau_locations.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skein::tau {
namespace {

std::string_view propertyValue(const std::vector<Property>& properties, std::string_view name)
{
    for (const Property& property : properties)
        if (property.name == name) return property.value;
    return {};
}

std::string_view hostOf(const ThreadDescription& thread)
{
    for (const std::string_view name : {"Hostname", "Node Name", "MPI Processor Name"})
        for (const std::vector<Property>* properties : {&thread.metadata, thread.common.get()})
            if (properties)
                if (const auto host = propertyValue(*properties, name); !host.empty()) return host;
    return {};
}

/// What all threads share by reference is the archive's; where there are several such lists, each thread gets
/// its own copy. That every thread of a large run has a copy of all would cost more than the file.
void spreadCommon(std::span<ThreadDescription> threads, Definitions& definitions)
{
    if (threads.empty()) return;
    const auto first = threads.front().common;
    const bool same = std::all_of(threads.begin(), threads.end(),
                                  [&](const ThreadDescription& thread) { return thread.common == first; });
    if (same && first) definitions.properties = *first;
    for (ThreadDescription& thread : threads) {
        const auto common = std::exchange(thread.common, nullptr);
        if (!same && common) thread.metadata.insert(thread.metadata.begin(), common->begin(), common->end());
    }
}

/// Moves the properties that every thread with metadata has with the same value to the archive. False when
/// stopped.
bool liftCommonProperties(std::span<ThreadDescription> threads, Definitions& definitions, const Task& task)
{
    struct Seen {
        std::string value;
        std::size_t count = 0;
        bool same = true;
    };
    std::map<std::string, Seen> seen;
    std::size_t told = 0;
    for (const ThreadDescription& thread : threads) {
        if (task.stopRequested()) return false;
        told += thread.metadata.empty() ? 0 : 1;
        for (const Property& property : thread.metadata) {
            Seen& entry = seen[property.name];
            if (entry.count++ == 0) entry.value = property.value;
            entry.same = entry.same && entry.value == property.value;
        }
    }
    const auto common = [&](const Property& property) {
        const Seen& entry = seen.at(property.name);
        return entry.same && entry.count >= told;
    };
    for (const auto& [name, entry] : seen)
        if (entry.same && entry.count >= told) definitions.properties.push_back({name, entry.value});
    for (ThreadDescription& thread : threads) {
        if (task.stopRequested()) return false;
        std::erase_if(thread.metadata, common);
    }
    return true;
}

/// The numbers of the hosts' nodes below one machine.
std::map<std::string, SystemTreeNodeId> defineHosts(std::span<const ThreadDescription> threads,
                                                    Definitions& definitions)
{
    std::map<std::string, SystemTreeNodeId> hosts;
    definitions.systemTree.push_back({"machine", "machine", {}, {}});
    for (const ThreadDescription& thread : threads) hosts.try_emplace(std::string(hostOf(thread)));
    for (auto& [name, id] : hosts) {
        if (name.empty()) {
            id = SystemTreeNodeId(0);
            continue;
        }
        id = SystemTreeNodeId(definitions.systemTree.size());
        definitions.systemTree.push_back({name, "node", SystemTreeNodeId(0), {}});
    }
    return hosts;
}

LocationGroup makeGroup(ThreadKey key, SystemTreeNodeId node)
{
    LocationGroup group;
    group.name = key.context == 0 ? fmt::format("Rank {}", key.node)
                                  : fmt::format("Rank {} Context {}", key.node, key.context);
    group.kind = LocationGroupKind::Process;
    group.node = node;
    group.rank = key.context == 0 ? std::int64_t{key.node} : -1;
    return group;
}

Location makeLocation(ThreadDescription& thread, LocationGroupId group, std::int64_t rank)
{
    Location location;
    const ThreadKey key = thread.key;
    location.name = rank < 0 ? fmt::format("Rank {} Context {} Thread {}", key.node, key.context, key.thread)
                             : fmt::format("Thread {}", key.thread);
    location.kind = LocationKind::CpuThread;
    location.group = group;
    location.rank = rank;
    location.thread = static_cast<std::int32_t>(std::min<std::uint32_t>(thread.key.thread, 0x7FFFFFFF));
    location.originalId = std::uint64_t{thread.key.node} << 32
        | std::uint64_t{thread.key.context & 0xFFFF} << 16 | (thread.key.thread & 0xFFFF);
    location.properties = std::move(thread.metadata);
    return location;
}

}  // namespace

bool defineLocations(std::span<ThreadDescription> threads, Definitions& definitions, const Task& task)
{
    const auto hosts = defineHosts(threads, definitions);
    std::vector<SystemTreeNodeId> nodes;
    for (const ThreadDescription& thread : threads) nodes.push_back(hosts.at(std::string(hostOf(thread))));
    spreadCommon(threads, definitions);
    if (!liftCommonProperties(threads, definitions, task)) return false;
    std::stable_sort(definitions.properties.begin(), definitions.properties.end(),
                     [](const Property& a, const Property& b) { return a.name < b.name; });
    for (std::size_t index = 0; index < threads.size(); ++index) {
        if (task.stopRequested()) return false;
        const ThreadKey key = threads[index].key;
        const bool sameProcess = index > 0 && threads[index - 1].key.node == key.node
            && threads[index - 1].key.context == key.context;
        if (!sameProcess) definitions.locationGroups.push_back(makeGroup(key, nodes[index]));
        const LocationGroupId group(definitions.locationGroups.size() - 1);
        definitions.locations.push_back(
            makeLocation(threads[index], group, definitions.locationGroups.back().rank));
    }
    return true;
}

}  // namespace skein::tau
