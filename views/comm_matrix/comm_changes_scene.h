// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/data/session_behavior.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Who sent how much to whom in the periods between the changes of a behaviour, or in single bins: now, in a
/// base, and how that differs where the behaviour changed (Kesavan et al. 2020, section 4.3.3).
namespace skein {

/// What a matrix is the mean of.
enum class CommSpans : std::uint8_t {
    Periods,  ///< the bins from one lasting change to the next; from any change where none lasts
    Bins,     ///< a single one: the last, that of the base, and that in which a change was called
};

/// What is taken away from the communication after a change.
enum class CommReference : std::uint8_t { Base, Before };

/// The communication of some bins, a mean of them; or how it differs from that of others.
struct CommInterval {
    std::size_t row = 0;   ///< of the behaviour, the first
    std::size_t rows = 1;  ///< bins
    TimeSpan span;         ///< session time
    CommMatrixTablePtr table;
    std::optional<std::size_t> change;  ///< a place in changes.changes; else it is no difference
};

/// All that a picture needs. Immutable; may cross threads.
struct CommChanges {
    SessionBehaviorPtr behavior;
    CommInterval live, base;
    std::vector<CommInterval> differences;  ///< by change
    std::size_t changesLeftOut = 0;         ///< that were over soon, or are too many
    CommSpans spans = CommSpans::Periods;
    CommReference reference = CommReference::Base;
    std::vector<std::vector<std::size_t>> itemsOfColumns;  ///< of the behaviour: one a location with a rank
    std::vector<std::optional<std::uint32_t>> clusters;    ///< of each item: that of most of its locations
};

using CommChangesPtr = std::shared_ptr<const CommChanges>;

/// Changes of which differences are shown, at most: lasting ones first.
inline constexpr std::size_t kMostCommDifferences = 10;

struct CommChangesRequest {
    CommunicationRequest communication;  ///< its span does not count, nor do its filters: the behaviour's do
    CommMatrixOptions options;           ///< bytes or messages; cells of groups are means over pairs of ranks
    std::size_t liveRow = 0;
    std::size_t baseRow = 0;
    CommSpans spans = CommSpans::Periods;
    CommReference reference = CommReference::Base;
};

/// Errors: those of communicationOf() and makeCommMatrixTable(). O(pairs · changes).
Result<CommChangesPtr> makeCommChanges(ResultStore& results, const SessionPtr& session,
                                       SessionBehaviorPtr behavior, const CommChangesRequest& request,
                                       const Task& task);

/// `later` − `base` of two tables of the same items; a cell for every pair of which either has one.
CommMatrixTablePtr commDifference(const CommMatrixTable& later, const CommMatrixTable& base);

/// Where a matrix is. Device pixels.
struct CommBox {
    Rect title, body;
    const CommInterval* interval = nullptr;
};

struct CommChangesLayout {
    Rect caption, strip, foot;
    TimeScale scale;             ///< time over the strip
    std::vector<CommBox> boxes;  ///< live, base, differences
    double margin = 0;           ///< of the colours of clusters
    /// Of changes that have a matrix: where their numbers are on the strip, and their places.
    std::vector<std::pair<Rect, std::size_t>> numbers = {};
};

CommChangesLayout commChangesLayout(const CommChanges& changes, const Canvas& canvas);

/// The mean of the behaviour with its changes, the base and what is live; below it the matrices with the
/// clusters at their margins, where entities of which no location is selected are grey while others are. Live
/// and base have one scale, and so have all differences.
DrawList commChangesScene(const CommChanges& changes, const Selection& selected, const Canvas& canvas,
                          const Task& task);

/// The base while it is dragged.
DrawList commBaseOverlay(const CommChanges& changes, std::size_t baseRow, const Canvas& canvas);

/// What is at a point.
struct CommChangesHit {
    const CommInterval* interval = nullptr;
    std::size_t row = 0, column = 0;  ///< items
};
std::optional<CommChangesHit> commChangesCellAt(const CommChanges& changes, const CommChangesLayout& layout,
                                                Point point);
/// The bin of a place of the strip; the nearest one beside it.
std::optional<std::size_t> commStripRowAt(const CommChanges& changes, const CommChangesLayout& layout,
                                          Point point);
/// The cluster at a place of the margins.
std::optional<std::uint32_t> commClusterAt(const CommChanges& changes, const CommChangesLayout& layout,
                                           Point point);
/// The change whose number is at a place of the strip.
std::optional<std::size_t> commStripChangeAt(const CommChangesLayout& layout, Point point);
std::vector<std::string> commChangesText(const CommChanges& changes, const CommChangesHit& hit);
/// "Live, 1.5 s to 2 s", "After change 2 − base, 3 s to 4 s", "Change 2 − base, 3 s".
std::string commIntervalTitle(const CommChanges& changes, const CommInterval& interval);
/// What the matrices are means of, in words.
std::string commSpansText(const CommChanges& changes);
/// An amount that may be a mean: "0.25" messages.
std::string commMeanText(CommValue value, double amount);

}  // namespace skein
