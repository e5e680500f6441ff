// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>
#include <QString>

#include "core/session/experiment.h"
#include "views/common/selection_model.h"

#include <cstddef>
#include <vector>

namespace skein::gui {

/// In which order one steps from hit to hit.
enum class HitOrder { Time, Length };

/// What a search has found and the user walks through: calls, by time or the longest first. They are marked
/// in the timeline; those that filters hide are left out while they do.
class HitList : public QObject {
    Q_OBJECT

public:
    explicit HitList(SelectionModel& selection, QObject* parent = nullptr);

    /// Forgets what was found.
    void setSession(SessionPtr session);
    /// Takes over what was found, the longest first, and goes to one of them; `current` at or past the end:
    /// none yet.
    void setHits(std::vector<IntervalRef> hits, std::size_t current);
    /// Selects the next or previous one and brings it into sight without another zoom; goes round at the
    /// ends. The first step by time leads to the first that begins in the visible window or after it.
    void step(int by);
    void setOrder(HitOrder order);
    HitOrder order() const { return order_; }
    bool empty() const { return selection_.state().hits.empty(); }

Q_SIGNALS:
    /// "3 of 120: MPI_Wait, 12 ms on Rank 3".
    void moved(const QString& text);

private:
    enum class Zoom { Keep, AsNeeded };

    void filter();
    void show(Zoom zoom);
    QString text() const;
    TimeSpan spanOf(IntervalRef hit) const;
    /// Those that filters leave, in the order of steps.
    std::vector<IntervalRef> arranged() const;
    std::size_t firstFromWindow(int by) const;

    SelectionModel& selection_;
    SessionPtr session_;
    std::vector<IntervalRef> found_;  ///< those that filters hide now included
    std::vector<IntervalRef> steps_;  ///< those that are shown, in the order of steps
    std::size_t current_ = 0;         ///< of steps_; at the end: before the first step
    HitOrder order_ = HitOrder::Time;
};

/// The visible span, moved without another length so that the call's middle is in sight.
TimeSpan movedToShow(TimeSpan call, TimeSpan visible);

/// The span to look at so that a call is seen: the present one where it shows the call at a size that can be
/// seen, else one of the same length around it, or one ten times as long as the call.
TimeSpan spanThatShows(TimeSpan call, TimeSpan visible);

}  // namespace skein::gui
