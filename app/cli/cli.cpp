// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/index_options.h"
#include "app/cli/indexed_opener.h"
#include "app/cli/output/text.h"
#include "app/cli/version.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace skein::cli {
namespace {

constexpr std::string_view kFooter =
    "Examples:\n"
    "  skein-cli info trace.otf2                          what is in an archive\n"
    "  skein-cli profile --by region run1/                where the time went\n"
    "  skein-cli profile --by callpath --window 1s:2s t/  the same between two points in time\n"
    "  skein-cli comm --format csv profiles/ > comm.csv   who sent how much to whom\n"
    "  skein-cli check broken/                            what could not be read, and why\n"
    "  skein-cli COMMAND --help                           all about one command\n"
    "\n"
    "Several PATHs open as one session; their rows carry the field `experiment`.\n"
    "\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 opened with data loss (see check),\n"
    "4 a rule of compare is broken, 130 interrupted.";

struct GlobalOptions {
    int threads = 0;
    bool correctClocks = false;
    disk::IndexSettings index = disk::settingsFromEnvironment();
};

void defineGlobals(CommandLine& line, GlobalOptions& options)
{
    line.requireCommand();
    line.version(fmt::format("skein-cli {}", version()));
    line.option("--threads", options.threads,
                "Threads to use; 0, the default, is as many as the affinity and the control group of the "
                "process let run")
        .between(0, 4096)
        .valueName("N");
    line.flag("--correct-clocks", options.correctClocks,
              "Estimate how far the clocks of the processes are apart and correct all times");
    defineIndexOptions(line, options.index);
    defineMemoryLimit(line);
    line.footer(std::string(kFooter));
}

Action defineCommand(CommandLine& program, const Command& command)
{
    CommandLine& line = program.command(std::string(command.name), std::string(command.summary));
    line.inheritOptions();
    line.footer("Examples:\n" + std::string(command.examples)
                + "\nGlobal options, before or after the command: --threads N, --correct-clocks, --no-index, "
                  "--index-dir DIR,\n"
                  "--index-limit SIZE, --memory-limit SIZE.");
    return command.define(line);
}

/// What is not in an archive was lost with what could not be read, or else nobody could have asked for it.
ExitCode meaningOf(ErrorCode code, ExitCode opened)
{
    switch (code) {
    case ErrorCode::Cancelled: return ExitCode::Interrupted;
    case ErrorCode::InvalidArgument: return ExitCode::Usage;
    case ErrorCode::NotRecorded: return opened == ExitCode::DataLoss ? ExitCode::DataLoss : ExitCode::Usage;
    default: return ExitCode::Failed;
    }
}

int explain(const Error& error, ExitCode opened, Sink& err)
{
    if (!error.cancelled()) err.write(fmt::format("skein-cli: {}\n", printable(error.text())));
    return static_cast<int>(meaningOf(error.code, opened));
}

/// `opened`: DataLoss where any archive was opened with it.
int finish(const Result<ExitCode>& result, ExitCode opened, Sink& out, Sink& err)
{
    out.flush();
    // A reader that went away (`| head`) wanted no more: commands that ended early for it have not failed.
    if (out.error() == EPIPE) return static_cast<int>(result ? *result : ExitCode::Fine);
    if (out.error() == 0) return result ? static_cast<int>(*result) : explain(result.error(), opened, err);
    err.write(fmt::format("skein-cli: The output cannot be written: {}.\n", std::strerror(out.error())));
    return static_cast<int>(ExitCode::Failed);
}

int endWithoutCommand(const CommandLine::Parsed& parsed, Sink& out, Sink& err)
{
    if (parsed.end == CommandLine::Parsed::End::Told) {
        out.write(parsed.text);
        return static_cast<int>(ExitCode::Fine);
    }
    err.write(fmt::format("skein-cli: {}\nRun skein-cli --help for examples.\n", printable(parsed.text)));
    return static_cast<int>(ExitCode::Usage);
}

int parseAndRun(const std::vector<std::string>& arguments, Sink& out, Sink& err, const Task& task,
                const Opener& open)
{
    CommandLine line(
        "skein-cli",
        "Numbers of traces and profiles of parallel programs, for terminals, scripts and batch jobs.");
    GlobalOptions globals;
    defineGlobals(line, globals);
    std::vector<Action> actions;
    for (const Command& command : builtinCommands()) actions.push_back(defineCommand(line, command));
    const auto parsed = line.parse(arguments);
    if (parsed.end != CommandLine::Parsed::End::Ready) return endWithoutCommand(parsed, out, err);
    const std::string chosen = line.chosenCommand();
    const auto commands = builtinCommands();
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == chosen; });
    IndexedOpener indexed(globals.index);
    ExitCode opened = ExitCode::Fine;
    const Opener opener = [&](const std::filesystem::path& path, const Task& part) {
        auto experiment = open ? open(path, part) : indexed.open(path, part);
        if (experiment && (*experiment)->report.lostData()) opened = ExitCode::DataLoss;
        return experiment;
    };
    const Invocation invocation{
        out, err, task.withThreads(globals.threads), globals.correctClocks, opener, globals.index};
    const auto result = actions[static_cast<std::size_t>(found - commands.begin())](invocation);
    const int code = finish(result, opened, out, err);
    if (code != static_cast<int>(ExitCode::Interrupted)) indexed.saveAll(invocation.task, err);
    return code;
}

}  // namespace

int run(const std::vector<std::string>& arguments, Sink& out, Sink& err, const Task& task, const Opener& open)
{
    try {
        return parseAndRun(arguments, out, err, task, open);
    } catch (const std::bad_alloc&) {
        err.write("skein-cli: There is not enough memory for this; ask for a smaller part, or use another "
                  "machine.\n");
    } catch (const std::exception& error) {
        err.write(fmt::format("skein-cli: This failed unexpectedly: {}.\n", printable(error.what())));
    }
    return static_cast<int>(ExitCode::Failed);
}

}  // namespace skein::cli
