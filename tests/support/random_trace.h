// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>

namespace skein::test {

/// What a random experiment holds. Every number may be 0 where that makes sense.
struct RandomTraceOptions {
    std::uint32_t processes = 4;
    std::uint32_t threadsPerProcess = 1;
    std::uint32_t regions = 6;
    bool regionsPerProcess =
        false;  ///< every process defines regions of the same names for itself, as EZTrace does
    std::uint32_t intervalsPerLocation = 60;  ///< at most
    std::uint32_t maximumDepth = 6;
    std::uint32_t messages = 80;       ///< tried; some pairs share communicator and tag
    double unmatchedShare = 0.1;       ///< of sends and, as many again, of receives
    std::uint32_t collectives = 5;     ///< over MPI_COMM_WORLD
    std::uint32_t metricSamples = 20;  ///< a location, in one stream of two metrics
    TimeNs meanStepNs = 100;           ///< between two enters or leaves; steps of 0 ns occur
};

/// A small experiment that keeps every promise of core/trace/trace.h and is full of corner cases: calls of no
/// length, recursion, touching calls, time outside all calls, messages to oneself, unmatched ends. The same
/// seed and options give the same experiment. Ranks are the numbers of the processes; messages and
/// collectives belong to thread 0.
Experiment randomExperiment(std::uint64_t seed, const RandomTraceOptions& options = {});

}  // namespace skein::test
