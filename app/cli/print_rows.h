// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/open_session.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// What commands have in common that print rows of each archive of the command line.
namespace skein::cli {

/// Hands the rows of experiment `index` to `emit` until that says no; false when it did.
using RowsOf = std::function<Result<bool>(std::size_t index, const Emit& emit)>;

/// Prints the rows of every experiment, with its label in front where there are several. Ends early where the
/// reader has gone; Cancelled where the user interrupted. Errors: those of `rows`.
Result<ExitCode> printRows(const OpenSession& opened, Format format, std::vector<Field> fields,
                           const Invocation& invocation, const RowsOf& rows);

/// The options of a command that prints what happened in a window of traces.
struct WindowedOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::string window;
};

/// The same as RowsOf for a part of a trace; no window: all of it.
using WindowedRowsOf = std::function<Result<bool>(const Experiment& experiment,
                                                  const std::optional<TimeSpan>& window, const Emit& emit)>;

/// The same with the number of the experiment in the session.
using NumberedWindowedRowsOf =
    std::function<Result<bool>(std::size_t index, const Experiment& experiment,
                               const std::optional<TimeSpan>& window, const Emit& emit)>;

/// Opens the archives and prints the rows of their traces; profiles have no `what`, which is told. Errors:
/// those of opening, InvalidArgument for a window that is none, those of `rows`, Cancelled.
Result<ExitCode> printWindowed(const WindowedOptions& options, std::string_view what,
                               std::vector<Field> fields, const Invocation& invocation,
                               const WindowedRowsOf& rows);
Result<ExitCode> printNumbered(const WindowedOptions& options, std::string_view what,
                               std::vector<Field> fields, const Invocation& invocation,
                               const NumberedWindowedRowsOf& rows);

}  // namespace skein::cli
