// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <optional>
#include <string>
#include <vector>

namespace skein::gui {

/// A view state as session files hold it. Regions, locations and metrics stand there by name, so that they
/// are found again in an archive that was measured again; single calls, call paths, messages and headers of
/// rows by number. JSON.
std::string stateToJson(const ViewState& state, const Session& session);

/// What became of a source of a session file.
struct SourceMatch {
    std::optional<std::uint32_t> experiment;  ///< in the session; nothing: it was not opened
    bool unchanged = false;                   ///< numbers mean what they meant
};

struct RestoredState {
    ViewState state;
    std::size_t lost =
        0;  ///< things that are not there any more, or that the file has in a form not understood
};

/// As much of the state as can be found again; `matches` has one entry a source of the file. O(definitions).
RestoredState stateFromJson(const std::string& text, const Session& session,
                            const std::vector<SourceMatch>& matches);

}  // namespace skein::gui
