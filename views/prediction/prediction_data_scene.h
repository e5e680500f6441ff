// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "views/common/scene/data/session_communication.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// How long communication should take and how long it took: by phase, as it is and as it was tried. Messages
/// and times are those of the locations that the filters leave.
namespace skein {

/// A stretch of the run between operations that join all ranks. Seconds; nullopt: not known.
struct PredictedPhase {
    std::optional<TimeSpan> span;  ///< on the experiment's clock
    std::uint64_t messages = 0, bytes = 0;
    std::optional<double> asItIs, tried;    ///< predicted by replaying the messages over the links
    std::optional<double> measured, rerun;  ///< in MPI, mean of the processes; of this run and the other
};

/// What a link should carry in the other run, and what it carried.
struct PredictedLink {
    LinkIndex link = 0;
    std::uint64_t predicted = 0, measured = 0;
};

/// Immutable; may cross threads.
struct Prediction {
    SessionCommunicationPtr base;
    std::string trial;   ///< what was tried; empty: nothing is held beside
    bool rerun = false;  ///< it is another run: links and phases were measured there
    std::vector<PredictedPhase> phases;
    /// Links that either loads, the greatest first. Predicted are the messages of this run on the placement
    /// of the other.
    std::vector<PredictedLink> links;
    std::string scope;  ///< whose messages these are, where filters leave some out; else empty
    std::string note;   ///< what could not be told, in a sentence; empty: nothing

    /// Sums over the phases; nullopt where one is not known.
    std::optional<double> sum(std::optional<double> PredictedPhase::*of) const;
    /// The part of the predicted bytes that lies on the link where it was predicted, 0 … 1; nullopt without a
    /// rerun.
    std::optional<double> agreement() const;
};
using PredictionPtr = std::shared_ptr<const Prediction>;

/// `other` may be null: then only what is as it is. Errors: InvalidArgument in a sentence where nothing can
/// be replayed (no machine, ranks without places, split messages, no bytes); those of replayPhases();
/// Cancelled.
Result<PredictionPtr> predictionOf(const Session& session, SessionCommunicationPtr base,
                                   SessionCommunicationPtr other, const std::string& trial, const Task& task);

/// "Predicted 12 ms as it is, 9 ms as tried (25 % less) · in MPI 40 ms, 31 ms in the rerun · …".
std::string predictionText(const Prediction& prediction);

}  // namespace skein
