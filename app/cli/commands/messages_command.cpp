// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"

namespace skein::cli {
namespace {

struct MessageOptions : WindowedOptions {
    bool unmatched = false;
    std::vector<std::string> messages;
};

const std::vector<Field> kMessageFields{
    {"sender", "Sender", FieldKind::Id},
    {"receiver", "Receiver", FieldKind::Id},
    {"communicator", "Communicator", FieldKind::Text},
    {"tag", "Tag", FieldKind::Id},
    {"bytes", "Bytes", FieldKind::Bytes},
    {"send_ns", "Sent", FieldKind::Time},
    {"receive_ns", "Received", FieldKind::Time},
    {"send_end_ns", "Send ended", FieldKind::Time},
};

/// Messages that have an end inside the window.
bool touches(const std::optional<TimeSpan>& window, const Message& message)
{
    if (!window) return true;
    return (message.sendTime != kNoTime && window->contains(message.sendTime))
        || (message.receiveTime != kNoTime && window->contains(message.receiveTime));
}

std::vector<Cell> messageCells(const Experiment& experiment, const Message& message)
{
    return {rankCell(experiment, message.sender),
            rankCell(experiment, message.receiver),
            communicatorCell(experiment, message.communicator),
            std::uint64_t{message.tag},
            message.bytes,
            timeCell(message.sendTime),
            timeCell(message.receiveTime),
            timeCell(message.sendEnd)};
}

bool emitMessages(const Experiment& experiment, const Column<Message>& messages,
                  const MessageOptions& options, const std::optional<TimeSpan>& window,
                  const MessageFilter& filter, const Emit& emit)
{
    for (const Message& message : messages) {
        if (!touches(window, message) || !filter.passes(message) || (options.unmatched && message.matched()))
            continue;
        if (!emit(messageCells(experiment, message))) return false;
    }
    return true;
}

Result<ExitCode> messages(const MessageOptions& options, const Invocation& invocation)
{
    const auto rules = messageRulesOf(options.messages);
    if (!rules) return Unexpected(rules.error());
    return printWindowed(
        options, "messages with times; see skein-cli comm for sums", kMessageFields, invocation,
        [&](const Experiment& experiment, const auto& window, const Emit& emit) {
            const Trace& trace = *experiment.trace;
            const MessageFilter filter(experiment, *rules);
            return emitMessages(experiment, trace.messages, options, window, filter, emit)
                && (!options.unmatched
                    || emitMessages(experiment, trace.unmatchedReceives, options, window, filter, emit));
        });
}

Action defineMessages(CommandLine& line)
{
    auto options = std::make_shared<MessageOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    addMessageConditions(line, options->messages);
    line.flag("--unmatched", options->unmatched, "Only sends without a receive, and receives without a send");
    return [options](const Invocation& invocation) { return messages(*options, invocation); };
}

}  // namespace

Command messagesCommand()
{
    return {"messages", "Every message that was sent: ranks, tag, bytes and both times",
            "  skein-cli messages trace.otf2 | head                    the first messages\n"
            "  skein-cli messages trace.otf2 --window 12.5ms:20ms      those sent or received in between\n"
            "  skein-cli messages trace.otf2 --messages 'within=exchange*'   those sent in such calls\n"
            "  skein-cli messages trace.otf2 --unmatched               those of which one end is missing\n"
            "  skein-cli messages trace.otf2 --format csv > all.csv    streams, however many there are\n",
            defineMessages};
}

}  // namespace skein::cli
