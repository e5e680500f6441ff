// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/efficiency.h"

#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/restrict.h"
#include "algorithms/profile/trace_metrics.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace skein {
namespace {

constexpr std::string_view kInstructions = "PAPI_TOT_INS";
constexpr std::string_view kCycles = "PAPI_TOT_CYC";

bool recorded(const Experiment& experiment, LocationId id)
{
    if (experiment.trace)
        return id.index() < experiment.trace->locations.size()
            && experiment.trace->locations[id.index()].intervals.size() > 0;
    const MetricCube& cube =
        experiment.profile->regions.rows() > 0 ? experiment.profile->regions : experiment.profile->callPaths;
    return id.index() < cube.locations()
        && cube.locationOffsets[id.index()] < cube.locationOffsets[id.index() + 1];
}

/// Of every process the thread with the smallest number that recorded calls, in the order of locations.
std::vector<LocationId> mainThreads(const Experiment& experiment)
{
    std::map<std::uint32_t, LocationId> ofGroup;
    const Definitions& definitions = experiment.definitions;
    for (std::size_t index = 0; index < definitions.locations.size(); ++index) {
        const LocationId id(index);
        const Location& location = definitions.location(id);
        const bool computes =
            location.kind == LocationKind::CpuThread || location.kind == LocationKind::Unknown;
        if (!computes || !recorded(experiment, id)) continue;
        const auto [known, isNew] = ofGroup.try_emplace(location.group.value(), id);
        if (!isNew && location.thread < definitions.location(known->second).thread) known->second = id;
    }
    std::vector<LocationId> threads;
    for (const auto& [group, id] : ofGroup) threads.push_back(id);
    std::sort(threads.begin(), threads.end());
    return threads;
}

/// By call path: whether it, or a call around it, is in MPI.
std::vector<std::uint8_t> pathsInMpi(const Experiment& experiment)
{
    const CallTree& tree = *experiment.callTree;
    std::vector<std::uint8_t> inside(tree.size());
    for (std::size_t path = 0; path < tree.size(); ++path) {
        const CallPathId id(path);
        const CallPathId caller = tree.parent(id);
        inside[path] = isMpi(experiment.definitions.region(tree.region(id)))
            || (caller.valid() && inside[caller.index()] != 0);
    }
    return inside;
}

/// Sums of what lies outside MPI on one location, of exclusive amounts.
class UsefulSums {
public:
    UsefulSums(const Experiment& experiment, const Profile& profile)
        : experiment_(experiment),
          profile_(profile),
          // Call paths that were recorded may be cut at a depth; those of a trace never are.
          byPath_(!profile.callPaths.durations.empty() || profile.regions.rows() == 0),
          cube_(byPath_ ? profile.callPaths : profile.regions)
    {
        if (byPath_) inMpi_ = pathsInMpi(experiment);
    }

    /// All of it, and the part outside MPI.
    std::pair<double, double> of(LocationId location, std::size_t column) const
    {
        double all = 0.0, useful = 0.0;
        if (location.index() >= cube_.locations()) return {0.0, 0.0};
        for (std::uint64_t row = cube_.locationOffsets[location.index()];
             row < cube_.locationOffsets[location.index() + 1]; ++row) {
            const std::uint32_t item = cube_.items[row];
            if (isBreakdown(item)) continue;
            all += cube_.exclusive[column][row];
            if (!isInMpi(item)) useful += cube_.exclusive[column][row];
        }
        return {all, useful};
    }

private:
    const Region& regionOf(std::uint32_t item) const
    {
        return experiment_.definitions.region(byPath_ ? experiment_.callTree->region(CallPathId(item))
                                                      : RegionId(item));
    }
    bool isBreakdown(std::uint32_t item) const { return breaksDown(profile_, regionOf(item)); }
    bool isInMpi(std::uint32_t item) const { return byPath_ ? inMpi_[item] != 0 : isMpi(regionOf(item)); }

    const Experiment& experiment_;
    const Profile& profile_;
    bool byPath_;
    const MetricCube& cube_;
    std::vector<std::uint8_t> inMpi_;  ///< by call path, where items are call paths
};

/// What one process does in a phase.
struct ProcessTimes {
    TimeSpan span;
    double runtimeNs = 0;
    double usefulNs = 0;
    LocationId location;
};

/// Processes are added in the order of locations.
void add(Efficiency& sum, const ProcessTimes& process)
{
    sum.span = sum.processes == 0
        ? process.span
        : TimeSpan{std::min(sum.span.begin, process.span.begin), std::max(sum.span.end, process.span.end)};
    sum.usefulNs += process.usefulNs;  // a sum so far
    if (sum.processes == 0 || process.usefulNs > sum.mostUsefulNs) {
        sum.mostUsefulNs = process.usefulNs;
        sum.most = process.location;
    }
    sum.runtimeNs = std::max(sum.runtimeNs, process.runtimeNs);
    ++sum.processes;
}

void takeMean(Efficiency& sum)
{
    if (sum.processes > 0) sum.usefulNs /= static_cast<double>(sum.processes);
}

/// The time of a process within the window; empty where it did not run then.
TimeSpan spanOf(const Experiment& experiment, LocationId location, const std::optional<TimeSpan>& window)
{
    const TimeSpan whole = experiment.trace->locations[location.index()].extent;
    return window ? whole.intersected(*window) : whole;
}

/// Of a trace its own sums, though a profile lies beside it: runtimes are those of its events.
Result<std::shared_ptr<const Profile>> sumsOf(const Experiment& experiment,
                                              const std::optional<TimeSpan>& window,
                                              const std::vector<LocationId>& threads, std::string_view metric,
                                              const Task& task)
{
    if (!experiment.trace) return profileOfPart(experiment, {window, threads, std::string(metric)}, task);
    SummaryParams params{window, threads, {}};
    if (const MetricId wanted = metricPerCall(experiment, metric); wanted.valid()) params.metrics = {wanted};
    auto sums = summarizeTrace(experiment, params, task);
    if (!sums) return tl::make_unexpected(std::move(sums.error()));
    return std::make_shared<const Profile>(std::move(*sums));
}

std::optional<double> usefulAmount(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                   const std::vector<LocationId>& threads, std::string_view metric,
                                   const Task& task)
{
    if (experiment.trace && !metricPerCall(experiment, metric).valid()) return std::nullopt;
    const auto profile = sumsOf(experiment, window, threads, metric, task);
    if (!profile) return std::nullopt;
    const auto column = metricColumn(experiment, **profile, metric);
    if (!column) return std::nullopt;
    const UsefulSums sums(experiment, **profile);
    double amount = 0.0;
    for (const LocationId location : threads) amount += sums.of(location, *column).second;
    return amount;
}

Unexpected nothingRecorded(const Experiment& experiment)
{
    return fail(ErrorCode::NotRecorded,
                fmt::format("{} has no calls with times, so no efficiency can be told.", experiment.name));
}

/// The phases of one process.
class PhaseFinder {
public:
    PhaseFinder(const Experiment& experiment, const std::vector<std::uint8_t>& isPhase,
                const std::vector<std::uint8_t>& inMpi)
        : experiment_(experiment), isPhase_(isPhase), inMpi_(inMpi)
    {
    }

    std::vector<ProcessTimes> find(LocationId location, const std::optional<TimeSpan>& window) const
    {
        const CallIntervals& calls = experiment_.trace->locations[location.index()].intervals;
        std::vector<ProcessTimes> phases;
        for (std::uint32_t call = 0; call < calls.size();) {
            const bool begins =
                isPhase_[calls.callPath[call]] && (!window || window->contains(calls.begin[call]));
            if (!begins) {
                ++call;
                continue;
            }
            const TimeSpan span = calls.span(call);
            const std::uint32_t first = call++;
            const double below = timeInMpi(calls, first, call);
            const double inMpi = inMpi_[calls.callPath[first]] ? static_cast<double>(span.lengthNs()) : below;
            const auto runtime = static_cast<double>(span.lengthNs());
            phases.push_back({span, runtime, runtime - inMpi, location});
        }
        return phases;
    }

private:
    /// Of the calls below `first`; `next` is the first behind them afterwards.
    double timeInMpi(const CallIntervals& calls, std::uint32_t first, std::uint32_t& next) const
    {
        TimeNs time = 0;
        std::uint32_t below =
            std::numeric_limits<std::uint32_t>::max();  // calls deeper than this are counted
        for (; next < calls.size() && calls.depth[next] > calls.depth[first]; ++next) {
            if (calls.depth[next] > below) continue;
            below = std::numeric_limits<std::uint32_t>::max();
            if (!inMpi_[calls.callPath[next]]) continue;
            time += calls.end[next] - calls.begin[next];
            below = calls.depth[next];
        }
        return static_cast<double>(time);
    }

    const Experiment& experiment_;
    const std::vector<std::uint8_t>& isPhase_;
    const std::vector<std::uint8_t>& inMpi_;
};

std::vector<std::uint8_t> pathsOfRegion(const Experiment& experiment, std::string_view name)
{
    std::vector<std::uint8_t> paths(experiment.callTree->size());
    for (std::size_t path = 0; path < paths.size(); ++path) {
        const Region& region = experiment.definitions.region(experiment.callTree->region(CallPathId(path)));
        paths[path] = region.name == name || displayName(region) == name;
    }
    return paths;
}

std::optional<double> ratio(const std::optional<double>& above, const std::optional<double>& below)
{
    if (!above || !below || *below == 0.0) return std::nullopt;
    return *above / *below;
}

}  // namespace

Result<Efficiency> efficiencyOf(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                const Task& task)
{
    if (!experiment.trace && !experiment.profile) return nothingRecorded(experiment);
    const std::vector<LocationId> threads = mainThreads(experiment);
    if (threads.empty()) return nothingRecorded(experiment);
    const auto profile = sumsOf(experiment, window, threads, {}, task);
    if (!profile) return tl::make_unexpected(profile.error());
    const auto column = metricColumn(experiment, **profile, "time");
    if (!column) return nothingRecorded(experiment);
    const UsefulSums sums(experiment, **profile);
    Efficiency result;
    for (const LocationId location : threads) {
        const auto [all, useful] = sums.of(location, *column);
        ProcessTimes process{{}, all, useful, location};
        if (experiment.trace) {
            process.span = spanOf(experiment, location, window);
            if (process.span.empty() && window) {
                ++result.absent;
                continue;
            }
            // Between its calls a process computes too.
            process.runtimeNs = static_cast<double>(process.span.lengthNs());
            process.usefulNs = process.runtimeNs - (all - useful);
        }
        add(result, process);
    }
    takeMean(result);
    result.instructions = usefulAmount(experiment, window, threads, kInstructions, task);
    result.cycles = usefulAmount(experiment, window, threads, kCycles, task);
    if (task.stopRequested()) return cancelled();
    return result;
}

Result<std::vector<Efficiency>> efficiencyByPhase(const Experiment& experiment, std::string_view region,
                                                  const std::optional<TimeSpan>& window, const Task& task)
{
    if (!experiment.trace) return nothingRecorded(experiment);
    const std::vector<std::uint8_t> isPhase = pathsOfRegion(experiment, region);
    const std::vector<std::uint8_t> inMpi = pathsInMpi(experiment);
    const PhaseFinder finder(experiment, isPhase, inMpi);
    const std::vector<LocationId> threads = mainThreads(experiment);
    std::vector<std::vector<ProcessTimes>> found(threads.size());
    const bool complete = parallelFor(threads.size(), task, [&](std::size_t thread) {
        found[thread] = finder.find(threads[thread], window);
    });
    if (!complete || task.stopRequested()) return cancelled();
    std::vector<Efficiency> phases;
    for (const auto& process : found)
        for (std::size_t phase = 0; phase < process.size(); ++phase) {
            if (phase == phases.size()) phases.emplace_back().phase = phase + 1;
            add(phases[phase], process[phase]);
        }
    for (Efficiency& phase : phases) takeMean(phase);
    if (phases.empty())
        return fail(ErrorCode::NotRecorded,
                    fmt::format("No process of {} called \"{}\"{}; skein-cli profile lists the regions.",
                                experiment.name, region, window ? " in the window" : ""));
    return phases;
}

ComputationScaling computationScaling(const Efficiency& reference, const Efficiency& run, ScalingKind kind)
{
    const double work = kind == ScalingKind::Weak && reference.processes > 0
        ? static_cast<double>(run.processes) / static_cast<double>(reference.processes)
        : 1.0;
    const auto scaled = [&](std::optional<double> amount) {
        return amount ? std::optional(*amount * work) : std::nullopt;
    };
    ComputationScaling result;
    result.computation = ratio(reference.usefulSumNs() * work, run.usefulSumNs()).value_or(0.0);
    result.instructions = ratio(scaled(reference.instructions), run.instructions);
    result.ipc = ratio(ratio(run.instructions, run.cycles), ratio(reference.instructions, reference.cycles));
    result.frequency =
        ratio(ratio(run.cycles, run.usefulSumNs()), ratio(reference.cycles, reference.usefulSumNs()));
    return result;
}

}  // namespace skein
