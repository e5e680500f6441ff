// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/task.h"

#include "core/base/usable_threads.h"

#include <algorithm>

namespace skein {

Task::Task(std::stop_token stop, Progress progress, int threads)
    : stop_(std::move(stop)),
      progress_(progress ? std::make_shared<const Progress>(std::move(progress)) : nullptr),
      threads_(threads)
{
}

void Task::report(double fraction, std::string_view stage) const
{
    if (!progress_) return;
    (*progress_)(from_ + (to_ - from_) * std::clamp(fraction, 0.0, 1.0), stage);
}

int Task::threads() const
{
    if (threads_ > 0) return threads_;
    static const int usable = usableThreads();
    return usable;
}

Task Task::part(double from, double to) const
{
    Task result = *this;
    result.from_ = from_ + (to_ - from_) * from;
    result.to_ = from_ + (to_ - from_) * to;
    return result;
}

Task Task::withThreads(int threads) const
{
    Task result = *this;
    result.threads_ = threads;
    return result;
}

}  // namespace skein
