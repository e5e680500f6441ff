// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <thread>
#include <vector>

namespace skein {
namespace {

#ifdef __SANITIZE_THREAD__
/// The thread sanitizer cannot see how the system's oneTBB, which was built without it, orders its threads.
template <typename Body>
void onThreads(std::size_t count, int threads, const Body& body)
{
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> workers;
    for (std::size_t worker = 0; worker < std::min(count, static_cast<std::size_t>(threads)); ++worker)
        workers.emplace_back([&] {
            for (std::size_t index = next++; index < count; index = next++) body(index);
        });
}
#else
/// oneTBB allows as many threads as the affinity of the process, whatever an arena asks for, and complains on
/// stderr of arenas that ask for more. This allows it the most that anybody asked for. A limit is what the
/// library has one of, so this is as well.
class AllowedThreads {
public:
    void allow(int threads)
    {
        const auto wanted = static_cast<std::size_t>(threads);
        const std::lock_guard lock(mutex_);
        if (wanted <= allowed_) return;
        control_.reset();
        control_ =
            std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, wanted);
        allowed_ = wanted;
    }

private:
    std::mutex mutex_;
    std::size_t allowed_ = 0;
    std::unique_ptr<tbb::global_control> control_;
};

void allowThreads(int threads)
{
    // Never destroyed: threads of the library may outlive what is static here.
    static AllowedThreads* const allowed = new AllowedThreads;
    allowed->allow(threads);
}

template <typename Body>
void onThreads(std::size_t count, int threads, const Body& body)
{
    allowThreads(threads);
    tbb::task_arena arena(threads);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body, tbb::simple_partitioner{}); });
}
#endif

}  // namespace

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
    onThreads(count, task.threads(), guarded);
    return done == count;
}

}  // namespace skein
