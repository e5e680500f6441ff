// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_view.h"

#include "core/select/translate.h"
#include "views/behavior/change_choices.h"
#include "views/behavior/column_dialog.h"
#include "views/behavior/live_feed.h"
#include "views/behavior/transform_dialog.h"
#include "views/common/elided_label.h"
#include "views/common/scene/drawing/pane_row.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace skein {
namespace {

constexpr int kLiveWindows[] = {0, 50, 100, 200, 500};

/// The last so many rows are in sight; 0: all.
ViewState liveState(const LivePicture& live, std::size_t rows, const Selection& selected)
{
    ViewState state;
    state.selected = selected;
    const auto& edges = live.picture->behavior->edges;
    if (rows > 0 && rows + 1 < edges.size())
        state.visible = TimeSpan{edges[edges.size() - 1 - rows], edges.back()};
    return state;
}

QString whatToFollow()
{
    return LiveView::tr(
        "Type a file that grows, tcp:HOST:PORT or unix:PATH, and press Follow. Senders send lines "
        "of JSON: docs/STREAM.md.");
}

}  // namespace

LiveCanvas::LiveCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the stream"), parent), message_(whatToFollow())
{
    setObjectName("stream.lines");
    setAccessibleName(tr("Stream"));
    setAccessibleDescription(
        tr("A line an entity as values come. skein-cli changes --follow tells the same."));
}

void LiveCanvas::setLive(std::shared_ptr<const LivePicture> live, const QString& message)
{
    live_ = std::move(live);
    message_ = message;
    redraw();
}

void LiveCanvas::setSliding(std::size_t rows)
{
    sliding_ = rows;
    redraw();
}

void LiveCanvas::setSelected(const Selection& selected)
{
    selected_ = selected;
    redraw();
}

ViewState LiveCanvas::stateOf(const LivePicture& live) const { return liveState(live, sliding_, selected_); }

const LivePicture& LiveCanvas::pane(int number) const
{
    return live_->panes.empty() ? *live_ : *live_->panes[static_cast<std::size_t>(number)];
}

LiveCanvas::PanePoint LiveCanvas::paneAt(Point point) const
{
    return onCanvas([&](const Canvas& canvas) {
        const PaneColumn column = paneColumn(canvas, paneCount());
        const int number = column.at(point.y);
        const LivePicture& live = pane(number);
        const Canvas own{canvas.width, static_cast<int>(column.height), canvas.style, canvas.measure};
        return PanePoint{live,
                         behaviorLayout(*live.data, *live.picture, stateOf(live), own),
                         {point.x, point.y - column.top(number)}};
    });
}

SceneView::Maker LiveCanvas::maker() const
{
    if (!ready()) return {};
    return [live = live_, rows = sliding_, selected = selected_, count = paneCount()](const Canvas& canvas,
                                                                                      const Task& task) {
        return oneAboveOther(canvas, count, [&](int number, const Canvas& own) {
            const LivePicture& part =
                live->panes.empty() ? *live : *live->panes[static_cast<std::size_t>(number)];
            return behaviorScene(*part.data, *part.picture, liveState(part, rows, selected), own, task);
        });
    };
}

DrawList LiveCanvas::overlay(const Canvas& canvas) const
{
    DrawList all;
    if (!ready()) return all;
    const PaneColumn column = paneColumn(canvas, paneCount());
    for (int number = 0; number < paneCount(); ++number) {
        const LivePicture& live = pane(number);
        const Canvas own{canvas.width, static_cast<int>(column.height), canvas.style, canvas.measure};
        const SessionBehavior& behavior = *live.picture->behavior;
        BehaviorPointers pointers;
        for (std::size_t i = 0; chosenChange_ && i < behavior.changes.changes.size(); ++i)
            if (behavior.edges[behavior.changes.changes[i]] == *chosenChange_) pointers.chosenChange = i;
        const ViewState now = stateOf(live);
        DrawList list = behaviorOverlay(*live.picture, now,
                                        behaviorLayout(*live.data, *live.picture, now, own), pointers, own);
        moveDown(list, column.top(number));
        all.items.insert(all.items.end(), std::make_move_iterator(list.items.begin()),
                         std::make_move_iterator(list.items.end()));
    }
    return all;
}

std::vector<std::string> LiveCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    const PanePoint at = paneAt(point);
    return behaviorTooltip(*at.live.picture, at.layout, at.point, devicePixelRatioF());
}

void LiveCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!ready() || event->button() != Qt::LeftButton) return;
    const PanePoint at = paneAt(toDevice(event->position()));
    const auto change = behaviorChangeAt(*at.live.picture, at.layout, at.point, devicePixelRatioF());
    const SessionBehavior& behavior = *at.live.picture->behavior;
    chosenChange_ = change ? std::optional(behavior.edges[behavior.changes.changes[*change]]) : std::nullopt;
    updateOverlay();
    if (change) return;
    Q_EMIT chosen(behaviorPickAt(*at.live.picture, at.layout, at.point, devicePixelRatioF()).locations,
                  event->modifiers());
}

LiveSideCanvas::LiveSideCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing who is alike in the stream"), parent)
{
    setObjectName("stream.side");
    setAccessibleName(tr("Similarity and communication of the stream"));
    setAccessibleDescription(tr("A dot an entity: the nearer, the more alike; and who sends to whom now."));
    setMinimumWidth(120);
}

void LiveSideCanvas::setLive(std::shared_ptr<const LivePicture> live)
{
    live_ = std::move(live);
    redraw();
}

void LiveSideCanvas::setSelected(const Selection& selected)
{
    selected_ = selected;
    redraw();
}

LiveSideLayout LiveSideCanvas::sceneLayout() const
{
    if (!ready()) return {};
    return onCanvas([this](const Canvas& canvas) { return liveSideLayout(*live_, canvas); });
}

SceneView::Maker LiveSideCanvas::maker() const
{
    if (!ready()) return {};
    return [live = live_, selected = selected_](const Canvas& canvas, const Task& task) {
        return liveSideScene(*live, selected, canvas, task);
    };
}

DrawList LiveSideCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    lasso_.draw(list, canvas);
    return list;
}

std::vector<std::string> LiveSideCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    return liveSideText(*live_, sceneLayout(), point, devicePixelRatioF());
}

void LiveSideCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && ready()) lasso_.begin(toDevice(event->position()));
}

void LiveSideCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!lasso_.begun() || !(event->buttons() & Qt::LeftButton)) return SceneView::mouseMoveEvent(event);
    lasso_.goOn(toDevice(event->position()));
    update();
}

void LiveSideCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !lasso_.begun()) return;
    const std::vector<Point> lasso = lasso_.end(devicePixelRatioF());
    update();
    if (!ready()) return;
    const SessionBehavior& behavior = *live_->picture->behavior;
    const auto entities = liveSideChosen(*live_, sceneLayout(), lasso, devicePixelRatioF());
    Q_EMIT chosen(behavior.locationsOf(entities), event->modifiers());
}

LiveView::LiveView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      feed_(new LiveFeed(this)),
      address_(new QLineEdit(this)),
      follow_(new QToolButton(this)),
      pause_(new QToolButton(this)),
      metric_(new QComboBox(this)),
      granularity_(new QComboBox(this)),
      window_(new QComboBox(this)),
      changes_(new ChangeChoices(this, "stream", tr("%1 time points to learn"))),
      transforms_(new QToolButton(this)),
      columnsButton_(new QToolButton(this)),
      status_(new ElidedLabel(this)),
      canvas_(new LiveCanvas(context, this)),
      side_(new LiveSideCanvas(context, this))
{
    address_->setObjectName("stream.address");
    address_->setPlaceholderText(tr("FILE, tcp:HOST:PORT or unix:PATH"));
    address_->setAccessibleName(tr("Where the stream comes from"));
    address_->setMinimumWidth(160);
    follow_->setObjectName("stream.follow");
    follow_->setText(tr("Follow"));
    follow_->setAccessibleName(tr("Follow the stream, or end that"));
    pause_->setObjectName("stream_pause");
    pause_->setText(tr("Pause"));
    pause_->setCheckable(true);
    pause_->setToolTip(tr("Hold the picture; the stream goes on, and resuming jumps to now"));
    pause_->setAccessibleName(tr("Hold the picture"));
    metric_->setObjectName("stream.metric");
    metric_->setAccessibleName(tr("What the lines show"));
    metric_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    metric_->setMinimumContentsLength(14);
    granularity_->setObjectName("stream.granularity");
    granularity_->setAccessibleName(tr("What a line stands for"));
    granularity_->setToolTip(granularity_->accessibleName());
    granularity_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    granularity_->setMinimumContentsLength(12);
    granularity_->hide();
    window_->setObjectName("stream.window");
    window_->setAccessibleName(tr("How much is in sight"));
    for (const int rows : kLiveWindows)
        window_->addItem(rows == 0 ? tr("All that is kept") : tr("Last %1 time points").arg(rows), rows);
    transforms_->setObjectName("stream.transforms");
    transforms_->setText(tr("Transforms…"));
    transforms_->setToolTip(tr("Sample, filter or join what comes, or pass on only what moved"));
    transforms_->setAccessibleName(transforms_->toolTip());
    columnsButton_->setObjectName("stream.columns");
    columnsButton_->setText(tr("Columns…"));
    columnsButton_->setToolTip(tr("Which columns of the table name entities, and which has the times"));
    columnsButton_->setAccessibleName(columnsButton_->toolTip());
    columnsButton_->hide();
    layOut();
    setFocusProxy(address_);
    connect(address_, &QLineEdit::returnPressed, this, &LiveView::toggle);
    connect(follow_, &QToolButton::clicked, this, &LiveView::toggle);
    connect(pause_, &QToolButton::toggled, this, &LiveView::present);
    connect(metric_, &QComboBox::activated, this, &LiveView::look);
    connect(granularity_, &QComboBox::activated, this, &LiveView::chooseGranularity);
    connect(changes_, &ChangeChoices::activated, this, &LiveView::look);
    connect(transforms_, &QToolButton::clicked, this, &LiveView::askForTransforms);
    connect(columnsButton_, &QToolButton::clicked, this, &LiveView::askForColumns);
    connect(canvas_, &LiveCanvas::chosen, this, &LiveView::choose);
    connect(side_, &LiveSideCanvas::chosen, this, &LiveView::choose);
    connect(window_, &QComboBox::currentIndexChanged, this,
            [this] { canvas_->setSliding(static_cast<std::size_t>(window_->currentData().toInt())); });
    // The feed tells it on its own thread.
    connect(feed_, &LiveFeed::came, this, &LiveView::present, Qt::QueuedConnection);
}

LiveView::~LiveView() { feed_->stop(); }

void LiveView::layOut()
{
    status_->setContentsMargins(8, 2, 8, 4);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 4, 8, 0);
    controls->setSpacing(8);
    for (QWidget* part :
         std::initializer_list<QWidget*>{address_, follow_, pause_, metric_, granularity_, window_,
                                         changes_->alpha(), changes_->burnIn(), transforms_, columnsButton_})
        controls->addWidget(part);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->setChildrenCollapsible(true);
    both->addWidget(canvas_);
    both->addWidget(side_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 1);
    side_->hide();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addWidget(status_);
    all->addWidget(both, 1);
}

void LiveView::askForTransforms()
{
    auto* dialog = new TransformDialog(transform_, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        transform_ = dialog->params();
        presentTransform();
        select({});
        look();
    });
    dialog->open();
}

void LiveView::askForColumns()
{
    const auto live = feed_->latest();
    if (!live || live->columns.empty()) return;
    auto* dialog = new ColumnDialog(live->columns, columns_, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        columns_ = dialog->columns();
        columnsOf_ = feed_->address();
        select({});
        look();
    });
    dialog->open();
}

void LiveView::presentTransform()
{
    transforms_->setText(transform_ == StreamTransformParams{} ? tr("Transforms…") : tr("Transforms: on…"));
    const QSignalBlocker quiet(granularity_);
    // A level that the dialog of transforms chose may be none of the list.
    if (transform_.level != 0) granularity_->setCurrentIndex(-1);
    for (std::size_t i = 0; i < granularities_.size(); ++i) {
        const LiveGranularity& each = granularities_[i];
        const bool now = each.sampled.empty() ? each.level == transform_.level : each.sampled == sampled_;
        if (now) granularity_->setCurrentIndex(static_cast<int>(i));
    }
}

/// Levels of groups are a transform, samples another reading of the file.
void LiveView::chooseGranularity()
{
    const auto index = static_cast<std::size_t>(granularity_->currentIndex());
    if (index >= granularities_.size()) return;
    const LiveGranularity& chosen = granularities_[index];
    if (chosen.sampled.empty()) transform_.level = chosen.level;
    else sampled_ = chosen.sampled;
    presentTransform();
    select({});
    look();
}

void LiveView::offerGranularities(const std::vector<LiveGranularity>& granularities)
{
    if (granularities == granularities_) return;
    granularities_ = granularities;
    const QSignalBlocker quiet(granularity_);
    granularity_->clear();
    for (const LiveGranularity& each : granularities_) granularity_->addItem(toQString(each.label));
    granularity_->setVisible(granularities_.size() > 1);
    presentTransform();
}

/// As the panel's choices say.
void LiveView::look()
{
    LiveChoices choices{metric_->currentText().toStdString(), changes_->params(), transform_, sampled_,
                        columns_};
    if (metric_->currentData().isValid()) choices.metric.reset();
    const auto done = feed_->choose(choices);
    if (done) return;
    follow_->setText(tr("Follow"));
    canvas_->setLive(nullptr, toQString(done.error().text()));
}

void LiveView::choose(const std::vector<LocationRef>& entities, Qt::KeyboardModifiers modifiers)
{
    Selection chosen;
    chosen.locations = entities;
    select(modifiers & Qt::ControlModifier ? united(selected_, chosen) : chosen);
}

void LiveView::select(const Selection& selected)
{
    selected_ = selected;
    canvas_->setSelected(selected_);
    side_->setSelected(selected_);
}

void LiveView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || selected_.empty()) return View::keyPressEvent(event);
    select({});
}

void LiveView::toggle()
{
    if (feed_->running()) {
        feed_->stop();
        follow_->setText(tr("Follow"));
        return;
    }
    select({});
    const std::string address = address_->text().trimmed().toStdString();
    // Columns are those of one table.
    if (columnsOf_ != address) columns_ = {};
    look();
    const auto done = feed_->follow(address);
    if (!done) return canvas_->setLive(nullptr, toQString(done.error().text()));
    follow_->setText(tr("End"));
    canvas_->setLive(nullptr, tr("Waiting for values at %1 …").arg(toQString(feed_->where())));
}

void LiveView::present()
{
    const auto live = feed_->latest();
    if (!live || pause_->isChecked()) return;
    // Entities are known by their column.
    if (std::exchange(restarts_, live->restarts) < live->restarts) select({});
    offerMetrics(live->metrics);
    offerGranularities(live->granularities);
    status_->setText(toQString(liveStatus(*live)));
    columnsButton_->setVisible(!live->columns.empty());
    side_->setVisible(live->picture && live->picture->behavior->table.columns.size() > 1);
    side_->setLive(live);
    const QString nothing = live->nothing.empty()
        ? tr("Waiting for values at %1 …").arg(toQString(feed_->where()))
        : toQString(live->nothing);
    canvas_->setLive(live, live->picture ? QString() : nothing);
}

void LiveView::offerMetrics(const std::vector<std::string>& metrics)
{
    // Until values come again after another choice of transforms, those before stand there.
    if (metrics.empty() || metrics == metrics_) return;
    metrics_ = metrics;
    const QSignalBlocker quiet(metric_);
    const QString now = metric_->currentText();
    metric_->clear();
    for (const std::string& name : metrics) metric_->addItem(toQString(name));
    if (metrics.size() > 1) metric_->addItem(tr("All metrics, one above the other"), true);
    metric_->setCurrentIndex(std::max(0, metric_->findText(now)));
}

std::vector<KeyHint> LiveView::keyHints() const
{
    return {{tr("Return"), tr("Follow what the address names, or end that")},
            {tr("Click a change point"), tr("Who moved")},
            {tr("Click a line, a cluster, a dot or a pair"), tr("Only these entities keep their colours")},
            {tr("Drag around dots"), tr("Only those within the line keep their colours; Ctrl adds")},
            {tr("Esc"), tr("All entities have their colours again")}};
}

std::optional<DrawList> LiveView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
