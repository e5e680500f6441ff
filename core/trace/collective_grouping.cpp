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

bool stopAt(std::size_t row, const Task& task)
{
    return row % kRowsBetweenQuestions == 0 && task.stopRequested();
}

/// Calls body(row) for each row; false when it was stopped before the last.
template <typename Rows, typename Body>
bool forEach(Rows& rows, const Task& task, Body&& body)
{
    std::size_t at = 0;
    for (auto& row : rows) {
        if (stopAt(at++, task)) return false;
        body(row);
    }
    return true;
}

/// Gives every record its operation; operations are numbered as they are first met.
class Grouping {
public:
    explicit Grouping(std::span<const Communicator> communicators) : communicators_(communicators) {}

    /// The records of one process in the order of its calls. False when it was stopped.
    bool addProcess(std::span<Part> parts, const Task& task)
    {
        std::unordered_map<std::uint32_t, std::uint32_t> calls;
        return forEach(parts, task, [&](Part& part) {
            const CommunicatorId communicator = part.record->communicator;
            part.operation =
                isSelf(communicator) ? count_++ : shared(communicator, calls[communicator.value()]++);
        });
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

using PartsByProcess = std::vector<std::vector<Part>>;

std::optional<PartsByProcess> partsByProcess(std::span<const std::span<const CollectiveRecord>> records,
                                             std::span<const std::uint32_t> processes, const Task& task)
{
    PartsByProcess parts(processes.size());
    for (std::size_t location = 0; location < records.size(); ++location) {
        const bool whole = forEach(records[location], task, [&](const CollectiveRecord& record) {
            if (record.end != kNoTime)
                parts[processes[location]].push_back({&record, LocationId(location), 0});
        });
        if (!whole) return std::nullopt;
    }
    const auto earlier = [](const Part& a, const Part& b) { return a.record->begin < b.record->begin; };
    for (auto& ofProcess : parts) {
        if (task.stopRequested()) return std::nullopt;
        if (!std::is_sorted(ofProcess.begin(), ofProcess.end(), earlier))
            std::stable_sort(ofProcess.begin(), ofProcess.end(), earlier);
    }
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
std::optional<GroupedCollectives> arrange(std::vector<CollectiveOperation> operations,
                                          const PartsByProcess& parts, const Task& task)
{
    std::vector<std::uint32_t> order(operations.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return operations[a].begin < operations[b].begin;
    };
    if (!std::is_sorted(order.begin(), order.end(), earlier))
        std::stable_sort(order.begin(), order.end(), earlier);
    GroupedCollectives result;
    std::vector<std::uint64_t> next(operations.size());
    std::uint64_t members = 0;
    const bool placed = forEach(order, task, [&](std::uint32_t number) {
        next[number] = operations[number].firstMember = members;
        members += operations[number].memberCount;
        result.operations.push_back(operations[number]);
    });
    if (!placed) return std::nullopt;
    result.members.resize(members);
    for (const auto& ofProcess : parts)
        if (!forEach(ofProcess, task,
                     [&](const Part& part) { result.members[next[part.operation]++] = memberOf(part); }))
            return std::nullopt;
    return result;
}

}  // namespace

std::optional<GroupedCollectives> groupCollectives(std::span<const std::span<const CollectiveRecord>> records,
                                                   std::span<const std::uint32_t> processes,
                                                   std::span<const Communicator> communicators,
                                                   const Task& task)
{
    auto parts = partsByProcess(records, processes, task);
    if (!parts) return std::nullopt;
    Grouping grouping(communicators);
    for (auto& ofProcess : *parts)
        if (!grouping.addProcess(ofProcess, task)) return std::nullopt;
    std::vector<CollectiveOperation> operations(grouping.count());
    for (const auto& ofProcess : *parts)
        if (!forEach(ofProcess, task, [&](const Part& part) { widen(operations[part.operation], part); }))
            return std::nullopt;
    return arrange(std::move(operations), *parts, task);
}

}  // namespace skein
