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

/// What a search has found and the user walks through: calls, longest first. They are marked in the timeline;
/// those that filters hide are left out while they do.
class HitList : public QObject {
    Q_OBJECT

public:
    explicit HitList(SelectionModel& selection, QObject* parent = nullptr);

    /// Forgets what was found.
    void setSession(SessionPtr session);
    /// Takes over what was found and goes to one of them; `current` at or past the end: none yet.
    void setHits(std::vector<IntervalRef> hits, std::size_t current);
    /// Selects the next or previous one and brings it into sight; goes round at the ends.
    void step(int by);
    bool empty() const { return selection_.state().hits.empty(); }

Q_SIGNALS:
    /// "3 of 120: MPI_Wait, 12 ms on Rank 3".
    void moved(const QString& text);

private:
    void filter();
    void show();
    QString text() const;

    SelectionModel& selection_;
    SessionPtr session_;
    std::vector<IntervalRef> found_;  ///< those that filters hide now included
    std::size_t current_ = 0;
};

/// The span to look at so that a call is seen: the present one where it shows the call at a size that can be
/// seen, else one of the same length around it, or one ten times as long as the call.
TimeSpan spanThatShows(TimeSpan call, TimeSpan visible);

}  // namespace skein::gui
