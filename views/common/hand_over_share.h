// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "core/session/hand_over.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace skein {

/// What the components of a session handed over to each other, and where that stands.
struct SessionHandOvers {
    std::filesystem::path file;  ///< empty: no table was named or found
    PlacedHandOvers placed;
    std::string problem;  ///< why there are none, or what was left out; a sentence, or empty
};

using SessionHandOversPtr = std::shared_ptr<const SessionHandOvers>;

/// The hand-overs of the open session: read when the first view asks. May be called from any thread.
class HandOverShare {
public:
    /// Names the table of the next sessions; nullopt: the one that is found beside the archives.
    void setFile(const std::optional<std::filesystem::path>& file);

    /// Never null. Errors: Cancelled only.
    Result<SessionHandOversPtr> of(const SessionPtr& session, const Task& task);

private:
    std::mutex mutex_;
    std::optional<std::filesystem::path> file_;
    std::weak_ptr<const Session> session_;
    SessionHandOversPtr found_;
};

}  // namespace skein
