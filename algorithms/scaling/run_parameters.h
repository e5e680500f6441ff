// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skein {

/// Parameters of a run by name, in the order in which they are told.
using RunParameters = std::vector<std::pair<std::string, double>>;

/// What the name of a folder tells, as Extra-P reads it: parts separated by points, the first of which is a
/// prefix, the others a name with a number, and perhaps a last one `rN` for the repetition:
/// "lulesh.p27.size30.r1". A comma stands for the decimal point; '=', '_' or '-' may stand between name and
/// number. Where only the first part is of that form it counts. Empty where no parameter is told.
RunParameters parametersOfName(std::string_view folder);

/// The same for a run: the name of the folder itself or of the nearest one above that tells parameters.
RunParameters parametersOfRun(const std::filesystem::path& run);

/// The folders in `folder` whose names tell parameters, in natural order; empty where fewer than two do.
std::vector<std::filesystem::path> runsIn(const std::filesystem::path& folder);

/// "p=27,64,125" or "p=4096,size=30": names with lists of numbers. A part without '=' belongs to the name
/// before it. Errors: InvalidArgument.
Result<std::vector<std::pair<std::string, std::vector<double>>>> parseAssignments(std::string_view text);

/// The points of runs. Parameters that have one value in all of them are left out and are in `fixed`. Errors:
/// InvalidArgument where runs tell different parameters, none, or where none varies.
struct RunPoints {
    std::vector<std::string> parameters;
    std::vector<std::vector<double>> points;  ///< one a run
    RunParameters fixed;
};
Result<RunPoints> pointsOfRuns(const std::vector<RunParameters>& runs, const std::vector<std::string>& names);

}  // namespace skein
