// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_storage.h"

namespace skein {

void LocationScratch::clear()
{
    calls.clear();
    sends.clear();
    receives.clear();
    attributes.clear();
}

std::unique_ptr<LocationScratch> TraceStorage::borrow()
{
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<LocationScratch>();
    std::unique_ptr<LocationScratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
}

void TraceStorage::giveBack(std::unique_ptr<LocationScratch> scratch)
{
    scratch->clear();
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
}

}  // namespace skein
