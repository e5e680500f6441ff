// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_canvas.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/anomalies/anomaly_axes_scene.h"
#include "views/common/anomaly_rules.h"
#include "views/common/context_menu.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scene/drawing/cause_arrows.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace skein {
namespace {

constexpr double kAnomalyLassoBeginsPx = 4;
constexpr double kPlaneWidth = 64;  ///< of the scatter without a zoom, so that it can be enlarged far
constexpr double kRoomAroundSelected = 0.02;
constexpr std::size_t kMostChosen = 4096;

bool hasTrace(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(),
                       [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
}

}  // namespace

AnomaliesCanvas::AnomaliesCanvas(const ViewContext& context, QWidget* parent)
    : PlaneCanvas(context, tr("Drawing the anomalies"), parent)
{
    setObjectName("anomalies.scatter");
    setAccessibleName(tr("Anomalies"));
    setAccessibleDescription(
        tr("A dot a call; those that are different have a thick border. skein-cli anomalies "
           "prints the same calls."));
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &AnomaliesCanvas::find);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) showCausesOfSelected();
        if (change.parts.has(ViewParts::kSelected | ViewParts::kFilters | ViewParts::kVerdicts
                             | ViewParts::kClocks | ViewParts::kColors | kScopeParts))
            redraw();
        if (change.parts.has(ViewParts::kFilters | ViewParts::kVerdicts | kScopeParts)) followScope();
    });
    connect(&AnomalyRules::of(selection()), &AnomalyRules::changed, this, [this] {
        setSession(session_);
        tellShown();
    });
    addChoiceActions();
    setSession(nullptr);
}

void AnomaliesCanvas::follow(const ScopeHead& scope)
{
    scope_ = &scope;
    connect(scope_, &ScopeHead::pinned, this, [this] {
        redraw();
        followScope();
    });
}

void AnomaliesCanvas::followScope()
{
    ViewState now = shownState();
    now.selected = {};
    if (told_ && now == *told_) return;
    if (told_ && now.filters != told_->filters) showAll();  // the axes are of what is shown
    tellShown();
}

void AnomaliesCanvas::tellShown()
{
    told_ = shownState();
    told_->selected = {};
    Q_EMIT shownChanged();
}

void AnomaliesCanvas::setSession(SessionPtr session)
{
    tasks().drop("anomalies");
    tasks().drop("anomalies causes");
    tasks().drop("anomalies features");
    counting_ = false;
    choices_ = wanted_;  // counted with the others then
    closeContextMenus(*this);
    session_ = std::move(session);
    anomalies_ = nullptr;
    shown_ = {};
    pictures_ = std::make_shared<Pictures>();  // the old ones hold their session
    finding_ = false;
    lasso_.clear();
    showAll();
    if (!session_) message_ = tr("Open a trace to see which calls are different.");
    else if (!hasTrace(*session_))
        message_ =
            tr("Anomalous calls need the times of single calls, and a profile has none. Open a trace.");
    else {
        message_ = tr("Looking for anomalous calls…");
        begin_.start();
    }
    redraw();
}

/// Work that only this view needs begins when it is looked at.
void AnomaliesCanvas::showEvent(QShowEvent* event)
{
    PlaneCanvas::showEvent(event);
    findSoon();
}

/// The table in its place shows the same calls.
bool AnomaliesCanvas::isLookedAt() const
{
    return isVisible() || (parentWidget() && parentWidget()->isVisible());
}

void AnomaliesCanvas::findSoon() { begin_.start(); }

void AnomaliesCanvas::find()
{
    const bool known = anomalies_ && anomalies_->complete();
    if (finding_ || known || !isLookedAt() || !session_ || !hasTrace(*session_)) return;
    finding_ = true;
    tasks().runInSteps<SessionAnomaliesPtr>(
        {"anomalies", tr("Anomalous calls")}, this,
        [session = session_, search = AnomalyRules::of(selection()).search(),
         results = results()](const Task& task, const auto& tell) {
            return anomaliesOf(*results, session, search, task, tell);
        },
        [this](SessionAnomaliesPtr early) { takeEarly(early); },
        [this](Result<SessionAnomaliesPtr> found) { takeFound(found); });
}

/// Axes that count what is in calls want the waits: they wait for all that is known.
void AnomaliesCanvas::takeEarly(const SessionAnomaliesPtr& known)
{
    if (isCountedAxis(choices_.x) || isCountedAxis(choices_.y)) return;
    closeContextMenus(*this);
    anomalies_ = known;
    redraw();
    tellShown();
}

/// After a cancelled search what was found early stays, and says that it is not all.
void AnomaliesCanvas::takeFound(const Result<SessionAnomaliesPtr>& found)
{
    finding_ = false;
    closeContextMenus(*this);
    if (found) anomalies_ = *found;
    else
        message_ = found.error().cancelled()
            ? tr("The search for anomalous calls was cancelled. Show this panel again to repeat it.")
            : toQString(found.error().text());
    redraw();
    tellShown();
    showCausesOfSelected();
}

/// What is in calls is counted in the background by the first axis that shows it.
void AnomaliesCanvas::setChoices(const AnomalyChoices& choices)
{
    tasks().drop("anomalies features");
    counting_ = false;
    wanted_ = choices;
    const bool counted = isCountedAxis(choices.x) || isCountedAxis(choices.y);
    if (counted && anomalies_ && !anomalies_->complete()) anomalies_ = nullptr;  // until all is known
    if (!counted || !anomalies_ || anomalies_->featuresCounted()) return takeChoices(choices);
    counting_ = true;
    tasks().run<AnomalyChoices>(
        {"anomalies features", tr("Counting what calls do"), JobVisibility::WhenSlow}, this,
        [anomalies = anomalies_, choices](const Task&) -> Result<AnomalyChoices> {
            anomalies->features();
            return choices;
        },
        [this](Result<AnomalyChoices> wanted) {
            counting_ = false;
            if (wanted) takeChoices(*wanted);
        });
}

/// The mouse does not wait for what is being counted.
bool AnomaliesCanvas::axesKnown() const
{
    return anomalies_->featuresCounted() || !(isCountedAxis(choices_.x) || isCountedAxis(choices_.y));
}

void AnomaliesCanvas::takeChoices(const AnomalyChoices& choices)
{
    if (choices_ == choices) return;
    choices_ = choices;
    showAll();  // axes are of what is shown
    redraw();
    tellShown();
}

ViewState AnomaliesCanvas::shownState() const
{
    ViewState state;
    state.selected = selection().state().selected;
    state.filters = scope_ ? scope_->filters() : selection().state().filters;
    if (const auto span = scope_ ? scope_->scope().span : std::nullopt)
        state.filters.push_back(spanFilter(*span));
    state.verdicts = selection().state().verdicts;
    if (anomalies_) state.verdicts = *anomalies_->inForce(state.verdicts, selection().state().verdictUse);
    state.grouping = selection().state().grouping;
    state.clockShiftsNs = selection().state().clockShiftsNs;
    return state;
}

/// Asked with every move of the mouse, found anew when something has changed.
const AnomaliesCanvas::Shown& AnomaliesCanvas::shownNow() const
{
    ViewState state = shownState();
    const AnomalyZoom zoom = zoomNow();
    const bool samePoints = shown_.of == anomalies_ && shown_.choices == choices_ && shown_.state == state;
    const bool samePlaces =
        shown_.zoom == zoom && shown_.width == deviceWidth() && shown_.height == deviceHeight();
    if (samePoints && samePlaces) return shown_;
    if (!samePoints) {
        shown_ = {anomalies_, choices_, std::move(state), {}, {}, {}, 0, 0};
        shown_.points = shownPoints(*anomalies_, shown_.state, choices_);
    }
    shown_.zoom = zoom;
    shown_.width = deviceWidth();
    shown_.height = deviceHeight();
    AnomalyChoices choices = choices_;
    choices.zoom = zoom;
    shown_.layout = onCanvas([&](const Canvas& canvas) {
        return anomaliesLayout(*anomalies_, shown_.points, choices, canvas, shown_.state.clockShiftsNs);
    });
    return shown_;
}

/// The plane is as wide as 1, and as high as the scatter is high of its width.
PlaneFrame AnomaliesCanvas::frameOf(const PlaneView& view, const Canvas& canvas) const
{
    const Rect body = anomaliesPlaces(canvas).scatter;
    const double whole = body.width / kPlaneWidth;
    // Smaller than half of the scatter nothing can be told from anything else.
    if (view.pixels > 0) return {body, {view.center, std::max(view.pixels, whole / 2)}};
    return {body, {{kPlaneWidth / 2, kPlaneWidth * body.height / body.width / 2}, whole}};
}

/// The selected calls that are shown, with room around a single one.
std::optional<PlaneBox> AnomaliesCanvas::selectedPart() const
{
    const std::vector<IntervalRef>& selected = selection().state().selected.intervals;
    if (!anomalies_ || !axesKnown() || selected.empty()) return std::nullopt;
    const Shown& shown = shownNow();
    const PlaneFrame frame = presentFrame();
    const SessionClock clock = sessionClock(*anomalies_->session, shown.state.clockShiftsNs);
    const AxisValues across(*anomalies_, choices_.x, choices_.projected, clock),
        up(*anomalies_, choices_.y, choices_.projected, clock);
    std::vector<PlanePoint> places;
    for (const std::uint32_t i : shown.points) {
        const AnomalyPoint& point = anomalies_->points[i];
        if (std::binary_search(selected.begin(), selected.end(), point.call))
            places.push_back(frame.toPlane({shown.layout.x.at(across(point)), shown.layout.y.at(up(point))}));
    }
    std::vector<std::size_t> all(places.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return boxAround(places, all, kRoomAroundSelected * kPlaneWidth);
}

AnomalyZoom AnomaliesCanvas::zoomNow() const
{
    if (view().pixels <= 0) return {};
    const PlaneFrame frame = presentFrame();
    const PlanePoint low = frame.toPlane({frame.body.x, frame.body.y}),
                     high = frame.toPlane({frame.body.right(), frame.body.bottom()});
    const double tall = kPlaneWidth * frame.body.height / frame.body.width;
    return {low.x / kPlaneWidth, high.x / kPlaneWidth, 1 - high.y / tall, 1 - low.y / tall};
}

void AnomaliesCanvas::layoutAgain() { shown_ = {}; }

AnomaliesLayout AnomaliesCanvas::sceneLayout() const
{
    return anomalies_ && axesKnown() ? shownNow().layout : AnomaliesLayout();
}

/// Pictures of other parts are made of what the first one has found out.
SceneView::Maker AnomaliesCanvas::makerOf(AnomaliesDetail detail) const
{
    if (!anomalies_) return {};
    return [of = anomalies_, choices = choices_, state = shownState(), zoom = zoomNow(), detail,
            pictures = pictures_](const Canvas& canvas, const Task& task) {
        return pictureOf(*pictures, {of, choices, state, canvas.theme()})->draw(zoom, detail, canvas, task);
    };
}

std::shared_ptr<const AnomaliesPicture> AnomaliesCanvas::pictureOf(Pictures& pictures, const PictureKey& key)
{
    return pictures.get(key, [&] { return AnomaliesPicture(*key.of, key.state, key.choices, key.theme); });
}

/// What the map of ranks over time counts at a point; nothing before its picture is there, whatever the
/// theme.
std::optional<AnomalyHeatCell> AnomaliesCanvas::heatAt(Point point) const
{
    if (!anomalies_ || !axesKnown()) return std::nullopt;
    return onCanvas([&](const Canvas& canvas) -> std::optional<AnomalyHeatCell> {
        const Rect area = anomaliesPlaces(canvas).heat;
        if (!area.contains(point)) return std::nullopt;
        const auto picture = pictures_->known([&, state = shownState()](const PictureKey& key) {
            return key.of == anomalies_ && key.choices == choices_ && key.state == state;
        });
        if (!picture) return std::nullopt;
        return picture->heat().cellAt(area, zoomNow(), canvas, point);
    });
}

DrawList AnomaliesCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    if (lasso_.size() > 2)
        list.items.push_back(
            PolygonItem{lasso_, canvas.theme().selectionFill, canvas.theme().accent, canvas.px(1), {}});
    return list;
}

std::optional<std::uint32_t> AnomaliesCanvas::pointAt(Point point) const
{
    if (!anomalies_ || !axesKnown()) return std::nullopt;
    const Shown& shown = shownNow();
    return anomalyPointAt(*anomalies_, shown.points, shown.layout, choices_, shown.state, point,
                          devicePixelRatioF());
}

std::optional<AnomalyListHit> AnomaliesCanvas::listAt(Point point) const
{
    if (!anomalies_ || !axesKnown()) return std::nullopt;
    const Shown& shown = shownNow();
    return onCanvas([&](const Canvas& canvas) {
        return anomalyListAt(*anomalies_, shown.points, shown.layout, shown.state, choices_, canvas, point);
    });
}

std::vector<std::string> AnomaliesCanvas::toolTipAt(Point point) const
{
    if (const auto cell = heatAt(point)) return cell->text;
    const auto found = pointAt(point);
    if (!found) return {};
    return anomalyTooltip(*anomalies_, anomalies_->points[*found], selection().state().clockShiftsNs);
}

void AnomaliesCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || event->modifiers() & Qt::AltModifier)
        return PlaneCanvas::mousePressEvent(event);
    if (!anomalies_) return;
    lasso_ = {toDevice(event->position())};
}

void AnomaliesCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (lasso_.empty() || !(event->buttons() & Qt::LeftButton)) return PlaneCanvas::mouseMoveEvent(event);
    lasso_.push_back(toDevice(event->position()));
    update();
}

void AnomaliesCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || lasso_.empty()) return PlaneCanvas::mouseReleaseEvent(event);
    const std::vector<Point> lasso = std::exchange(lasso_, {});
    update();
    if (!anomalies_) return;
    const bool drawn = std::any_of(lasso.begin(), lasso.end(), [&](Point point) {
        return std::hypot(point.x - lasso[0].x, point.y - lasso[0].y)
            > kAnomalyLassoBeginsPx * devicePixelRatioF();
    });
    if (!drawn) {
        if (const auto line = listAt(lasso[0])) {
            if (line->isFunction) return Q_EMIT functionPicked(toQString(line->line.name));
            const LocationRef location{line->line.experiment, LocationId(line->line.item)};
            selection().setSelected(select(*session_, location), this);
            return redraw();
        }
        if (const auto cell = heatAt(lasso[0])) return choose(cell->points, event->modifiers());
        const auto point = pointAt(lasso[0]);
        return choose(point ? std::vector<std::uint32_t>{*point} : std::vector<std::uint32_t>(),
                      event->modifiers());
    }
    if (!axesKnown()) return;
    const Shown& shown = shownNow();
    choose(
        anomaliesWithin(*anomalies_, shown.points, shown.layout, choices_, lasso, shown.state.clockShiftsNs),
        event->modifiers());
}

void AnomaliesCanvas::choose(const std::vector<std::uint32_t>& points, Qt::KeyboardModifiers modifiers)
{
    if (!anomalies_) return;
    std::vector<SevereCall> calls;
    calls.reserve(points.size());
    for (const std::uint32_t i : points)
        calls.push_back({anomalies_->points[i].call, anomalies_->points[i].severityNs});
    choose(std::move(calls), modifiers);
}

/// A selection is compared with every picture.
void AnomaliesCanvas::choose(std::vector<SevereCall> calls, Qt::KeyboardModifiers modifiers)
{
    if (!session_) return;
    if (calls.size() > kMostChosen) {
        selection().say(tr("Of %1 calls the %2 that lost most are selected.")
                            .arg(toQString(formatCount(static_cast<double>(calls.size()))))
                            .arg(kMostChosen));
        std::partial_sort(calls.begin(), calls.begin() + kMostChosen, calls.end(),
                          [](const SevereCall& a, const SevereCall& b) {
                              return std::tie(b.severityNs, a.call) < std::tie(a.severityNs, b.call);
                          });
        calls.resize(kMostChosen);
    }
    Selection all;
    if (calls.size() == 1) all = select(*session_, calls[0].call);
    else
        for (const SevereCall& each : calls) all.intervals.push_back(each.call);
    std::sort(all.intervals.begin(), all.intervals.end());
    if (modifiers & Qt::ControlModifier) all = united(selection().state().selected, all);
    selection().setSelected(all, this);
    showCausesOfSelected();
    redraw();
}

/// Of a single call that is not normal, wherever it was selected, unless what it cost is being looked at.
void AnomaliesCanvas::showCausesOfSelected()
{
    const auto& chosen = selection().state().selected.intervals;
    if (!anomalies_ || !anomalies_->complete() || chosen.size() != 1
        || selection().state().causes.about == chosen[0])
        return;
    const ViewState state = shownState();
    const bool odd =
        std::any_of(anomalies_->points.begin(), anomalies_->points.end(), [&](const AnomalyPoint& point) {
            return point.call == chosen[0] && labelOf(point, state.verdicts) != AnomalyLabel::Normal;
        });
    if (odd) showCauses(chosen[0], CauseDirection::Back);
}

void AnomaliesCanvas::showCauses(const IntervalRef& call, CauseDirection direction)
{
    if (!anomalies_ || !anomalies_->complete()) return;
    if (selection().state().selected.intervals != std::vector{call})
        selection().setSelected(select(*session_, call), this);
    tasks().run<CauseLinks>(
        {"anomalies causes", tr("Following causes"), JobVisibility::WhenSlow}, this,
        [anomalies = anomalies_, call, direction,
         results = results()](const Task& task) -> Result<CauseLinks> {
            if (anomalies->session->experiments.size() < 2) return causeLinksOf(*anomalies, call, direction);
            const auto handOvers = handOversOf(*results, anomalies->session, task);
            if (!handOvers) return tl::make_unexpected(handOvers.error());
            return causeLinksOf(*anomalies, call, direction, (*handOvers)->placed.handOvers);
        },
        [this](Result<CauseLinks> causes) {
            if (!causes) return;
            selection().setCauses(*causes, this);
            selection().say(toQString(causesText(*causes)) + ".");
            redraw();
        });
}

void AnomaliesCanvas::selectCause(const AnomalyPoint& point)
{
    const auto cause = anomalies_ ? anomalies_->causeOf(point) : std::nullopt;
    if (!cause) return;
    const JudgedCall& call = anomalies_->call(*cause);
    selection().setSelected(select(*session_, IntervalRef{cause->program, call.location, call.call}), this);
    redraw();
}

void AnomaliesCanvas::say(const IntervalRef& call, std::optional<CallVerdict::Kind> verdict)
{
    std::vector<CallVerdict> verdicts = selection().state().verdicts;
    const auto at = std::lower_bound(
        verdicts.begin(), verdicts.end(), call,
        [](const CallVerdict& each, const IntervalRef& wanted) { return each.call < wanted; });
    const bool known = at != verdicts.end() && at->call == call;
    if (known && verdict) at->kind = *verdict;
    else if (known) verdicts.erase(at);
    else if (verdict) verdicts.insert(at, {call, *verdict});
    selection().setVerdicts(verdicts, nullptr);
}

/// What lies beside the scatter is not zoomed.
void AnomaliesCanvas::wheelEvent(QWheelEvent* event)
{
    const Rect body = presentFrame().body;
    if (body.contains(toDevice(event->position()))) PlaneCanvas::wheelEvent(event);
    else event->ignore();
}

void AnomaliesCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) return PlaneCanvas::keyPressEvent(event);
    lasso_.clear();
    selection().setSelected({}, this);
    redraw();
}

std::vector<KeyHint> AnomaliesCanvas::keyHints() const
{
    std::vector<KeyHint> hints{
        {tr("Click a dot, Ctrl+click"), tr("Select the call; add it")},
        {tr("Click a function or a rank of the lists"), tr("Make it of interest; select its location")},
        {tr("Drag around dots"), tr("Select the calls within the line")},
        {tr("Click the map of ranks over time"), tr("Select the calls that it counts there")},
        {tr("Right click"), tr("Say what a call is; axes, consequences, the map of ranks")},
        {tr("Esc"), tr("Clear the selection")}};
    for (const KeyHint& hint : PlaneCanvas::keyHints()) hints.push_back(hint);
    return hints;
}

}  // namespace skein
