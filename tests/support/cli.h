// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"
#include "core/io/importer.h"

#include <map>
#include <string>
#include <vector>

namespace skein::test {

struct CliResult {
    int exitCode = 0;
    std::string out;
    std::string err;
};

/// Runs skein-cli inside the test.
inline CliResult runCli(const std::vector<std::string>& arguments, const cli::Opener& open = openExperiment)
{
    CliResult result;
    cli::Sink out(result.out), err(result.err);
    result.exitCode = cli::run(arguments, out, err, Task(), open);
    return result;
}

/// The same with experiments that the test has in hand: a PATH is a key of the map.
inline CliResult runCli(const std::vector<std::string>& arguments,
                        const std::map<std::string, Experiment>& experiments)
{
    return runCli(arguments, [&](const std::filesystem::path& path, const Task&) -> Result<ExperimentPtr> {
        const auto found = experiments.find(path.string());
        if (found == experiments.end())
            return fail(ErrorCode::NotFound, "There is no " + path.string() + ".");
        return std::make_shared<const Experiment>(found->second);
    });
}

}  // namespace skein::test
