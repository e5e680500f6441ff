// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/scaling_study.h"

#include <filesystem>
#include <string_view>

namespace skein {

/// Whether a text begins as Extra-P's text input does: with PARAMETER, POINTS, METRIC or REGION behind
/// comments and empty lines.
bool looksLikeExtrapText(std::string_view head);

/// Reads Extra-P's text input: lines PARAMETER name…, POINTS (values)…, METRIC name, REGION name and, for
/// each point in order, DATA with its repetitions; `#` begins a comment. What is odd about a series (more
/// lines than points, no numbers) is in the notes; it has what could be read. `name` is the file's. Errors:
/// Malformed where there is no parameter, no point or no value, or a point has another number of values than
/// there are parameters; Cancelled. O(text).
Result<ScalingStudy> parseExtrapText(std::string_view text, std::string_view name, const Task& task);

/// The same from a file. Errors: those of opening it too.
Result<ScalingStudy> readExtrapText(const std::filesystem::path& path, const Task& task);

}  // namespace skein
