// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_state.h"

#include "algorithms/calltree/metric_expression.h"
#include "app/gui/session/json_view.h"
#include "app/gui/session/machine_state.h"
#include "app/gui/session/placement_state.h"
#include "app/gui/session/session_state_words.h"
#include "app/gui/session/verdict_state.h"
#include "core/select/metric_choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace skein::gui {
namespace {

using Json = nlohmann::json;

/// Finds what a file refers to in the session, and counts what is not there.
class StateReader {
public:
    StateReader(const Session& session, const std::vector<SourceMatch>& matches)
        : session_(session), matches_(matches)
    {
    }

    std::size_t lost() const { return lost_; }

    std::optional<TimeSpan> span(const JsonView& value)
    {
        if (value.absent()) return std::nullopt;
        const JsonView begin = value.at(0), end = value.at(1);
        if (value.size() == 2 && begin.isWhole() && end.isWhole() && begin.whole(0) <= end.whole(0))
            return TimeSpan{begin.whole(0), end.whole(0)};
        ++lost_;
        return std::nullopt;
    }

    std::vector<RegionRef> regions(const JsonView& value)
    {
        std::vector<RegionRef> found;
        for (const JsonView& entry : value.elements()) {
            const auto experiment = experimentOf(entry["experiment"].whole(-1));
            const auto& known = experiment ? regionsByName(*experiment) : none_;
            const auto [from, to] = known.equal_range(entry["name"].text());
            lost_ += from == to;
            // Where the archive is the same, only those of the name that were meant.
            const std::set<std::int64_t> ids =
                unchanged(entry["experiment"].whole(-1)) ? wholes(entry["ids"]) : std::set<std::int64_t>();
            for (auto region = from; region != to; ++region)
                if (ids.empty() || ids.contains(region->second.value()))
                    found.push_back({*experiment, region->second});
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    /// In the order of the file.
    std::vector<LocationRef> locations(const JsonView& value)
    {
        std::vector<LocationRef> found;
        for (const JsonView& entry : value.elements()) {
            const auto location = this->location(entry);
            if (location) found.push_back(*location);
            else ++lost_;
        }
        return found;
    }

    std::vector<LocationRef> sortedLocations(const JsonView& value)
    {
        auto found = locations(value);
        std::sort(found.begin(), found.end());
        return found;
    }

    /// A filter that lists nothing any more would keep nothing, or hide nothing.
    std::optional<Filter> filter(const JsonView& value)
    {
        Filter filter{value["label"].text(),
                      value["effect"].text() == "keep" ? FilterEffect::Keep : FilterEffect::Hide,
                      regions(value["regions"]), sortedLocations(value["locations"]), span(value["span"])};
        if (auto messages = parseAttributeConditions(value["messages"].text()))
            filter.messages = std::move(*messages);
        if (filter.regions.empty() && filter.locations.empty() && !filter.span && filter.messages.empty())
            return std::nullopt;
        return filter;
    }

    MetricRef metric(const JsonView& value)
    {
        const std::string name = value["name"].text();
        if (name.empty()) return {};
        const auto experiment = experimentOf(value["experiment"].whole(-1));
        for (const MetricChoice& choice : metricChoices(session_))
            if (choice.name == name
                && (choice.metric == kCallsMetric || (experiment && choice.metric.experiment == *experiment)))
                return choice.metric;
        ++lost_;
        return {};
    }

    std::vector<RowGroup> groups(const JsonView& value)
    {
        std::vector<RowGroup> found;
        for (const JsonView& entry : value.elements()) {
            const auto kind = indexOf(kRowKinds, entry["kind"].text());
            const auto experiment = unchanged(entry["experiment"].whole(-1));
            if (kind && experiment
                && hasGroup(*experiment, static_cast<RowGroupKind>(*kind), entry["id"].whole(-1)))
                found.push_back({*experiment, static_cast<RowGroupKind>(*kind),
                                 static_cast<std::uint32_t>(entry["id"].whole(0))});
            else ++lost_;
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    Selection selection(const JsonView& value)
    {
        Selection selection;
        selection.regions = regions(value["regions"]);
        selection.locations = sortedLocations(value["locations"]);
        for (const JsonView& entry : value["call_paths"].elements()) addCallPath(entry, selection);
        for (const JsonView& entry : value["calls"].elements()) addCall(entry, selection);
        for (const JsonView& entry : value["messages"].elements()) addMessage(entry, selection);
        std::sort(selection.callPaths.begin(), selection.callPaths.end());
        std::sort(selection.intervals.begin(), selection.intervals.end());
        for (const JsonView& entry : value["rank_pairs"].elements()) addRankPair(entry, selection);
        for (const JsonView& entry : value["collectives"].elements()) addCollective(entry, selection);
        addNumbers(value["links"], selection.links);
        addNumbers(value["nodes"], selection.nodes);
        addNumbers(value["hand_overs"], selection.handOvers);
        for (const JsonView& entry : value["change_points"].elements()) addChangePoint(entry, selection);
        for (const JsonView& entry : value["clusters"].elements()) addCluster(entry, selection);
        std::sort(selection.messages.begin(), selection.messages.end());
        std::sort(selection.rankPairs.begin(), selection.rankPairs.end());
        std::sort(selection.collectives.begin(), selection.collectives.end());
        return selection;
    }

    std::vector<CallVerdict> verdicts(const JsonView& value)
    {
        const auto callOf = [this](const JsonView& entry) -> std::optional<IntervalRef> {
            Selection one;
            addCall(entry, one);
            return one.intervals.empty() ? std::nullopt : std::optional(one.intervals[0]);
        };
        return verdictsFrom(value, callOf, lost_);
    }

    std::vector<KeptPlacement> placements(const JsonView& value)
    {
        return placementsFrom(
            value, [this](std::int64_t source) { return experimentOf(source); }, lost_);
    }

    TreeEdits tree(const JsonView& value)
    {
        TreeEdits edits;
        edits.collapsed = callPaths(value["collapsed"]);
        edits.removed = callPaths(value["removed"]);
        edits.query = value["query"].text();
        for (const JsonView& entry : value["notes"].elements())
            if (const auto path = callPath(entry)) edits.notes.push_back({*path, entry["note"].text()});
            else ++lost_;
        std::ranges::stable_sort(edits.notes, {}, &CallPathNote::callPath);
        return edits;
    }

    ComparisonChoice comparison(const JsonView& value)
    {
        ComparisonChoice choice;
        const auto part = [&](const JsonView& of, ComparedPart& into) {
            const auto experiment = experimentOf(of["experiment"].whole(-1));
            if (!experiment) return false;
            into = {*experiment, span(of["span_ns"]), {}};
            for (const JsonView& run : of["also"].elements())
                if (const auto also = experimentOf(run.whole(-1))) into.also.push_back(*also);
            std::sort(into.also.begin(), into.also.end());
            into.also.erase(std::unique(into.also.begin(), into.also.end()), into.also.end());
            return true;
        };
        const bool both = part(value["a"], choice.a) && part(value["b"], choice.b);
        if (!both) return {};
        choice.shown = value["shown"].whole(0) == 1;
        if (const auto per = indexOf(kComparedPer, value["per"].text()))
            choice.per = static_cast<ComparePer>(*per);
        choice.phaseRegion = value["phase"].text();
        const auto names = [](const JsonView& of) {
            NamePath path;
            for (const JsonView& name : of.elements()) path.push_back(name.text());
            return path;
        };
        for (const JsonView& entry : value["matches"].elements())
            choice.matches.push_back({names(entry["b"]), names(entry["a"])});
        return choice;
    }

    std::vector<Mark> marks(const JsonView& value)
    {
        std::vector<Mark> marks;
        for (const JsonView& entry : value.elements())
            if (const auto marked = span(entry["span"])) marks.push_back({*marked, entry["note"].text()});
        std::stable_sort(marks.begin(), marks.end(),
                         [](const Mark& a, const Mark& b) { return a.span.begin < b.span.begin; });
        return marks;
    }

    /// By experiment of the session.
    std::vector<TimeNs> shifts(const JsonView& value)
    {
        std::vector<TimeNs> shifts;
        for (std::size_t source = 0; source < value.size(); ++source) {
            const auto experiment = experimentOf(static_cast<std::int64_t>(source));
            const TimeNs shift = value.at(source).whole(0);
            if (!experiment || shift == 0) continue;
            shifts.resize(std::max<std::size_t>(shifts.size(), *experiment + 1));
            shifts[*experiment] = shift;
        }
        return shifts;
    }

private:
    using RegionsByName = std::multimap<std::string, RegionId>;

    static std::set<std::int64_t> wholes(const JsonView& array)
    {
        std::set<std::int64_t> numbers;
        for (const JsonView& entry : array.elements()) numbers.insert(entry.whole(-1));
        return numbers;
    }

    const SourceMatch* match(std::int64_t number) const
    {
        const bool known = number >= 0 && number < static_cast<std::int64_t>(matches_.size());
        return known && matches_[static_cast<std::size_t>(number)].experiment
            ? &matches_[static_cast<std::size_t>(number)]
            : nullptr;
    }
    std::optional<std::uint32_t> experimentOf(std::int64_t source) const
    {
        const SourceMatch* found = match(source);
        return found ? found->experiment : std::nullopt;
    }
    std::optional<std::uint32_t> unchanged(std::int64_t source) const
    {
        const SourceMatch* found = match(source);
        return found && found->unchanged ? found->experiment : std::nullopt;
    }
    const Definitions& definitions(std::uint32_t experiment) const
    {
        return session_.experiments[experiment]->definitions;
    }

    const RegionsByName& regionsByName(std::uint32_t experiment)
    {
        const auto [entry, added] = regions_.try_emplace(experiment);
        const auto& regions = definitions(experiment).regions;
        for (std::uint32_t id = 0; added && id < regions.size(); ++id)
            entry->second.emplace(regions[id].name, RegionId(id));
        return entry->second;
    }

    /// At its old place, else the first of its name.
    std::optional<LocationRef> location(const JsonView& entry) const
    {
        const auto experiment = experimentOf(entry["experiment"].whole(-1));
        if (!experiment) return std::nullopt;
        const std::string name = entry["name"].text();
        const Definitions& known = definitions(*experiment);
        const std::int64_t index = entry["index"].whole(-1);
        const auto isIt = [&](std::uint32_t id) { return displayName(known, LocationId(id)) == name; };
        if (index >= 0 && index < static_cast<std::int64_t>(known.locations.size())
            && isIt(static_cast<std::uint32_t>(index)))
            return LocationRef{*experiment, LocationId(static_cast<std::uint32_t>(index))};
        for (std::uint32_t id = 0; id < known.locations.size(); ++id)
            if (isIt(id)) return LocationRef{*experiment, LocationId(id)};
        return std::nullopt;
    }

    bool hasGroup(std::uint32_t experiment, RowGroupKind kind, std::int64_t id) const
    {
        const Definitions& known = definitions(experiment);
        const std::size_t count = kind == RowGroupKind::Experiment ? 1
            : kind == RowGroupKind::Node                           ? known.systemTree.size()
                                                                   : known.locationGroups.size();
        return id >= 0 && id < static_cast<std::int64_t>(count);
    }

    std::vector<CallPathRef> callPaths(const JsonView& value)
    {
        std::vector<CallPathRef> found;
        for (const JsonView& entry : value.elements()) {
            if (const auto path = callPath(entry)) found.push_back(*path);
            else ++lost_;
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
    /// By number in the same archive, else by the names on it.
    std::optional<CallPathRef> callPath(const JsonView& entry) const
    {
        const std::int64_t source = entry["experiment"].whole(-1), id = entry["id"].whole(-1);
        if (const auto same = unchanged(source))
            if (id >= 0 && id < static_cast<std::int64_t>(session_.experiments[*same]->callTree->size()))
                return CallPathRef{*same, CallPathId(static_cast<std::uint32_t>(id))};
        const auto experiment = experimentOf(source);
        if (!experiment || entry["path"].size() == 0) return std::nullopt;
        CallPathId at;
        for (const JsonView& name : entry["path"].elements()) {
            at = childNamed(*experiment, at, name.text());
            if (!at.valid()) return std::nullopt;
        }
        return CallPathRef{*experiment, at};
    }
    /// Of an invalid parent the roots.
    CallPathId childNamed(std::uint32_t experiment, CallPathId parent, const std::string& name) const
    {
        const CallTree& tree = *session_.experiments[experiment]->callTree;
        const auto all = parent.valid() ? tree.children(parent) : std::span(tree.roots());
        for (const std::uint32_t child : all)
            if (definitions(experiment).region(tree.region(CallPathId(child))).name == name)
                return CallPathId(child);
        return {};
    }

    void addCallPath(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        const std::int64_t id = entry.at(1).whole(-1);
        if (experiment && id >= 0
            && id < static_cast<std::int64_t>(session_.experiments[*experiment]->callTree->size()))
            selection.callPaths.push_back({*experiment, CallPathId(static_cast<std::uint32_t>(id))});
        else ++lost_;
    }

    void addCall(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        const std::int64_t location = entry.at(1).whole(-1);
        const std::int64_t index = entry.at(2).whole(-1);
        const Trace* trace = experiment ? session_.experiments[*experiment]->trace.get() : nullptr;
        const bool known = trace && location >= 0
            && location < static_cast<std::int64_t>(trace->locations.size()) && index >= 0
            && index < static_cast<std::int64_t>(
                   trace->locations[static_cast<std::size_t>(location)].intervals.size());
        if (known)
            selection.intervals.push_back({*experiment, LocationId(static_cast<std::uint32_t>(location)),
                                           static_cast<std::uint32_t>(index)});
        else ++lost_;
    }

    void addMessage(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        const std::int64_t index = entry.at(1).whole(-1);
        const Trace* trace = experiment ? session_.experiments[*experiment]->trace.get() : nullptr;
        if (trace && index >= 0 && index < static_cast<std::int64_t>(trace->messages.size()))
            selection.messages.push_back({*experiment, static_cast<std::uint32_t>(index)});
        else ++lost_;
    }

    /// Ranks are found again in an archive that was measured again.
    void addRankPair(const JsonView& entry, Selection& selection)
    {
        constexpr std::int64_t kMost = 0xFFFFFFFF;
        const auto experiment = experimentOf(entry.at(0).whole(-1));
        const std::int64_t sender = entry.at(1).whole(-1), receiver = entry.at(2).whole(-1);
        if (experiment && sender >= 0 && receiver >= 0 && sender <= kMost && receiver <= kMost)
            selection.rankPairs.push_back(
                {*experiment, static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(receiver)});
        else ++lost_;
    }

    void addCollective(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        const std::int64_t index = entry.at(1).whole(-1);
        const Trace* trace = experiment ? session_.experiments[*experiment]->trace.get() : nullptr;
        if (trace && index >= 0 && index < static_cast<std::int64_t>(trace->collectives.size()))
            selection.collectives.push_back({*experiment, static_cast<std::uint32_t>(index)});
        else ++lost_;
    }

    /// Of the machine or the hand-overs that views find; they leave out what is not there.
    template <typename RefType>
    void addNumbers(const JsonView& value, std::vector<RefType>& refs)
    {
        for (const JsonView& entry : value.elements()) {
            const std::int64_t index = entry.whole(-1);
            if (index >= 0 && index < kMostIndex) refs.push_back({static_cast<std::uint32_t>(index)});
            else ++lost_;
        }
        std::sort(refs.begin(), refs.end());
    }

    void addChangePoint(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        if (experiment) selection.changePoints.push_back({*experiment, entry.at(1).whole(0)});
        else ++lost_;
    }

    void addCluster(const JsonView& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry.at(0).whole(-1));
        const std::int64_t number = entry.at(1).whole(-1);
        if (experiment && number >= 0 && number < kMostIndex)
            selection.clusters.push_back({*experiment, static_cast<std::uint32_t>(number)});
        else ++lost_;
    }

    static constexpr std::int64_t kMostIndex = 0xFFFFFFFF;
    const Session& session_;
    const std::vector<SourceMatch>& matches_;
    std::map<std::uint32_t, RegionsByName> regions_;
    const RegionsByName none_;
    std::size_t lost_ = 0;
};

/// Whatever is no text is left out.
std::map<std::string, PanelSettings> panelsOf(const Json& state)
{
    std::map<std::string, PanelSettings> panels;
    if (!state.is_object() || !state.contains("panels") || !state["panels"].is_object()) return panels;
    for (const auto& [panel, settings] : state["panels"].items())
        for (const auto& [name, value] : settings.items())
            if (value.is_string()) panels[panel][name] = value.get<std::string>();
    return panels;
}

}  // namespace

RestoredState stateFromJson(const std::string& text, const Session& session,
                            const std::vector<SourceMatch>& matches)
{
    const Json parsed = Json::parse(text, nullptr, false);
    const JsonView object(parsed);
    StateReader reader(session, matches);
    ViewState state;
    state.visible = reader.span(object["visible_ns"]);
    state.brushed = reader.span(object["brushed_ns"]);
    state.markedLocations = reader.sortedLocations(object["marked_locations"]);
    state.selected = reader.selection(object["selected"]);
    state.metric = reader.metric(object["metric"]);
    const std::string derived = object["derived_metric"].text();
    if (MetricExpression::parse(derived)) state.derived = derived;
    for (const JsonView& value : object["filters"].elements())
        if (auto filter = reader.filter(value)) state.filters.push_back(std::move(*filter));
    state.clockShiftsNs = reader.shifts(object["clock_shifts_ns"]);
    state.marks = reader.marks(object["marks"]);
    state.rows = {reader.groups(object["rows"]["collapsed"]), reader.locations(object["rows"]["pinned"]),
                  reader.locations(object["rows"]["order"])};
    state.machine = machineFrom(object["machine"]);
    state.placements = reader.placements(object["placements"]);
    state.tree = reader.tree(object["tree"]);
    state.verdicts = reader.verdicts(object["verdicts"]);
    if (object["verdict_use"].text() == std::string_view("teach")) state.verdictUse = VerdictUse::Teach;
    state.comparison = reader.comparison(object["comparison"]);
    constexpr std::array kKnownColors{ColorMode::Region, ColorMode::Group, ColorMode::Depth,
                                      ColorMode::Duration, ColorMode::Metric};
    const auto colors = indexOf(kColors, object["colors"].text("region"));
    if (colors && *colors < kKnownColors.size()) state.colors = kKnownColors[*colors];
    if (indexOf(kColorScalings, object["color_scaling"].text()) == 1u)
        state.colorScaling = ColorScaling::Logarithmic;
    if (indexOf(kGroupings, object["grouping"].text()) == 1u) state.grouping = RegionGrouping::Recorded;
    constexpr std::array kKnownMarks{WaitMarks::WhenLookedFor, WaitMarks::Hidden, WaitMarks::Shown};
    if (const auto marks = indexOf(kWaitMarks, object["wait_marks"].text()))
        state.waitMarks = kKnownMarks[*marks];
    state.panels = panelsOf(parsed);
    if (object["messages"].text() == kMessageLines[0]) state.messageLines = MessageLines::Hidden;
    return {std::move(state), reader.lost()};
}

}  // namespace skein::gui
