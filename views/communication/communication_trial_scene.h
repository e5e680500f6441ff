// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_scene.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Communication as it is and as it was tried, on one layout.
namespace skein {

/// A flow before and after, as places in the flows of either graph; kNone: there is none.
struct FlowChange {
    std::uint32_t before = CommGraph::kNone, after = CommGraph::kNone;
};

/// Two groupings whose graphs have the same vertices, and a graph of all flows of both. Immutable.
struct UnitedCommunication {
    GroupedCommunicationPtr before, after;
    GroupedCommunicationPtr both;       ///< a flow of `before` where it exists there, else of `after`
    std::vector<FlowChange> changes;    ///< of each flow of `both`
    std::vector<std::string> vertices;  ///< names
};
using UnitedCommunicationPtr = std::shared_ptr<const UnitedCommunication>;

/// Vertices are the same where they have the same name; flows where they have the same ends and, of routes,
/// the same way. Vertices of `before` keep their numbers. O((vertices + hops) log).
UnitedCommunicationPtr uniteCommunication(const GroupedCommunication& before,
                                          const GroupedCommunication& after, CommunicationLines lines);

/// Gives two pictures of the same vertices one scale of sizes, widths and colours.
void shareScale(CommunicationPicture& left, CommunicationPicture& right);

/// What each flow has more or less of what colours tell, the greatest change first; flows without are left
/// out. The picture is of united.both.
CommunicationPicture communicationDifference(const UnitedCommunication& united,
                                             const CommunicationOptions& options, const Task& task);

/// Routes that take another way: as they were in grey, and the alternatives in blue, with the greatest
/// reductions of the highest load in words. The picture is of united.both, whose flows are routes.
CommunicationPicture communicationAlternatives(const UnitedCommunication& united,
                                               const CommunicationOptions& options, const Task& task);

}  // namespace skein
