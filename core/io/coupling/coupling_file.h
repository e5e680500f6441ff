// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "core/session/hand_over.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

/// What components of a workflow handed over to each other, as a table of text beside their archives: a
/// header `side,output_index,sim_rank,analysis_rank,t_begin_us,t_available_us,t_end_us,bytes`, then a line
/// `put` for every piece that was written (begin, end) and a line `get` for every piece that was read (begin
/// of waiting, when it was there, end of reading). Times are microseconds since 1970.
namespace skein {

/// A line of the table; times in Unix nanoseconds.
struct CouplingLine {
    std::uint32_t output = 0;
    std::uint32_t writerRank = 0;
    std::uint32_t readerRank = 0;  ///< of gets
    std::int64_t beginNs = 0;
    std::int64_t availableNs = 0;  ///< of gets
    std::int64_t endNs = 0;
    std::uint64_t bytes = 0;
};

struct CouplingTable {
    std::vector<CouplingLine> puts, gets;  ///< in the order of the file
    ImportReport report;                   ///< lines that could not be read, with their numbers
};

/// True for a file that begins with the header.
bool isCouplingFile(const std::filesystem::path& path);

/// Errors: those of reading the file; Malformed where it is no such table; Cancelled.
Result<CouplingTable> readCoupling(const std::filesystem::path& path, const Task& task);

/// A file `coupling.csv` beside all of the experiments: in the nearest folder that holds them all, or, of
/// experiments in folders of the same depth, at most two above it. nullopt where there is none or fewer than
/// two experiments.
std::optional<std::filesystem::path> findCouplingFile(const Session& session);

/// Decides which experiment wrote and which one read by where the lines' ranks and times lie within the
/// recorded locations, and joins puts and gets of the same output and rank. Errors: NotRecorded where the
/// traces have no times to go by, InvalidArgument where no pair of experiments fits. O(experiments² · lines).
Result<PlacedHandOvers> placeCoupling(const Session& session, const CouplingTable& table);

}  // namespace skein
