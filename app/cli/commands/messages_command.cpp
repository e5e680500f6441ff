// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/open_session.h"

namespace skein::cli {
namespace {

struct MessageOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::string window;
    bool unmatched = false;
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

class Printer {
public:
    Printer(const OpenSession& opened, const MessageOptions& options, const Invocation& invocation)
        : opened_(opened),
          options_(options),
          invocation_(invocation),
          writer_(invocation.out, options.format, opened.withExperiment(kMessageFields))
    {
    }

    /// False when the reader has gone or the user interrupted.
    bool print(std::size_t index, const Column<Message>& messages, const std::optional<TimeSpan>& window)
    {
        for (const Message& message : messages) {
            if (invocation_.task.stopRequested()) return false;
            if (!touches(window, message) || (options_.unmatched && message.matched())) continue;
            if (!writer_.row(opened_.withLabel(index, cellsOf(*opened_.session.experiments[index], message))))
                return false;
        }
        return true;
    }
    void finish() { writer_.finish(); }

private:
    static std::vector<Cell> cellsOf(const Experiment& experiment, const Message& message)
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

    const OpenSession& opened_;
    const MessageOptions& options_;
    const Invocation& invocation_;
    RecordWriter writer_;
};

Result<ExitCode> messages(const MessageOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const auto& experiments = opened->session.experiments;
    const auto traces = windowsOfTraces(*opened, "messages with times; see skein-cli comm for sums",
                                        options.window, invocation.err);
    if (!traces) return tl::make_unexpected(traces.error());
    Printer printer(*opened, options, invocation);
    for (const auto& [index, window] : *traces) {
        const Trace& trace = *experiments[index]->trace;
        bool complete = printer.print(index, trace.messages, window);
        if (complete && options.unmatched) complete = printer.print(index, trace.unmatchedReceives, window);
        if (!complete) return cancelled();
    }
    printer.finish();
    return opened->exitCode();
}

Action defineMessages(CommandLine& line)
{
    auto options = std::make_shared<MessageOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    line.flag("--unmatched", options->unmatched, "Only sends without a receive, and receives without a send");
    return [options](const Invocation& invocation) { return messages(*options, invocation); };
}

}  // namespace

Command messagesCommand()
{
    return {"messages", "Every message that was sent: ranks, tag, bytes and both times",
            "  skein-cli messages trace.otf2 | head                    the first messages\n"
            "  skein-cli messages trace.otf2 --window 12.5ms:20ms      those sent or received in between\n"
            "  skein-cli messages trace.otf2 --unmatched               those of which one end is missing\n"
            "  skein-cli messages trace.otf2 --format csv > all.csv    streams, however many there are\n",
            defineMessages};
}

}  // namespace skein::cli
