// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel_for.h"

#include <atomic>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace skein {

bool parallelFor(std::size_t count, const Task& task, const std::function<void(std::size_t)>& body)
{
    std::atomic<std::size_t> done{0};
    const auto guarded = [&](std::size_t index) {
        if (task.stopRequested()) return;
        body(index);
        done.fetch_add(1, std::memory_order_relaxed);
    };
    if (task.threads() == 1 || count < 2) {
        for (std::size_t index = 0; index < count; ++index) guarded(index);
        return done == count;
    }
    tbb::task_arena arena(task.threads());
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, guarded, tbb::simple_partitioner{}); });
    return done == count;
}

}  // namespace skein
