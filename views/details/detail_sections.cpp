// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_sections.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/measurement_facts.h"
#include "core/session/session_clock.h"
#include "core/trace/event_attributes.h"
#include "core/trace/nested_calls.h"
#include "views/common/scene/axes/time_axis.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace skein {
namespace {

class DetailWriter {
public:
    DetailWriter(const Session& session, const ViewState& state)
        : session_(session), state_(state), clock_(sessionClock(session, state.clockShiftsNs))
    {
    }

    std::vector<DetailSection> write() &&
    {
        const Selection& selected = state_.selected;
        if (state_.brushed) addSpan(*state_.brushed);
        addSome(selected.messages, "message", [this](MessageRef ref) { addMessage(ref); });
        // A message brings the calls at its ends along; their times stand in it already.
        if (selected.messages.empty())
            addSome(selected.intervals, "call", [this](IntervalRef ref) { addCall(ref); });
        if (selected.intervals.empty() && selected.messages.empty()) {
            if (!selected.callPaths.empty() && selected.callPaths.size() <= kMostDetailed)
                addSome(selected.callPaths, "call path", [this](CallPathRef ref) { addCallPath(ref); });
        }
        addSome(onePerName(selected.regions), "region", [this](RegionRef ref) { addRegion(ref); });
        addSome(selected.locations, "location", [this](LocationRef ref) { addLocation(ref); });
        if (sections_.empty())
            for (std::uint32_t i = 0; i < session_.experiments.size(); ++i) addExperiment(i);
        return std::move(sections_);
    }

private:
    /// EZTrace defines a region once a rank: those of one name are told once.
    std::vector<RegionRef> onePerName(const std::vector<RegionRef>& regions) const
    {
        std::vector<RegionRef> first;
        std::set<std::pair<std::uint32_t, std::string>> names;
        for (const RegionRef& region : regions)
            if (exists(session_, region)
                && names
                       .emplace(region.experiment,
                                displayName(experiment(region.experiment).definitions.region(region.id)))
                       .second)
                first.push_back(region);
        return first;
    }

    template <typename RefType, typename Add>
    void addSome(const std::vector<RefType>& refs, const char* what, Add add)
    {
        std::size_t told = 0;
        for (const RefType& ref : refs)
            if (told < kMostDetailed && exists(session_, ref)) {
                add(ref);
                ++told;
            }
        if (refs.size() <= kMostDetailed) return;
        begin(fmt::format("{} more {}s", formatGrouped(static_cast<std::int64_t>(refs.size() - told)), what));
    }

    void begin(std::string title) { sections_.push_back({std::move(title), {}}); }
    void line(std::string name, std::string value)
    {
        if (!value.empty()) sections_.back().lines.emplace_back(std::move(name), std::move(value));
    }
    void count(const char* name, std::uint64_t value)
    {
        if (value > 0) line(name, formatGrouped(static_cast<std::int64_t>(value)));
    }
    void properties(const std::vector<Property>& all)
    {
        for (const Property& property : all) line(property.name, property.value);
    }

    const Experiment& experiment(std::uint32_t index) const { return *session_.experiments[index]; }
    std::string time(std::uint32_t index, TimeNs value) const
    {
        return value == kNoTime ? "unknown" : exactTime(clock_.toSession(index, value));
    }
    std::string locationName(std::uint32_t index, LocationId id) const
    {
        std::string name = displayName(experiment(index).definitions, id);
        return session_.experiments.size() < 2 ? name : experiment(index).name + ": " + name;
    }

    void addSpan(TimeSpan span)
    {
        begin("Marked span");
        line("Duration", formatDuration(double(span.lengthNs())));
        line("From", exactTime(span.begin));
        line("To", exactTime(span.end));
    }

    void addCall(IntervalRef ref)
    {
        const Experiment& owner = experiment(ref.experiment);
        const CallIntervals& calls = owner.trace->locations[ref.location.index()].intervals;
        const TimeSpan span = calls.span(ref.index);
        const CallPathId path(calls.callPath[ref.index]);
        begin("Call of " + displayName(owner.definitions.region(owner.callTree->region(path))));
        line("Duration", formatDuration(double(span.lengthNs())));
        line("In callees", formatDuration(double(*timeInCallees(calls, ref.index, calls.size()))));
        line("Begin", time(ref.experiment, span.begin));
        line("End", time(ref.experiment, span.end));
        line("Location", locationName(ref.experiment, ref.location));
        line("Depth",
             fmt::format("{}", calls.depth[ref.index] + 1));  // as the rows of the location detail count
        line("Called from", stackAbove(ref.experiment, path));
        addAttributes(ref);
    }

    /// A line for each value that was recorded with the call's enter and leave, and for some of the names of
    /// those inside, of which there may be any number.
    void addAttributes(IntervalRef ref)
    {
        constexpr std::size_t kLookedAt = 1000;
        const Experiment& owner = experiment(ref.experiment);
        const auto rows = attributesOf(owner.trace->locations[ref.location.index()], ref.index);
        std::set<std::string> inside;
        for (std::size_t at = 0; at < rows.size(); ++at) {
            if (at == kLookedAt) at = std::max(at, rows.size() - kLookedAt);
            std::string title = nameOf(owner.definitions, rows[at]);
            if (rows[at].event == AttributedEvent::Leave) title += " at leave";
            if (rows[at].event == AttributedEvent::Other) {
                title += " inside";
                if (inside.size() == kMostDetailed || !inside.insert(title).second) continue;
            }
            line(std::move(title), valueText(owner.definitions, rows[at]));
        }
    }

    std::string stackAbove(std::uint32_t index, CallPathId path) const
    {
        const Experiment& owner = experiment(index);
        std::string stack;
        for (CallPathId above = owner.callTree->parent(path); above.valid();
             above = owner.callTree->parent(above)) {
            if (!stack.empty()) stack += "\n";
            stack += displayName(owner.definitions.region(owner.callTree->region(above)));
        }
        return stack;
    }

    void addCallPath(CallPathRef ref)
    {
        const Experiment& owner = experiment(ref.experiment);
        begin("Call path to " + displayName(owner.definitions.region(owner.callTree->region(ref.id))));
        line("Called from", stackAbove(ref.experiment, ref.id));
    }

    void addMessage(MessageRef ref)
    {
        const Experiment& owner = experiment(ref.experiment);
        const Message& message = owner.trace->messages[ref.index];
        begin("Message");
        line("Size", formatBytes(double(message.bytes)));
        line("From", locationName(ref.experiment, message.sender));
        line("To", message.receiver.valid() ? locationName(ref.experiment, message.receiver) : "unknown");
        line("Sent", time(ref.experiment, message.sendTime));
        if (message.sendEnd != kNoTime) line("Send ended", time(ref.experiment, message.sendEnd));
        line("Received",
             message.matched() ? time(ref.experiment, message.receiveTime) : "never, as far as is recorded");
        if (message.matched()) {
            const double flightNs = double(message.receiveTime - message.sendTime);
            line("Under way", formatDuration(flightNs));
            if (flightNs > 0.0) line("Bandwidth", formatBytes(double(message.bytes) * 1e9 / flightNs) + "/s");
        }
        line("Tag", fmt::format("{}", message.tag));
        if (message.communicator.valid()
            && message.communicator.index() < owner.definitions.communicators.size())
            line("Communicator", owner.definitions.communicators[message.communicator.index()].name);
        addEnd(ref.experiment, "Sent in", message.sender, message.sendInterval);
        addEnd(ref.experiment, "Received in", message.receiver, message.receiveInterval);
    }

    void addEnd(std::uint32_t index, const char* name, LocationId location, std::uint32_t interval)
    {
        const IntervalRef ref{index, location, interval};
        if (interval == kNoInterval || !exists(session_, ref)) return;
        const RegionRef region = regionOf(session_, callPathOf(session_, ref));
        line(name, displayName(experiment(index).definitions.region(region.id)));
    }

    void addRegion(RegionRef ref)
    {
        const Definitions& definitions = experiment(ref.experiment).definitions;
        const Region& region = definitions.region(ref.id);
        begin(displayName(region));
        if (region.name != displayName(region)) line("Full name", region.name);
        if (!region.canonicalName.empty() && region.canonicalName != region.name)
            line("Symbol", region.canonicalName);
        line("Source", sourceOf(region));
        line("Description", region.description);
        if (region.paradigm != Paradigm::Unknown) line("Paradigm", std::string(name(region.paradigm)));
        if (region.role != RegionRole::Unknown) line("Role", std::string(name(region.role)));
        std::string groups;
        for (const RegionGroupId group : region.groups)
            groups += (groups.empty() ? "" : ", ") + definitions.regionGroups[group.index()].name;
        line("Groups", groups);
        count("Call paths", callPathsOf(session_, ref).size());
    }

    static std::string sourceOf(const Region& region)
    {
        if (region.sourceFile.empty()) return {};
        if (region.beginLine == 0) return region.sourceFile;
        if (region.endLine <= region.beginLine)
            return fmt::format("{}:{}", region.sourceFile, region.beginLine);
        return fmt::format("{}:{}–{}", region.sourceFile, region.beginLine, region.endLine);
    }

    void addLocation(LocationRef ref)
    {
        const Experiment& owner = experiment(ref.experiment);
        const Location& location = owner.definitions.location(ref.id);
        begin(locationName(ref.experiment, ref.id));
        line("Name", location.name);
        line("Kind", location.kind == LocationKind::Unknown ? "" : std::string(name(location.kind)));
        line("Process", groupName(owner.definitions, location));
        line("System", systemPath(owner.definitions, location));
        line("Archive id", fmt::format("{}", location.originalId));
        if (owner.trace && ref.id.index() < owner.trace->locations.size()) {
            const LocationTrace& events = owner.trace->locations[ref.id.index()];
            count("Events", events.events);
            count("Calls", events.intervals.size());
            line("First event", time(ref.experiment, events.extent.begin));
            line("Last event", time(ref.experiment, events.extent.end));
        }
        properties(location.properties);
    }

    static std::string groupName(const Definitions& definitions, const Location& location)
    {
        const bool known =
            location.group.valid() && location.group.index() < definitions.locationGroups.size();
        return known ? definitions.locationGroups[location.group.index()].name : std::string();
    }

    static std::string systemPath(const Definitions& definitions, const Location& location)
    {
        if (!location.group.valid() || location.group.index() >= definitions.locationGroups.size()) return {};
        std::string path;
        SystemTreeNodeId node = definitions.locationGroups[location.group.index()].node;
        // A damaged archive may define a cycle: no path is longer than the tree has nodes.
        for (std::size_t steps = 0; node.valid() && node.index() < definitions.systemTree.size()
             && steps < definitions.systemTree.size();
             ++steps) {
            const SystemTreeNode& found = definitions.systemTree[node.index()];
            path = path.empty() ? found.name : found.name + " / " + path;
            node = found.parent;
        }
        return path;
    }

    void addExperiment(std::uint32_t index)
    {
        const Experiment& owner = experiment(index);
        begin(owner.name);
        line("Format", owner.format);
        line("Path", owner.path.string());
        const MeasurementFacts facts = measurementFacts(owner);
        line("Measured by", facts.tool);
        line("Command", facts.commandLine);
        line("Started", facts.start);
        line("Hosts", facts.hosts);
        line("Processors", facts.cpu);
        if (owner.trace) {
            line("Duration", formatDuration(double(owner.trace->extent.lengthNs())));
            if (session_.experiments.size() > 1)
                line("Starts at", formatDuration(double(clock_.offsetsNs[index])));
        }
        count("Processes", owner.definitions.locationGroups.size());
        count("Locations", owner.definitions.locations.size());
        count("Regions", owner.definitions.regions.size());
        count("Call paths", owner.callTree->size());
        count("Metrics", owner.definitions.metrics.size());
        if (owner.trace) {
            count("Events", owner.trace->eventCount());
            count("Calls", owner.trace->intervalCount());
            count("Messages", owner.trace->messages.size());
            count("Collectives", owner.trace->collectives.size());
        }
        if (!owner.trace) line("Timeline", "empty: this profile has no times of events");
        line("Import", owner.report.lostData() ? "data was lost, see the import report" : "nothing was lost");
        properties(owner.definitions.properties);
    }

    const Session& session_;
    const ViewState& state_;
    SessionClock clock_;
    std::vector<DetailSection> sections_;
};

}  // namespace

std::vector<DetailSection> detailsOf(const Session& session, const ViewState& state)
{
    return DetailWriter(session, state).write();
}

}  // namespace skein
