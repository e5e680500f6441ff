// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "core/select/translate.h"
#include "views/common/behavior_model.h"
#include "views/common/mark_actions.h"
#include "views/common/picture_difference.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scene/regions/call_legend.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_changes_scene.h"
#include "views/timeline/timeline_clusters_scene.h"
#include "views/timeline/timeline_notes_scene.h"
#include "views/timeline/timeline_render.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QAction>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kHighestRowZoom = 64;
constexpr int kStripWaitMs = 50;
constexpr const char* kExactPicture = "timeline exact picture";

/// The state as far as the picture shows it: pointer and brush belong to the overlay, single calls are
/// outlined there.
ViewState pictureState(const ViewState& state)
{
    ViewState kept;
    kept.visible = state.visible;
    kept.filters = state.filters;
    kept.rows = state.rows;
    kept.colors = state.colors;
    kept.colorScaling = state.colorScaling;
    kept.grouping = state.grouping;
    if (state.colors == ColorMode::Metric) kept.metric = state.metric;
    if (state.selected.intervals.empty()) kept.selected.callPaths = state.selected.callPaths;
    return kept;
}

}  // namespace

TimelineView::TimelineView(const ViewContext& context, QWidget* parent)
    : TimeView(context, tr("Drawing the timeline"), parent), behavior_(BehaviorModel::of(context))
{
    options_.fit = RowFit::Usual;
    strips_.setSingleShot(true);
    strips_.setInterval(kStripWaitMs);
    connect(&strips_, &QTimer::timeout, this, [this] {
        stripsLate_ = true;
        if (data()) refresh();
    });
    setObjectName("timeline");
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Calls and messages of every location over time. The call tree and the function summary "
           "hold the same as tables."));
    addActions();
    connect(&behavior_, &BehaviorModel::changed, this, [this] { updateOverlay(); });
    connect(&behavior_, &BehaviorModel::becameOutdated, this, [this] { updateOverlay(); });
    connect(&selection(), &SelectionModel::revealWanted, this, [this] {
        if (data()) bringRowsIntoSight(rowsOf(*session(), selection().state().selected));
    });
}

void TimelineView::setSession(SessionPtr session)
{
    for (const char* job :
         {"picture", "groups", "order", "waits", "critical path", "workflow", "collectives"})
        tasks().drop(QString("timeline ") + job);
    drawing_ = false;
    preparing_ = false;
    picture_ = nullptr;
    onScreen_ = {};
    moving_.reset();
    options_.rowZoom = 1;
    options_.inferred.clear();
    options_.waits = nullptr;
    options_.criticalPath = nullptr;
    options_.io = nullptr;
    options_.handOvers = nullptr;
    TimeView::setSession(session);
}

/// What the first picture does not wait for: it would only have the disk and the cores for a part.
void TimelineView::firstPictureEnded()
{
    endFirstPicture();
    loadWorkflow();
    markWaits();
    followCriticalPath();
    inferCollectives();
}

/// I/O operations, and what components have handed over to each other.
void TimelineView::loadWorkflow()
{
    struct Loaded {
        SessionIoPtr io;
        SessionHandOversPtr handOvers;
    };
    tasks().run<Loaded>(
        {"timeline workflow", tr("Looking for hand-overs of files"), JobVisibility::WhenSlow}, this,
        [session = session(), results = results()](const Task& task) -> Result<Loaded> {
            auto found = handOversOf(*results, session, task);
            if (!found) return Unexpected(found.error());
            return Loaded{makeSessionIo(*session), *found};
        },
        [this](Result<Loaded> loaded) {
            if (!loaded) return;
            options_.io = loaded->io;
            const auto& placed = loaded->handOvers->placed;
            if (!placed.handOvers.empty())
                options_.handOvers = std::shared_ptr<const PlacedHandOvers>(loaded->handOvers, &placed);
            redraw();
        });
}

/// Wait states are looked for when somebody wants to see them.
void TimelineView::markWaits()
{
    const bool wanted = session() && selection().state().waitMarks == WaitMarks::Shown;
    if (!wanted) {
        tasks().drop("timeline waits");
        options_.waits = nullptr;
        return redraw();
    }
    tasks().run<SessionWaitsPtr>(
        {"timeline waits", tr("Wait states")}, this,
        [session = session(), results = results()](const Task& task) {
            return waitsOf(*results, *session, task);
        },
        [this](Result<SessionWaitsPtr> found) {
            if (found) options_.waits = *found;
            redraw();
        });
}

/// It is looked for when somebody wants to see it.
void TimelineView::followCriticalPath()
{
    if (!session() || !showsPath_) {
        tasks().drop("timeline critical path");
        options_.criticalPath = nullptr;
        return redraw();
    }
    tasks().run<SessionCriticalPathPtr>(
        {"timeline critical path", tr("Following the critical path"), JobVisibility::WhenSlow}, this,
        [session = session(), results = results()](const Task& task) {
            return criticalPathOf(*results, *session, task);
        },
        [this](Result<SessionCriticalPathPtr> found) {
            if (found) options_.criticalPath = *found;
            redraw();
        });
}

/// Traces without collective events get theirs from the calls. That looks at every call: the picture does not
/// wait for it.
void TimelineView::inferCollectives()
{
    tasks().run<std::vector<CollectiveTablePtr>>(
        {"timeline collectives", tr("Looking for collectives"), JobVisibility::WhenSlow}, this,
        [session = session()](const Task& task) -> Result<std::vector<CollectiveTablePtr>> {
            std::vector<CollectiveTablePtr> tables;
            for (const ExperimentPtr& experiment : session->experiments) {
                auto table = inferredCollectiveTable(*experiment, task);
                if (!table) return tl::make_unexpected(table.error());
                tables.push_back(std::move(*table));
            }
            return tables;
        },
        [this](Result<std::vector<CollectiveTablePtr>> tables) {
            if (!tables || std::all_of(tables->begin(), tables->end(), [](const CollectiveTablePtr& table) {
                    return !table;
                }))
                return;
            options_.inferred = std::move(*tables);
            redraw();
        });
}

TimelineView::Frame TimelineView::presentFrame() const
{
    return {data(), pictureState(selection().state()), options_, deviceWidth(), deviceHeight()};
}

void TimelineView::layoutAgain()
{
    options_.theme = style().theme;
    options_.scale = style().scale;
    options_.scrollY = scroll();
    layout_ = {};
    ++layouts_;
    if (!data()) return;
    layout_ = onCanvas([this](const Canvas& canvas) {
        return timelineLayout(*data(), selection().state(), options_, canvas.width, canvas.height,
                              canvas.measure);
    });
    setScroll(scroll());
    options_.scrollY = scroll();
}

bool TimelineView::upToDate() const
{
    return picture_ && !drawing_ && isAsWide(picture_->frame, presentFrame());
}

SceneView::Maker TimelineView::maker() const { return data() ? makerOf(presentFrame()) : Maker(); }

SceneView::Maker TimelineView::makerOf(const Frame& frame)
{
    return [frame](const Canvas& canvas, const Task& task) {
        return timelineScene(*frame.data, frame.state, frame.options, canvas.width, canvas.height,
                             canvas.measure, task);
    };
}

QString TimelineView::emptyText() const
{
    return session() ? tr("Preparing the timeline …")
                     : tr("Open an archive, or drop one here, to see what happened when.");
}

DrawList TimelineView::overlay(const Canvas& canvas) const
{
    DrawList list = timelineOverlay(*data(), selection().state(), options_, layout_, canvas.measure);
    // Once more: what the overlay marks must not cross it. While the next picture is waited for they stay:
    // taken away and brought back the line would be sent twice.
    if (picture_ && (!stripsLate_ || showsSame(picture_->frame, presentFrame())))
        drawTimelineNotes(list, picture_->plan.messages, picture_->plan.collectives, selection().state(),
                          layout_, options_, canvas.measure);
    if (const SessionBehaviorPtr behavior = behaviorWhere(showsClusters_))
        drawTimelineClusters(list, *clusters(), *behavior, selection().state(), layout_, canvas);
    if (const SessionBehaviorPtr behavior = behaviorWhere(showsChanges_))
        drawTimelineChanges(list, *behavior, selection().state(), layout_, canvas);
    else if (const SessionBehaviorPtr before = showsChanges_ ? behavior_.outdated() : nullptr)
        drawOutdatedChanges(list, *before, selection().state(), layout_, canvas);
    drawRowMove(list);
    return list;
}

/// Its picture is compared with the state that it shows, not only counted: the state changes more often than
/// what is seen.
void TimelineView::redraw()
{
    if (!data()) return update();
    const TimeSpan before = std::exchange(layout_.scale.span, visibleSpan(*data(), selection().state()));
    if (before != layout_.scale.span) dropToolTip();
    if (width() < 1 || height() < 1) return;
    refresh();
    const Frame present = presentFrame();
    // A picture that is only made finer gives way to a new state.
    if (drawing_ && !(sharpening_ && !showsSame(picture_->frame, present))) return;
    if (picture_ && isAsWide(picture_->frame, present)) return;
    startPicture();
}

/// True when pictures of both differ in how finely they are drawn at most.
bool TimelineView::showsSame(const Frame& a, Frame b)
{
    b.options.detail = a.options.detail;
    return a == b;
}

/// True when pictures of both differ in the time that they show, and in how finely, at most.
bool TimelineView::isOnlyMoved(const Frame& a, Frame b)
{
    b.state.visible = a.state.visible;
    return showsSame(a, std::move(b));
}

/// True when pictures of both differ in how exactly columns are decided at most.
bool TimelineView::isAsWide(const Frame& a, Frame b)
{
    return a.options.detail.isAsWideAs(b.options.detail) && showsSame(a, std::move(b));
}

/// What is gone through for a picture: rows of collapsed groups count as their bundles and up to as many
/// single locations.
double TimelineView::sampledCells() const
{
    double sampled = 0;
    for (const TimelineRow& row : layout_.rows)
        sampled += row.folded.empty()
            ? 1.0
            : static_cast<double>(row.folded.size() / TimelineIndex::kBundle
                                  + std::min<std::size_t>(row.folded.size(), TimelineIndex::kBundle));
    const double seen =
        layout_.contentHeight > 0 ? std::min(1.0, layout_.body.height / layout_.contentHeight) : 1.0;
    const double inBundles = std::min(1.0, std::max(layout_.rowHeight, 1.0 / TimelineIndex::kBundle));
    return sampled * seen * inBundles * layout_.body.width;
}

/// One picture at a time: a newer state waits for the one under way, so that a fast wheel still sees every
/// picture. Large ones are drawn with wide columns first, and again as soon as nothing newer is wanted.
void TimelineView::startPicture()
{
    Frame frame = presentFrame();
    drawing_ = true;
    tasks().drop(kExactPicture);
    sharpening_ = picture_ && showsSame(picture_->frame, frame);
    if (picture_ && !sharpening_ && !hasSamples()) {
        frame.options.detail = PictureDetail::moving(sampledCells());
        if (exactIsQuick(frame)) frame.options.detail = exactDetail();
    }
    tasks().run<PicturePtr>(
        {"timeline picture", tr("Drawing the timeline"), JobVisibility::WhenSlow}, this,
        [frame, before = picture_, drawFont = font(),
         texts = texts()](const Task& task) -> Result<PicturePtr> {
            return makePicture(frame, before, SceneFonts(drawFont, frame.options.scale, texts), task);
        },
        [this](Result<PicturePtr> picture) {
            drawing_ = false;
            if (picture) picture_ = *picture;
            if (awaitsPicture()) firstPictureEnded();
            if (!picture) return;
            redraw();
            if (drawing_) return;
            decideExactly();
            prepareGroups();
        });
}

PictureDetail TimelineView::exactDetail() const
{
    constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 24;
    return PictureDetail::exact(cellsOf(layout_), kMostCalls);
}

/// Whether a picture beside the last one is decided exactly as soon as it would be drawn: over a remote
/// display each of two would have to be sent.
bool TimelineView::exactIsQuick(const Frame& frame) const
{
    // After one that came without a draft a draft would change all that stays.
    constexpr int kQuickMs = 24, kStillQuickMs = 80;
    const bool hasDraft = picture_->draft.cacheKey() != picture_->image.cacheKey();
    const bool isFine = frame.options.detail.isAsWideAs(exactDetail());
    return isFine && picture_->frame.options.detail == exactDetail()
        && picture_->drawnInMs <= (hasDraft ? kQuickMs : kStillQuickMs)
        && picture_->plan.layout.scale.span.lengthNs() == layout_.scale.span.lengthNs();
}

/// A picture that stays is drawn once more, its columns decided by all of their calls where these are not too
/// many.
void TimelineView::decideExactly()
{
    Frame frame = picture_->frame;
    frame.options.detail = exactDetail();
    if (frame == picture_->frame) return;
    tasks().run<PicturePtr>(
        {kExactPicture, tr("Drawing the timeline"), JobVisibility::WhenSlow}, this,
        [frame, shown = picture_, drawFont = font(),
         texts = texts()](const Task& task) -> Result<PicturePtr> {
            return makePicture(frame, shown, SceneFonts(drawFont, frame.options.scale, texts), task);
        },
        [this, frame](Result<PicturePtr> picture) {
            if (!picture || drawing_ || !isAsWide(frame, presentFrame())) return;
            picture_ = *picture;
            refresh();
        });
}

/// Rows of many locations that were drawn without a tree of their own get one, for the pictures to come.
void TimelineView::prepareGroups()
{
    if (preparing_ || !data() || !data()->groups->anyWanted()) return;
    preparing_ = true;
    tasks().run<bool>(
        {"timeline groups", tr("Summing up collapsed rows"), JobVisibility::WhenSlow}, this,
        [drawn = data()](const Task& task) -> Result<bool> {
            if (auto made = drawn->groups->make(drawn->session, task); !made) return Unexpected(made.error());
            return true;
        },
        // Where memory did not suffice once it is not tried again.
        [this](Result<bool> made) { preparing_ = !made && made.error().code == ErrorCode::OutOfMemory; });
}

/// Whether the last picture was of the same time and rows: what its columns hold needs not be found again.
bool TimelineView::hasSamples() const
{
    const TimelineOptions& last = picture_->frame.options;
    return picture_->samples && last.scrollY == options_.scrollY && last.rowZoom == options_.rowZoom
        && picture_->samples->areOf(*data(), layout_.scale.span,
                                    static_cast<std::size_t>(layout_.body.width));
}

/// The old picture is moved to where its time and rows are now; ruler and body together, labels only
/// vertically.
void TimelineView::paintPicture(QPainter& painter) const
{
    const QSize size(deviceWidth(), deviceHeight());
    painter.drawImage(0, 0, onScreen_.size() == size ? onScreen_ : composed(0, {}));
    if (shifting_ && picture_) paintDragged(painter);
}

/// What is to stand on the screen takes the place of what stands there.
void TimelineView::refresh()
{
    const auto [shift, moved] = pictureShift();
    QImage next = composed(shift, moved);
    const QImage before = std::exchange(onScreen_, std::move(next));
    updatePicture(before, onScreen_, shift, moved);
    if (picture_ && showsSame(picture_->frame, presentFrame())) {
        strips_.stop();
        stripsLate_ = false;
    } else if (!stripsLate_ && !strips_.isActive()) strips_.start();
}

QImage TimelineView::composed(int shift, const Rect& moved) const
{
    if (picture_ && showsSame(picture_->frame, presentFrame())) return picture_->image;
    QImage image(deviceWidth(), deviceHeight(), picture_ ? picture_->image.format() : QImage::Format_RGB32);
    image.fill(toQColor(style().theme.background));
    if (auto screen = movedScreen(shift, moved)) image = std::move(*screen);
    QPainter painter(&image);
    paintStale(painter);
    return image;
}

/// After a step along the time the strip that has come into sight stays as it is for a moment: its picture is
/// most often there before the next frame, and an empty strip would have to be sent as well.
std::optional<QImage> TimelineView::movedScreen(int shift, const Rect& moved) const
{
    const double ratio = devicePixelRatioF();
    const auto whole = static_cast<int>(ratio);
    if (stripsLate_ || !picture_ || onScreen_.size() != QSize(deviceWidth(), deviceHeight()))
        return std::nullopt;
    const TimelineOptions& drawn = picture_->frame.options;
    if (ratio != whole || shift % whole != 0 || drawn.scrollY != options_.scrollY
        || drawn.rowZoom != options_.rowZoom
        || picture_->plan.layout.scale.span.lengthNs() != layout_.scale.span.lengthNs()
        || picture_->plan.layout.contentHeight != layout_.contentHeight)
        return std::nullopt;
    const QRect area(static_cast<int>(std::ceil(moved.x / ratio)),
                     static_cast<int>(std::ceil(moved.y / ratio)),
                     static_cast<int>(std::floor(moved.width / ratio)),
                     static_cast<int>(std::floor(moved.height / ratio)));
    return movedWithin(onScreen_, area, shift / whole, whole);
}

void TimelineView::paintStale(QPainter& painter) const
{
    if (!picture_) return;
    const Picture& old = *picture_;
    // One that only moves along the time moves by whole pixels, as what is on the screen can.
    const bool slides = old.plan.layout.scale.span.lengthNs() == layout_.scale.span.lengthNs();
    double from = layout_.scale.toX(old.plan.layout.scale.span.begin);
    if (slides) from = std::round(from);
    const double to =
        slides ? from + old.plan.layout.body.width : layout_.scale.toX(old.plan.layout.scale.span.end);
    const double stretch =
        old.plan.layout.contentHeight > 0 ? layout_.contentHeight / old.plan.layout.contentHeight : 1;
    const double top = layout_.body.y - options_.scrollY + old.frame.options.scrollY * stretch;
    const auto part = [&](const Rect& source, double x, double y, double width, double height) {
        painter.drawImage(QRectF(x, y, width, height), old.image,
                          QRectF(source.x, source.y, source.width, source.height));
    };
    part(old.plan.layout.ruler, from, layout_.ruler.y, to - from, layout_.ruler.height);
    painter.setClipRect(QRectF(0, layout_.body.y, layout_.body.right(), layout_.body.height));
    part(old.plan.layout.body, from, top, to - from, old.plan.layout.body.height * stretch);
    part(old.plan.layout.labels, 0, top, layout_.labels.width, old.plan.layout.labels.height * stretch);
    painter.setClipping(false);
    part(old.plan.layout.corner, 0, layout_.corner.y, layout_.corner.width, layout_.corner.height);
}

void TimelineView::setRowZoom(double factor, double atY)
{
    const double before = options_.rowZoom;
    options_.rowZoom = std::clamp(before * factor, 1.0, kHighestRowZoom);
    const double inBody = std::max(0.0, atY - layout_.body.y);
    const double wanted = std::round((scroll() + inBody) * options_.rowZoom / before - inBody);
    layoutAgain();
    setScroll(wanted);
    layoutAgain();
    redraw();
}

void TimelineView::setMessageDisplay(MessageDisplay display)
{
    options_.messages = display;
    redraw();
}

std::optional<DrawList> TimelineView::drawnPicture(int width, int height) const
{
    if (!data()) return std::nullopt;
    ViewState state = selection().state();
    state.hover = {};
    TimelineOptions options = options_;
    // On paper nobody scrolls.
    options.scrollY = 0;
    options.fit = RowFit::All;
    options.rowZoom = 1;
    return timelinePicture(*data(), state, options, width, height, Task());
}

std::optional<int> TimelineView::pictureHeight(int width) const
{
    if (!data()) return std::nullopt;
    const SceneFonts fonts(font(), options_.scale, texts());
    return timelineHeight(*data(), selection().state(), options_, width, QtTextMeasure(fonts));
}

std::vector<LegendEntry> TimelineView::pictureLegend() const
{
    if (!data()) return {};
    return dividedLegend(data()->session, selection().state(), options_.theme);
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
    connect(waiting, &QAction::triggered, this, [this](bool on) {
        selection().setWaitMarks(on ? WaitMarks::Shown : WaitMarks::Hidden, nullptr);
    });
    add("timeline.zoomToSelection", tr("Zoom to the Selection"), [this] { zoomToSelection(); });
    add("timeline.nextCall", tr("Next Call of the Same Region"), [this] { stepCall(Direction::Forward); });
    add("timeline.previousCall", tr("Previous Call of the Same Region"),
        [this] { stepCall(Direction::Backward); });
    add("timeline.otherEnd", tr("Other End of the Message"), [this] { goToOtherEnd(); });
    add("timeline.mark", tr("Mark the Span or the Moment"), [this] { pinMark(selection(), this); });
    add("timeline.markWithNote", tr("Mark with a Note…"), [this] { pinMarkWithNote(selection(), this); });
    addRowActions();
    QAction* messages = add("timeline.messages", tr("Show Messages as Lines"), [] {});
    messages->setCheckable(true);
    messages->setChecked(true);
    connect(messages, &QAction::triggered, this, [this](bool on) {
        selection().setMessageLines(on ? MessageLines::Shown : MessageLines::Hidden, nullptr);
    });
    // Actions are used while the view is hidden, too.
    connect(&selection(), &SelectionModel::changed, this, [this, waiting, messages](ViewParts parts) {
        if (!parts.has(ViewParts::kOverlays)) return;
        const ViewState& state = selection().state();
        waiting->setChecked(state.waitMarks == WaitMarks::Shown);
        messages->setChecked(state.messageLines == MessageLines::Shown);
        setMessageDisplay(messages->isChecked() ? MessageDisplay::Shown : MessageDisplay::Hidden);
        markWaits();
    });
    QAction* collectives = add("timeline.collectives", tr("Show Collectives in the Timeline"), [] {});
    collectives->setCheckable(true);
    collectives->setChecked(true);
    connect(collectives, &QAction::toggled, this, [this](bool on) {
        options_.collectives = on ? CollectiveDisplay::Shown : CollectiveDisplay::Hidden;
        redraw();
    });
    QAction* path = add("timeline.criticalPath", tr("Show the Critical Path in the Timeline"), [] {});
    path->setCheckable(true);
    connect(path, &QAction::toggled, this, [this](bool on) {
        showsPath_ = on;
        followCriticalPath();
    });
    addBehaviorSwitch("timeline.changes", tr("Show Changes of Behaviour in the Timeline"),
                      &TimelineView::showsChanges_);
    addBehaviorSwitch("timeline.clusters", tr("Show Clusters of Behaviour Beside the Rows"),
                      &TimelineView::showsClusters_);
}

/// Findings of the behaviour panels lie over the picture.
void TimelineView::addBehaviorSwitch(const char* name, const QString& text, bool TimelineView::*shown)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setCheckable(true);
    action->setChecked(this->*shown);
    connect(action, &QAction::toggled, this, [this, shown](bool on) {
        this->*shown = on;
        updateOverlay();
    });
    addAction(action);
}

}  // namespace skein
