// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/turn_queue.h"

#include <utility>

namespace skein {
namespace {

/// Not zero: a timer of zero ends in the turn that handles what was posted, painting included.
constexpr int kPauseMs = 1;

}  // namespace

TurnQueue::TurnQueue(QObject* parent) : QObject(parent)
{
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &TurnQueue::doNext);
}

void TurnQueue::add(Step step)
{
    steps_.push_back(std::move(step));
    if (!timer_.isActive()) timer_.start(kPauseMs);
}

void TurnQueue::clear()
{
    steps_.clear();
    timer_.stop();
}

void TurnQueue::doNext()
{
    if (steps_.empty()) return;
    const Step step = std::exchange(steps_.front(), {});
    steps_.pop_front();
    step();
    if (!steps_.empty()) timer_.start(kPauseMs);
}

}  // namespace skein
