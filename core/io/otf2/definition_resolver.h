// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/io/otf2/event_tables.h"
#include "core/io/otf2/raw_definitions.h"

namespace skein::otf2 {

struct ResolvedDefinitions {
    Definitions definitions;
    EventTables tables;
    std::vector<std::uint64_t> declaredEvents;  ///< by location; often wrong
    ImportReport report;
};

/// Turns references into indices, whatever the order of the definitions was; what refers to nothing is unset
/// and reported. Ranks become locations through the communicators' groups. O(definitions). The only error is
/// Cancelled.
Result<ResolvedDefinitions> resolve(RawDefinitions raw, const Task& task);

}  // namespace skein::otf2
