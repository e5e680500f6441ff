// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/small_session.h"

#include <algorithm>

namespace skein::test {

RegionId ExperimentBuilder::regionOf(const std::string& name)
{
    auto& regions = experiment_.definitions.regions;
    const auto found =
        std::find_if(regions.begin(), regions.end(), [&](const auto& r) { return r.name == name; });
    if (found != regions.end()) return RegionId(static_cast<std::size_t>(found - regions.begin()));
    regions.emplace_back();
    regions.back().name = name;
    regions.back().paradigm = Paradigm::User;
    return RegionId(regions.size() - 1);
}

void ExperimentBuilder::addLocation(const std::vector<Call>& calls)
{
    ColumnBuilder<TimeNs> begins, ends;
    ColumnBuilder<std::uint32_t> paths;
    ColumnBuilder<std::uint16_t> depths;
    std::vector<CallPathId> stack;
    TimeSpan extent = calls.empty() ? TimeSpan{} : TimeSpan{calls.front().begin, calls.front().end};
    for (const Call& call : calls) {
        stack.resize(call.depth);
        const CallPathId parent = stack.empty() ? CallPathId() : stack.back();
        stack.push_back(tree_.child(parent, regionOf(call.region)));
        begins.push(call.begin);
        ends.push(call.end);
        paths.push(stack.back().value());
        depths.push(call.depth);
        extent = extent.united({call.begin, call.end});
    }
    LocationTrace location;
    location.events = calls.size() * 2;
    location.extent = extent;
    location.intervals = {begins.finish(), ends.finish(), paths.finish(), depths.finish()};
    trace_.extent = trace_.extent.united({0, extent.end});
    trace_.locations.push_back(std::move(location));
}

ExperimentBuilder& ExperimentBuilder::process(const std::string& node, const std::vector<Call>& calls)
{
    Definitions& definitions = experiment_.definitions;
    auto& tree = definitions.systemTree;
    auto found = std::find_if(tree.begin(), tree.end(), [&](const auto& n) { return n.name == node; });
    if (found == tree.end()) {
        tree.push_back({node, "node", {}, {}});
        found = tree.end() - 1;
    }
    LocationGroup group;
    group.rank = static_cast<std::int64_t>(definitions.locationGroups.size());
    group.name = "MPI Rank " + std::to_string(group.rank);
    group.kind = LocationGroupKind::Process;
    group.node = SystemTreeNodeId(static_cast<std::size_t>(found - tree.begin()));
    definitions.locationGroups.push_back(group);
    return thread(calls);
}

ExperimentBuilder& ExperimentBuilder::thread(const std::vector<Call>& calls)
{
    Definitions& definitions = experiment_.definitions;
    Location location;
    location.kind = LocationKind::CpuThread;
    location.group = LocationGroupId(definitions.locationGroups.size() - 1);
    location.rank = definitions.locationGroups.back().rank;
    for (const Location& other : definitions.locations)
        if (other.group == location.group) ++location.thread;
    location.name = "thread " + std::to_string(location.thread);
    location.originalId = definitions.locations.size();
    definitions.locations.push_back(location);
    addLocation(calls);
    return *this;
}

ExperimentBuilder& ExperimentBuilder::message(std::uint32_t sender, TimeNs sendTime, std::uint32_t receiver,
                                              TimeNs receiveTime, std::uint64_t bytes)
{
    Message message;
    message.sender = LocationId(sender);
    message.receiver = LocationId(receiver);
    message.sendTime = sendTime;
    message.receiveTime = receiveTime;
    message.bytes = bytes;
    messages_.push_back(message);
    return *this;
}

ExperimentBuilder& ExperimentBuilder::paradigm(const std::string& region, Paradigm paradigm)
{
    experiment_.definitions.regions[regionOf(region).index()].paradigm = paradigm;
    return *this;
}

ExperimentBuilder& ExperimentBuilder::group(const std::string& region, const std::string& group)
{
    auto& groups = experiment_.definitions.regionGroups;
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const RegionGroup& known) { return known.name == group; });
    if (found == groups.end()) found = groups.insert(groups.end(), RegionGroup{group});
    experiment_.definitions.regions[regionOf(region).index()].groups.emplace_back(
        static_cast<std::size_t>(found - groups.begin()));
    return *this;
}

ExperimentPtr ExperimentBuilder::finish()
{
    std::stable_sort(messages_.begin(), messages_.end(),
                     [](const Message& a, const Message& b) { return a.sendTime < b.sendTime; });
    trace_.messages = Column<Message>(std::move(messages_));
    experiment_.callTree = std::make_shared<const CallTree>(std::move(tree_).finish());
    experiment_.trace = std::make_shared<const Trace>(std::move(trace_));
    return std::make_shared<const Experiment>(std::move(experiment_));
}

}  // namespace skein::test
