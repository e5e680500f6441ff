// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/sink.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/disk/index_cache.h"
#include "core/session/experiment.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace skein::cli {

class CommandLine;

/// How skein-cli ends; written in the help and in docs/CLI.md.
enum class ExitCode : int {
    Fine = 0,
    Failed = 1,
    Usage = 2,
    DataLoss = 3,       ///< done as far as could be, but something that was recorded could not be read
    Regressed = 4,      ///< compare: a rule of --fail-if is broken
    Interrupted = 130,  ///< by Ctrl-C, as shells report it
};

/// Opens what a PATH names: openExperiment, or what a test has in hand.
using Opener = std::function<Result<ExperimentPtr>(const std::filesystem::path&, const Task&)>;

/// What a command works with besides its own options.
struct Invocation {
    Sink& out;  ///< results and nothing else
    Sink& err;  ///< sentences for the user
    Task task;  ///< stops on Ctrl-C; carries --threads and the progress line: report 1 before you print
    bool correctClocks = false;
    Opener open;                ///< how PATHs become experiments
    disk::IndexSettings index;  ///< where indexes are kept
};

/// What a command does once its options are parsed. A wrong use that only shows now is
/// ErrorCode::InvalidArgument and ends with exit code 2; NotRecorded with 3 where an archive was opened with
/// data loss, else with 2; Cancelled with 130, other errors with 1: the caller prints their text.
using Action = std::function<Result<ExitCode>(const Invocation&)>;

/// One command, in a file of its own under app/cli/commands and one line in commands.cpp.
struct Command {
    std::string_view name;
    std::string_view summary;   ///< one line for `skein-cli --help`
    std::string_view examples;  ///< lines for the end of the command's own help, each indented by two blanks
    /// Declares positionals and options (command_line.h, and helpers in arguments.h). Option values live in a
    /// shared_ptr that the returned action captures, because parsing happens after this function has
    /// returned.
    Action (*define)(CommandLine& line);
};

}  // namespace skein::cli
