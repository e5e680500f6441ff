// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gap_report.h"

#include "core/io/tau/tau_names.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

namespace skein {
namespace {

/// So many stretches of missing numbers are named, and so many processes with missing threads.
constexpr std::size_t kMostGapsNamed = 8;

struct NumberGaps {
    std::uint64_t missing = 0;
    std::string names;  ///< "3, 7–9"
};

/// The numbers between 0 and the largest that are not there.
NumberGaps gapsOf(const std::set<std::uint32_t>& numbers)
{
    NumberGaps gaps;
    std::uint64_t next = 0;
    std::size_t named = 0;
    for (const std::uint32_t number : numbers) {
        const std::uint64_t first = next;
        next = std::uint64_t{number} + 1;
        if (first == number) continue;
        gaps.missing += number - first;
        if (++named > kMostGapsNamed) continue;
        gaps.names += (gaps.names.empty() ? "" : ", ") + fmt::format("{}", first);
        if (number - first > 1) gaps.names += fmt::format("–{}", number - 1);
    }
    if (named > kMostGapsNamed) gaps.names += " and more";
    return gaps;
}

/// Ranks with their threads.
using PresentThreads = std::map<std::uint32_t, std::set<std::uint32_t>>;

PresentThreads measuredThreads(const Definitions& definitions)
{
    PresentThreads present;
    for (const Location& location : definitions.locations)
        if (location.rank >= 0 && location.rank < 0xFFFFFFFF && location.thread >= 0)
            present[static_cast<std::uint32_t>(location.rank)].insert(
                static_cast<std::uint32_t>(location.thread));
    return present;
}

/// Files of TAU that a finding names are there, whatever is in them.
void addNamedFiles(const ImportReport& report, PresentThreads& present)
{
    for (const Issue& issue : report.issues()) {
        const auto key = tau::threadKeyOfFileName(issue.file);
        const auto ofTrace = tau::threadKeyOfFileName(issue.file, ".trc");
        if (const auto& found = key ? key : ofTrace) present[found->node].insert(found->thread);
    }
}

}  // namespace

void reportGaps(const Definitions& definitions, ImportReport& report)
{
    PresentThreads present = measuredThreads(definitions);
    if (present.empty()) return;
    addNamedFiles(report, present);
    std::set<std::uint32_t> ranks;
    for (const auto& [rank, threads] : present) ranks.insert(rank);
    if (const NumberGaps gaps = gapsOf(ranks); gaps.missing > 0)
        report.add(IssueKind::AbsentPart, "", fmt::format("Rank {}", gaps.names),
                   fmt::format("nothing of {} {}", gaps.missing == 1 ? "rank" : "ranks", gaps.names), -1,
                   gaps.missing);
    std::size_t told = 0;
    for (const auto& [rank, threads] : present) {
        const NumberGaps gaps = gapsOf(threads);
        if (gaps.missing == 0) continue;
        // All beyond are counted with the last.
        if (++told > kMostGapsNamed)
            report.add(IssueKind::AbsentPart, "", "further ranks", "threads of further ranks", -1,
                       gaps.missing);
        else
            report.add(IssueKind::AbsentPart, "", fmt::format("Rank {} Thread {}", rank, gaps.names),
                       fmt::format("nothing of {} {} of rank {}", gaps.missing == 1 ? "thread" : "threads",
                                   gaps.names, rank),
                       -1, gaps.missing);
    }
}

}  // namespace skein
