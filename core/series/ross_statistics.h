// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/series_table.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Statistics that the simulator ROSS samples at each global virtual time (GVT): records of a head and the
/// counters of one processing element (PE), kernel process (KP) or logical process (LP) since the sample
/// before. Little-endian: {int32 kind (0 PE, 1 KP, 2 LP), int32 bytes that follow the head, double virtual
/// time, double real time in s}, then a PE's number, 12 uint32 and 13 float, or the numbers of PE and KP, 7
/// uint32 and 2 float, or those of PE, KP and LP, 5 uint32 and a float.
namespace skein {

struct RossStatisticsParams {
    std::string entity;  ///< "pe", "kp", "lp"; empty: "pe"
    std::string time;    ///< "virtual_time", "real_time_s" (from the first sample); empty: the first
    std::vector<std::string> metrics;  ///< empty: all
    /// On "pe", "kp" and "lp", the numbers of what an entity is or belongs to.
    AttributeConditions where = {};
};

/// Whether bytes begin with such records. O(1).
bool looksLikeRossStatistics(std::string_view bytes);

/// Whether a file does; false where it cannot be read.
bool isRossStatisticsFile(const std::filesystem::path& path);

/// What samples are of: "pe", "kp", "lp", as far as there are such. O(records).
std::vector<std::string> rossEntities(std::string_view bytes);

/// What conditions on entities of such a file can ask for: "pe", "kp" and "lp" of "3/1/17".
std::vector<std::string> rossAttributes(std::string_view entity);

/// One table a metric: a row a sample, a column a PE ("0"), KP ("0/3") or LP ("0/3/17"), by number. Real
/// times are those of the first entity that comes in a sample. Records that are cut or of no known kind are
/// left out and counted. Primary rollbacks are the total less the secondary ones; LPs tell neither. Errors:
/// Malformed (no sample), InvalidArgument (no such entity, time, metric or attribute, nobody is as wanted),
/// Cancelled. O(bytes + rows · entities · metrics).
Result<std::vector<SeriesTable>> parseRossStatistics(std::string_view bytes,
                                                     const RossStatisticsParams& params,
                                                     std::string_view name, const Task& task);

}  // namespace skein
