// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_view.h"

#include "views/common/choice_box.h"
#include "views/common/context_menu.h"
#include "views/common/filter_menu.h"
#include "views/common/metric_chooser.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"
#include "views/flame/flame_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace skein {
namespace {

constexpr int kFlameDelayMs = 60;

}  // namespace

FlameView::FlameView(const ViewContext& context, QWidget* parent)
    : View(context, parent), canvas_(new FlameCanvas(context, this))
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    head_ = new ScopeHead(selection(), this);
    head_->setContentsMargins(8, 4, 8, 0);
    connect(head_, &ScopeHead::pinned, this, &FlameView::compute);
    all->addWidget(head_);
    all->addWidget(makeControls());
    all->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    addActions();
    delay_.setSingleShot(true);
    delay_.setInterval(kFlameDelayMs);
    connect(&delay_, &QTimer::timeout, this, &FlameView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks
                             | ViewParts::kTree | ViewParts::kColors))
            delay_.start();
        if (change.parts.has(ViewParts::kSelected)) canvas_->setSearch(search_->text().toStdString());
    });
    setSession(nullptr);
}

QWidget* FlameView::makeControls()
{
    auto* row = new QWidget(this);
    auto* layout = new WrapLayout(row);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(6);
    metric_ = new MetricChooser(selection(), this);
    order_ = newChoice(this, "flame.order", tr("What lies on what"),
                       {tr("Top-down: callers first"), tr("Bottom-up: functions first"), tr("Over time")});
    root_ = newChoice(this, "flame.root", tr("Where the root is"), {tr("Icicle"), tr("Flame")});
    siblings_ =
        newChoice(this, "flame.siblings", tr("Order of neighbours"), {tr("Largest first"), tr("By name")});
    search_ = new QLineEdit(this);
    search_->setObjectName("flame.search");
    search_->setAccessibleName(tr("Light up frames by name"));
    search_->setPlaceholderText(tr("Light up by name"));
    search_->setClearButtonEnabled(true);
    for (QWidget* control : std::initializer_list<QWidget*>{metric_, order_, root_, siblings_})
        layout->addWidget(control);
    layout->addWidget(search_);
    connect(order_, &QComboBox::activated, this, &FlameView::compute);
    connect(siblings_, &QComboBox::activated, this, &FlameView::compute);
    connect(root_, &QComboBox::activated, this,
            [this](int which) { canvas_->setRoot(which == 0 ? FlameRoot::Top : FlameRoot::Bottom); });
    connect(search_, &QLineEdit::textChanged, this,
            [this](const QString& text) { canvas_->setSearch(text.trimmed().toStdString()); });
    return row;
}

void FlameView::addActions()
{
    const auto add = [this](const char* id, const QString& text, const QKeySequence& key, auto does) {
        auto* action = new QAction(text, this);
        action->setObjectName(id);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, does);
        addAction(action);
        return action;
    };
    QAction* const actions[] = {
        add("flame.zoom", tr("Zoom to Selected"), QKeySequence("Z"), [this] { canvas_->zoomToSelected(); }),
        add("flame.zoomOut", tr("Zoom Out to Caller"), QKeySequence("Shift+Z"),
            [this] { canvas_->zoomOut(); }),
        add("flame.source", tr("Open Source"), QKeySequence("O"), [this] { canvas_->openSource(); })};
    add("flame.find", tr("Light Up Frames"), QKeySequence::Find,
        [this] { search_->setFocus(Qt::ShortcutFocusReason); });
    connect(canvas_, &FlameCanvas::menuWanted, this,
            [this, actions = std::vector(actions, actions + 3)](const QPoint& position) {
                QMenu* menu = newContextMenu(*this);
                for (QAction* action : actions) menu->addAction(action);
                menu->addSeparator();
                FilterSubject subject;
                subject.regions = selection().state().selected.regions;
                addFilterActions(*menu, selection(), session_, subject, this);
                menu->popup(position);
            });
}

void FlameView::setSession(SessionPtr session)
{
    closeContextMenus(*this);
    session_ = std::move(session);
    head_->setSession(session_);
    metric_->setSession(session_);
    tasks().drop("flame");
    canvas_->setSession(session_);
    if (!session_)
        return canvas_->setFlame(nullptr, tr("Open an archive to see what its calls took as flames."));
    canvas_->setFlame(nullptr, tr("Summing up the calls…"));
    compute();
}

void FlameView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (std::exchange(stale_, false)) QTimer::singleShot(kShownForMs, this, [this] { compute(); });
}

/// Panels that nobody looks at cost an archive nothing.
void FlameView::compute()
{
    if (!session_) return;
    stale_ = !isVisible();
    if (stale_) return;
    const bool overTime = order_->currentIndex() == static_cast<int>(FlameOrder::Time);
    siblings_->setEnabled(!overTime);
    metric_->setEnabled(!overTime);
    if (overTime) computeTimeline();
    else computeSums();
}

void FlameView::computeSums()
{
    const ViewState& state = selection().state();
    FlameRequest request;
    request.query = {head_->scope().span, head_->filters(), state.metric, state.clockShiftsNs, results()};
    request.edits = state.tree;
    request.order = static_cast<FlameOrder>(order_->currentIndex());
    request.siblings = static_cast<FlameSiblings>(siblings_->currentIndex());
    request.grouping = state.grouping;
    tasks().run<FlamePtr>(
        {"flame", tr("Flame graph")}, this,
        [session = session_, request](const Task& task) { return makeFlame(session, request, task); },
        [this](Result<FlamePtr> flame) {
            if (flame)
                canvas_->setFlame(
                    *flame,
                    tr("Nothing of this metric was recorded in what is shown. Choose another one, "
                       "or show more of the time."));
            else if (!flame.error().cancelled()) canvas_->setFlame(nullptr, toQString(flame.error().text()));
        });
}

void FlameView::computeTimeline()
{
    tasks().run<TimelineDataPtr>(
        {"flame", tr("Flame graph")}, this,
        [session = session_, store = results()](const Task& task) {
            return timelineDataOf(*store, *session, task);
        },
        [this](Result<TimelineDataPtr> made) {
            if (!made) return;
            const TimeSpan span = head_->scope().span.value_or((*made)->clock.extent);
            canvas_->setTimeline(*made, span,
                                 tr("No calls were recorded over time: this archive is a profile. Choose "
                                    "top-down or bottom-up."));
        });
}

std::vector<KeyHint> FlameView::keyHints() const
{
    return {{tr("Click, Ctrl+click"), tr("Select a frame; add it")},
            {tr("Double-click, Enter"), tr("Zoom into a frame")},
            {tr("Backspace, Home"), tr("Zoom out to the caller; to everything")},
            {tr("Arrow keys"), tr("To the caller, into it, to neighbours")},
            {tr("Wheel"), tr("Scroll through the depths")}};
}

std::optional<DrawList> FlameView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
