// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "core/select/translate.h"
#include "views/common/mark_actions.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/window_shares.h"
#include "views/timeline/timeline_render.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QAction>
#include <QEvent>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr TimeNs kShortestZoomNs = 1000;
constexpr double kHighestRowZoom = 64;

/// The state as far as the picture shows it: pointer and brush belong to the overlay, single calls are outlined there.
ViewState pictureState(const ViewState& state)
{
    ViewState kept;
    kept.visible = state.visible;
    kept.filters = state.filters;
    kept.rows = state.rows;
    kept.colors = state.colors;
    if (state.selected.intervals.empty()) kept.selected.callPaths = state.selected.callPaths;
    return kept;
}

}  // namespace

TimelineView::TimelineView(const ViewContext& context, QWidget* parent) : View(context, parent)
{
    setObjectName("timeline");
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Calls and messages of every location over time. The call tree and the function summary "
                                "hold the same as tables."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    options_.theme = themeFor(palette());
    addActions();
    selection().listen(this, [this](const ViewChange& change) { hear(change.parts); });
    layoutAgain();
}

void TimelineView::setSession(SessionPtr session)
{
    tasks().drop("timeline picture");
    drawing_ = false;
    tasks().drop("timeline waits");
    tasks().drop("timeline workflow");
    options_.waits = nullptr;
    options_.io = nullptr;
    options_.handOvers = nullptr;
    setData(nullptr);
    session_ = session;
    if (session) loadWorkflow(session);
    if (session) markWaits();
    if (session) buildIndexes(std::move(session));
}

void TimelineView::buildIndexes(SessionPtr session)
{
    preparing_ = true;
    tasks().run<TimelineDataPtr>({"timeline index", tr("Preparing the timeline"), JobVisibility::WhenSlow}, this,
                                 [session, share = indexes()](const Task& task) { return share->dataOf(*session, task); },
                                 [this](Result<TimelineDataPtr> prepared) {
                                     preparing_ = false;
                                     if (prepared) setData(*prepared);
                                     update();
                                 });
}

/// I/O operations, and what components have handed over to each other.
void TimelineView::loadWorkflow(SessionPtr session)
{
    struct Loaded {
        SessionIoPtr io;
        SessionHandOversPtr handOvers;
    };
    tasks().run<Loaded>({"timeline workflow", tr("Looking for hand-overs of files"), JobVisibility::WhenSlow}, this,
                        [session, share = WindowShares::of(selection()).handOvers()](const Task& task) -> Result<Loaded> {
                            auto found = share->of(session, task);
                            if (!found) return Unexpected(found.error());
                            return Loaded{makeSessionIo(*session), *found};
                        },
                        [this](Result<Loaded> loaded) {
                            if (!loaded) return;
                            options_.io = loaded->io;
                            const auto& placed = loaded->handOvers->placed;
                            if (!placed.handOvers.empty()) options_.handOvers = std::shared_ptr<const PlacedCoupling>(loaded->handOvers, &placed);
                            refresh();
                        });
}

/// Wait states are looked for when somebody wants to see them.
void TimelineView::markWaits()
{
    const bool wanted = session_ && WindowShares::of(selection()).waitMarks() == WindowShares::Marks::Shown;
    if (!wanted) {
        tasks().drop("timeline waits");
        options_.waits = nullptr;
        return refresh();
    }
    tasks().run<SessionWaitsPtr>({"timeline waits", tr("Wait states")}, this,
                                 [session = session_, share = WindowShares::of(selection()).waits()](const Task& task) { return share->of(*session, task); },
                                 [this](Result<SessionWaitsPtr> found) {
                                     if (found) options_.waits = *found;
                                     refresh();
                                 });
}

void TimelineView::setData(TimelineDataPtr prepared)
{
    data_ = withClockOf(prepared, selection().state());
    picture_ = nullptr;
    options_.rowZoom = 1;
    options_.scrollY = 0;
    options_.inferred.clear();
    layoutAgain();
    refresh();
    inferCollectives();
}

/// Traces without collective events get theirs from the calls. That looks at every call: the picture does not wait for it.
void TimelineView::inferCollectives()
{
    tasks().drop("timeline collectives");
    if (!data_) return;
    tasks().run<std::vector<CollectiveTablePtr>>(
        {"timeline collectives", tr("Looking for collectives"), JobVisibility::WhenSlow}, this,
        [session = data_->session](const Task& task) -> Result<std::vector<CollectiveTablePtr>> {
            std::vector<CollectiveTablePtr> tables;
            for (const ExperimentPtr& experiment : session.experiments) {
                auto table = inferredCollectiveTable(*experiment, task);
                if (!table) return tl::make_unexpected(table.error());
                tables.push_back(std::move(*table));
            }
            return tables;
        },
        [this](Result<std::vector<CollectiveTablePtr>> tables) {
            if (!tables || std::all_of(tables->begin(), tables->end(), [](const CollectiveTablePtr& table) { return !table; })) return;
            options_.inferred = std::move(*tables);
            refresh();
        });
}

void TimelineView::hear(ViewParts parts)
{
    if (parts.has(ViewParts::kClocks)) data_ = withClockOf(data_, selection().state());
    if (parts.has(ViewParts::kVisible | ViewParts::kFilters | ViewParts::kClocks | ViewParts::kRows)) layoutAgain();
    if (parts.has(ViewParts::kVisible | ViewParts::kFilters | ViewParts::kSelected | ViewParts::kClocks | ViewParts::kRows | ViewParts::kColors)) refresh();
    update();
}

TimelineView::Frame TimelineView::presentFrame() const
{
    const double ratio = devicePixelRatioF();
    return {data_, pictureState(selection().state()), options_, static_cast<int>(std::lround(width() * ratio)),
            static_cast<int>(std::lround(height() * ratio))};
}

void TimelineView::layoutAgain()
{
    if (!data_) {
        layout_ = {};
        return;
    }
    options_.scale = devicePixelRatioF();
    const Frame frame = presentFrame();
    const SceneFonts fonts(font(), options_.scale);
    layout_ = timelineLayout(*data_, selection().state(), options_, frame.width, frame.height, QtTextMeasure(fonts));
    options_.scrollY = std::clamp(options_.scrollY, 0.0, layout_.maximumScroll);
}

bool TimelineView::upToDate() const { return picture_ && !drawing_ && picture_->frame == presentFrame(); }

void TimelineView::refresh()
{
    update();
    if (!data_ || drawing_ || width() < 1 || height() < 1) return;
    if (picture_ && picture_->frame == presentFrame()) return;
    startPicture();
}

/// One picture at a time: a newer state waits for the one under way, so that a fast wheel still sees every picture.
void TimelineView::startPicture()
{
    drawing_ = true;
    tasks().run<PicturePtr>({"timeline picture", tr("Drawing the timeline"), JobVisibility::WhenSlow}, this,
                            [frame = presentFrame(), drawFont = font()](const Task& task) -> Result<PicturePtr> {
                                return makePicture(frame, drawFont, task);
                            },
                            [this](Result<PicturePtr> picture) {
                                drawing_ = false;
                                if (!picture) return;
                                picture_ = *picture;
                                refresh();
                            });
}

TimelineView::PicturePtr TimelineView::makePicture(const Frame& frame, const QFont& font, const Task& task)
{
    auto picture = std::make_shared<Picture>();
    const SceneFonts fonts(font, frame.options.scale);
    const QtTextMeasure measure(fonts);
    picture->frame = frame;
    picture->layout = timelineLayout(*frame.data, frame.state, frame.options, frame.width, frame.height, measure);
    picture->messages = visibleMessages(*frame.data, picture->layout);
    picture->image = toImage(timelineScene(*frame.data, frame.state, frame.options, frame.width, frame.height, measure, task), fonts);
    return picture;
}

void TimelineView::showSpan(TimeSpan span)
{
    if (!data_) return;
    const TimeSpan all = data_->clock.extent;
    const TimeNs length = std::clamp(span.lengthNs(), std::min(kShortestZoomNs, all.lengthNs()), all.lengthNs());
    const TimeNs begin = std::clamp(span.begin, all.begin, all.end - length);
    const TimeSpan shown{begin, begin + length};
    selection().setVisible(shown == all ? std::nullopt : std::optional(shown), this);
    layout_.scale.span = visibleSpan(*data_, selection().state());
    refresh();
}

void TimelineView::zoom(double factor, double atX)
{
    if (!data_) return;
    const TimeSpan span = layout_.scale.span;
    const double part = std::clamp((atX - layout_.body.x) / layout_.body.width, 0.0, 1.0);
    const auto all = static_cast<double>(data_->clock.extent.lengthNs());
    const double length = std::clamp(static_cast<double>(span.lengthNs()) * factor,
                                     std::min(static_cast<double>(kShortestZoomNs), all), all);
    const double fixed = static_cast<double>(span.begin) + part * static_cast<double>(span.lengthNs());
    const auto begin = static_cast<TimeNs>(std::llround(fixed - part * length));
    showSpan({begin, begin + static_cast<TimeNs>(std::llround(length))});
}

void TimelineView::panBy(double devicePixels)
{
    if (!data_) return;
    const double wanted = devicePixels * layout_.scale.nsPerPixel() + panRest_;
    const auto ns = static_cast<TimeNs>(std::llround(wanted));
    panRest_ = wanted - static_cast<double>(ns);
    const TimeSpan span = layout_.scale.span;
    showSpan({span.begin + ns, span.end + ns});
}

void TimelineView::scrollBy(double devicePixels)
{
    options_.scrollY = std::clamp(options_.scrollY + devicePixels, 0.0, layout_.maximumScroll);
    layoutAgain();
    refresh();
}

void TimelineView::setRowZoom(double factor, double atY)
{
    const double before = options_.rowZoom;
    options_.rowZoom = std::clamp(before * factor, 1.0, kHighestRowZoom);
    const double inContent = options_.scrollY + std::max(0.0, atY - layout_.body.y);
    options_.scrollY = std::round(std::max(0.0, inContent * options_.rowZoom / before - (atY - layout_.body.y)));
    layoutAgain();
    refresh();
}

void TimelineView::zoomToBrush()
{
    if (const auto span = selection().state().brushed) showSpan(*span);
}

void TimelineView::zoomToSelection()
{
    if (!data_) return;
    const Selection& selected = selection().state().selected;
    std::optional<TimeSpan> around;
    const auto include = [&](TimeSpan span) { around = around ? around->united(span) : span; };
    for (const IntervalRef& interval : selected.intervals) {
        if (!exists(data_->session, interval)) continue;
        const auto& calls = data_->session.experiments[interval.experiment]->trace->locations[interval.location.index()].intervals;
        include(data_->clock.toSession(interval.experiment, calls.span(interval.index)));
    }
    for (const MessageRef& reference : selected.messages) {
        if (!exists(data_->session, reference)) continue;
        const Message& message = data_->session.experiments[reference.experiment]->trace->messages[reference.index];
        if (message.matched()) include(data_->clock.toSession(reference.experiment, TimeSpan{message.sendTime, message.receiveTime}));
    }
    if (!around) return zoomToBrush();
    const TimeNs margin = std::max<TimeNs>(around->lengthNs() / 20, 1);
    showSpan({around->begin - margin, around->end + margin});
}

void TimelineView::showEverything()
{
    if (data_) showSpan(keptSpan(selection().state().filters).value_or(data_->clock.extent));
}

void TimelineView::setMessageDisplay(MessageDisplay display)
{
    options_.messages = display;
    refresh();
}

std::optional<Result<void>> TimelineView::savePicture(const std::filesystem::path& path, int width, int height) const
{
    if (!data_) return std::nullopt;
    ViewState state = selection().state();
    state.hover = {};
    return saveTimeline(*data_, state, {width, height, options_}, path, Task());
}

void TimelineView::addActions()
{
    // Their keys are handled as plain keys: they must work here without being taken from other views.
    const auto add = [this](const char* name, const QString& text, auto does) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, does);
        addAction(action);
        return action;
    };
    add("timeline.everything", tr("Show the Whole Time"), [this] { showEverything(); });
    add("timeline.zoomToSpan", tr("Zoom to the Marked Span"), [this] { zoomToBrush(); });
    QAction* waiting = add("timeline.waits", tr("Mark Wait States in the Timeline"), [] {});
    waiting->setCheckable(true);
    WindowShares& shares = WindowShares::of(selection());
    connect(waiting, &QAction::toggled, this, [&shares](bool on) {
        shares.setWaitMarks(on ? WindowShares::Marks::Shown : WindowShares::Marks::Hidden);
    });
    connect(&shares, &WindowShares::waitMarksChanged, this, [this, waiting, &shares] {
        waiting->setChecked(shares.waitMarks() == WindowShares::Marks::Shown);
        markWaits();
    });
    add("timeline.zoomToSelection", tr("Zoom to the Selection"), [this] { zoomToSelection(); });
    add("timeline.nextCall", tr("Next Call of the Same Region"), [this] { stepCall(Direction::Forward); });
    add("timeline.previousCall", tr("Previous Call of the Same Region"), [this] { stepCall(Direction::Backward); });
    add("timeline.otherEnd", tr("Other End of the Message"), [this] { goToOtherEnd(); });
    add("timeline.mark", tr("Mark the Span or the Moment"), [this] { pinMark(selection(), this); });
    add("timeline.markWithNote", tr("Mark with a Note…"), [this] { pinMarkWithNote(selection(), this); });
    addRowActions();
    QAction* messages = add("timeline.messages", tr("Show Messages in the Timeline"), [] {});
    messages->setCheckable(true);
    messages->setChecked(true);
    connect(messages, &QAction::toggled, this,
            [this](bool on) { setMessageDisplay(on ? MessageDisplay::Shown : MessageDisplay::Hidden); });
    QAction* collectives = add("timeline.collectives", tr("Show Collectives in the Timeline"), [] {});
    collectives->setCheckable(true);
    collectives->setChecked(true);
    connect(collectives, &QAction::toggled, this, [this](bool on) {
        options_.collectives = on ? CollectiveDisplay::Shown : CollectiveDisplay::Hidden;
        refresh();
    });
}

}  // namespace skein
