// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/event_table.h"

#include "core/io/tau/tau_names.h"

#include <fmt/format.h>

namespace skein::tau {
namespace {

/// Ids below are kept in an array, which every node of a large run has.
constexpr std::int64_t kDenseIds = 1 << 14;

std::string undefinedName(std::int64_t id, std::string_view file)
{
    return fmt::format("undefined event {} ({})", id, file);
}

}  // namespace

bool EventTable::define(std::int64_t id, EventMeaning meaning)
{
    meaning.defined = true;
    const bool own = id >= kFirstOwn && id < kFirstOwn + kOwn;
    if (!own && (id < 0 || id >= kDenseIds)) return sparse_.emplace(id, meaning).second;
    const auto index = static_cast<std::size_t>(own ? id - kFirstOwn : id);
    if (!own && index >= dense_.size()) dense_.resize(index + 1);
    EventMeaning& place = own ? own_[index] : dense_[index];
    if (place.defined) return false;
    place = meaning;
    return true;
}

RegionGroupId TraceNames::group(std::string_view name)
{
    const auto [found, fresh] =
        groupNumbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(groups_.size()));
    if (fresh) groups_.push_back({found->first});
    return RegionGroupId(found->second);
}

std::uint32_t TraceNames::region(const EventDefinition& event)
{
    const std::string_view timer = withoutThrottleMark(event.name);
    const auto [found, fresh] =
        regionNumbers_.try_emplace(std::string(timer), static_cast<std::uint32_t>(regions_.size()));
    if (!fresh) return found->second;
    const auto names = splitGroups(event.group);
    regions_.push_back(makeRegion(timer, names));
    auto site = tau::callSiteOf(timer);
    callSiteOf_.push_back(site ? CallSiteId(callSites_.size()) : CallSiteId());
    if (site) callSites_.push_back(*std::move(site));
    for (const std::string_view recorded : names)
        if (!isBookkeepingGroup(recorded)) regions_.back().groups.push_back(group(recorded));
    return found->second;
}

std::uint32_t TraceNames::value(const std::string& name)
{
    const auto [found, fresh] = valueNumbers_.try_emplace(name, static_cast<std::uint32_t>(values_.size()));
    if (fresh) values_.push_back(name);
    return found->second;
}

std::uint32_t TraceNames::undefinedRegion(std::int64_t id, const EventDefinition* known,
                                          std::string_view file)
{
    if (known) return region(*known);
    return region({id, {}, undefinedName(id, file), EventKind::EntryExit});
}

std::uint32_t TraceNames::undefinedValue(std::int64_t id, const EventDefinition* known, std::string_view file)
{
    return value(known ? known->name : undefinedName(id, file));
}

EventTable TraceNames::number(const std::vector<EventDefinition>& events, std::string_view file,
                              ImportReport& report)
{
    EventTable table;
    for (const EventDefinition& event : events) {
        if (event.kind == EventKind::Unknown && table.nameOnly(event)) continue;
        EventMeaning meaning;
        meaning.kind = event.kind;
        meaning.flush =
            event.kind == EventKind::EntryExit && event.name == "FLUSH" && event.group == "TRACER";
        meaning.application = event.kind == EventKind::EntryExit && event.name == ".TAU application";
        if (event.kind == EventKind::EntryExit) meaning.number = region(event);
        if (event.kind == EventKind::Trigger) meaning.number = value(event.name);
        if (!table.define(event.id, meaning))
            report.add(IssueKind::DuplicateDefinition, file, "", fmt::format("event {}", event.id));
    }
    return table;
}

}  // namespace skein::tau
