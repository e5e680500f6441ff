// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"

#include <string>
#include <vector>

namespace skein::tau {

/// When what one file holds was measured.
struct MeasuredSpan {
    std::string file;
    double beginSeconds = 0.0;  ///< since 1970
    double endSeconds = 0.0;
};

/// TAU does not remove the files of an earlier run. Reports files that were measured so far apart that they
/// are of different runs: all of one run had ended more than a second before the first of the next began.
/// Names the files of each run, in the order in which they are given. O(files log files).
void reportSeveralRuns(std::vector<MeasuredSpan> spans, ImportReport& report);

}  // namespace skein::tau
