// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/definitions/definitions.h"

namespace skein {

/// Reports ranks that are missing between 0 and the largest, and threads of a process that are missing
/// between others: measurements number them without gaps, so their files were lost on the way. Ranks and
/// threads whose files the report names already (they are there and cannot be read) are not told again.
/// O(locations log locations).
void reportGaps(const Definitions& definitions, ImportReport& report);

}  // namespace skein
