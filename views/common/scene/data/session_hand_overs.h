// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "core/session/hand_over.h"

#include <filesystem>
#include <memory>
#include <string>

namespace skein {

/// What the components of a session handed over to each other, and where that stands.
struct SessionHandOvers {
    std::filesystem::path file;  ///< empty: no table was named or found
    PlacedHandOvers placed;
    std::string problem;  ///< why there are none, or what was left out; a sentence, or empty
};

using SessionHandOversPtr = std::shared_ptr<const SessionHandOvers>;

/// Reads the session's table, or the one that is found beside its archives. Views ask handOversOf() in
/// views/common/scene/data/shared_results.h. Never null. Errors: Cancelled only.
Result<SessionHandOversPtr> readHandOvers(const Session& session, const Task& task);

}  // namespace skein
