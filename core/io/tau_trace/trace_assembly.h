// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_bytes.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/tau_trace/event_table.h"
#include "core/io/tau_trace/trace_files.h"
#include "core/session/experiment.h"

#include <memory>
#include <string_view>
#include <vector>

namespace skein::tau {

/// A file of records that is open, and what its events mean.
struct TraceInput {
    TraceFile file;
    FileBytes records;
    std::shared_ptr<const EventTable> events;  ///< null: absent; threads of a node share them
};

/// Makes an Experiment out of the files of one trace, whose events `names` has numbered. A first look at all
/// records finds the threads and the events that nothing defines; the second reads them, on several threads.
/// The same files give the same bits for any number of threads. Linear in the size of the records. Errors:
/// Malformed (no record at all), Cancelled, OutOfMemory.
Result<Experiment> assembleTrace(std::vector<TraceInput> inputs, TraceNames names, ImportReport report,
                                 const Task& task);

/// The same for a single file that lies in memory; NotRecognized where the records have no known layout.
Result<Experiment> assembleTrace(std::string_view events, std::string_view records, const Task& task);

}  // namespace skein::tau
