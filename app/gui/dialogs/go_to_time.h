// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/time_span.h"
#include "core/session/experiment.h"

#include <string_view>

namespace skein::gui {

/// The window that a text asks for: a time ("12.5 ms", "1500" ns) or a tick of the first experiment's clock
/// ("123456 ticks") in the middle of a window as long as `visible`; or a span ("10ms:12.5ms"), as it is.
/// Within `whole`. Errors: InvalidArgument, in a sentence for the user.
Result<TimeSpan> windowAsked(std::string_view text, TimeSpan visible, TimeSpan whole, const Session& session);

}  // namespace skein::gui
