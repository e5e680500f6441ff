// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/io/tau_trace/event_definitions.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace skein::tau {

/// What an event id of one file means in the whole trace.
struct EventMeaning {
    EventKind kind = EventKind::None;
    bool defined = false;
    bool flush = false;        ///< the tracer writes its buffer between entry and exit
    bool application = false;  ///< ".TAU application", which is entered before the recording begins
    std::uint32_t number = 0;  ///< of the region (EntryExit) or of the value (Trigger)
};

/// The meanings of one file's ids. The program's ids are small and dense, TAU's own begin at 60 000: look-ups
/// of both cost one load.
class EventTable {
public:
    /// The default meaning where the id is not defined.
    EventMeaning find(std::int64_t id) const
    {
        if (id >= 0 && id < static_cast<std::int64_t>(dense_.size()))
            return dense_[static_cast<std::size_t>(id)];
        if (id >= kFirstOwn && id < kFirstOwn + kOwn) return own_[static_cast<std::size_t>(id - kFirstOwn)];
        const auto found = sparse_.find(id);
        return found == sparse_.end() ? EventMeaning() : found->second;
    }
    /// False where the id has a meaning already, which then stays.
    bool define(std::int64_t id, EventMeaning meaning);

    /// Keeps the definition of an event whose type is not known, for its name; false where it has one.
    bool nameOnly(const EventDefinition& event) { return named_.emplace(event.id, event).second; }
    /// What nameOnly() has kept for an id; null for all others.
    const EventDefinition* named(std::int64_t id) const
    {
        const auto found = named_.find(id);
        return found == named_.end() ? nullptr : &found->second;
    }

private:
    static constexpr std::int64_t kFirstOwn = 60'000;
    static constexpr std::int64_t kOwn = 16;

    std::vector<EventMeaning> dense_;
    std::array<EventMeaning, kOwn> own_{};
    std::unordered_map<std::int64_t, EventMeaning> sparse_;
    std::unordered_map<std::int64_t, EventDefinition> named_;
};

/// Regions and values of a whole trace by name: the ids of the files' events differ from node to node.
class TraceNames {
public:
    /// Gives the events of one file their meanings. An id that is defined twice keeps its first.
    EventTable number(const std::vector<EventDefinition>& events, std::string_view file,
                      ImportReport& report);

    /// A region for an event whose kind nothing tells, and one for a value; `known` is what its file says
    /// about it else, or null.
    std::uint32_t undefinedRegion(std::int64_t id, const EventDefinition* known, std::string_view file);
    std::uint32_t undefinedValue(std::int64_t id, const EventDefinition* known, std::string_view file);

    std::vector<Region>& regions() { return regions_; }
    std::vector<RegionGroup>& groups() { return groups_; }
    std::vector<CallSite>& callSites() { return callSites_; }
    /// The call site that a region's name tells, by region; invalid for most.
    const std::vector<CallSiteId>& callSiteOf() const { return callSiteOf_; }
    /// Names of the values of user events.
    const std::vector<std::string>& values() const { return values_; }

private:
    std::uint32_t region(const EventDefinition& event);
    std::uint32_t value(const std::string& name);
    RegionGroupId group(std::string_view name);

    std::vector<Region> regions_;
    std::vector<RegionGroup> groups_;
    std::vector<CallSite> callSites_;
    std::vector<CallSiteId> callSiteOf_;
    std::vector<std::string> values_;
    std::unordered_map<std::string, std::uint32_t> regionNumbers_, groupNumbers_, valueNumbers_;
};

}  // namespace skein::tau
