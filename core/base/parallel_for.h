// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <cstddef>
#include <functional>

namespace skein {

/// Calls body(i) once for every i in [0, count), on at most task.threads() threads, in no particular order.
/// Bodies must write to places of their own (index i), so that results are the same bits on any number of
/// threads. After a stop request no further body is started. Returns false when it stopped before all were
/// called. Bodies must not throw.
bool parallelFor(std::size_t count, const Task& task, const std::function<void(std::size_t)>& body);

}  // namespace skein
