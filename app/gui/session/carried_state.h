// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <optional>

namespace skein::gui {

/// What the user has chosen in a session, for another one that shares archives with it: one was added or
/// taken out, or clocks were corrected. What concerns archives that are gone is left out; times are moved
/// where the start of the session is another, and end where it ends. nullopt: no archive is in both.
/// O(definitions).
std::optional<ViewState> carriedState(const ViewState& state, const Session& from, const Session& to);

/// Both ends inside of what there is; nothing where that leaves nothing.
std::optional<TimeSpan> within(const std::optional<TimeSpan>& span, TimeSpan whole);

/// Whether all archives of `part` are in `whole`, too.
bool holdsAllOf(const Session& whole, const Session& part);

}  // namespace skein::gui
