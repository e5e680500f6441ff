// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/derived_export.h"
#include "algorithms/profile/restrict.h"
#include "algorithms/profile/tree_export.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"
#include "core/base/output_file.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

struct ExportOptions {
    std::string path, metric, window, output;
    TreeFormat format = TreeFormat::Hatchet;
};

Result<ExitCode> exportArchive(const ExportOptions& options, const Invocation& invocation)
{
    const auto opened = openSession({options.path}, invocation);
    if (!opened) return Unexpected(opened.error());
    const Experiment& experiment = *opened->session.experiments.front();
    const auto window = windowOf(*opened, 0, options.window);
    if (!window) return Unexpected(window.error());
    const ProfilePart part{*window, {}};
    const auto text = isExpressionOf(experiment, options.metric)
        ? exportDerived(experiment, part, options.metric, options.format, invocation.task)
        : exportPart(experiment, part, options.metric, options.format, invocation.task);
    if (!text) return Unexpected(text.error());
    invocation.task.report(1.0, "");
    if (options.output.empty()) {
        invocation.out.write(*text);
        return opened->exitCode();
    }
    if (const auto written = writeFile(options.output, *text); !written) return Unexpected(written.error());
    return opened->exitCode();
}

Action defineExport(CommandLine& line)
{
    auto options = std::make_shared<ExportOptions>();
    line.option("PATH", options->path, "An archive: a file, a folder or any member of one").required();
    addChoice<TreeFormat>(line, "--to", options->format,
                          {{"hatchet", TreeFormat::Hatchet},
                           {"csv", TreeFormat::Csv},
                           {"json", TreeFormat::Json},
                           {"folded", TreeFormat::Folded},
                           {"speedscope", TreeFormat::Speedscope}},
                          "Hatchet's literal (the default), a table for pandas, folded stacks, speedscope");
    line.option(
            "--metric", options->metric,
            "Another metric than the time (see skein-cli metrics), or an expression such as time.inc / calls")
        .valueName("M");
    addWindow(line, options->window);
    line.option("-o,--output", options->output, "A file instead of stdout").valueName("FILE");
    return [options](const Invocation& invocation) { return exportArchive(*options, invocation); };
}

}  // namespace

Command exportCommand()
{
    return {
        "export", "The call tree for other tools: Hatchet, pandas, flame graphs, speedscope",
        "  skein-cli export trace.otf2 -o tree.json                  GraphFrame.from_literal(json.load(f))\n"
        "  skein-cli export profile.cubex --to csv -o tree.csv       pandas.read_csv(\"tree.csv\")\n"
        "  skein-cli export trace.otf2 --to folded | flamegraph.pl   exclusive ns a call path\n"
        "  skein-cli export trace.otf2 --to speedscope -o t.json     for speedscope\n"
        "\n"
        "Values are sums over all locations. Times are in seconds for Hatchet, else in ns.\n",
        defineExport};
}

}  // namespace skein::cli
