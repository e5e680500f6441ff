// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/result_after_stop.h"

#include <atomic>

namespace skein::cli {
namespace {

std::atomic<bool> expectedAfterStop{false};

}  // namespace

void expectResultAfterStop() { expectedAfterStop.store(true); }

bool resultExpectedAfterStop() { return expectedAfterStop.load(); }

}  // namespace skein::cli
