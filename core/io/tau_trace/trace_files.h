// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/tau/tau_names.h"
#include "core/io/tau_trace/trace_records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace skein::tau {

/// A file of records and the file that defines its events.
struct TraceFile {
    std::filesystem::path records;
    std::filesystem::path events;  ///< empty: absent
    std::string name, eventsName;  ///< relative to the archive, for the report
    std::optional<ThreadKey>
        key;  ///< from the name, of a trace that is not merged: all records are of this thread
    RecordLayout layout;
};

struct TraceFiles {
    std::vector<TraceFile> files;
    ImportReport report;  ///< absent event files, files that were left aside
};

/// The archive that a path is or belongs to: a folder with a trace file per thread, or the records of a
/// merged trace. Where a folder has files of threads under several names (a.0.0.0.trc, b.0.0.0.trc) a file of
/// one stands for its name. Looks at a bounded number of files.
std::optional<std::filesystem::path> traceArchiveOf(const std::filesystem::path& path, const Task& task);

/// True for a folder of trace files none of which has an event file, where each thread has a profile as well
/// (or the profile's files are not one a thread): the profile knows the names. False for all else.
bool isNamelessBesideProfile(const std::filesystem::path& archive, const Task& task);

/// The files of an archive. A folder's trace is made of its tautrace.N.C.T.trc with events.N.edf; where there
/// are none, of its only merged trace. Of several names that of `archive` counts, else tautrace, else the
/// first. Merged traces beside them are left aside and reported: often they are of another run. Errors:
/// AccessDenied, NotRecognized (nothing there, or several merged traces), Cancelled.
Result<TraceFiles> findTraceFiles(const std::filesystem::path& archive, const Task& task);

}  // namespace skein::tau
