// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/view_history.h"

namespace skein {
namespace {

constexpr std::size_t kMaximumVisits = 200;

}  // namespace

void ViewHistory::visit(const Visit& span, std::int64_t nowMs)
{
    if (span == visits_[current_]) return;
    const bool sameGesture = gestureMs_ && nowMs - *gestureMs_ <= kGestureMs;
    gestureMs_ = nowMs;
    visits_.resize(current_ + 1);
    if (sameGesture && current_ > 0) {
        visits_[current_] = span;
        return;
    }
    visits_.push_back(span);
    if (visits_.size() > kMaximumVisits) visits_.erase(visits_.begin());
    current_ = visits_.size() - 1;
}

const ViewHistory::Visit& ViewHistory::goBack()
{
    gestureMs_.reset();
    if (canGoBack()) --current_;
    return visits_[current_];
}

const ViewHistory::Visit& ViewHistory::goForward()
{
    gestureMs_.reset();
    if (canGoForward()) ++current_;
    return visits_[current_];
}

void ViewHistory::clear() { *this = ViewHistory(); }

}  // namespace skein
