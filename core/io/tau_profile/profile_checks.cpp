// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/profile_checks.h"

#include "core/io/tau/several_runs.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace skein::tau {
namespace {

using Joined = ProfileAssembler::Joined;
using Thread = ProfileAssembler::Thread;
using ValueRow = ProfileAssembler::ValueRow;

/// Fewer times than these may be the same by chance.
constexpr std::size_t kLeastTimes = 8;

std::vector<bool> timeMetrics(const Joined& joined)
{
    std::vector<bool> times;
    for (const RawMetric& metric : joined.metrics) times.push_back(isTimeMetric(metric.name));
    return times;
}

/// A property of a thread that is a number of microseconds, in seconds.
std::optional<double> secondsInProperty(const Thread& thread, std::string_view name)
{
    for (const Property& property : thread.metadata) {
        if (property.name != name) continue;
        double value = 0.0;
        const char* const end = property.value.data() + property.value.size();
        if (std::from_chars(property.value.data(), end, value).ec != std::errc()) return std::nullopt;
        return value / 1e6;
    }
    return std::nullopt;
}

double longestSeconds(const Thread& thread, const std::vector<bool>& isTime)
{
    double longest = 0.0;
    for (const ValueRow& value : thread.values)
        if (isTime[value.metric]) longest = std::max(longest, value.inclusive / 1e6);
    return longest;
}

std::string memberNameOf(const Joined& joined, ThreadKey key)
{
    if (joined.fileStem.empty()) return fmt::format("rank {} thread {}", key.node, key.thread);
    return fmt::format("{}.{}.{}.{}", joined.fileStem, key.node, key.context, key.thread);
}

void checkRuns(Joined& joined, const std::vector<bool>& isTime)
{
    std::vector<MeasuredSpan> spans;
    for (const auto& [key, thread] : joined.threads) {
        const auto begin = secondsInProperty(thread, "Starting Timestamp");
        if (!begin) continue;
        const double end = secondsInProperty(thread, "Ending Timestamp").value_or(*begin);
        spans.push_back(
            {memberNameOf(joined, key), *begin, std::max(end, *begin + longestSeconds(thread, isTime))});
    }
    reportSeveralRuns(std::move(spans), joined.report);
}

/// The rows of a thread that are times and took some.
std::vector<ValueRow> measuredTimes(const Thread& thread, const std::vector<bool>& isTime)
{
    std::vector<ValueRow> times;
    for (const ValueRow& value : thread.values)
        if (isTime[value.metric] && value.inclusive > 0.0) times.push_back(value);
    return times;
}

bool sameTimes(const std::vector<ValueRow>& left, const std::vector<ValueRow>& right)
{
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const ValueRow& a, const ValueRow& b) {
                          return a.timer == b.timer && a.metric == b.metric && a.exclusive == b.exclusive
                              && a.inclusive == b.inclusive;
                      });
}

std::uint64_t hashOfTimes(const std::vector<ValueRow>& times)
{
    std::uint64_t hash = times.size();
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
    };
    for (const ValueRow& row : times) {
        mix(std::uint64_t{row.timer} << 32 | row.metric);
        mix(std::bit_cast<std::uint64_t>(row.exclusive));
        mix(std::bit_cast<std::uint64_t>(row.inclusive));
    }
    return hash;
}

void checkCopies(Joined& joined, const std::vector<bool>& isTime)
{
    std::unordered_map<std::uint64_t, ThreadKey> known;
    for (const auto& [key, thread] : joined.threads) {
        const std::vector<ValueRow> times = measuredTimes(thread, isTime);
        if (times.size() < kLeastTimes) continue;
        const auto [found, fresh] = known.try_emplace(hashOfTimes(times), key);
        if (fresh || !sameTimes(measuredTimes(joined.threads.at(found->second), isTime), times)) continue;
        joined.report.add(IssueKind::CopiedFile, memberNameOf(joined, key), "",
                          fmt::format("holds the times of {}", memberNameOf(joined, found->second)));
    }
}

}  // namespace

void checkThreads(Joined& joined)
{
    const std::vector<bool> isTime = timeMetrics(joined);
    checkRuns(joined, isTime);
    checkCopies(joined, isTime);
}

}  // namespace skein::tau
