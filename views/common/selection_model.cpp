// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/selection_model.h"

#include "core/select/filters.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>

namespace skein {
namespace {

bool isHidden(const QObject* view)
{
    const auto* widget = qobject_cast<const QWidget*>(view);
    return widget && !widget->isVisible();
}

void add(ViewChange& pending, ViewParts parts, const QObject* origin)
{
    const bool sameOrigin = !pending.parts.any() || pending.origin == origin;
    pending.parts |= parts;
    pending.origin = sameOrigin ? origin : nullptr;
}

}  // namespace

SelectionModel::SelectionModel(QObject* parent) : QObject(parent)
{
    clock_.start();
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, &SelectionModel::deliverAll);
}

void SelectionModel::listen(QObject* view, Listener listener, Steps steps)
{
    forget(view);
    subscriptions_.push_back({view, std::move(listener), steps, {}});
    if (view->isWidgetType()) view->installEventFilter(this);
    connect(view, &QObject::destroyed, this, [this](QObject* gone) { forget(gone); });
}

void SelectionModel::setVisible(const std::optional<TimeSpan>& span, const QObject* origin)
{
    if (state_.visible == span) return;
    rest_.stop();
    state_.visible = span;
    history_.visit(span, clock_.elapsed());
    note(ViewParts::kVisible, origin);
}

void SelectionModel::moveVisible(const std::optional<TimeSpan>& span, const QObject* origin)
{
    if (state_.visible == span) return;
    setVisible(span, origin);
    rest_.start();
}

template <typename Value>
bool SelectionModel::replace(Value ViewState::*part, const Value& value)
{
    if (state_.*part == value) return false;
    state_.*part = value;
    return true;
}

template <typename Value>
void SelectionModel::change(Value ViewState::*part, const Value& value, ViewParts parts,
                            const QObject* origin)
{
    if (replace(part, value)) note(parts, origin);
}

template <typename Value>
void SelectionModel::edit(Value ViewState::*part, const Value& value, ViewParts parts, const QObject* origin)
{
    if (replace(part, value)) edited(parts, origin);
}

void SelectionModel::setBrushed(const std::optional<TimeSpan>& span, const QObject* origin)
{
    setBrushed(span, {}, origin);
}

void SelectionModel::setBrushed(const std::optional<TimeSpan>& span,
                                const std::vector<LocationRef>& locations, const QObject* origin)
{
    if (state_.brushed == span && state_.markedLocations == locations) return;
    state_.brushed = span;
    state_.markedLocations = locations;
    note(ViewParts::kBrushed, origin);
}

void SelectionModel::setMarkedLocations(const std::vector<LocationRef>& locations, const QObject* origin)
{
    setBrushed(state_.brushed, locations, origin);
}

void SelectionModel::setSelected(const Selection& selection, const QObject* origin)
{
    change(&ViewState::selected, selection, ViewParts::kSelected, origin);
}

void SelectionModel::setHover(const Hover& hover, const QObject* origin)
{
    change(&ViewState::hover, hover, ViewParts::kHover, origin);
}

void SelectionModel::setMetric(MetricRef metric, const QObject* origin)
{
    edit(&ViewState::metric, metric, ViewParts::kMetric, origin);
}

void SelectionModel::setFilters(const std::vector<Filter>& filters, const QObject* origin)
{
    edit(&ViewState::filters, filters, ViewParts::kFilters, origin);
}

void SelectionModel::addFilter(const Filter& filter, const QObject* origin)
{
    setFilters(withFilter(state_.filters, filter), origin);
}

void SelectionModel::setMarks(const std::vector<Mark>& marks, const QObject* origin)
{
    edit(&ViewState::marks, marks, ViewParts::kMarks, origin);
}

void SelectionModel::setRows(const RowArrangement& rows, const QObject* origin)
{
    edit(&ViewState::rows, rows, ViewParts::kRows, origin);
}

void SelectionModel::setHits(const std::vector<IntervalRef>& hits, const QObject* origin)
{
    change(&ViewState::hits, hits, ViewParts::kHits, origin);
}

void SelectionModel::setColors(ColorMode colors, const QObject* origin)
{
    edit(&ViewState::colors, colors, ViewParts::kColors, origin);
}

void SelectionModel::setColorScaling(ColorScaling scaling, const QObject* origin)
{
    edit(&ViewState::colorScaling, scaling, ViewParts::kColors, origin);
}

void SelectionModel::setGrouping(RegionGrouping grouping, const QObject* origin)
{
    edit(&ViewState::grouping, grouping, ViewParts::kColors, origin);
}

void SelectionModel::setWaitMarks(WaitMarks marks, const QObject* origin)
{
    edit(&ViewState::waitMarks, marks, ViewParts::kOverlays, origin);
}

void SelectionModel::setMessageLines(MessageLines lines, const QObject* origin)
{
    edit(&ViewState::messageLines, lines, ViewParts::kOverlays, origin);
}

void SelectionModel::setClockShifts(const std::vector<TimeNs>& shiftsNs, const QObject* origin)
{
    edit(&ViewState::clockShiftsNs, shiftsNs, ViewParts::kClocks, origin);
}

void SelectionModel::setMachine(const MachineChoice& machine, const QObject* origin)
{
    edit(&ViewState::machine, machine, ViewParts::kMachine, origin);
}

void SelectionModel::setPlacements(const std::vector<KeptPlacement>& placements, const QObject* origin)
{
    edit(&ViewState::placements, placements, ViewParts::kPlacements, origin);
}

void SelectionModel::setTree(const TreeEdits& tree, const QObject* origin)
{
    edit(&ViewState::tree, tree, ViewParts::kTree, origin);
}

void SelectionModel::setComparison(const ComparisonChoice& comparison, const QObject* origin)
{
    edit(&ViewState::comparison, comparison, ViewParts::kComparison, origin);
}

void SelectionModel::setVerdicts(const std::vector<CallVerdict>& verdicts, const QObject* origin)
{
    edit(&ViewState::verdicts, verdicts, ViewParts::kVerdicts, origin);
}

void SelectionModel::setDerived(const std::string& expression, const QObject* origin)
{
    edit(&ViewState::derived, expression, ViewParts::kMetric, origin);
}

void SelectionModel::setVerdictUse(VerdictUse use, const QObject* origin)
{
    edit(&ViewState::verdictUse, use, ViewParts::kVerdicts, origin);
}

void SelectionModel::setCauses(const CauseLinks& causes, const QObject* origin)
{
    change(&ViewState::causes, causes, ViewParts::kCauses, origin);
}

void SelectionModel::setPanel(const std::string& panel, const PanelSettings& settings,
                              const std::string& what, const QObject* origin)
{
    const auto known = state_.panels.find(panel);
    if (known != state_.panels.end() && known->second == settings) return;
    state_.panels[panel] = settings;
    edited(ViewParts::kPanels, origin, what);
}

void SelectionModel::take(const ViewState& state, ViewParts parts, const QObject* origin,
                          const std::string& what)
{
    ViewState next = state_;
    copyParts(state, parts, next);
    const ViewParts changed = differingParts(state_, next);
    if (!changed.any()) return;
    state_ = std::move(next);
    if (changed.has(ViewParts::kVisible)) {
        rest_.stop();
        history_.visit(state_.visible, clock_.elapsed());
    }
    edits_.record(editsOf(state_), what);
    note(changed, origin);
}

void SelectionModel::follow(const SelectionModel& other, ViewParts parts, const QObject* origin)
{
    if (other.moves() && parts.has(ViewParts::kVisible)) moveVisible(other.state().visible, origin);
    take(other.state(), parts, origin);
}

void SelectionModel::setState(const ViewState& state, const QObject* origin)
{
    const ViewParts parts = differingParts(state_, state);
    if (!parts.any()) return;
    state_ = state;
    rest_.stop();
    if (parts.has(ViewParts::kVisible)) history_.visit(state.visible, clock_.elapsed());
    edits_.restart(editsOf(state_));
    note(parts, origin);
}

void SelectionModel::reset(std::vector<Mark> marks)
{
    rest_.stop();
    state_ = {};
    state_.marks = std::move(marks);
    history_.clear();
    edits_.restart(editsOf(state_));
    note(ViewParts::kEverything, nullptr);
}

void SelectionModel::goBack()
{
    if (!history_.canGoBack()) return;
    rest_.stop();
    state_.visible = history_.goBack();
    note(ViewParts::kVisible, nullptr);
}

void SelectionModel::goForward()
{
    if (!history_.canGoForward()) return;
    rest_.stop();
    state_.visible = history_.goForward();
    note(ViewParts::kVisible, nullptr);
}

void SelectionModel::undo()
{
    if (edits_.canUndo()) goTo(edits_.undo());
}

void SelectionModel::redo()
{
    if (edits_.canRedo()) goTo(edits_.redo());
}

void SelectionModel::goTo(const Edits& edits)
{
    ViewState next = state_;
    apply(edits, next);
    const ViewParts parts = differingParts(state_, next);
    state_ = std::move(next);
    note(parts, nullptr);
}

void SelectionModel::edited(ViewParts parts, const QObject* origin, std::string name)
{
    edits_.record(editsOf(state_), std::move(name));
    note(parts, origin);
}

bool SelectionModel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show)
        // The widget counts as visible only once its show event was handled.
        QMetaObject::invokeMethod(
            this, [this] { deliverAll(); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

void SelectionModel::note(ViewParts parts, const QObject* origin)
{
    for (Subscription& subscription : subscriptions_)
        if (subscription.view != origin) add(subscription.pending, parts, origin);
    unsignalled_ |= parts;
    if (deliveryScheduled_) return;
    deliveryScheduled_ = true;
    QMetaObject::invokeMethod(
        this, [this] { deliverAll(); }, Qt::QueuedConnection);
}

void SelectionModel::deliverAll()
{
    deliveryScheduled_ = false;
    // By index: a listener may make views come and go.
    for (std::size_t index = 0; index < subscriptions_.size(); ++index) deliver(subscriptions_[index]);
    const ViewParts parts = due(unsignalled_, Steps::AtRest);
    unsignalled_ = unsignalled_.without(parts);
    if (parts.any()) Q_EMIT changed(parts);
}

ViewParts SelectionModel::due(ViewParts parts, Steps steps) const
{
    return moves() && steps == Steps::AtRest ? parts.without(ViewParts::kVisible) : parts;
}

void SelectionModel::deliver(Subscription& subscription)
{
    const ViewParts parts = due(subscription.pending.parts, subscription.steps);
    if (!parts.any() || isHidden(subscription.view)) return;
    const ViewChange change{parts, subscription.pending.origin};
    subscription.pending.parts = subscription.pending.parts.without(parts);
    const Listener listener = subscription.listener;
    listener(change);
}

void SelectionModel::forget(const QObject* view)
{
    std::erase_if(subscriptions_,
                  [view](const Subscription& subscription) { return subscription.view == view; });
}

}  // namespace skein
