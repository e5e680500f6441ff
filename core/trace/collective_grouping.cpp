// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/collective_grouping.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace skein {
namespace {

struct Part {
    const CollectiveRecord* record = nullptr;
    LocationId location;
    std::uint32_t operation = 0;
};

/// Gives every record its operation; operations are numbered as they are first met.
class Grouping {
public:
    explicit Grouping(std::span<const Communicator> communicators) : communicators_(communicators) {}

    /// The records of one process in the order of its calls.
    void addProcess(std::span<Part> parts)
    {
        std::unordered_map<std::uint32_t, std::uint32_t> calls;
        for (Part& part : parts) {
            const CommunicatorId communicator = part.record->communicator;
            part.operation = isSelf(communicator) ? count_++ : shared(communicator, calls[communicator.value()]++);
        }
    }

    std::uint32_t count() const { return count_; }

private:
    bool isSelf(CommunicatorId communicator) const
    {
        return communicator.index() < communicators_.size() && communicators_[communicator.index()].self;
    }
    std::uint32_t shared(CommunicatorId communicator, std::uint32_t call)
    {
        std::vector<std::uint32_t>& operations = operations_[communicator.value()];
        if (call >= operations.size()) operations.push_back(count_++);
        return operations[call];
    }

    std::span<const Communicator> communicators_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> operations_;
    std::uint32_t count_ = 0;
};

std::vector<std::vector<Part>> partsByProcess(std::span<const std::span<const CollectiveRecord>> records,
                                              std::span<const std::uint32_t> processes)
{
    std::vector<std::vector<Part>> parts(processes.size());
    for (std::size_t location = 0; location < records.size(); ++location)
        for (const CollectiveRecord& record : records[location])
            if (record.end != kNoTime) parts[processes[location]].push_back({&record, LocationId(location), 0});
    const auto earlier = [](const Part& a, const Part& b) { return a.record->begin < b.record->begin; };
    for (auto& ofProcess : parts) std::stable_sort(ofProcess.begin(), ofProcess.end(), earlier);
    return parts;
}

void widen(CollectiveOperation& operation, const Part& part)
{
    const CollectiveRecord& record = *part.record;
    if (operation.memberCount++ == 0) {
        operation.begin = record.begin;
        operation.end = record.end;
        operation.communicator = record.communicator;
        operation.root = record.root;
        operation.kind = record.kind;
        return;
    }
    operation.begin = std::min(operation.begin, record.begin);
    operation.end = std::max(operation.end, record.end);
}

CollectiveMember memberOf(const Part& part)
{
    const CollectiveRecord& record = *part.record;
    return {record.begin, record.end, record.bytesSent, record.bytesReceived, part.location, record.interval};
}

/// Sorts the operations by begin (stable: ties keep the order of first members) and lays their members out.
GroupedCollectives arrange(std::vector<CollectiveOperation> operations, std::span<const std::vector<Part>> parts)
{
    std::vector<std::uint32_t> order(operations.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return operations[a].begin < operations[b].begin;
    });
    GroupedCollectives result;
    std::vector<std::uint64_t> next(operations.size());
    std::uint64_t members = 0;
    for (const std::uint32_t number : order) {
        next[number] = operations[number].firstMember = members;
        members += operations[number].memberCount;
        result.operations.push_back(operations[number]);
    }
    result.members.resize(members);
    for (const auto& ofProcess : parts)
        for (const Part& part : ofProcess) result.members[next[part.operation]++] = memberOf(part);
    return result;
}

}  // namespace

GroupedCollectives groupCollectives(std::span<const std::span<const CollectiveRecord>> records,
                                    std::span<const std::uint32_t> processes,
                                    std::span<const Communicator> communicators)
{
    std::vector<std::vector<Part>> parts = partsByProcess(records, processes);
    Grouping grouping(communicators);
    for (auto& ofProcess : parts) grouping.addProcess(ofProcess);
    std::vector<CollectiveOperation> operations(grouping.count());
    for (const auto& ofProcess : parts)
        for (const Part& part : ofProcess) widen(operations[part.operation], part);
    return arrange(std::move(operations), parts);
}

}  // namespace skein
