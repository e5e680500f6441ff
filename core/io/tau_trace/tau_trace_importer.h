// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein::tau {

/// Opens TAU's own traces: tautrace.N.C.T.trc with events.N.edf, or a merged .trc with its .edf. Both byte
/// orders and both record sizes; records and event files are known by their content, which belongs to which
/// by their names. Times are microseconds since 1970 on the clock of each node; TAU brings no collective
/// operations.
extern const Importer kTraceImporter;

std::optional<std::filesystem::path> sniffTrace(const std::filesystem::path& path, const Task& task);
Result<Experiment> readTrace(const std::filesystem::path& path, const Task& task);

}  // namespace skein::tau
