// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <optional>

namespace skein::gui {

/// What the user has chosen in a session, for another one that shares archives with it: one was added or
/// taken out. What concerns archives that are gone is left out; times are moved where the start of the
/// session is another. nullopt: no archive is in both. O(definitions).
std::optional<ViewState> carriedState(const ViewState& state, const Session& from, const Session& to);

/// The same where the archives are those of before, one by one, as measured or with corrected clocks.
std::optional<ViewState> stateOfDerived(const ViewState& state, const Session& from, const Session& to);

}  // namespace skein::gui
