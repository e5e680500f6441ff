// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/live_stream.h"
#include "views/behavior/behavior_scene.h"

#include <optional>
#include <string>
#include <vector>

/// A stream as a behaviour that can be drawn.
namespace skein {

/// What one entity sent another in the newest interval whose messages were told; places of columns.
/// Of joined entities the mean over their pairs where values are joined by their mean, else the sum.
struct LiveCell {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double bytes = 0;
    double messages = 0;
};

/// What a line of a stream may stand for.
struct LiveGranularity {
    std::string label;
    std::string sampled = {};  ///< "pe", "kp", "lp": what a file has samples of; empty: groups of a level
    std::size_t level = 0;     ///< as StreamTransformParams::level

    bool operator==(const LiveGranularity&) const = default;
};

/// Each entity, and the levels of groups or of names with slashes above it, the coarsest first; empty where
/// there are none. Levels at which no two entities are joined are left out. O(entities · levels).
std::vector<LiveGranularity> streamGranularities(const StreamRows& rows);

/// What a file of ROSS has samples of, see rossEntities(); empty where that is one alone.
std::vector<LiveGranularity> rossGranularities(const std::vector<std::string>& entities);

/// One metric of a stream as it stands. Immutable; may cross threads.
struct LivePicture {
    BehaviorPicturePtr picture;  ///< null before two time points have come
    TimelineDataPtr data;        ///< for the axis of time alone
    std::vector<std::string> metrics;
    std::vector<LiveGranularity> granularities = {};  ///< to choose from; empty: there is no choice
    std::vector<std::string> columns = {};            ///< of a table of text; empty: it is none
    std::vector<LiveCell> traffic;                    ///< empty where no messages are told
    double trafficTime = 0;
    std::uint64_t rows = 0;
    std::uint64_t restarts = 0;  ///< how often a file began again, maybe with other entities
    std::string
        passed;  ///< how much of what came the transforms passed on, a sentence; empty: there are none
    std::string nothing;             ///< why no entity is there though values came, a sentence; else empty
    std::string causes;              ///< which metric leads which, a sentence; empty: not known
    std::vector<std::string> notes;  ///< what was odd, the newest last
    /// Where several metrics are shown: a picture each, the first of which this one is, too; else empty.
    std::vector<std::shared_ptr<const LivePicture>> panes = {};
};

/// So many metrics are shown one above the other.
inline constexpr std::size_t kMostLivePanes = 8;

/// The metrics that a picture is of: the one of this name, else the first; nullopt: the first ones.
std::vector<std::size_t> liveMetrics(const OnlineBehavior& online, const std::optional<std::string>& metric);

/// Times of the stream are seconds. O(window).
LivePicture livePicture(const OnlineBehavior& online, const std::string& metric);
/// The first metrics that have two time points, one above the other. O(windows).
LivePicture livePictureOfAll(const OnlineBehavior& online);

/// "1,200 time points of 64 entities · 3 changes · clusters from 40 % of the entities".
std::string liveStatus(const LivePicture& live);

}  // namespace skein
