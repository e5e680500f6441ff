// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What is recorded beside events, in the user's words.
namespace skein {

/// The attributes of a call: of its enter, its leave, and what happened in it and in no call inside; those
/// outside all calls for kNoInterval. O(log rows).
std::span<const EventAttribute> attributesOf(const LocationTrace& location, std::uint32_t interval);

/// The attribute's name; made up where it has none.
std::string nameOf(const Definitions& definitions, const EventAttribute& row);

/// The value as text: numbers plain, references by name.
std::string valueText(const Definitions& definitions, const EventAttribute& row);

/// An attribute by which a call names the task that made it, and the one by which that task's calls name
/// themselves: "Parent GUID" and "GUID". Indices into Definitions::attributes.
struct ParentAttribute {
    std::uint16_t parent = 0;
    std::uint16_t own = 0;
    bool operator==(const ParentAttribute&) const = default;
};

/// Such pairs, by their names: an attribute whose name has the word "parent", and one of the same type whose
/// name ends with what is left of it ("parent_id" and "task id"; the shortest such name, then the first),
/// whatever case and signs there are between the words. O(attributes²).
std::vector<ParentAttribute> parentAttributes(const Definitions& definitions);

}  // namespace skein
