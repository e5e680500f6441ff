// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"

namespace skein::cli {
namespace {

struct Options {
    std::vector<std::string> paths;
    Format format = Format::Table;
};

const std::vector<Field> kFields{
    {"severity", "Severity", FieldKind::Text}, {"issue", "Issue", FieldKind::Text},
    {"count", "Count", FieldKind::Count},      {"file", "File", FieldKind::Text},
    {"location", "Location", FieldKind::Text}, {"offset", "Offset", FieldKind::Id},
    {"detail", "First", FieldKind::Text},      {"advice", "Meaning", FieldKind::Text},
};

std::vector<Cell> rowOf(const Issue& issue)
{
    const IssueDescription& description = describe(issue.kind);
    return {std::string(name(description.severity)),
            std::string(description.name),
            issue.count,
            issue.file,
            issue.location,
            issue.offset < 0 ? Cell() : Cell(issue.offset),
            issue.detail,
            std::string(description.advice)};
}

Result<ExitCode> check(const Options& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    RecordWriter writer(invocation.out, options.format, opened->withExperiment(kFields));
    for (std::size_t i = 0; i < opened->labels.size(); ++i)
        for (const Issue& issue : opened->session.experiments[i]->report.issues())
            if (!writer.row(opened->withLabel(i, rowOf(issue)))) return opened->exitCode();
    writer.finish();
    return opened->exitCode();
}

Action define(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    addPaths(app, options->paths);
    addFormat(app, options->format);
    return [options](const Invocation& invocation) { return check(*options, invocation); };
}

}  // namespace

Command checkCommand()
{
    return {"check", "What is odd about an archive, and what was lost of it",
            "  skein-cli check trace.otf2                 all findings with their meaning\n"
            "  skein-cli check run1/ --format json        for scripts; exit code 3 tells of lost data\n",
            define};
}

}  // namespace skein::cli
