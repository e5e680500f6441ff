// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/definitions/definitions.h"

#include <string>
#include <vector>

/// What is known of a location beside what happened there.
namespace skein {

/// "name", "kind" ("CPU thread", "accelerator stream", "metric"), "rank", "thread", "process" (its name),
/// "process kind" ("process", "accelerator"), a node of the system tree by each class, such as "machine" and
/// "node", and the properties that an archive gives locations, processes and nodes, the nearest first. What
/// is not known is left out. O(depth of the tree + properties).
std::vector<Property> locationAttributes(const Definitions& definitions, LocationId location);

/// Names of the attributes that locations have, each once whatever its case, as they come first.
/// O(locations + processes + nodes of the system tree).
std::vector<std::string> locationAttributeNames(const Definitions& definitions);

/// Whether a location is as wanted. An attribute that it has twice is the nearest. O(attributes ·
/// conditions).
bool isLike(const Definitions& definitions, LocationId location, const AttributeConditions& wanted);

}  // namespace skein
