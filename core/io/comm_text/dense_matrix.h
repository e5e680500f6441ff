// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"

#include <cstdint>
#include <string_view>

namespace skein::comm_text {

/// Does a text of `fileBytes`, of which `start` is the beginning, look like as many lines of numbers as a
/// line has?
bool looksDense(std::string_view start, std::uint64_t fileBytes);

/// A matrix of bytes written out: row = sender, column = receiver, separated by commas, semicolons or blanks,
/// with or without a first line and a first column of labels. Lines of another length are reported and left
/// out. Errors: Malformed where nothing is left, Cancelled.
Result<CommMatrix> parseDense(std::string_view text, std::string_view file, ImportReport& report,
                              const Task& task);

}  // namespace skein::comm_text
