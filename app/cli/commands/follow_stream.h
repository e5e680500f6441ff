// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/live_stream.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/records.h"
#include "app/cli/series_input.h"

#include <memory>

/// skein-cli changes --follow: what happens, told while it happens.
namespace skein::cli {

struct FollowOptions {
    bool follow = false;
    OnlineBehaviorParams online;
    double stateEvery = 0;        ///< seconds; 0: never
    double idle = 0;              ///< seconds without anything after which it ends; 0: never
    std::uint64_t stopAfter = 0;  ///< rows; 0: never
    double speed = 0;             ///< of a replay; 0: as fast as can be
    double budgetMs = 50;
};

/// --follow and what goes with it.
void addFollowOptions(CommandLine& line, FollowOptions& options);

/// How a stream is thinned, filtered and joined on its way in.
void addTransformOptions(CommandLine& line, StreamTransformParams& transform);

/// Prints a line for each change as it is found until the stream ends: a growing file, what comes through a
/// socket, or a trace as if it happened now. Errors: those of opening, InvalidArgument.
Result<ExitCode> followStream(const SeriesInput& input, FollowOptions options, Format format,
                              const Invocation& invocation);

}  // namespace skein::cli
