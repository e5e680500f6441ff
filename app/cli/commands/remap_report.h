// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/report/mapping_change.h"
#include "algorithms/mapping/search/moved_front.h"
#include "algorithms/mapping/search/remap.h"
#include "algorithms/routing/traffic.h"
#include "app/cli/machine_input.h"
#include "app/cli/output/records.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skein::cli {

/// What a search of the command found, ready to be told.
struct RemapOutcome {
    RemapResult result;
    RemapObjective objective = RemapObjective::HopBytes;
    std::uint64_t seed = 1;
    std::int64_t lowerBound = 0;
    Placement placement;
    LoadSummary before;
    std::optional<LoadSummary> after;  ///< not known where a stop left no time to route the new map
    std::uint64_t hopBytesBefore = 0;
    std::optional<std::uint64_t> hopBytesAfter;  ///< as `after`
    std::optional<std::int64_t>
        socketBytesBefore;  ///< between sockets of a node, where the user told what sockets are
    std::optional<std::int64_t> socketBytesAfter;
    double dilationBefore = 0.0;
    std::optional<double> dilationAfter;  ///< as `after`
    std::vector<MovedTradeOff> front;
    std::vector<LinkChange> links;
    std::vector<PairChange> pairs;
    std::uint32_t moved = 0;
    double seconds = 0.0;

    double reductionPercent() const { return percentBelow(result.objectiveAfter); }
    double possiblePercent() const { return percentBelow(lowerBound); }

private:
    double percentBelow(std::int64_t value) const
    {
        if (result.objectiveBefore == 0) return 0.0;
        return 100.0 * static_cast<double>(result.objectiveBefore - value)
            / static_cast<double>(result.objectiveBefore);
    }
};

/// Objectives by the names that users type.
const std::map<std::string, RemapObjective>& remapObjectives();
std::string objectiveName(RemapObjective objective);

/// Figures before and after; as a table and as JSON also what fewer moves would give and which links and
/// pairs change most, as JSON the best against time and the permutation too.
void writeRemapReport(Sink& out, Format format, const MachineInput& input, const RemapOutcome& outcome);

}  // namespace skein::cli
