// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"

#include <algorithm>

namespace skein::cli {
namespace {

struct CollectiveOptions : WindowedOptions {
    bool members = false;
};

const std::vector<Field> kOperationFields{
    {"kind", "Kind", FieldKind::Text},
    {"communicator", "Communicator", FieldKind::Text},
    {"root", "Root", FieldKind::Id},
    {"members", "Members", FieldKind::Count},
    {"begin_ns", "First enters", FieldKind::Time},
    {"last_enter_ns", "Last enters", FieldKind::Time},
    {"end_ns", "Last leaves", FieldKind::Time},
    {"duration_ns", "Duration", FieldKind::Duration},
    {"bytes_sent", "Sent", FieldKind::Bytes},
    {"bytes_received", "Received", FieldKind::Bytes},
};

const std::vector<Field> kMemberFields{
    {"operation", "Operation", FieldKind::Id},         {"kind", "Kind", FieldKind::Text},
    {"communicator", "Communicator", FieldKind::Text}, {"rank", "Rank", FieldKind::Id},
    {"begin_ns", "Enters", FieldKind::Time},           {"end_ns", "Leaves", FieldKind::Time},
    {"bytes_sent", "Sent", FieldKind::Bytes},          {"bytes_received", "Received", FieldKind::Bytes},
};

std::span<const CollectiveMember> membersOf(const Trace& trace, const CollectiveOperation& operation)
{
    return trace.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount);
}

std::vector<Cell> operationCells(const Experiment& experiment, const CollectiveOperation& operation)
{
    std::uint64_t sent = 0, received = 0;
    TimeNs lastEnter = operation.begin;
    for (const CollectiveMember& member : membersOf(*experiment.trace, operation)) {
        sent += member.bytesSent;
        received += member.bytesReceived;
        lastEnter = std::max(lastEnter, member.begin);
    }
    return {std::string(name(operation.kind)),
            communicatorCell(experiment, operation.communicator),
            rankCell(experiment, operation.root),
            std::uint64_t{operation.memberCount},
            timeCell(operation.begin),
            timeCell(lastEnter),
            timeCell(operation.end),
            operation.end - operation.begin,
            sent,
            received};
}

std::vector<Cell> memberCells(const Experiment& experiment, std::size_t index, const CollectiveMember& member)
{
    const CollectiveOperation& operation = experiment.trace->collectives[index];
    return {static_cast<std::uint64_t>(index),
            std::string(name(operation.kind)),
            communicatorCell(experiment, operation.communicator),
            rankCell(experiment, member.location),
            timeCell(member.begin),
            timeCell(member.end),
            member.bytesSent,
            member.bytesReceived};
}

bool emitCollectives(const Experiment& experiment, const CollectiveOptions& options,
                     const std::optional<TimeSpan>& window, const Emit& emit)
{
    for (std::size_t i = 0; i < experiment.trace->collectives.size(); ++i) {
        const CollectiveOperation& operation = experiment.trace->collectives[i];
        if (window && !TimeSpan{operation.begin, operation.end + 1}.overlaps(*window)) continue;
        if (!options.members) {
            if (!emit(operationCells(experiment, operation))) return false;
            continue;
        }
        for (const CollectiveMember& member : membersOf(*experiment.trace, operation))
            if (!emit(memberCells(experiment, i, member))) return false;
    }
    return true;
}

Result<ExitCode> collectives(const CollectiveOptions& options, const Invocation& invocation)
{
    return printWindowed(options, "collective operations", options.members ? kMemberFields : kOperationFields,
                         invocation, [&](const Experiment& experiment, const auto& window, const Emit& emit) {
                             return emitCollectives(experiment, options, window, emit);
                         });
}

Action defineCollectives(CommandLine& line)
{
    auto options = std::make_shared<CollectiveOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    line.flag("--members", options->members, "A row for every member of every operation");
    return [options](const Invocation& invocation) { return collectives(*options, invocation); };
}

}  // namespace

Command collectivesCommand()
{
    return {"collectives", "Every collective operation: kind, communicator, members, times and bytes",
            "  skein-cli collectives trace.otf2                   an operation a row, in the order of their "
            "begin\n"
            "  skein-cli collectives trace.otf2 --members         who entered and left when\n"
            "  skein-cli collectives trace.otf2 --window :20ms    those that overlap the first 20 ms\n",
            defineCollectives};
}

}  // namespace skein::cli
