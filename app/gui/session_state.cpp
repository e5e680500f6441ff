// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_state.h"

#include "core/select/metric_choice.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace skein::gui {
namespace {

constexpr std::array kColors{"region", "group", "depth", "duration", "metric"};
constexpr std::array kColorScalings{"linear", "logarithmic"};
constexpr std::array kGroupings{"role", "recorded"};
constexpr std::array kRowKinds{"experiment", "node", "process"};
constexpr auto kCallsName = "Calls";

template <std::size_t Count>
QString wordAt(const std::array<const char*, Count>& names, std::size_t index)
{
    return index < Count ? names[index] : names[0];
}

template <std::size_t Count>
std::optional<std::size_t> indexOf(const std::array<const char*, Count>& names, const QString& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

QJsonValue spanToJson(TimeSpan span) { return QJsonArray{qint64{span.begin}, qint64{span.end}}; }

QJsonValue spanToJson(const std::optional<TimeSpan>& span) { return span ? spanToJson(*span) : QJsonValue(); }

QJsonObject named(std::uint32_t experiment, const std::string& name)
{
    return {{"experiment", qint64{experiment}}, {"name", QString::fromStdString(name)}};
}

/// Writes what a state refers to.
class StateWriter {
public:
    explicit StateWriter(const Session& session) : session_(session) {}

    QJsonArray regions(const std::vector<RegionRef>& regions) const
    {
        std::map<std::pair<std::uint32_t, std::string>, QJsonArray> ids;
        for (const RegionRef region : regions)
            ids[{region.experiment, definitions(region.experiment).region(region.id).name}].push_back(
                qint64{region.id.value()});
        QJsonArray array;
        for (const auto& [key, numbers] : ids) {
            QJsonObject object = named(key.first, key.second);
            object.insert("ids", numbers);
            array.push_back(object);
        }
        return array;
    }

    QJsonArray locations(const std::vector<LocationRef>& locations) const
    {
        QJsonArray array;
        for (const LocationRef location : locations) {
            QJsonObject object =
                named(location.experiment, displayName(definitions(location.experiment), location.id));
            object.insert("index", qint64{location.id.value()});
            array.push_back(object);
        }
        return array;
    }

    QJsonObject filter(const Filter& filter) const
    {
        return {{"label", QString::fromStdString(filter.label)},
                {"effect", filter.effect == FilterEffect::Hide ? "hide" : "keep"},
                {"regions", regions(filter.regions)},
                {"locations", locations(filter.locations)},
                {"span", spanToJson(filter.span)}};
    }

    QJsonValue metric(MetricRef metric) const
    {
        if (!metric.valid()) return {};
        if (metric == kCallsMetric) return named(0, kCallsName);
        return named(metric.experiment, definitions(metric.experiment).metric(metric.id).name);
    }

    QJsonObject rows(const RowArrangement& rows) const
    {
        QJsonArray collapsed;
        for (const RowGroup& group : rows.collapsed)
            collapsed.push_back(QJsonObject{{"experiment", qint64{group.experiment}},
                                            {"kind", wordAt(kRowKinds, static_cast<std::size_t>(group.kind))},
                                            {"id", qint64{group.id}}});
        return {
            {"collapsed", collapsed}, {"pinned", locations(rows.pinned)}, {"order", locations(rows.order)}};
    }

    QJsonObject selection(const Selection& selection) const
    {
        QJsonArray paths;
        for (const CallPathRef path : selection.callPaths)
            paths.push_back(QJsonArray{qint64{path.experiment}, qint64{path.id.value()}});
        QJsonArray calls;
        for (const IntervalRef& call : selection.intervals)
            calls.push_back(
                QJsonArray{qint64{call.experiment}, qint64{call.location.value()}, qint64{call.index}});
        QJsonArray messages;
        for (const MessageRef& message : selection.messages)
            messages.push_back(QJsonArray{qint64{message.experiment}, qint64{message.index}});
        return {{"regions", regions(selection.regions)},
                {"locations", locations(selection.locations)},
                {"call_paths", paths},
                {"calls", calls},
                {"messages", messages}};
    }

private:
    const Definitions& definitions(std::uint32_t experiment) const
    {
        return session_.experiments[experiment]->definitions;
    }

    const Session& session_;
};

/// Finds what a file refers to in the session, and counts what is not there.
class StateReader {
public:
    StateReader(const Session& session, const std::vector<SourceMatch>& matches)
        : session_(session), matches_(matches)
    {
    }

    std::size_t lost() const { return lost_; }

    std::optional<TimeSpan> span(const QJsonValue& value)
    {
        if (value.isNull() || value.isUndefined()) return std::nullopt;
        const QJsonArray ends = value.toArray();
        if (ends.size() == 2 && ends[0].isDouble() && ends[1].isDouble()
            && ends[0].toInteger() <= ends[1].toInteger())
            return TimeSpan{ends[0].toInteger(), ends[1].toInteger()};
        ++lost_;
        return std::nullopt;
    }

    std::vector<RegionRef> regions(const QJsonValue& value)
    {
        std::vector<RegionRef> found;
        for (const QJsonValue& entry : value.toArray()) {
            const auto experiment = experimentOf(entry["experiment"]);
            const auto& known = experiment ? regionsByName(*experiment) : none_;
            const auto [from, to] = known.equal_range(entry["name"].toString().toStdString());
            lost_ += from == to;
            // Where the archive is the same, only those of the name that were meant.
            const QJsonArray ids = unchanged(entry["experiment"]) ? entry["ids"].toArray() : QJsonArray();
            for (auto region = from; region != to; ++region)
                if (ids.isEmpty() || ids.contains(qint64{region->second.value()}))
                    found.push_back({*experiment, region->second});
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    /// In the order of the file.
    std::vector<LocationRef> locations(const QJsonValue& value)
    {
        std::vector<LocationRef> found;
        for (const QJsonValue& entry : value.toArray()) {
            const auto location = this->location(entry);
            if (location) found.push_back(*location);
            else ++lost_;
        }
        return found;
    }

    std::vector<LocationRef> sortedLocations(const QJsonValue& value)
    {
        auto found = locations(value);
        std::sort(found.begin(), found.end());
        return found;
    }

    /// A filter that lists nothing any more would keep nothing, or hide nothing.
    std::optional<Filter> filter(const QJsonValue& value)
    {
        Filter filter{value["label"].toString().toStdString(),
                      value["effect"].toString() == "keep" ? FilterEffect::Keep : FilterEffect::Hide,
                      regions(value["regions"]), sortedLocations(value["locations"]), span(value["span"])};
        if (filter.regions.empty() && filter.locations.empty() && !filter.span) return std::nullopt;
        return filter;
    }

    MetricRef metric(const QJsonValue& value)
    {
        const std::string name = value["name"].toString().toStdString();
        if (name.empty()) return {};
        const auto experiment = experimentOf(value["experiment"]);
        for (const MetricChoice& choice : metricChoices(session_))
            if (choice.name == name
                && (choice.metric == kCallsMetric || (experiment && choice.metric.experiment == *experiment)))
                return choice.metric;
        ++lost_;
        return {};
    }

    std::vector<RowGroup> groups(const QJsonValue& value)
    {
        std::vector<RowGroup> found;
        for (const QJsonValue& entry : value.toArray()) {
            const auto kind = indexOf(kRowKinds, entry["kind"].toString());
            const auto experiment = unchanged(entry["experiment"]);
            if (kind && experiment
                && hasGroup(*experiment, static_cast<RowGroupKind>(*kind), entry["id"].toInteger(-1)))
                found.push_back({*experiment, static_cast<RowGroupKind>(*kind),
                                 static_cast<std::uint32_t>(entry["id"].toInteger())});
            else ++lost_;
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    Selection selection(const QJsonValue& value)
    {
        Selection selection;
        selection.regions = regions(value["regions"]);
        selection.locations = sortedLocations(value["locations"]);
        for (const QJsonValue& entry : value["call_paths"].toArray()) addCallPath(entry, selection);
        for (const QJsonValue& entry : value["calls"].toArray()) addCall(entry, selection);
        for (const QJsonValue& entry : value["messages"].toArray()) addMessage(entry, selection);
        std::sort(selection.callPaths.begin(), selection.callPaths.end());
        std::sort(selection.intervals.begin(), selection.intervals.end());
        std::sort(selection.messages.begin(), selection.messages.end());
        return selection;
    }

    std::vector<Mark> marks(const QJsonValue& value)
    {
        std::vector<Mark> marks;
        for (const QJsonValue& entry : value.toArray())
            if (const auto marked = span(entry["span"]))
                marks.push_back({*marked, entry["note"].toString().toStdString()});
        std::stable_sort(marks.begin(), marks.end(),
                         [](const Mark& a, const Mark& b) { return a.span.begin < b.span.begin; });
        return marks;
    }

    /// By experiment of the session.
    std::vector<TimeNs> shifts(const QJsonValue& value)
    {
        std::vector<TimeNs> shifts;
        const QJsonArray array = value.toArray();
        for (qsizetype source = 0; source < array.size(); ++source) {
            const auto experiment = experimentOf(qint64{source});
            if (!experiment || array[source].toInteger() == 0) continue;
            shifts.resize(std::max<std::size_t>(shifts.size(), *experiment + 1));
            shifts[*experiment] = array[source].toInteger();
        }
        return shifts;
    }

private:
    using RegionsByName = std::multimap<std::string, RegionId>;

    const SourceMatch* match(const QJsonValue& source) const
    {
        const qint64 number = source.toInteger(-1);
        const bool known = number >= 0 && number < static_cast<qint64>(matches_.size());
        return known && matches_[static_cast<std::size_t>(number)].experiment
            ? &matches_[static_cast<std::size_t>(number)]
            : nullptr;
    }
    std::optional<std::uint32_t> experimentOf(const QJsonValue& source) const
    {
        const SourceMatch* found = match(source);
        return found ? found->experiment : std::nullopt;
    }
    std::optional<std::uint32_t> unchanged(const QJsonValue& source) const
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
    std::optional<LocationRef> location(const QJsonValue& entry) const
    {
        const auto experiment = experimentOf(entry["experiment"]);
        if (!experiment) return std::nullopt;
        const std::string name = entry["name"].toString().toStdString();
        const Definitions& known = definitions(*experiment);
        const qint64 index = entry["index"].toInteger(-1);
        const auto isIt = [&](std::uint32_t id) { return displayName(known, LocationId(id)) == name; };
        if (index >= 0 && index < static_cast<qint64>(known.locations.size())
            && isIt(static_cast<std::uint32_t>(index)))
            return LocationRef{*experiment, LocationId(static_cast<std::uint32_t>(index))};
        for (std::uint32_t id = 0; id < known.locations.size(); ++id)
            if (isIt(id)) return LocationRef{*experiment, LocationId(id)};
        return std::nullopt;
    }

    bool hasGroup(std::uint32_t experiment, RowGroupKind kind, qint64 id) const
    {
        const Definitions& known = definitions(experiment);
        const std::size_t count = kind == RowGroupKind::Experiment ? 1
            : kind == RowGroupKind::Node                           ? known.systemTree.size()
                                                                   : known.locationGroups.size();
        return id >= 0 && id < static_cast<qint64>(count);
    }

    void addCallPath(const QJsonValue& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry[0]);
        const qint64 id = entry[1].toInteger(-1);
        if (experiment && id >= 0
            && id < static_cast<qint64>(session_.experiments[*experiment]->callTree->size()))
            selection.callPaths.push_back({*experiment, CallPathId(static_cast<std::uint32_t>(id))});
        else ++lost_;
    }

    void addCall(const QJsonValue& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry[0]);
        const qint64 location = entry[1].toInteger(-1);
        const qint64 index = entry[2].toInteger(-1);
        const Trace* trace = experiment ? session_.experiments[*experiment]->trace.get() : nullptr;
        const bool known = trace && location >= 0 && location < static_cast<qint64>(trace->locations.size())
            && index >= 0
            && index
                < static_cast<qint64>(trace->locations[static_cast<std::size_t>(location)].intervals.size());
        if (known)
            selection.intervals.push_back({*experiment, LocationId(static_cast<std::uint32_t>(location)),
                                           static_cast<std::uint32_t>(index)});
        else ++lost_;
    }

    void addMessage(const QJsonValue& entry, Selection& selection)
    {
        const auto experiment = unchanged(entry[0]);
        const qint64 index = entry[1].toInteger(-1);
        const Trace* trace = experiment ? session_.experiments[*experiment]->trace.get() : nullptr;
        if (trace && index >= 0 && index < static_cast<qint64>(trace->messages.size()))
            selection.messages.push_back({*experiment, static_cast<std::uint32_t>(index)});
        else ++lost_;
    }

    const Session& session_;
    const std::vector<SourceMatch>& matches_;
    std::map<std::uint32_t, RegionsByName> regions_;
    const RegionsByName none_;
    std::size_t lost_ = 0;
};

}  // namespace

QJsonObject stateToJson(const ViewState& state, const Session& session)
{
    const StateWriter writer(session);
    QJsonArray filters;
    for (const Filter& filter : state.filters) filters.push_back(writer.filter(filter));
    QJsonArray marks;
    for (const Mark& mark : state.marks)
        marks.push_back(
            QJsonObject{{"span", spanToJson(mark.span)}, {"note", QString::fromStdString(mark.note)}});
    QJsonArray shifts;
    for (const TimeNs shift : state.clockShiftsNs) shifts.push_back(qint64{shift});
    return {{"visible_ns", spanToJson(state.visible)},
            {"brushed_ns", spanToJson(state.brushed)},
            {"selected", writer.selection(state.selected)},
            {"metric", writer.metric(state.metric)},
            {"filters", filters},
            {"clock_shifts_ns", shifts},
            {"marks", marks},
            {"rows", writer.rows(state.rows)},
            {"colors", wordAt(kColors, static_cast<std::size_t>(state.colors))},
            {"color_scaling", wordAt(kColorScalings, static_cast<std::size_t>(state.colorScaling))},
            {"grouping", wordAt(kGroupings, static_cast<std::size_t>(state.grouping))}};
}

RestoredState stateFromJson(const QJsonObject& object, const Session& session,
                            const std::vector<SourceMatch>& matches)
{
    StateReader reader(session, matches);
    ViewState state;
    state.visible = reader.span(object["visible_ns"]);
    state.brushed = reader.span(object["brushed_ns"]);
    state.selected = reader.selection(object["selected"]);
    state.metric = reader.metric(object["metric"]);
    for (const QJsonValue& value : object["filters"].toArray())
        if (auto filter = reader.filter(value)) state.filters.push_back(std::move(*filter));
    state.clockShiftsNs = reader.shifts(object["clock_shifts_ns"]);
    state.marks = reader.marks(object["marks"]);
    state.rows = {reader.groups(object["rows"]["collapsed"]), reader.locations(object["rows"]["pinned"]),
                  reader.locations(object["rows"]["order"])};
    constexpr std::array kKnownColors{ColorMode::Region, ColorMode::Group, ColorMode::Depth,
                                      ColorMode::Duration, ColorMode::Metric};
    const auto colors = indexOf(kColors, object["colors"].toString("region"));
    if (colors && *colors < kKnownColors.size()) state.colors = kKnownColors[*colors];
    if (indexOf(kColorScalings, object["color_scaling"].toString()) == 1u)
        state.colorScaling = ColorScaling::Logarithmic;
    if (indexOf(kGroupings, object["grouping"].toString()) == 1u) state.grouping = RegionGrouping::Recorded;
    return {std::move(state), reader.lost()};
}

}  // namespace skein::gui
