// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

/// Reference numbers of measured archives, and the same numbers of an Experiment to compare them with.
namespace skein::test {

/// Calls, inclusive and exclusive microseconds of a region over all locations.
struct RegionSums {
    double calls = 0;
    double inclusive = 0;
    double exclusive = 0;
};

nlohmann::json readFacts(const std::filesystem::path& file);

/// By name without blanks at the ends; of metric number `metric` of the profile's regions.
std::map<std::string, RegionSums> regionSums(const Experiment& experiment, std::size_t metric = 0);

/// The same from a trace by going through its calls: of one location, or of all where it is invalid.
std::map<std::string, RegionSums> traceSums(const Experiment& experiment, LocationId location = {});

/// Who sent how much to whom by the trace's sends, between ranks.
CommMatrix traceMatrix(const Experiment& experiment);

/// Requires every [name, calls, inclusive, exclusive] of the list to be in the sums, within half a
/// microsecond.
void requireRegions(const nlohmann::json& list, const std::map<std::string, RegionSums>& sums,
                    double unitsPerFactUnit);

/// Requires the matrix to equal [source, destination, count, bytes] entries.
void requireMatrix(const nlohmann::json& facts, const CommMatrix& matrix);

}  // namespace skein::test
