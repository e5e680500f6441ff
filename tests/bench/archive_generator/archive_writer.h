// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "tests/bench/archive_generator/options.h"

#include <filesystem>

namespace skein::generator {

/// Writes `folder`/traces.otf2 and what belongs to it, as Score-P lays out an MPI run. The same options give
/// the same events; memory does not grow with the number of steps beyond 24 bytes a step. One thread.
/// Errors: InvalidArgument (no ranks, no steps, too many fields), Io (the folder's name and libotf2's
/// reason).
Result<Counts> writeArchive(const std::filesystem::path& folder, const Options& options);

/// What is different in the archive that writeArchive makes of the options: by rank and time. O(events).
std::vector<TrueAnomaly> trueAnomalies(const Options& options);

/// The ranks that are slow all the time, rising. O(ranks).
std::vector<std::uint32_t> slowRanks(const Options& options);

/// Number of events that writeArchive would write, without writing them.
std::uint64_t countEvents(const Options& options);

/// The number of steps with which an archive comes closest to `events` events from above.
std::uint32_t stepsForEvents(const Options& options, std::uint64_t events);

}  // namespace skein::generator
