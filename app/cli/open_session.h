// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/output/records.h"
#include "core/clocks/clock_offsets.h"
#include "core/session/experiment.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skein::cli {

/// Takes the cells of one row; false when whoever makes rows should end.
using Emit = std::function<bool(std::vector<Cell>)>;

/// The archives of one command line. Rows of a session of several carry a field `experiment` in front: the
/// PATH as typed.
struct OpenSession {
    Session session;
    std::vector<std::string> labels;  ///< the PATHs, one an experiment
    std::vector<std::optional<ClockOffsets>>
        corrections;  ///< what --correct-clocks did to each trace; else nothing

    bool single() const { return labels.size() == 1; }
    /// DataLoss where any archive lost something, otherwise Fine.
    ExitCode exitCode() const;
    /// The fields, with `experiment` in front where there are several archives.
    std::vector<Field> withExperiment(std::vector<Field> fields) const;
    /// The cells of a row of experiment `index`, with its label in front where there are several archives.
    std::vector<Cell> withLabel(std::size_t index, std::vector<Cell> cells) const;
};

/// The clock offsets of an open archive: those that were corrected, or an estimate; nothing for a profile.
Result<std::optional<ClockOffsets>> clockOffsetsOf(const OpenSession& opened, std::size_t index,
                                                   const Task& task);

/// What `--window text` means for one archive, in its own time: nothing for an empty text. Of several
/// archives it is on the clock that all of them share, as in the window. An open end means the end of the
/// run, so that calls and messages of its very last nanosecond are in. Errors: InvalidArgument, also where
/// nothing of the run is in it.
Result<std::optional<TimeSpan>> windowOf(const OpenSession& opened, std::size_t index, std::string_view text);

/// A trace of the session, and the window that is wanted of it.
struct WindowedTrace {
    std::size_t index = 0;  ///< of the experiment
    std::optional<TimeSpan> window;
};

/// The traces of the session, with the window `text` of each, see windowOf. Profiles have no `what`: they are
/// left out, and `err` is told. Errors: InvalidArgument, NotRecorded (no trace at all).
Result<std::vector<WindowedTrace>> windowsOfTraces(const OpenSession& opened, std::string_view what,
                                                   std::string_view text, Sink& err);

/// Opens every path in order, with corrected clocks where the user asked for it, and tells on stderr about
/// lost data. Fails with the first path that cannot be opened.
Result<OpenSession> openSession(const std::vector<std::string>& paths, const Invocation& invocation);

/// One line on the error output where an archive was opened with data loss; `label` names it.
void tellLosses(const Experiment& experiment, const std::string& label, Sink& err);

}  // namespace skein::cli
