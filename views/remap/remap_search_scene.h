// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/report/mapping_change.h"
#include "algorithms/mapping/search/moved_front.h"
#include "algorithms/mapping/search/remap.h"
#include "algorithms/routing/traffic.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/launcher/map_files.h"
#include "core/select/kept_placement.h"
#include "views/common/scene/data/communication_trial.h"
#include "views/common/scene/data/session_communication.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// What a search is asked for.
struct RemapRequest {
    SessionCommunicationPtr communication;  ///< on a machine on which the ranks have places
    RemapObjective objective = RemapObjective::HopBytes;
    MappingConstraints constraints;
    bool wholeMachine = false;  ///< nodes that the job does not have may be used, too
    double seconds = 10;        ///< 0: by steps
    std::uint64_t steps = 0;
    std::uint64_t seed = 1;
    /// Slots of the ranks from which the search goes on; empty: from the placement as it is. What is counted
    /// as moved is always told from the placement as it is.
    std::vector<std::uint32_t> from = {};
};

/// What a placement does. Immutable; may cross threads.
struct RemapCandidate {
    std::string name;
    RemapRequest request;
    Placement placement;
    Traffic traffic;                   ///< under this placement
    std::int64_t objectiveBefore = 0;  ///< of the placement as it is
    std::int64_t objectiveAfter = 0;
    std::int64_t bound = 0;               ///< below which no placement is
    std::uint32_t moved = 0;              ///< ranks in another slot
    std::optional<double> secondsBefore;  ///< predicted; nullopt where messages split or bytes are unknown
    std::optional<double> secondsAfter;
    std::string method;  ///< and why, in the user's words
    std::uint64_t steps = 0;
    double searchedSeconds = 0;
    bool stopped = false;                ///< ended by the user: the best until then
    std::vector<MappingProgress> curve;  ///< the best against time
    std::vector<MovedTradeOff> front;    ///< what fewer moves would give

    double gainPercent() const;
    double possiblePercent() const;
};

using RemapCandidatePtr = std::shared_ptr<const RemapCandidate>;

/// Is a search worth it: the objective as it is, and what it cannot fall below.
struct RemapWorth {
    std::int64_t before = 0;
    std::int64_t bound = 0;
    std::optional<double> seconds;  ///< predicted for the placement as it is

    double possiblePercent() const;
};

/// What a communication lacks for a search, as one sentence; empty: nothing.
std::string remapObstacle(const SessionCommunication& communication);

/// Errors: InvalidArgument with remapObstacle(); those of distances(); Cancelled.
Result<RemapWorth> remapWorth(const RemapRequest& request, const Task& task);

/// Searches, and works out what the placement does to loads and time. When `stop` stops, the best until then
/// is the result. `improved` is called from the searching thread, and so is `mapped` with the slots of the
/// ranks. Errors: those of remapWorth() and remap(); Cancelled by `task`.
Result<RemapCandidatePtr> searchPlacement(
    const RemapRequest& request, const std::string& name,
    const std::function<void(const MappingProgress&)>& improved, const Task& stop, const Task& task,
    const std::function<void(std::span<const std::uint32_t> slotOfRank)>& mapped = {});

/// The candidate of other slots: a point of a front, or a map from elsewhere. Errors as above.
Result<RemapCandidatePtr> candidateOf(const RemapCandidate& like, std::vector<std::uint32_t> slotOfRank,
                                      const std::string& name, const Task& task);

/// What the search that found a candidate tells of it; null where none did.
std::shared_ptr<const KeptSearch> keptSearchOf(const RemapCandidate& candidate);

/// The candidate of a placement that was kept, on the machine that it was kept for. It has the curve and the
/// front of its search where that began from the objective that the placement as it is has now: of other
/// messages they would say nothing. Errors: as above; InvalidArgument where it is of other ranks.
Result<RemapCandidatePtr> keptCandidate(const SessionCommunicationPtr& communication,
                                        const KeptPlacement& kept, const Task& task);

/// Constraints as they are typed: "0,5,10-19" and "0,1;8-11". Errors: InvalidArgument.
struct ConstraintTexts {
    std::string pinned, together, apart, freeNodes;
    std::uint32_t maxMoved = MappingConstraints::kNoLimit;
    std::uint32_t capacity = 0;  ///< most ranks on any node; 0: the ranks per node
};
Result<MappingConstraints> constraintsOf(const ConstraintTexts& texts, std::uint32_t nodes);

/// Nodes of pinned ranks, and those that stay empty. O(ranks log).
HeldNodes heldNodesOf(const RemapRequest& request);

/// "hop-bytes", "max-load", "weighted".
std::string remapObjectiveName(RemapObjective objective);

/// The map of a candidate for a launcher, its text read back and compared, what to type, and what to expect.
struct MapPreview {
    RankMap map;
    RankMap before;
    std::string text;    ///< of the launcher's file
    std::string script;  ///< the job-script snippet; empty where no launcher takes the file
    std::string check;   ///< what was checked, in a sentence
    std::vector<std::string> warnings;
    MapProvenance provenance;
};

/// Errors: those of the launcher's format: it cannot say this map.
Result<MapPreview> previewMap(const Session& session, const RemapCandidate& candidate,
                              const LauncherFormat& format, const MapFileOptions& options,
                              const std::string& fileName);

}  // namespace skein
