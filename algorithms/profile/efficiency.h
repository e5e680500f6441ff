// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

/// How well the processes of a parallel program were used: the efficiencies of the POP Centre of Excellence
/// (Wagner, Mohr, Giménez, Labarta, "A structured approach to performance analysis", Tools for HPC 2017).
/// A process is stood for by its first thread, which is the one that calls MPI; what its other threads do is
/// not in these numbers. docs/EFFICIENCY.md says what each means and what it does not.
namespace skein {

/// What the processes did in a span, or in one phase.
struct Efficiency {
    std::size_t phase = 0;      ///< 0 for the whole; phases count from 1
    TimeSpan span;              ///< from the first begin to the last end of a process; empty for profiles
    std::size_t processes = 0;  ///< that took part
    double runtimeNs = 0;       ///< the longest of a process, from its first to its last event
    double usefulNs = 0;        ///< outside MPI, mean of the processes
    double mostUsefulNs = 0;    ///< of one process
    LocationId most;            ///< that process
    std::optional<double> instructions;  ///< outside MPI, sum; where PAPI_TOT_INS was recorded by call
    std::optional<double> cycles;        ///< the same of PAPI_TOT_CYC
    std::size_t absent = 0;              ///< processes without an event in the window: they count nowhere

    double usefulSumNs() const { return usefulNs * static_cast<double>(processes); }
    /// Useful time by all time: load balance × communication efficiency. 0 where nothing ran.
    double parallelEfficiency() const { return runtimeNs > 0 ? usefulNs / runtimeNs : 0.0; }
    /// Mean by maximum of the useful times. 0 where nothing was useful.
    double loadBalance() const { return mostUsefulNs > 0 ? usefulNs / mostUsefulNs : 0.0; }
    /// How much of the time the busiest process computes.
    double communicationEfficiency() const { return runtimeNs > 0 ? mostUsefulNs / runtimeNs : 0.0; }
};

/// How the computation of a run compares with that of a reference run, usually with fewer processes. Values
/// over 1 are better than the reference.
struct ComputationScaling {
    double computation = 0;              ///< useful time of the reference by that of the run
    std::optional<double> instructions;  ///< the same of instructions
    std::optional<double> ipc;           ///< instructions a cycle, of the run by those of the reference
    std::optional<double> frequency;     ///< cycles a second of useful time, likewise
};

/// Strong: the work of all processes together stays. Weak: the work of each process stays.
enum class ScalingKind { Strong, Weak };

/// Of a trace, or of a profile (then a process's time is that of all its calls). nullopt: the whole run;
/// otherwise what lies in the half-open window. Errors: NotRecorded where there are no times,
/// InvalidArgument for a window on a profile; Cancelled. Complexity: that of summarizeTrace().
Result<Efficiency> efficiencyOf(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                const Task& task);

/// Phase k are the k-th executions of a region on all processes, whenever each of them began; only outermost
/// ones count. With a window, executions that begin in it. Processes with fewer executions do not take part
/// in the last phases. `region` is a name as the measurement gave it or as tables show it. Without counters.
/// Errors: NotRecorded without a trace or where no process called such a region; Cancelled. O(calls).
Result<std::vector<Efficiency>> efficiencyByPhase(const Experiment& experiment, std::string_view region,
                                                  const std::optional<TimeSpan>& window, const Task& task);

/// `reference` is what the other is compared with.
ComputationScaling computationScaling(const Efficiency& reference, const Efficiency& run, ScalingKind kind);

}  // namespace skein
