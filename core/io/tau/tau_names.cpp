// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau/tau_names.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/trace/mpi_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace skein::tau {
namespace {

constexpr std::string_view kArrow = " => ";
constexpr std::string_view kCallSite = "[CALLSITE]";
constexpr std::string_view kThrottled = "[THROTTLED]";

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// Reads " [{file} {line,column}]" or " [{file} {line,column}-{line,column}]" at the end of a timer's name.
void readSource(std::string_view timer, Region& region)
{
    const auto open = timer.rfind("[{");
    if (open == std::string_view::npos) return;
    const auto fileEnd = timer.find('}', open);
    if (fileEnd == std::string_view::npos) return;
    region.sourceFile = toValidUtf8(timer.substr(open + 2, fileEnd - open - 2));
    const auto readLine = [&](std::size_t from, std::uint32_t& line) {
        const auto brace = timer.find('{', from);
        if (brace == std::string_view::npos) return std::string_view::npos;
        const char* const end = timer.data() + timer.size();
        return std::from_chars(timer.data() + brace + 1, end, line).ec == std::errc()
            ? brace + 1
            : std::string_view::npos;
    };
    const auto first = readLine(fileEnd, region.beginLine);
    if (first == std::string_view::npos) return;
    if (readLine(first, region.endLine) == std::string_view::npos) region.endLine = region.beginLine;
}

/// " file.line [@] …" and " UNRESOLVED library", each with or without brackets around.
void readUnresolved(std::string_view rest, CallSite& site)
{
    constexpr std::string_view unresolved = "UNRESOLVED ";
    std::string_view place = trimmed(rest.substr(0, rest.find("[@]")));
    if (place.starts_with('[')) place = trimmed(place.substr(1, place.find(']') - 1));
    const auto dot = place.rfind('.');
    const auto line =
        dot == std::string_view::npos ? std::nullopt : parseNumber<std::uint32_t>(place.substr(dot + 1));
    if (place.starts_with(unresolved)) {
        const std::string_view library = trimmed(place.substr(unresolved.size()));
        if (library.starts_with('/')) site.sourceFile = toValidUtf8(library);
    } else if (line && dot > 0) {
        site.sourceFile = toValidUtf8(place.substr(0, dot));
        site.line = *line;
    }
}

/// "f" of "[CALLSITE] f [@] …"; empty for all other timers.
std::string_view calledAt(std::string_view timer)
{
    if (!timer.starts_with(kCallSite)) return {};
    return trimmed(timer.substr(0, timer.find("[@]")).substr(kCallSite.size()));
}

/// "f" of "f [{file} {line,column}]": its name where it is called.
std::string_view withoutSource(std::string_view timer) { return trimmed(timer.substr(0, timer.find("[{"))); }

bool hasGroup(const std::vector<std::string_view>& groups, std::string_view name)
{
    return std::find(groups.begin(), groups.end(), name) != groups.end();
}

bool isSampled(std::string_view timer)
{
    constexpr std::array<std::string_view, 5> marks{"[SAMPLE]", "[CONTEXT]", "[UNWIND]", "[SUMMARY]",
                                                    "[INTERMEDIATE]"};
    return std::any_of(marks.begin(), marks.end(),
                       [&](std::string_view mark) { return timer.starts_with(mark); });
}

bool isBreakdown(std::string_view timer, const std::vector<std::string_view>& groups)
{
    return timer.starts_with(kCallSite) || hasGroup(groups, "TAU_CALLSITE") || hasGroup(groups, "TAU_PARAM")
        || (contains(timer, " [ <") && timer.ends_with("> ]"));
}

Paradigm paradigmOfTimer(std::string_view timer, const std::vector<std::string_view>& groups)
{
    if (isSampled(timer)) return Paradigm::Sampling;
    if (hasGroup(groups, "MPI") || timer.starts_with("MPI_") || timer.starts_with("MPI "))
        return Paradigm::Mpi;
    if (contains(timer, "OpenMP") || hasGroup(groups, "OPENMP") || hasGroup(groups, "TAU_OPENMP"))
        return Paradigm::OpenMp;
    if (timer.starts_with("pthread_")) return Paradigm::Pthread;
    if (timer.starts_with("shmem_") || hasGroup(groups, "SHMEM")) return Paradigm::Shmem;
    if (timer.starts_with("cuda") || timer.starts_with("[CUDA")) return Paradigm::Cuda;
    if (timer.starts_with("hip") && timer.size() > 3 && timer[3] >= 'A' && timer[3] <= 'Z')
        return Paradigm::Hip;
    if (contains(timer, "OpenACC")) return Paradigm::OpenAcc;
    if (timer.starts_with("Kokkos")) return Paradigm::Kokkos;
    if (hasGroup(groups, "TAU_IO")) return Paradigm::Io;
    if (timer == ".TAU application" || hasGroup(groups, "TAU_UTILITY") || hasGroup(groups, "TRACER"))
        return Paradigm::Measurement;
    return hasGroup(groups, "TAU_USER") ? Paradigm::User : Paradigm::Compiler;
}

RegionRole roleOfTimer(std::string_view timer, const std::vector<std::string_view>& groups, Paradigm paradigm)
{
    if (paradigm == Paradigm::Sampling || isBreakdown(timer, groups)) return RegionRole::Artificial;
    if (paradigm == Paradigm::Mpi) {
        const RegionRole role = mpiRole(timer);
        return role == RegionRole::Unknown ? RegionRole::Function : role;
    }
    if (timer.starts_with("Loop:")) return RegionRole::Loop;
    if (paradigm != Paradigm::OpenMp) return RegionRole::Function;
    if (contains(timer, "mplicit") && contains(timer, "arrier")) return RegionRole::ImplicitBarrier;
    if (contains(timer, "arrier")) return RegionRole::Barrier;
    if (contains(timer, "arallel")) return RegionRole::Parallel;
    return RegionRole::Function;
}

std::string_view unitInName(std::string_view name)
{
    if (contains(name, "(KB)")) return "KB";
    if (contains(name, "(MB/s)")) return "MB/s";
    if (contains(name, "(MB)")) return "MB";
    if (contains(name, "(us)")) return "us";
    if (contains(name, "Message size") || contains(name, "Bytes") || contains(name, "bytes")
        || contains(name, "MESSAGE_SIZE"))
        return "bytes";
    return {};
}

}  // namespace

std::optional<ThreadKey> threadKeyOfFileName(std::string_view name, std::string_view suffix)
{
    if (!name.ends_with(suffix)) return std::nullopt;
    name.remove_suffix(suffix.size());
    std::array<std::uint32_t, 3> parts{};
    for (std::size_t part = 3; part-- > 0;) {
        const auto dot = name.rfind('.');
        if (dot == std::string_view::npos) return std::nullopt;
        const auto value = parseNumber<std::uint32_t>(name.substr(dot + 1));
        if (!value) return std::nullopt;
        parts[part] = *value;
        name = name.substr(0, dot);
    }
    return ThreadKey{parts[0], parts[1], parts[2]};
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool isThrottled(std::string_view timer) { return trimmed(timer).ends_with(kThrottled); }

std::string_view withoutThrottleMark(std::string_view timer)
{
    timer = trimmed(timer);
    const bool nothingElse = timer.size() == kThrottled.size();
    if (!timer.ends_with(kThrottled) || nothingElse) return timer;
    return trimmed(timer.substr(0, timer.size() - kThrottled.size()));
}

bool isCallPath(std::string_view name) { return contains(name, kArrow); }

std::vector<std::string_view> splitCallPath(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto arrow = name.find(kArrow);
        if (const auto part = trimmed(name.substr(0, arrow)); !part.empty()) parts.push_back(part);
        if (arrow == std::string_view::npos) return parts;
        // The blank after an arrow may be the blank before the next.
        name.remove_prefix(arrow + kArrow.size() - 1);
    }
}

std::vector<std::string_view> splitGroups(std::string_view groups)
{
    std::vector<std::string_view> parts;
    while (!groups.empty()) {
        const auto bar = groups.find('|');
        if (const auto part = trimmed(groups.substr(0, bar)); !part.empty()) parts.push_back(part);
        if (bar == std::string_view::npos) break;
        groups.remove_prefix(bar + 1);
    }
    return parts;
}

bool isBookkeepingGroup(std::string_view group)
{
    return group == "TAU_CALLPATH" || group == "TAU_CALLPATH_DERIVED" || group == "TAU_DERIVED"
        || group == "TAU_DISABLE";
}

Region makeRegion(std::string_view timer, const std::vector<std::string_view>& groups)
{
    Region region;
    region.name = toValidUtf8(timer);
    readSource(timer, region);
    region.paradigm = paradigmOfTimer(timer, groups);
    region.role = roleOfTimer(timer, groups, region.paradigm);
    return region;
}

std::optional<CallSite> callSiteOf(std::string_view timer)
{
    if (!isSampled(timer) && !timer.starts_with(kCallSite)) return std::nullopt;
    Region place;
    readSource(timer, place);
    CallSite site{std::move(place.sourceFile), place.beginLine, {}, {}};
    if (!site.sourceFile.empty()) return site;
    readUnresolved(timer.substr(timer.find(']') + 1), site);
    return site;
}

void linkCallSites(std::span<const Region> regions, std::span<const CallSiteId> siteOfRegion,
                   std::span<CallSite> sites)
{
    std::unordered_map<std::string_view, RegionId> byName;
    for (std::size_t region = 0; region < regions.size(); ++region)
        if (!siteOfRegion[region].valid())
            byName.try_emplace(withoutSource(regions[region].name), RegionId(region));
    for (std::size_t region = 0; region < regions.size(); ++region) {
        const auto found = byName.find(calledAt(regions[region].name));
        if (found != byName.end() && siteOfRegion[region].valid())
            sites[siteOfRegion[region].index()].enteredRegion = found->second;
    }
}

EventName splitEventName(std::string_view name, const std::function<bool(std::string_view)>& isTimer)
{
    constexpr std::string_view separator = " : ";
    constexpr int most = 8;  // a name of nothing but separators must not cost quadratic time
    auto colon = name.find(separator);
    for (int tries = 0; tries < most && colon != std::string_view::npos;
         ++tries, colon = name.find(separator, colon + 1)) {
        const std::string_view context = trimmed(name.substr(colon + separator.size()));
        const auto path = splitCallPath(context);
        if (!path.empty() && std::all_of(path.begin(), path.end(), isTimer))
            return {trimmed(name.substr(0, colon)), context};
    }
    return {trimmed(name), {}};
}

std::optional<MessageEvent> messageEvent(std::string_view event)
{
    constexpr std::string_view sent = "Message size sent to node ";
    constexpr std::string_view received = "Message size received from node ";
    const bool isSent = event.starts_with(sent);
    if (!isSent && !event.starts_with(received)) return std::nullopt;
    const auto partner =
        parseNumber<std::uint32_t>(trimmed(event.substr(isSent ? sent.size() : received.size())));
    if (!partner) return std::nullopt;
    return MessageEvent{isSent ? MessageDirection::SentTo : MessageDirection::ReceivedFrom, *partner};
}

bool isTimeMetric(std::string_view metric)
{
    std::string upper(metric);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return contains(upper, "TIME") && upper.find_first_of("/*()") == std::string::npos;
}

Metric makeTimerMetric(std::string_view name, std::string_view unit)
{
    Metric metric;
    metric.name = toValidUtf8(name);
    if (isTimeMetric(name)) metric.unit = "ns";
    else if (!unit.empty() && unit != "unknown") metric.unit = toValidUtf8(unit);
    else metric.unit = std::string(unitInName(name));
    if (name.starts_with("PAPI_")) {
        metric.kind = MetricKind::Papi;
        if (metric.unit.empty()) metric.unit = "#";
    }
    return metric;
}

Metric makeEventMetric(std::string_view name)
{
    Metric metric;
    metric.name = toValidUtf8(name);
    metric.unit = std::string(unitInName(name));
    metric.kind = MetricKind::User;
    return metric;
}

double timerScale(std::string_view metric) { return isTimeMetric(metric) ? 1000.0 : 1.0; }

}  // namespace skein::tau
