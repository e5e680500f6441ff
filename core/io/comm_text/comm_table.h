// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/io/importer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace skein::comm_text {

/// One line of a table of communication.
struct CommRow {
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::int32_t hops = -1;  ///< as recorded; -1 where the table has no such column
};

struct CommTable {
    std::vector<CommRow> rows;
    bool nodeNumbers = false;  ///< the end points are the machine's node numbers, not ranks
};

/// Reads a hop-byte file (`src dst bytes [hops]`, no header) or a table with a header that names at least a
/// sender, a receiver and bytes or messages, in any order, separated by commas, semicolons or blanks. Lines
/// that cannot be read are reported with their numbers and left out. Rows of three numbers without a header
/// name nodes, not ranks, when at least half of the numbers up to the largest are missing, as in the
/// published files of Theta. Lines that start with # are comments.
/// Ends early when the task is asked to stop.
CommTable parseCommTable(std::string_view text, std::string_view file, ImportReport& report,
                         const Task& task);

/// Hop-byte files, CSV tables and dense matrices.
extern const Importer kCommTableImporter;

}  // namespace skein::comm_text
