// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Filters as menus make them: what they list, and a label in the user's words.
namespace skein {

/// True when the name contains the pattern, or, where the pattern has * or ?, is all of it. Case does not
/// matter.
bool matchesPattern(std::string_view name, std::string_view pattern);

/// Regions of every experiment whose name matches; sorted. O(regions).
std::vector<RegionRef> regionsMatching(const Session& session, std::string_view pattern);
/// Locations of every experiment whose name matches, or, where several are open, the title of the experiment
/// before it, as the timeline has it; sorted. O(locations).
std::vector<LocationRef> locationsMatching(const Session& session, std::string_view pattern);
/// Locations of every experiment that are as wanted (core/definitions/location_attributes.h); sorted. Errors:
/// NotRecorded where no location has such an attribute, naming those that there are. O(locations ·
/// attributes).
Result<std::vector<LocationRef>> locationsLike(const Session& session, const AttributeConditions& wanted);
/// All regions that share the name of one of these: EZTrace and TAU define every region once a rank.
/// O(regions).
std::vector<RegionRef> namesakes(const Session& session, const std::vector<RegionRef>& regions);
/// The locations below a header of the timeline; sorted. O(locations · depth of the system tree).
std::vector<LocationRef> locationsOf(const Session& session, const RowGroup& group);

/// "MPI_Send hidden", "only MPI_Send". `what` names what is listed; lists need not be sorted.
Filter regionFilter(FilterEffect effect, const std::string& what, std::vector<RegionRef> regions);
Filter locationFilter(FilterEffect effect, const std::string& what, std::vector<LocationRef> locations);
/// "only messages like “tag=7”".
Filter messageFilter(FilterEffect effect, AttributeConditions conditions);
/// "only 1.2 ms from 3 ms".
Filter spanFilter(TimeSpan span);

/// The stack with one more; one that hides or keeps nothing is not added, the same one again neither.
std::vector<Filter> withFilter(std::vector<Filter> filters, const Filter& added);

/// Locations of one experiment that pass the filters; nullopt: all of them do. O(locations).
std::optional<std::vector<LocationId>> keptLocations(const Session& session, std::uint32_t experiment,
                                                     const std::vector<Filter>& filters);

/// Names of the experiment's regions that filters hide: what shows regions by name leaves all of a name out.
/// O(regions · filters).
std::set<std::string> hiddenNames(const Session& session, std::uint32_t experiment,
                                  const std::vector<Filter>& filters);

}  // namespace skein
