// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/print_rows.h"

#include <numeric>

namespace skein::cli {
namespace {

Result<ExitCode> printRowsOf(const std::vector<std::size_t>& experiments, const OpenSession& opened,
                             Format format, std::vector<Field> fields, const Invocation& invocation,
                             const RowsOf& rows)
{
    RecordWriter writer(invocation.out, format, opened.withExperiment(std::move(fields)));
    for (const std::size_t index : experiments) {
        const Emit emit = [&](std::vector<Cell> cells) {
            return !invocation.task.stopRequested() && writer.row(opened.withLabel(index, std::move(cells)));
        };
        const auto complete = rows(index, emit);
        if (!complete) return tl::make_unexpected(complete.error());
        if (invocation.task.stopRequested()) return cancelled();
        if (!*complete) return opened.exitCode();
    }
    writer.finish();
    return opened.exitCode();
}

}  // namespace

Result<ExitCode> printRows(const OpenSession& opened, Format format, std::vector<Field> fields,
                           const Invocation& invocation, const RowsOf& rows)
{
    std::vector<std::size_t> all(opened.labels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return printRowsOf(all, opened, format, std::move(fields), invocation, rows);
}

Result<ExitCode> printWindowed(const WindowedOptions& options, std::string_view what,
                               std::vector<Field> fields, const Invocation& invocation,
                               const WindowedRowsOf& rows)
{
    return printNumbered(options, what, std::move(fields), invocation,
                         [&rows](std::size_t, const Experiment& experiment, const auto& window,
                                 const Emit& emit) { return rows(experiment, window, emit); });
}

Result<ExitCode> printNumbered(const WindowedOptions& options, std::string_view what,
                               std::vector<Field> fields, const Invocation& invocation,
                               const NumberedWindowedRowsOf& rows)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const auto traces = windowsOfTraces(*opened, what, options.window, invocation.err);
    if (!traces) return tl::make_unexpected(traces.error());
    std::vector<std::size_t> experiments;
    std::vector<std::optional<TimeSpan>> windows(opened->labels.size());
    for (const auto& [index, window] : *traces) {
        experiments.push_back(index);
        windows[index] = window;
    }
    return printRowsOf(experiments, *opened, options.format, std::move(fields), invocation,
                       [&](std::size_t index, const Emit& emit) {
                           return rows(index, *opened->session.experiments[index], windows[index], emit);
                       });
}

}  // namespace skein::cli
