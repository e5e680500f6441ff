// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "algorithms/behavior/replay_clock.h"
#include "core/select/scope.h"
#include "views/common/scene/data/session_behavior.h"
#include "views/common/view.h"

#include <functional>
#include <vector>

namespace skein {

/// Which of a window's two behaviours.
enum class BehaviorPlace : std::uint8_t { First, Second };

/// Whose changes and clusters the two behaviours of a window show: both those of the first, each its own, or
/// both those of the second.
enum class BehaviorFindings : std::uint8_t { First, Own, Second };

/// What the behaviour views of a window show together, worked out once off the GUI thread, the latest request
/// winning, while at least one of them is visible. Two a window, see of(): the second one has another metric
/// for the entities, bins and scope of the first, and by default its changes and clusters. Both can be
/// replayed: then they tell what was known at a time of the run.
class BehaviorModel : public QObject {
    Q_OBJECT

public:
    /// The window's model, which lives as long as its selection.
    static BehaviorModel& of(const ViewContext& context, BehaviorPlace place = BehaviorPlace::First);

    /// Views call it with what they are given; the same session twice is one.
    void setSession(const SessionPtr& session);
    /// What the user wants; span, filters and clocks are filled in from the window.
    void ask(const BehaviorRequest& request);
    const BehaviorRequest& request() const { return request_; }
    /// Shows what an entity that is shown is made of: the next finer entities within it. Nothing where it is
    /// a single location.
    void openEntity(std::size_t entity);
    /// Shows again what the last openEntity() was called on.
    void closeEntity();
    /// Of the second: its metric, and whose changes and clusters both show.
    void askSecond(const std::string& metric, BehaviorFindings findings);
    /// Which scope is obeyed: the whole run until somebody says otherwise.
    void setScope(std::function<Scope()> scope);
    /// The scope or the filters may have changed.
    void refresh();
    /// A panel of it is pinned so, see ScopeHead::pinText(): the others that show the same are too.
    void tellPin(const std::string& pin) { Q_EMIT pinned(pin); }
    /// Works for this view while it is visible; call again when it is shown.
    void workFor(QWidget* view);
    /// What entities can be asked for, the coarsest first; of the session.
    std::vector<SeriesGrouping> groupings() const;
    /// Whether a view is visible that it works for, or that shows its changes and clusters.
    bool wanted() const;

    /// What is to be shown: all of the run, or what was known by the time of the replay. Null while there is
    /// none.
    const SessionBehaviorPtr& behavior() const { return shown_; }
    /// The same for those who show it beside something else and do not have it worked out: null where
    /// something else is asked for since, such as other filters, clocks or scope.
    SessionBehaviorPtr present() const;
    /// What was found before while something else is being worked out; null where nobody waits for that.
    SessionBehaviorPtr outdated() const;
    /// All of it, while a part is replayed.
    const SessionBehaviorPtr& whole() const { return whole_; }
    /// Why there is none.
    const QString& message() const { return message_; }

    /// The clock of a replay; null where none goes on. That of the first is that of both.
    const ReplayClock* replay() const;
    /// What the replay shows now.
    TimeNs replayTime() const;
    /// Calls `change(clock, now)` on the clock of the replay, which begins where none goes on.
    void control(const std::function<void(ReplayClock&, double)>& change);
    void endReplay();
    /// While it is replayed the window shows so many last bins; 0: it stays.
    void setSlidingBins(std::size_t bins) { slidingBins_ = bins; }
    /// Seconds that a replay goes by, instead of those of the machine; for tests.
    void setSeconds(std::function<double()> seconds) { seconds_ = std::move(seconds); }
    /// Looks what time it is, which it does by itself ten times a second.
    void tick();

    /// The bin that others are compared with.
    std::size_t baseRow() const;
    void setBaseRow(std::size_t row);

Q_SIGNALS:
    /// A view has come that it works for.
    void looked();
    void pinned(const std::string& pin);
    /// Another behaviour, or another reason why there is none.
    void changed();
    /// Something else is asked for than what was found.
    void becameOutdated();
    /// A replay began, ended or is controlled otherwise.
    void replayControlled();
    void baseChanged();
    /// An entity was opened or closed.
    void entityOpened();

private:
    BehaviorModel(const ViewContext& context, BehaviorModel* first);
    void start();
    void tell(SessionBehaviorPtr behavior, const QString& message);
    void setLeader(BehaviorModel* leader);
    bool showsWanted() const;
    void follow();
    void dropPart();
    void show(SessionBehaviorPtr part);
    void slide(TimeNs now);
    double now() const;

    ViewContext context_;
    BehaviorModel* first_;  ///< null: this is the first
    SessionPtr session_;
    BehaviorRequest request_;
    /// What was asked for when entities were opened.
    std::vector<BehaviorRequest> openedFrom_;
    std::string secondMetric_;
    QPointer<BehaviorModel> leader_;  ///< whose changes and clusters are shown; null: its own
    std::function<Scope()> scope_;
    std::vector<QPointer<QWidget>> views_;
    std::optional<BehaviorRequest> started_;  ///< what is known, or under way
    SessionBehaviorPtr whole_, shown_;
    QString message_;
    QTimer delay_;
    std::optional<ReplayClock> replay_;
    QTimer ticks_;
    QElapsedTimer machine_;
    std::function<double()> seconds_;
    std::size_t slidingBins_ = 0;
    bool following_ = false;  ///< a part is being made …
    bool behind_ = false;     ///< … and another one is wanted already
    std::size_t baseRow_ = 0;
};

}  // namespace skein
