// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_view.h"

#include "views/behavior/live_feed.h"
#include "views/behavior/live_side_scene.h"
#include "views/common/elided_label.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kLiveWindows[] = {0, 50, 100, 200, 500};

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

ViewState LiveCanvas::state() const
{
    ViewState state;
    const auto& edges = live_->picture->behavior->edges;
    if (sliding_ > 0 && sliding_ + 1 < edges.size())
        state.visible = TimeSpan{edges[edges.size() - 1 - sliding_], edges.back()};
    return state;
}

BehaviorLayout LiveCanvas::sceneLayout() const
{
    return onCanvas([this](const Canvas& canvas) {
        return behaviorLayout(*live_->data, *live_->picture, state(), canvas);
    });
}

SceneView::Maker LiveCanvas::maker() const
{
    if (!ready()) return {};
    return [live = live_, state = state()](const Canvas& canvas, const Task& task) {
        return behaviorScene(*live->data, *live->picture, state, canvas, task);
    };
}

DrawList LiveCanvas::overlay(const Canvas& canvas) const
{
    if (!ready()) return {};
    BehaviorPointers pointers;
    const SessionBehavior& behavior = *live_->picture->behavior;
    for (std::size_t i = 0; chosen_ && i < behavior.changes.changes.size(); ++i)
        if (behavior.edges[behavior.changes.changes[i]] == *chosen_) pointers.chosenChange = i;
    const ViewState now = state();
    return behaviorOverlay(*live_->picture, now, behaviorLayout(*live_->data, *live_->picture, now, canvas),
                           pointers, canvas);
}

std::vector<std::string> LiveCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    return behaviorTooltip(*live_->picture, sceneLayout(), point, devicePixelRatioF());
}

void LiveCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!ready() || event->button() != Qt::LeftButton) return;
    const auto change =
        behaviorChangeAt(*live_->picture, sceneLayout(), toDevice(event->position()), devicePixelRatioF());
    const SessionBehavior& behavior = *live_->picture->behavior;
    chosen_ = change ? std::optional(behavior.edges[behavior.changes.changes[*change]]) : std::nullopt;
    updateOverlay();
}

LiveSideCanvas::LiveSideCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the stream"), parent)
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

SceneView::Maker LiveSideCanvas::maker() const
{
    if (!live_ || !live_->picture) return {};
    return
        [live = live_](const Canvas& canvas, const Task& task) { return liveSideScene(*live, canvas, task); };
}

std::vector<std::string> LiveSideCanvas::toolTipAt(Point point) const
{
    if (!live_ || !live_->picture) return {};
    const LiveSideLayout layout =
        onCanvas([this](const Canvas& canvas) { return liveSideLayout(*live_, canvas); });
    return liveSideText(*live_, layout, point, 8 * devicePixelRatioF());
}

LiveView::LiveView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      feed_(new LiveFeed(this)),
      address_(new QLineEdit(this)),
      follow_(new QToolButton(this)),
      pause_(new QToolButton(this)),
      metric_(new QComboBox(this)),
      window_(new QComboBox(this)),
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
    window_->setObjectName("stream.window");
    window_->setAccessibleName(tr("How much is in sight"));
    for (const int rows : kLiveWindows)
        window_->addItem(rows == 0 ? tr("All that is kept") : tr("Last %1 time points").arg(rows), rows);
    status_->setContentsMargins(8, 2, 8, 4);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(8, 4, 8, 0);
    controls->addWidget(address_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{follow_, pause_, metric_, window_})
        controls->addWidget(part);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addWidget(status_);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->setChildrenCollapsible(true);
    both->addWidget(canvas_);
    both->addWidget(side_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 1);
    all->addWidget(both, 1);
    side_->hide();
    setFocusProxy(address_);
    connect(address_, &QLineEdit::returnPressed, this, &LiveView::toggle);
    connect(follow_, &QToolButton::clicked, this, &LiveView::toggle);
    connect(pause_, &QToolButton::toggled, this, &LiveView::present);
    connect(metric_, &QComboBox::activated, this,
            [this] { feed_->setMetric(metric_->currentText().toStdString()); });
    connect(window_, &QComboBox::currentIndexChanged, this,
            [this] { canvas_->setSliding(static_cast<std::size_t>(window_->currentData().toInt())); });
    // The feed tells it on its own thread.
    connect(feed_, &LiveFeed::came, this, &LiveView::present, Qt::QueuedConnection);
}

LiveView::~LiveView() { feed_->stop(); }

void LiveView::toggle()
{
    if (feed_->running()) {
        feed_->stop();
        follow_->setText(tr("Follow"));
        return;
    }
    const auto done = feed_->follow(address_->text().trimmed().toStdString());
    if (!done) return canvas_->setLive(nullptr, toQString(done.error().text()));
    follow_->setText(tr("End"));
    canvas_->setLive(nullptr, tr("Waiting for values at %1 …").arg(toQString(feed_->where())));
}

void LiveView::present()
{
    const auto live = feed_->latest();
    if (!live || pause_->isChecked()) return;
    offerMetrics(live->metrics);
    status_->setText(toQString(liveStatus(*live)));
    side_->setVisible(live->picture && live->picture->behavior->table.columns.size() > 1);
    side_->setLive(live);
    canvas_->setLive(
        live, live->picture ? QString() : tr("Waiting for values at %1 …").arg(toQString(feed_->where())));
}

void LiveView::offerMetrics(const std::vector<std::string>& metrics)
{
    if (static_cast<std::size_t>(metric_->count()) == metrics.size()) return;
    const QSignalBlocker quiet(metric_);
    const QString now = metric_->currentText();
    metric_->clear();
    for (const std::string& name : metrics) metric_->addItem(toQString(name));
    metric_->setCurrentIndex(std::max(0, metric_->findText(now)));
}

std::vector<KeyHint> LiveView::keyHints() const
{
    return {{tr("Return"), tr("Follow what the address names, or end that")},
            {tr("Click a change point"), tr("Who moved")}};
}

std::optional<DrawList> LiveView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
