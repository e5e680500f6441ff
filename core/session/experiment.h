// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/comm/comm_matrix.h"
#include "core/definitions/definitions.h"
#include "core/machine/routes.h"
#include "core/profile/call_tree.h"
#include "core/profile/profile.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

struct TimelineIndex;
struct TraceSummary;

/// What one measurement left behind: definitions, and any of a trace, a profile, a communication matrix and
/// routes. Immutable after import; passed around as shared_ptr<const Experiment>.
struct Experiment {
    std::string name;            ///< for titles: the archive's folder or file name
    std::filesystem::path path;  ///< what was opened
    std::string format;          ///< "OTF2", "TAU profile", "TAU trace" …
    std::string importer;        ///< id of the importer that read it: "otf2"; empty where none did
    Definitions definitions;
    std::shared_ptr<const CallTree> callTree = std::make_shared<const CallTree>();
    std::shared_ptr<const Trace> trace;            ///< null where none was recorded
    std::shared_ptr<const Profile> profile;        ///< null where none was recorded
    std::shared_ptr<const CommMatrix> commMatrix;  ///< null: derive it from the trace's messages
    std::shared_ptr<const RouteSet>
        routes;  ///< ways that messages were seen to take; null where not recorded
    /// What pictures of the trace are drawn from, where it came with the archive's index; null: build it when
    /// needed.
    std::shared_ptr<const TimelineIndex> timelineIndex;
    /// What needs a look at all of the trace, where it came with the archive's index; null: traceSummaryOf().
    std::shared_ptr<const TraceSummary> summary;
    ImportReport report;
};

using ExperimentPtr = std::shared_ptr<const Experiment>;

/// Whether both are of one import, whose call tree they share: sessions give experiments other names when
/// others stand beside them, and correct their clocks.
inline bool isSameImport(const Experiment& a, const Experiment& b)
{
    return a.path == b.path && a.callTree == b.callTree;
}

/// What is open at the same time: components of a workflow, or runs to compare.
struct Session {
    std::vector<ExperimentPtr> experiments;
    /// The table of what the components handed over; nullopt: the one that is found beside the archives.
    std::optional<std::filesystem::path> handOverFile = {};
};

using SessionPtr = std::shared_ptr<const Session>;

}  // namespace skein
