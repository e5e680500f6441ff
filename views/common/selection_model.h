// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/select/edit_history.h"
#include "core/select/view_history.h"
#include "core/select/view_state.h"

#include <functional>
#include <vector>

namespace skein {

/// What a view hears: which parts differ from what it last heard, and who changed them.
struct ViewChange {
    ViewParts parts;
    const QObject* origin = nullptr;  ///< null when several did, or the application itself
};

/// Holds the one ViewState of a window. The state changes at once; views hear of it once per turn of the
/// event loop, each only of what others changed. A widget that is hidden hears nothing until it is shown, and
/// then of everything at once. Lives in the GUI thread.
///
/// While the visible span moves, step by step, only those hear of every step whose picture moves with it; the
/// others sum up again, which is worth its while, and its bytes on a remote display, once the movement rests.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    using Listener = std::function<void(const ViewChange&)>;
    /// Of a movement of the visible span a view hears every step, or only where it has come to rest.
    enum class Steps { All, AtRest };
    static constexpr int kRestMs = 150;  ///< without a step: the movement rests

    explicit SelectionModel(QObject* parent = nullptr);

    const ViewState& state() const { return state_; }

    /// Calls `listener` for changes made by others than `view`, until `view` is destroyed. A view listens
    /// once.
    void listen(QObject* view, Listener listener, Steps steps = Steps::AtRest);

    /// Replaces a part of the state. `origin` is the view that did it.
    void setVisible(const std::optional<TimeSpan>& span, const QObject* origin);
    /// A step of a movement: of a pan, or a zoom by wheel or key. The state changes at once.
    void moveVisible(const std::optional<TimeSpan>& span, const QObject* origin);
    /// True until the last step of a movement was kRestMs ago, or the visible span was set.
    bool moves() const { return rest_.isActive(); }
    /// The marked span, on all rows.
    void setBrushed(const std::optional<TimeSpan>& span, const QObject* origin);
    /// The marked span and the rows that are marked with it; sorted, empty: all of them.
    void setBrushed(const std::optional<TimeSpan>& span, const std::vector<LocationRef>& locations,
                    const QObject* origin);
    /// The rows alone; the span stays.
    void setMarkedLocations(const std::vector<LocationRef>& locations, const QObject* origin);
    void setSelected(const Selection& selection, const QObject* origin);
    void setHover(const Hover& hover, const QObject* origin);
    void setMetric(MetricRef metric, const QObject* origin);
    void setFilters(const std::vector<Filter>& filters, const QObject* origin);
    /// Shifts experiments against each other; see ViewState::clockShiftsNs.
    void setClockShifts(const std::vector<TimeNs>& shiftsNs, const QObject* origin);
    /// Adds a filter to the stack.
    void addFilter(const Filter& filter, const QObject* origin);
    void setMarks(const std::vector<Mark>& marks, const QObject* origin);
    void setRows(const RowArrangement& rows, const QObject* origin);
    void setColors(ColorMode colors, const QObject* origin);
    void setColorScaling(ColorScaling scaling, const QObject* origin);
    void setGrouping(RegionGrouping grouping, const QObject* origin);
    void setWaitMarks(WaitMarks marks, const QObject* origin);
    void setMessageLines(MessageLines lines, const QObject* origin);
    void setMachine(const MachineChoice& machine, const QObject* origin);
    void setPlacements(const std::vector<KeptPlacement>& placements, const QObject* origin);
    void setTree(const TreeEdits& tree, const QObject* origin);
    void setComparison(const ComparisonChoice& comparison, const QObject* origin);
    /// Sorted by call.
    void setVerdicts(const std::vector<CallVerdict>& verdicts, const QObject* origin);
    /// An expression that can be read, or an empty text.
    void setDerived(const std::string& expression, const QObject* origin);
    void setVerdictUse(VerdictUse use, const QObject* origin);
    /// Chains of causes over the pictures; empty ones: none.
    void setCauses(const CauseLinks& causes, const QObject* origin);
    void setHits(const std::vector<IntervalRef>& hits, const QObject* origin);
    /// What the user has chosen in a panel; `what` names the choice for the menu: "Balance: Order".
    void setPanel(const std::string& panel, const PanelSettings& settings, const std::string& what,
                  const QObject* origin);
    /// Makes these parts those of another state. What of them can be undone counts as one edit, which `what`
    /// names for the menu; empty: as editName() does.
    void take(const ViewState& state, ViewParts parts, const QObject* origin, const std::string& what = {});
    /// The same with the state of another model; steps of its movement are steps of this one.
    void follow(const SelectionModel& other, ViewParts parts, const QObject* origin);
    /// Replaces everything, as sessions from files do. Edits are counted from here: there is nothing to take
    /// back.
    void setState(const ViewState& state, const QObject* origin);
    /// Forgets everything, history too: another session was opened, with the marks that were kept for it.
    void reset(std::vector<Mark> marks = {});

    /// The visible span before the last zoom or pan, and after it again. Every view hears of it.
    void goBack();
    void goForward();
    const ViewHistory& history() const { return history_; }

    /// Take the last edit back, and make it again. Every view hears of
    /// it.
    void undo();
    void redo();
    const EditHistory& edits() const { return edits_; }

    /// Tells the user something at the foot of the window in a short sentence, such as why a key did nothing.
    void say(const QString& sentence) { Q_EMIT said(sentence); }

    /// The rows of what is selected are to come into sight, wherever rows are.
    void reveal() { Q_EMIT revealWanted(); }

    /// Pictures of places, such as machines, are to show what is selected and little else.
    void enlargeSelected() { Q_EMIT enlargeWanted(); }

Q_SIGNALS:
    void revealWanted();
    void enlargeWanted();
    /// After the listeners, once per turn of the event loop: for actions and status lines. Of a movement of
    /// the visible span when it rests.
    void changed(skein::ViewParts parts);
    /// From whichever view.
    void said(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Subscription {
        QObject* view = nullptr;
        Listener listener;
        Steps steps = Steps::AtRest;
        ViewChange pending;
    };

    /// False: the part was so already.
    template <typename Value>
    bool replace(Value ViewState::*part, const Value& value);
    /// Another value of a part that cannot be undone …
    template <typename Value>
    void change(Value ViewState::*part, const Value& value, ViewParts parts, const QObject* origin);
    /// … and of one that can.
    template <typename Value>
    void edit(Value ViewState::*part, const Value& value, ViewParts parts, const QObject* origin);
    void note(ViewParts parts, const QObject* origin);
    /// Those of the parts that are told now.
    ViewParts due(ViewParts parts, Steps steps) const;
    void edited(ViewParts parts, const QObject* origin, std::string name = {});
    void goTo(const Edits& edits);
    void deliverAll();
    void deliver(Subscription& subscription);
    void forget(const QObject* view);

    ViewState state_;
    ViewHistory history_;
    EditHistory edits_;
    QElapsedTimer clock_;
    std::vector<Subscription> subscriptions_;
    ViewParts unsignalled_;
    bool deliveryScheduled_ = false;
    QTimer rest_;
};

}  // namespace skein
