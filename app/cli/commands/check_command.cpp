// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
};

const std::vector<Field> kIssueFields{
    {"severity", "Severity", FieldKind::Text}, {"issue", "Issue", FieldKind::Text},
    {"count", "Count", FieldKind::Count},      {"file", "File", FieldKind::Text},
    {"location", "Location", FieldKind::Text}, {"offset", "Offset", FieldKind::Id},
    {"detail", "First", FieldKind::Text},      {"advice", "Meaning", FieldKind::Text},
};

/// Files of the archive by their place in it.
std::string shortened(const Experiment& experiment, const std::string& file)
{
    const std::filesystem::path path(file);
    if (!path.is_absolute()) return file;
    const auto relative = path.lexically_relative(experiment.path.parent_path());
    return relative.empty() || relative.native().starts_with("..") ? file : relative.string();
}

std::vector<Cell> issueRow(const Issue& issue)
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

constexpr std::string_view kClockAdvice = "The clock of this process is off, as messages and collectives "
                                          "show; --correct-clocks puts its times right.";

/// Clocks that are off are findings like those of the import.
std::vector<std::vector<Cell>> clockRows(const Experiment& experiment, const ClockOffsets& clocks)
{
    std::vector<std::vector<Cell>> rows;
    const auto& groups = experiment.definitions.locationGroups;
    for (std::size_t i = 0; i < clocks.groups.size(); ++i) {
        const ClockOffset& clock = clocks.groups[i];
        if (clock.offsetNs == 0.0 && clock.drift == 0.0) continue;
        std::string detail =
            fmt::format("{} {} {}, ± {}", formatDuration(std::fabs(clock.offsetNs)),
                        clock.offsetNs < 0.0 ? "behind" : "ahead of", groups[clocks.reference.index()].name,
                        formatDuration(clock.errorNs));
        if (clock.drift != 0.0)
            detail += fmt::format(", gaining {} a second", formatDuration(clock.drift * 1e9));
        rows.push_back({std::string(name(Severity::Information)), std::string("clock offset"),
                        std::uint64_t{1}, std::string(), groups[i].name, Cell(), std::move(detail),
                        std::string(kClockAdvice)});
    }
    return rows;
}

/// A table has the meanings below it, once each; CSV and JSON have them in every row.
struct Meanings {
    std::vector<std::pair<std::string, std::string>> known;

    void take(std::vector<Cell>& row)
    {
        const std::pair meaning{std::get<std::string>(row[1]), std::get<std::string>(row.back())};
        if (std::find(known.begin(), known.end(), meaning) == known.end()) known.push_back(meaning);
        row.pop_back();
    }
    void print(Sink& out) const
    {
        for (const auto& [issue, advice] : known) out.write(fmt::format("\n{}:\n  {}\n", issue, advice));
    }
};

Result<std::vector<std::vector<Cell>>> findingsOf(const OpenSession& opened, std::size_t index,
                                                  const Task& task)
{
    std::vector<std::vector<Cell>> rows;
    const Experiment& experiment = *opened.session.experiments[index];
    ImportReport report = experiment.report;
    report.renameFiles([&](const std::string& file) { return shortened(experiment, file); });
    for (const Issue& issue : report.summary()) rows.push_back(issueRow(issue));
    const auto clocks = clockOffsetsOf(opened, index, task);
    if (!clocks) return tl::make_unexpected(clocks.error());
    if (!*clocks) return rows;
    for (auto& row : clockRows(experiment, **clocks)) rows.push_back(std::move(row));
    return rows;
}

Result<ExitCode> listFindings(const CheckOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const bool isTable = options.format == Format::Table;
    std::vector<Field> fields = opened->withExperiment(kIssueFields);
    if (isTable) fields.pop_back();
    RecordWriter writer(invocation.out, options.format, fields);
    Meanings meanings;
    for (std::size_t i = 0; i < opened->labels.size(); ++i) {
        auto rows = findingsOf(*opened, i, invocation.task);
        if (!rows) return tl::make_unexpected(rows.error());
        for (std::vector<Cell>& row : *rows) {
            if (isTable) meanings.take(row);
            if (!writer.row(opened->withLabel(i, std::move(row)))) return opened->exitCode();
        }
    }
    if (isTable && meanings.known.empty()) {
        invocation.out.write("Nothing is odd.\n");
        return opened->exitCode();
    }
    writer.finish();
    meanings.print(invocation.out);
    return opened->exitCode();
}

Action defineCheck(CommandLine& line)
{
    auto options = std::make_shared<CheckOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return listFindings(*options, invocation); };
}

}  // namespace

Command checkCommand()
{
    return {"check", "What is odd about an archive, and what was lost of it",
            "  skein-cli check trace.otf2                 all findings with their meaning\n"
            "  skein-cli check run1/ --format json        for scripts; exit code 3 tells of lost data\n",
            defineCheck};
}

}  // namespace skein::cli
