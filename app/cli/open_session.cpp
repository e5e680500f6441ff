// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_session.h"

#include "algorithms/timeline/correct_clocks.h"
#include "app/cli/arguments.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "core/base/units.h"
#include "core/index/trace_summary.h"
#include "core/session/session_clock.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

/// Replaces a trace by the one on the clock of its reference.
Result<std::optional<ClockOffsets>> correct(ExperimentPtr& experiment, const Task& task)
{
    if (!experiment->trace) return std::optional<ClockOffsets>();
    auto offsets = skein::clockOffsetsOf(*experiment, task);
    if (!offsets) return tl::make_unexpected(std::move(offsets.error()));
    auto corrected = correctClocks(*experiment, *offsets, task);
    if (!corrected) return tl::make_unexpected(std::move(corrected.error()));
    experiment = std::make_shared<const Experiment>(std::move(*corrected));
    return std::optional(std::move(*offsets));
}

}  // namespace

void tellLosses(const Experiment& experiment, const std::string& label, Sink& err)
{
    if (!experiment.report.lostData()) return;
    std::uint64_t losses = 0;
    for (const Issue& issue : experiment.report.issues())
        if (describe(issue.kind).severity != Severity::Information) losses += issue.count;
    err.write(fmt::format("skein-cli: {} was opened with data loss ({} {}): see skein-cli check.\n",
                          printable(label), losses, losses == 1 ? "finding" : "findings"));
}

ExitCode OpenSession::exitCode() const
{
    for (const ExperimentPtr& experiment : session.experiments)
        if (experiment->report.lostData()) return ExitCode::DataLoss;
    return ExitCode::Fine;
}

std::vector<Field> OpenSession::withExperiment(std::vector<Field> fields) const
{
    if (!single()) fields.insert(fields.begin(), Field{"experiment", "Experiment", FieldKind::Text});
    return fields;
}

std::vector<Cell> OpenSession::withLabel(std::size_t index, std::vector<Cell> cells) const
{
    if (!single()) cells.insert(cells.begin(), labels[index]);
    return cells;
}

Result<std::optional<ClockOffsets>> clockOffsetsOf(const OpenSession& opened, std::size_t index,
                                                   const Task& task)
{
    const Experiment& experiment = *opened.session.experiments[index];
    if (opened.corrections[index] || !experiment.trace) return opened.corrections[index];
    auto offsets = skein::clockOffsetsOf(experiment, task);
    if (!offsets) return tl::make_unexpected(std::move(offsets.error()));
    return std::optional(std::move(*offsets));
}

Result<OpenSession> openSession(const std::vector<std::string>& paths, const Invocation& invocation)
{
    OpenSession opened;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const double share = 1.0 / static_cast<double>(paths.size());
        const Task part =
            invocation.task.part(share * static_cast<double>(i), share * static_cast<double>(i + 1));
        auto experiment = invocation.open(paths[i], part);
        if (!experiment) return tl::make_unexpected(std::move(experiment.error()));
        opened.session.experiments.push_back(std::move(*experiment));
        opened.labels.push_back(paths[i]);
        opened.corrections.emplace_back();
        if (!invocation.correctClocks) continue;
        auto offsets = correct(opened.session.experiments.back(), invocation.task);
        if (!offsets) return tl::make_unexpected(std::move(offsets.error()));
        opened.corrections.back() = std::move(*offsets);
    }
    invocation.task.report(1.0, "open");
    for (std::size_t i = 0; i < paths.size(); ++i)
        tellLosses(*opened.session.experiments[i], opened.labels[i], invocation.err);
    return opened;
}

/// Of one archive its own begin and end are the open ends, of several those of the session.
Result<std::optional<TimeSpan>> windowOf(const OpenSession& opened, std::size_t index, std::string_view text)
{
    if (text.empty()) return std::optional<TimeSpan>();
    const auto& trace = opened.session.experiments[index]->trace;
    const SessionClock clock = sessionClock(opened.session);
    const TimeSpan own = trace ? trace->extent : TimeSpan();
    const TimeSpan whole = opened.single() ? own : clock.extent;
    const auto window = parseWindow(text, {whole.begin, whole.end + 1});
    if (!window) return tl::make_unexpected(window.error());
    const bool timed = trace || !opened.single();
    if (timed && (window->end < whole.begin || window->begin > whole.end))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--window {} is outside of the run, which is from {} to {}.", text,
                                formatDuration(static_cast<double>(whole.begin)),
                                formatDuration(static_cast<double>(whole.end))));
    return std::optional(opened.single() ? *window
                                         : clock.toExperiment(static_cast<std::uint32_t>(index), *window));
}

Result<std::vector<WindowedTrace>> windowsOfTraces(const OpenSession& opened, std::string_view what,
                                                   std::string_view text, Sink& err)
{
    std::vector<WindowedTrace> traces;
    std::vector<Error> profiles;
    for (std::size_t index = 0; index < opened.labels.size(); ++index) {
        const Experiment& experiment = *opened.session.experiments[index];
        if (const auto trace = traceOf(experiment, what); !trace) {
            profiles.push_back(trace.error());
            continue;
        }
        const auto window = windowOf(opened, index, text);
        if (!window) return tl::make_unexpected(window.error());
        traces.push_back({index, *window});
    }
    if (traces.empty() && profiles.size() == 1) return tl::make_unexpected(profiles.front());
    for (const Error& profile : profiles)
        err.write(fmt::format("skein-cli: {}\n", printable(profile.message)));
    if (traces.empty())
        return fail(ErrorCode::NotRecorded, fmt::format("None of these archives has {}.", what));
    return traces;
}

}  // namespace skein::cli
