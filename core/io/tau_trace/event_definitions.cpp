// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/event_definitions.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/tau/tau_names.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace skein::tau {
namespace {

constexpr std::string_view kEventFileHeader = " dynamic_trace_events";
constexpr int kSendTag = -7;
constexpr int kReceiveTag = -8;
constexpr std::size_t kShownTypeBytes = 40;

std::string_view takeWord(std::string_view& text)
{
    text = trimmed(text);
    const auto end = text.find_first_of(" \t");
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(word.size());
    return word;
}

EventKind eventKindOf(int tag, std::string_view name, std::string_view kind)
{
    if (tag == kSendTag || name == "MESSAGE_SEND") return EventKind::Send;
    if (tag == kReceiveTag || name == "MESSAGE_RECV") return EventKind::Receive;
    if (name.starts_with("ONESIDED_MESSAGE_ID")) return EventKind::OneSidedId;
    if (name.starts_with("ONESIDED_MESSAGE") && name.ends_with("_SEND")) return EventKind::OneSidedSend;
    if (name.starts_with("ONESIDED_MESSAGE") && name.ends_with("_RECV")) return EventKind::OneSidedReceive;
    if (name.starts_with("ONESIDED_MESSAGE")) return EventKind::OneSided;
    if (kind == "EntryExit") return EventKind::EntryExit;
    if (kind.starts_with("TriggerValue")) return EventKind::Trigger;
    return kind.empty() || kind == "none" ? EventKind::None : EventKind::Unknown;
}

std::optional<EventDefinition> parseEventLine(std::string_view line)
{
    const auto id = parseNumber<std::int64_t>(takeWord(line));
    const std::string_view group = takeWord(line);
    const auto tag = parseNumber<int>(takeWord(line));
    const auto open = line.find('"');
    const auto close = line.rfind('"');
    if (!id || !tag || open == std::string_view::npos || close == open) return std::nullopt;
    if (close - open > kMaximumNameBytes) return std::nullopt;
    EventDefinition event;
    event.id = *id;
    event.group = std::string(group.substr(0, kMaximumNameBytes));
    event.name = std::string(trimmed(line.substr(open + 1, close - open - 1)));
    event.kind = eventKindOf(*tag, event.name, trimmed(line.substr(close + 1)));
    return event;
}

std::optional<std::uint64_t> announcedEvents(std::string_view line)
{
    line = trimmed(line);
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
    if (error != std::errc()) return std::nullopt;
    const std::string_view rest(end, static_cast<std::size_t>(line.data() + line.size() - end));
    return rest.starts_with(kEventFileHeader) ? std::optional(count) : std::nullopt;
}

void tellUnknown(const EventDefinition& event, std::string_view line, std::string_view file,
                 ImportReport& report)
{
    report.add(IssueKind::UnknownType, file, "",
               fmt::format("events of the type \"{}\", such as \"{}\"",
                           toValidUtf8(trimmed(line.substr(line.rfind('"') + 1)).substr(0, kShownTypeBytes)),
                           toValidUtf8(event.name)));
}

}  // namespace

bool isEventFile(std::string_view head)
{
    return announcedEvents(head.substr(0, head.find('\n'))).has_value();
}

std::vector<EventDefinition> parseEventFile(std::string_view text, std::string_view file,
                                            ImportReport& report)
{
    std::vector<EventDefinition> events;
    std::optional<std::uint64_t> announced;
    std::int64_t number = 0;
    while (!text.empty()) {
        ++number;
        const auto end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (number == 1) announced = announcedEvents(line);
        if (line.empty() || line.front() == '#' || (number == 1 && announced)) continue;
        if (auto event = parseEventLine(line)) {
            if (event->kind == EventKind::Unknown) tellUnknown(*event, line, file, report);
            events.push_back(std::move(*event));
        } else report.add(IssueKind::CorruptRecord, file, "", "a line that defines no event", number);
    }
    // TAU announces one event too many in the file of a node.
    if (announced && *announced != events.size() && *announced != events.size() + 1) {
        const auto kind = *announced > events.size() ? IssueKind::Truncated : IssueKind::EventCount;
        report.add(kind, file, "",
                   fmt::format("{} events are announced and {} defined", *announced, events.size()), number);
    }
    return events;
}

std::vector<EventDefinition> fixedEvents()
{
    return {
        {60000, "TRACER", "EV_INIT", EventKind::None},
        {60001, "TRACER", "FLUSH", EventKind::EntryExit},
        {60003, "TRACER", "FLUSH_CLOSE", EventKind::None},
        {60004, "TRACER", "FLUSH_INITM", EventKind::None},
        {60005, "TRACER", "WALL_CLOCK", EventKind::None},
        {60006, "TRACER", "CONT_EVENT", EventKind::None},
        {60007, "TAU_MESSAGE", "MESSAGE_SEND", EventKind::Send},
        {60008, "TAU_MESSAGE", "MESSAGE_RECV", EventKind::Receive},
    };
}

}  // namespace skein::tau
