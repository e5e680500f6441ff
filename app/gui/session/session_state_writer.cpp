// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_state.h"

#include "app/gui/session/json_view.h"
#include "app/gui/session/machine_state.h"
#include "app/gui/session/placement_state.h"
#include "app/gui/session/session_state_words.h"
#include "app/gui/session/verdict_state.h"
#include "core/select/metric_choice.h"

#include <map>
#include <string>

namespace skein::gui {
namespace {

using Json = nlohmann::json;

Json spanToJson(TimeSpan span) { return Json::array({span.begin, span.end}); }

Json spanToJson(const std::optional<TimeSpan>& span) { return span ? spanToJson(*span) : Json(); }

Json named(std::uint32_t experiment, const std::string& name)
{
    return {{"experiment", experiment}, {"name", name}};
}

/// Writes what a state refers to.
class StateWriter {
public:
    explicit StateWriter(const Session& session) : session_(session) {}

    Json regions(const std::vector<RegionRef>& regions) const
    {
        std::map<std::pair<std::uint32_t, std::string>, std::vector<std::uint32_t>> ids;
        for (const RegionRef region : regions)
            ids[{region.experiment, definitions(region.experiment).region(region.id).name}].push_back(
                region.id.value());
        Json array = Json::array();
        for (const auto& [key, numbers] : ids) {
            Json object = named(key.first, key.second);
            object["ids"] = numbers;
            array.push_back(object);
        }
        return array;
    }

    Json locations(const std::vector<LocationRef>& locations) const
    {
        Json array = Json::array();
        for (const LocationRef location : locations) {
            Json object =
                named(location.experiment, displayName(definitions(location.experiment), location.id));
            object["index"] = location.id.value();
            array.push_back(object);
        }
        return array;
    }

    Json filter(const Filter& filter) const
    {
        return {{"label", filter.label},
                {"effect", filter.effect == FilterEffect::Hide ? "hide" : "keep"},
                {"regions", regions(filter.regions)},
                {"locations", locations(filter.locations)},
                {"span", spanToJson(filter.span)},
                {"messages", textOf(filter.messages)}};
    }

    Json metric(MetricRef metric) const
    {
        if (!metric.valid()) return {};
        if (metric == kCallsMetric) return named(0, kCallsName);
        return named(metric.experiment, definitions(metric.experiment).metric(metric.id).name);
    }

    Json rows(const RowArrangement& rows) const
    {
        Json collapsed = Json::array();
        for (const RowGroup& group : rows.collapsed)
            collapsed.push_back(Json{{"experiment", group.experiment},
                                     {"kind", wordAt(kRowKinds, static_cast<std::size_t>(group.kind))},
                                     {"id", group.id}});
        return {
            {"collapsed", collapsed}, {"pinned", locations(rows.pinned)}, {"order", locations(rows.order)}};
    }

    /// Call paths by the names on them, so that they are found again in an archive that was measured again;
    /// very many of them by number alone.
    Json callPaths(const std::vector<CallPathRef>& callPaths) const
    {
        constexpr std::size_t kMostByName = 2000;
        Json array = Json::array();
        for (const CallPathRef& path : callPaths)
            array.push_back(callPath(path, callPaths.size() <= kMostByName));
        return array;
    }
    Json tree(const TreeEdits& edits) const
    {
        Json notes = Json::array();
        for (const CallPathNote& note : edits.notes) {
            Json object = callPath(note.callPath, true);
            object["note"] = note.text;
            notes.push_back(object);
        }
        return {{"collapsed", callPaths(edits.collapsed)},
                {"removed", callPaths(edits.removed)},
                {"notes", notes},
                {"query", edits.query}};
    }

    Json comparison(const ComparisonChoice& choice) const
    {
        const auto part = [](const ComparedPart& of) {
            return Json{{"experiment", of.experiment}, {"span_ns", spanToJson(of.span)}, {"also", of.also}};
        };
        Json matches = Json::array();
        for (const PathMatch& match : choice.matches)
            matches.push_back(Json{{"b", match.other}, {"a", match.first}});
        return {{"shown", choice.shown ? 1 : 0},
                {"a", part(choice.a)},
                {"b", part(choice.b)},
                {"per", wordAt(kComparedPer, static_cast<std::size_t>(choice.per))},
                {"phase", choice.phaseRegion},
                {"matches", matches}};
    }

    Json selection(const Selection& selection) const
    {
        Json paths = Json::array();
        for (const CallPathRef path : selection.callPaths)
            paths.push_back(Json::array({path.experiment, path.id.value()}));
        Json calls = Json::array();
        for (const IntervalRef& call : selection.intervals)
            calls.push_back(Json::array({call.experiment, call.location.value(), call.index}));
        Json messages = Json::array();
        for (const MessageRef& message : selection.messages)
            messages.push_back(Json::array({message.experiment, message.index}));
        Json pairs = Json::array();
        for (const RankPairRef& pair : selection.rankPairs)
            pairs.push_back(Json::array({pair.experiment, pair.sender, pair.receiver}));
        Json collectives = Json::array();
        for (const CollectiveRef& collective : selection.collectives)
            collectives.push_back(Json::array({collective.experiment, collective.index}));
        Json changePoints = Json::array();
        for (const ChangePointRef& change : selection.changePoints)
            changePoints.push_back(Json::array({change.experiment, change.timeNs}));
        Json clusters = Json::array();
        for (const ClusterRef& cluster : selection.clusters)
            clusters.push_back(Json::array({cluster.experiment, cluster.number}));
        return {{"regions", regions(selection.regions)},
                {"locations", locations(selection.locations)},
                {"call_paths", paths},
                {"calls", calls},
                {"messages", messages},
                {"rank_pairs", pairs},
                {"collectives", collectives},
                {"links", numbers(selection.links)},
                {"nodes", numbers(selection.nodes)},
                {"hand_overs", numbers(selection.handOvers)},
                {"change_points", changePoints},
                {"clusters", clusters}};
    }

    template <typename RefType>
    static Json numbers(const std::vector<RefType>& refs)
    {
        Json array = Json::array();
        for (const RefType& ref : refs) array.push_back(ref.index);
        return array;
    }

private:
    Json callPath(CallPathRef path, bool named) const
    {
        Json object{{"experiment", path.experiment}, {"id", path.id.value()}};
        if (!named) return object;
        const CallTree& tree = *session_.experiments[path.experiment]->callTree;
        std::vector<std::string> names;
        for (CallPathId at = path.id; at.valid() && at.index() < tree.size(); at = tree.parent(at))
            names.push_back(definitions(path.experiment).region(tree.region(at)).name);
        object["path"] = std::vector<std::string>(names.rbegin(), names.rend());
        return object;
    }
    const Definitions& definitions(std::uint32_t experiment) const
    {
        return session_.experiments[experiment]->definitions;
    }

    const Session& session_;
};

}  // namespace

std::string stateToJson(const ViewState& state, const Session& session)
{
    const StateWriter writer(session);
    Json filters = Json::array();
    for (const Filter& filter : state.filters) filters.push_back(writer.filter(filter));
    Json marks = Json::array();
    for (const Mark& mark : state.marks)
        marks.push_back(Json{{"span", spanToJson(mark.span)}, {"note", mark.note}});
    Json shifts = Json::array();
    for (const TimeNs shift : state.clockShiftsNs) shifts.push_back(shift);
    const Json json{{"visible_ns", spanToJson(state.visible)},
                    {"brushed_ns", spanToJson(state.brushed)},
                    {"marked_locations", writer.locations(state.markedLocations)},
                    {"selected", writer.selection(state.selected)},
                    {"metric", writer.metric(state.metric)},
                    {"derived_metric", state.derived},
                    {"filters", filters},
                    {"clock_shifts_ns", shifts},
                    {"marks", marks},
                    {"rows", writer.rows(state.rows)},
                    {"machine", machineToJson(state.machine)},
                    {"placements", placementsToJson(state.placements)},
                    {"tree", writer.tree(state.tree)},
                    {"verdicts", verdictsToJson(state.verdicts)},
                    {"verdict_use", state.verdictUse == VerdictUse::Teach ? "teach" : "calls"},
                    {"comparison", writer.comparison(state.comparison)},
                    {"colors", wordAt(kColors, static_cast<std::size_t>(state.colors))},
                    {"color_scaling", wordAt(kColorScalings, static_cast<std::size_t>(state.colorScaling))},
                    {"grouping", wordAt(kGroupings, static_cast<std::size_t>(state.grouping))},
                    {"wait_marks", wordAt(kWaitMarks, static_cast<std::size_t>(state.waitMarks))},
                    {"messages", wordAt(kMessageLines, static_cast<std::size_t>(state.messageLines))},
                    {"panels", state.panels}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace skein::gui
