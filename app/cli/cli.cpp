// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/commands.h"
#include "app/cli/index_options.h"
#include "app/cli/indexed_opener.h"
#include "app/cli/output/text.h"
#include "app/cli/version.h"

#include <CLI/CLI.hpp>
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
    "130 interrupted.";

struct GlobalOptions {
    int threads = 0;
    bool correctClocks = false;
    disk::IndexSettings index = disk::settingsFromEnvironment();
};

void defineGlobals(CLI::App& app, GlobalOptions& options)
{
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("skein-cli ") + std::string(version()));
    app.add_option("--threads", options.threads, "Threads to use; 0, the default, is one a core")
        ->check(CLI::Range(0, 4096))
        ->option_text("N");
    app.add_flag("--correct-clocks", options.correctClocks,
                 "Estimate how far the clocks of the processes are apart and correct all times");
    defineIndexOptions(app, options.index);
    defineMemoryLimit(app);
    app.footer(std::string(kFooter));
}

Action defineCommand(CLI::App& app, const Command& command)
{
    CLI::App* const sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->fallthrough();
    sub->footer("Examples:\n" + std::string(command.examples)
                + "\nGlobal options, before or after the command: --threads N, --correct-clocks, --no-index, "
                  "--index-dir DIR,\n"
                  "--index-limit SIZE, --memory-limit SIZE.");
    return command.define(*sub);
}

int explain(const Error& error, Sink& err)
{
    if (error.cancelled()) return static_cast<int>(ExitCode::Interrupted);
    err.write(fmt::format("skein-cli: {}\n", printable(error.text())));
    return static_cast<int>(error.code == ErrorCode::InvalidArgument ? ExitCode::Usage : ExitCode::Failed);
}

int finish(const Result<ExitCode>& result, Sink& out, Sink& err)
{
    out.flush();
    // A reader that went away (`| head`) wanted no more: commands that ended early for it have not failed.
    if (out.error() == EPIPE) return static_cast<int>(result ? *result : ExitCode::Fine);
    if (out.error() == 0) return result ? static_cast<int>(*result) : explain(result.error(), err);
    err.write(fmt::format("skein-cli: The output cannot be written: {}.\n", std::strerror(out.error())));
    return static_cast<int>(ExitCode::Failed);
}

int parseFailure(const CLI::App& app, const CLI::ParseError& error, Sink& out, Sink& err)
{
    std::ostringstream text, complaint;
    const int code = app.exit(error, text, complaint);
    if (code == 0) {
        out.write(text.str());
        return static_cast<int>(ExitCode::Fine);
    }
    err.write(fmt::format("skein-cli: {}\nRun skein-cli --help for examples.\n", printable(error.what())));
    return static_cast<int>(ExitCode::Usage);
}

int parseAndRun(const std::vector<std::string>& arguments, Sink& out, Sink& err, const Task& task,
                const Opener& open)
{
    CLI::App app(
        "Numbers of traces and profiles of parallel programs, for terminals, scripts and batch jobs.",
        "skein-cli");
    GlobalOptions globals;
    defineGlobals(app, globals);
    std::vector<Action> actions;
    for (const Command& command : builtinCommands()) actions.push_back(defineCommand(app, command));
    try {
        // CLI11 takes the arguments from the end of the vector.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        return parseFailure(app, error, out, err);
    }
    const auto chosen = app.get_subcommands().front()->get_name();
    const auto commands = builtinCommands();
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == chosen; });
    IndexedOpener indexed(globals.index);
    const Opener opener = open ? open : [&](const std::filesystem::path& path, const Task& part) {
        return indexed.open(path, part);
    };
    const Invocation invocation{
        out, err, task.withThreads(globals.threads), globals.correctClocks, opener, globals.index};
    const int code =
        finish(actions[static_cast<std::size_t>(found - commands.begin())](invocation), out, err);
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
