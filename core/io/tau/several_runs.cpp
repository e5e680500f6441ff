// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau/several_runs.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <numeric>

namespace skein::tau {
namespace {

constexpr double kApartSeconds = 1.0;
/// So many stretches of files are named for each run, and so many runs.
constexpr std::size_t kMostStretches = 6;
constexpr std::size_t kMostRuns = 6;

/// The number of the run of every span; runs are numbered in the order of time.
std::vector<std::size_t> runNumbers(const std::vector<MeasuredSpan>& spans)
{
    std::vector<std::size_t> order(spans.size()), runs(spans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return spans[a].beginSeconds < spans[b].beginSeconds;
    });
    std::size_t run = 0;
    double end = spans[order.front()].endSeconds;
    for (const std::size_t span : order) {
        if (spans[span].beginSeconds > end + kApartSeconds) ++run;
        end = std::max(end, spans[span].endSeconds);
        runs[span] = run;
    }
    return runs;
}

/// "a–c, f": neighbours are named by the first and the last.
std::string filesOfRun(const std::vector<MeasuredSpan>& spans, const std::vector<std::size_t>& runs,
                       std::size_t run)
{
    std::string names;
    std::size_t stretches = 0;
    for (std::size_t at = 0; at < spans.size();) {
        const std::size_t first = at++;
        if (runs[first] != run) continue;
        while (at < spans.size() && runs[at] == run) ++at;
        if (++stretches > kMostStretches) continue;
        names += (names.empty() ? "" : ", ") + spans[first].file;
        if (at - first > 1) names += " – " + spans[at - 1].file;
    }
    return stretches > kMostStretches ? names + " and more" : names;
}

std::string startText(double seconds)
{
    constexpr double latest = 4e9;
    if (!(seconds > 0.0 && seconds < latest)) return fmt::format("{:.3f} s", seconds);
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace

void reportSeveralRuns(std::vector<MeasuredSpan> spans, ImportReport& report)
{
    if (spans.size() < 2) return;
    const std::vector<std::size_t> runs = runNumbers(spans);
    const std::size_t count = *std::max_element(runs.begin(), runs.end()) + 1;
    if (count < 2) return;
    std::string detail = fmt::format("{} runs: ", count);
    for (std::size_t run = 0; run < std::min(count, kMostRuns); ++run) {
        double begin = 0.0;
        for (std::size_t span = spans.size(); span-- > 0;)
            if (runs[span] == run && (begin == 0.0 || spans[span].beginSeconds < begin))
                begin = spans[span].beginSeconds;
        detail += fmt::format("{}{} began at {}", run == 0 ? "" : "; ", filesOfRun(spans, runs, run),
                              startText(begin));
    }
    report.add(IssueKind::SeveralRuns, "", "", std::move(detail), -1, count);
}

}  // namespace skein::tau
