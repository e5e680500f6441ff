// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What somebody has to be like to be looked at: conditions on attributes, which have names and texts.
namespace skein {

struct AttributeCondition {
    enum class Relation : std::uint8_t { Is, IsNot, Below, AtMost, Above, AtLeast };

    std::string name;
    Relation relation = Relation::Is;
    std::vector<std::string> patterns = {};  ///< of Is and IsNot: any of these, with * and ?
    double number = 0;                       ///< of all others

    bool operator==(const AttributeCondition&) const = default;

    /// Whatever the case of letters. What is not told, or no number where one is compared, fulfils nothing
    /// but IsNot. O(value · patterns).
    bool holds(const std::optional<std::string_view>& value) const;
    /// The same of a whole number, without making a text of it where no pattern has * or ?.
    bool holdsOf(std::uint64_t value) const;
};

using AttributeConditions = std::vector<AttributeCondition>;

/// "kind=io|compute", "rack!=r1*", "rank<8"; also <=, > and >=, which compare numbers. Errors:
/// InvalidArgument, saying what conditions look like.
Result<AttributeCondition> parseAttributeCondition(std::string_view text);

/// Several with ; between them, all of which have to hold; empty ones are left out. Errors: as above.
Result<AttributeConditions> parseAttributeConditions(std::string_view text);

/// What parseAttributeConditions() reads.
std::string textOf(const AttributeConditions& conditions);

/// Whether all of them hold. `valueOf(name)` gives the value of an attribute of this name, if there is one.
template <typename ValueOf>
bool allHold(const AttributeConditions& conditions, ValueOf valueOf)
{
    return std::all_of(conditions.begin(), conditions.end(), [&](const AttributeCondition& condition) {
        return condition.holds(valueOf(std::string_view(condition.name)));
    });
}

}  // namespace skein
