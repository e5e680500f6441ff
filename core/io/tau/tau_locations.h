// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/io/tau/tau_names.h"

#include <memory>
#include <span>
#include <vector>

namespace skein::tau {

/// A thread of a TAU measurement with what its metadata say.
struct ThreadDescription {
    ThreadKey key;
    std::vector<Property> metadata;
    std::shared_ptr<const std::vector<Property>> common =
        nullptr;  ///< shared with the threads that have the same
};

/// Defines the system tree (a node per host name), a location group per process and a location per thread, in
/// the order of the keys. A property that all threads share becomes one of the archive; the others stay with
/// their location. False after a stop request.
bool defineLocations(std::span<ThreadDescription> threads, Definitions& definitions, const Task& task);

}  // namespace skein::tau
