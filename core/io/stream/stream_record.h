// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What one line of a stream says (docs/STREAM.md).
namespace skein {

/// Values of a metric at one time.
struct StreamValues {
    std::string metric;
    std::vector<std::string> entities;  ///< one a value; empty: as the entities stand
    std::vector<double> values;         ///< NaN: none
};

/// What one entity sent another in an interval.
struct StreamMessages {
    std::string from;
    std::string to;
    double bytes = 0;
    double messages = 1;
    std::string type = {};  ///< may be empty
    bool operator==(const StreamMessages&) const = default;
};

/// What entities are like: one attribute of them.
struct StreamAttribute {
    std::string name;
    std::vector<std::string> entities;  ///< one a value; empty: as the entities stand
    std::vector<std::string> values;
};

struct StreamRecord {
    std::optional<double> time;
    std::vector<std::string> entities;     ///< from now on; empty: as before
    std::vector<std::string> groups;       ///< that of each entity, levels parted by '/'; empty: as before
    std::vector<std::string> levels = {};  ///< what the levels of groups are called; empty: as before
    std::vector<StreamAttribute> attributes = {};
    std::vector<StreamValues> samples = {};
    std::vector<StreamMessages> messages = {};
    bool end = false;  ///< no more will come
};

/// Reads a line of JSON. What it does not know is passed over. Errors: Malformed, saying what is wrong with
/// it. O(line); takes a few times the line's memory at most.
Result<StreamRecord> parseStreamRecord(std::string_view line);

}  // namespace skein
