// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/time_span.h"
#include "core/select/call_verdict.h"
#include "core/select/cause_links.h"
#include "core/select/comparison_choice.h"
#include "core/select/kept_placement.h"
#include "core/select/machine_choice.h"
#include "core/select/references.h"
#include "core/select/tree_edits.h"
#include "core/select/view_parts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the user looks at and has selected: one plain value that all views of a window share. Undo, sessions
/// and the command line are copies of it. Times are session time: see core/session/session_clock.h.
namespace skein {

/// What is selected, in every domain. Make one with the functions of core/select/translate.h: they fill the
/// related domains as well, so that each view finds its own. Lists are sorted and without duplicates.
struct Selection {
    std::vector<LocationRef> locations;
    std::vector<RegionRef> regions;
    std::vector<CallPathRef> callPaths;
    std::vector<IntervalRef> intervals;
    std::vector<MessageRef> messages;
    std::vector<RankPairRef> rankPairs = {};
    std::vector<LinkRef> links = {};  ///< of ViewState::machine
    std::vector<NodeRef> nodes = {};  ///< of ViewState::machine
    std::vector<CollectiveRef> collectives = {};
    std::vector<HandOverRef> handOvers = {};
    std::vector<ChangePointRef> changePoints = {};
    std::vector<ClusterRef> clusters = {};

    bool empty() const
    {
        return locations.empty() && regions.empty() && callPaths.empty() && intervals.empty()
            && messages.empty() && rankPairs.empty() && links.empty() && nodes.empty() && collectives.empty()
            && handOvers.empty() && changePoints.empty() && clusters.empty();
    }
    bool operator==(const Selection&) const = default;
};

/// What the pointer is over; invalid parts are not under it.
struct Hover {
    std::optional<TimeNs> time;
    LocationRef location;
    RegionRef region;
    CallPathRef callPath;
    IntervalRef interval;
    MessageRef message;

    bool operator==(const Hover&) const = default;
};

enum class FilterEffect : std::uint8_t { Hide, Keep };

/// One entry of the filter stack, shown as a chip. It hides what it lists, or everything else of the domains
/// it lists.
struct Filter {
    std::string label;  ///< in the user's words: "MPI hidden", "only Rank 3"
    FilterEffect effect = FilterEffect::Hide;
    std::vector<RegionRef> regions;      ///< sorted
    std::vector<LocationRef> locations;  ///< sorted
    std::optional<TimeSpan> span = {};   ///< of filters that keep: nothing outside of it counts
    AttributeConditions messages = {};   ///< messages that are so (algorithms/comm/message_filter.h)

    bool operator==(const Filter&) const = default;
};

/// A moment or a span that the user has marked, with a note. Spans are in session time; a moment has no
/// length.
struct Mark {
    TimeSpan span;
    std::string note;

    bool operator==(const Mark&) const = default;
};

enum class RowGroupKind : std::uint8_t { Experiment, Node, Process };

/// What a header of the timeline stands for: an experiment, a node of its system tree, or a location group.
struct RowGroup {
    std::uint32_t experiment = 0;
    RowGroupKind kind = RowGroupKind::Process;
    std::uint32_t id = 0;  ///< of the node or group; 0 for experiments

    auto operator<=>(const RowGroup&) const = default;
};

/// How the user has arranged the rows of locations.
struct RowArrangement {
    std::vector<RowGroup> collapsed;  ///< sorted
    std::vector<LocationRef> pinned;  ///< stay on top, in this order
    std::vector<LocationRef> order;   ///< from top to bottom without headers; empty: by the system tree

    bool operator==(const RowArrangement&) const = default;
};

/// What the colours of calls mean: their region, its group, their depth in the stack, how long they took
/// against the other calls of their region, or a metric of the trace at their time.
enum class ColorMode : std::uint8_t { Region, Group, Depth, Duration, Metric };
/// How the colours of a metric are spread between its least and its greatest value.
enum class ColorScaling : std::uint8_t { Linear, Logarithmic };
/// What groups of regions are: their role in a parallel program, or the groups that the archives recorded.
/// Where no archive recorded any they go by role, whatever is chosen.
enum class RegionGrouping : std::uint8_t { Role, Recorded };
/// Whether pictures over time mark wait states: not before somebody looks for wait states, or as chosen.
enum class WaitMarks : std::uint8_t { WhenLookedFor, Hidden, Shown };
/// Messages in pictures over time.
enum class MessageLines : std::uint8_t { Hidden, Shown };

/// What the user has chosen in one panel: the values of its choices by their names.
using PanelSettings = std::map<std::string, std::string>;

struct ViewState {
    std::optional<TimeSpan> visible;           ///< nullopt: everything
    std::optional<TimeSpan> brushed;           ///< the span the user has marked
    std::vector<LocationRef> markedLocations;  ///< the rows the user has marked; sorted; empty: all
    Selection selected;
    Hover hover;
    MetricRef metric;     ///< invalid: time
    std::string derived;  ///< a metric by expression that tables show beside the others; empty: none
    std::vector<Filter> filters;
    std::vector<TimeNs>
        clockShiftsNs;        ///< added to each experiment's offset on the common clock; missing ones are 0
    std::vector<Mark> marks;  ///< by begin
    RowArrangement rows;
    std::vector<IntervalRef> hits;  ///< calls that a search has found, best first
    ColorMode colors = ColorMode::Region;
    ColorScaling colorScaling = ColorScaling::Linear;
    RegionGrouping grouping = RegionGrouping::Role;
    WaitMarks waitMarks = WaitMarks::WhenLookedFor;
    MessageLines messageLines = MessageLines::Shown;
    MachineChoice machine;
    std::vector<KeptPlacement> placements;  ///< in the order in which they were kept
    TreeEdits tree;
    ComparisonChoice comparison;
    std::vector<CallVerdict> verdicts;  ///< by call; what the user says of calls, against a detector
    VerdictUse verdictUse = VerdictUse::OfCalls;
    CauseLinks causes;  ///< why a selected call lasted longer, or what it cost; not kept
    std::map<std::string, PanelSettings> panels;  ///< by panel: "profile", "timeline.2"

    bool operator==(const ViewState&) const = default;
};

/// The parts in which two states differ.
ViewParts differingParts(const ViewState& left, const ViewState& right);
/// Makes these parts of `to` those of `from`.
void copyParts(const ViewState& from, ViewParts parts, ViewState& to);

/// The links to draw; null where there are none, or the call that they are about is no longer selected.
const CauseLinks* shownCauses(const ViewState& state);

/// True when no filter of the stack takes the region, or the location, away.
bool passes(const std::vector<Filter>& filters, RegionRef region);
bool passes(const std::vector<Filter>& filters, LocationRef location);

/// The span that the filters keep; nullopt: all of the time. Filters that have nothing in common keep an
/// empty span.
std::optional<TimeSpan> keptSpan(const std::vector<Filter>& filters);

}  // namespace skein
