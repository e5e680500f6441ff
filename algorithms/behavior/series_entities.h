// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/definitions/definitions.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the series of a trace are of, from the whole run down to a single location.
namespace skein {

enum class SeriesEntity : std::uint8_t {
    Location,
    Process,
    Node,          ///< where processes ran: the node of class "node", or the nearest of any class
    Level,         ///< all nodes of one class of the system tree: racks, sockets …
    Communicator,  ///< its members; messages are those within it
    Component,     ///< all of the archive: of a workflow, a component
};

/// An entity, and of levels which one.
struct SeriesGrouping {
    SeriesEntity entity = SeriesEntity::Process;
    std::string level = {};  ///< class of the system tree; of Level only

    SeriesGrouping() = default;
    // An entity alone is a grouping. NOLINTNEXTLINE(google-explicit-constructor)
    SeriesGrouping(SeriesEntity of, std::string ofLevel = {}) : entity(of), level(std::move(ofLevel)) {}

    bool operator==(const SeriesGrouping&) const = default;
};

/// Reads "location", "process", "node", "communicator", "component"; another word is a level of the system
/// tree.
SeriesGrouping seriesGrouping(std::string_view word);
/// The word that seriesGrouping() reads.
std::string seriesGroupingWord(const SeriesGrouping& grouping);

/// The columns of a series: their names and the locations that are added up in each, in the order of
/// definition. Locations may be in several communicators, and else are in one column.
struct SeriesEntities {
    std::vector<std::string> names;
    std::vector<std::vector<LocationId>> locations;
    std::vector<CommunicatorId> communicators = {};  ///< of each column; empty where they are none
};

/// `hidden`: a location; it counts nowhere, and what it is all of has no column. Processes without a node of
/// the level stand for themselves. Levels are found whatever their case. Errors: NotRecorded (no such level,
/// no communicator with members), naming what there is. O(locations · depth of the tree + members).
Result<SeriesEntities> seriesEntities(const Definitions& definitions, const SeriesGrouping& grouping,
                                      const std::vector<bool>& hidden = {});

/// What makes sense for an archive, the coarsest first: a step down the list is a step into what is there.
/// Communicators come last. O(locations + tree).
std::vector<SeriesGrouping> seriesGroupings(const Definitions& definitions);

/// What parts of an entity of this grouping are: the next finer one of seriesGroupings(); that of single
/// locations is itself.
SeriesGrouping finerGrouping(const Definitions& definitions, const SeriesGrouping& grouping);

}  // namespace skein
