// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/session_waits.h"

namespace skein {

Color waitColor(WaitKind kind, bool dark)
{
    const double lift = dark ? 4 : 0;
    switch (kind) {
    case WaitKind::LateSender: return fromLch(84 + lift, 78, 88);
    case WaitKind::LateReceiver: return fromLch(72 + lift, 40, 210);
    case WaitKind::WaitAtBarrier: return fromLch(30 + 5 * lift, 50, 300);
    case WaitKind::WaitAtNxN: return fromLch(45 + 4 * lift, 60, 325);
    case WaitKind::LateBroadcast: return fromLch(92, 60, 112);
    case WaitKind::EarlyReduce: return fromLch(22 + 6 * lift, 40, 270);
    }
    return {};
}

}  // namespace skein
