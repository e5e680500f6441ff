// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <span>
#include <vector>

/// What the ends of blocking calls depend on, so that a run can be replayed with calls of other lengths.
namespace skein {

/// A time on another location that a blocking call had to await.
struct Dependence {
    LocationId location;
    TimeNs time = 0;
};

/// An outermost call in MPI that awaits others: it ends transferNs after the latest of its own begin and what
/// it depends on.
struct SyncPoint {
    LocationId location;
    std::uint32_t call = 0;
    TimeNs begin = 0;
    TimeNs end = 0;
    TimeNs transferNs = 0;
    std::size_t firstDependence = 0;
    std::uint32_t dependences = 0;
    std::uint32_t group = 0xFFFFFFFFu;  ///< of members of a collective that await all of them
    LocationId awaited;                 ///< on which the latest of them lies; invalid: it awaited nothing

    TimeNs readyAt() const { return end - transferNs; }
};

/// How long a function ran outside of sync points between two of them.
struct WorkOfFunction {
    std::uint32_t function = 0;
    TimeNs ns = 0;
};

class DependenceGraph {
public:
    /// Errors: NotRecorded without a trace; Cancelled. O(calls + messages log messages).
    static Result<DependenceGraph> build(const Experiment& experiment, const FunctionsOfCalls& functions,
                                         const Task& task);

    const std::vector<SyncPoint>& points() const { return points_; }  ///< by (location, begin)
    /// The last point of the location that ended by then; points().size() where there is none.
    std::size_t lastPointBefore(LocationId location, TimeNs time) const;
    /// The one before it on the same location; points().size() where there is none.
    std::size_t pointBefore(std::size_t point) const
    {
        return point > 0 && points_[point - 1].location == points_[point].location ? point - 1
                                                                                   : points_.size();
    }
    /// What was awaited though it came after the call had ended: clocks contradict each other. Left out.
    std::uint64_t contradictions() const { return contradictions_; }

    /// Whether the run lasts until its end: threads without a point only do what others let them do, so where
    /// any location has points, those without do not count.
    bool counts(LocationId location) const
    {
        return points_.empty() || firstOfLocation_[location.index()] < firstOfLocation_[location.index() + 1];
    }
    /// The time at which the last location that counts ends if each call of `function` runs `share` of its
    /// own time, and a point's transfer as well where it is of that function. share 1: the run as it was.
    /// O(points + dependences).
    TimeNs replay(std::uint32_t function, double share) const;
    /// Time of each function outside of waiting, on one location; by function.
    std::vector<WorkOfFunction> workOf(LocationId location) const;

private:
    std::span<const Dependence> dependencesOf(const SyncPoint& point) const
    {
        return std::span(dependences_).subspan(point.firstDependence, point.dependences);
    }

    friend class DependenceBuilder;
    friend class DependenceReplay;

    std::vector<SyncPoint> points_;
    struct Group {
        std::size_t first = 0;  ///< of its dependences
        std::size_t count = 0;
    };

    std::vector<Dependence> dependences_;
    std::vector<Group> groups_;
    std::vector<std::size_t> firstOfLocation_;  ///< into points_
    /// Work of the stretch before point p is stretchWork_[stretchFirst_[p] …); those behind the last points
    /// of locations follow.
    std::vector<std::size_t> stretchFirst_;
    std::vector<WorkOfFunction> stretchWork_;
    std::vector<TimeSpan> extents_;
    std::vector<std::uint32_t> functionOfPoint_;
    std::uint64_t contradictions_ = 0;
};

}  // namespace skein
