// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/held_keys.h"

#include <algorithm>

namespace skein {
namespace {

constexpr double kLongestFrameMs = 100;  ///< a picture that takes long does not make the next step long

}  // namespace

HeldKeys::HeldKeys(Move move) : move_(std::move(move))
{
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(kFrameMs);
    connect(&timer_, &QTimer::timeout, this, &HeldKeys::tick);
}

void HeldKeys::press(int key)
{
    if (moved_.empty()) {
        clock_.start();
        timer_.start();
    }
    moved_.try_emplace(key, 0.0);
}

void HeldKeys::release(int key)
{
    const auto held = moved_.find(key);
    if (held == moved_.end()) return;
    const double left = 1 - held->second;
    moved_.erase(held);
    if (moved_.empty()) timer_.stop();
    if (left > 0) move_(key, left);
}

void HeldKeys::releaseAll()
{
    moved_.clear();
    timer_.stop();
}

void HeldKeys::tick()
{
    const double ms = std::min(kLongestFrameMs, static_cast<double>(clock_.nsecsElapsed()) / 1e6);
    clock_.restart();
    const double steps = ms / 1000 * kStepsPerSecond;
    for (auto& [key, moved] : moved_) {
        moved += steps;
        move_(key, steps);
    }
}

}  // namespace skein
