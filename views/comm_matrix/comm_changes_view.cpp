// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_changes_view.h"

#include "core/select/translate.h"
#include "views/common/choice_box.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>

namespace skein {
namespace {

constexpr int kCommChangesDelayMs = 60;
constexpr auto kCommChangesKey = "comm_changes";
constexpr std::size_t kMostCommChangesRows = 2000;

double valueAt(const CommMatrixTable& table, std::pair<std::uint32_t, std::uint32_t> pair)
{
    const CommMatrixCell* const cell = table.cellAt(pair.first, pair.second);
    return cell ? table.values[static_cast<std::size_t>(cell - table.cells.data())] : 0.0;
}

/// The pairs of items with the largest values or differences.
std::vector<std::pair<std::uint32_t, std::uint32_t>> heaviestPairs(const CommChanges& changes)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> weights;
    std::vector<const CommInterval*> all{&changes.live, &changes.base};
    for (const CommInterval& interval : changes.differences) all.push_back(&interval);
    for (const CommInterval* interval : all)
        for (std::size_t i = 0; i < interval->table->cells.size(); ++i) {
            const CommMatrixCell& cell = interval->table->cells[i];
            double& weight = weights[{cell.row, cell.column}];
            weight = std::fmax(weight, std::abs(interval->table->values[i]));
        }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& [pair, weight] : weights) pairs.push_back(pair);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) { return weights[a] > weights[b]; });
    if (pairs.size() > kMostCommChangesRows) pairs.resize(kMostCommChangesRows);
    return pairs;
}

}  // namespace

CommChangesCanvas::CommChangesCanvas(const ViewContext& context, BehaviorModel& model, QWidget* parent)
    : SceneView(context, tr("Drawing changes of communication"), parent), model_(model)
{
    setObjectName("comm_changes.canvas");
    setAccessibleName(tr("Changes of communication"));
    setAccessibleDescription(tr("Matrices of who sends how much to whom: now, at a base, and differences."));
    setFocusPolicy(Qt::StrongFocus);
    connect(&model_, &BehaviorModel::baseChanged, this, [this] { updateOverlay(); });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) redraw();
    });
}

void CommChangesCanvas::setChanges(CommChangesPtr changes, const QString& message)
{
    changes_ = std::move(changes);
    message_ = message;
    redraw();
}

CommChangesLayout CommChangesCanvas::sceneLayout() const
{
    if (!changes_) return {};
    return onCanvas([this](const Canvas& canvas) { return commChangesLayout(*changes_, canvas); });
}

SceneView::Maker CommChangesCanvas::maker() const
{
    if (!changes_) return {};
    return [changes = changes_, selected = selection().state().selected](const Canvas& canvas,
                                                                         const Task& task) {
        return commChangesScene(*changes, selected, canvas, task);
    };
}

DrawList CommChangesCanvas::overlay(const Canvas& canvas) const
{
    return changes_ ? commBaseOverlay(*changes_, model_.baseRow(), canvas) : DrawList();
}

std::vector<std::string> CommChangesCanvas::toolTipAt(Point point) const
{
    if (!changes_) return {};
    const CommChangesLayout layout = sceneLayout();
    if (const auto hit = commChangesCellAt(*changes_, layout, point)) return commChangesText(*changes_, *hit);
    if (const auto cluster = commClusterAt(*changes_, layout, point))
        return {"Cluster " + std::to_string(*cluster + 1), "Click: select its locations"};
    if (const auto change = commStripChangeAt(layout, point)) return changeText(*changes_->behavior, *change);
    if (commStripRowAt(*changes_, layout, point)) return {"Click or drag: the base is here"};
    return {};
}

bool CommChangesCanvas::dragBase(Point point)
{
    const auto row = commStripRowAt(*changes_, sceneLayout(), point);
    if (row) model_.setBaseRow(*row);
    return row.has_value();
}

void CommChangesCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !changes_) return;
    const Point point = toDevice(event->position());
    dragging_ = !commStripChangeAt(sceneLayout(), point) && dragBase(point);
}

void CommChangesCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!changes_ || !dragging_ || !(event->buttons() & Qt::LeftButton))
        return SceneView::mouseMoveEvent(event);
    const CommChangesLayout layout = sceneLayout();
    dragBase({toDevice(event->position()).x, layout.strip.y + layout.strip.height / 2});
}

void CommChangesCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (std::exchange(dragging_, false) || event->button() != Qt::LeftButton || !changes_) return;
    choose(toDevice(event->position()), event->modifiers());
}

void CommChangesCanvas::goToChange(std::size_t change)
{
    const ChangePeriods periods = periodsAround(*changes_->behavior, change);
    selection().setVisible(TimeSpan{periods.before.begin, periods.after.end}, this);
    Selection chosen;
    chosen.changePoints = {changeRef(*changes_->behavior, change)};
    selection().setSelected(chosen, this);
    selection().say(toQString(changeText(*changes_->behavior, change).front()));
}

/// A cell selects its pairs of ranks and their locations, a colour at the margins its cluster; the name of a
/// difference and its number on the strip go to its change.
void CommChangesCanvas::choose(Point point, Qt::KeyboardModifiers modifiers)
{
    const CommChangesLayout layout = sceneLayout();
    if (const auto change = commStripChangeAt(layout, point)) return goToChange(*change);
    for (const CommBox& box : layout.boxes)
        if (box.title.contains(point)) {
            if (box.interval->change) return goToChange(*box.interval->change);
            return selection().setBrushed(box.interval->span, nullptr);
        }
    Selection chosen;
    if (const auto cluster = commClusterAt(*changes_, layout, point))
        chosen = selectCluster(*session_, *changes_->behavior, *cluster);
    if (const auto hit = commChangesCellAt(*changes_, layout, point)) {
        const CommMatrixTable& table = *changes_->live.table;
        const std::uint32_t experiment = table.communication->request.experiment;
        for (const std::uint32_t sender : table.items[hit->row].ranks)
            for (const std::uint32_t receiver : table.items[hit->column].ranks)
                chosen.rankPairs.push_back({experiment, sender, receiver});
        std::ranges::sort(chosen.rankPairs);
        chosen.locations = rowsOf(*session_, chosen);  // whose lines stand in Behaviour
    }
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
}

void CommChangesCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!changes_) return;
    const auto hit = commChangesCellAt(*changes_, sceneLayout(), toDevice(event->position()));
    if (!hit) return;
    QStringList groups;
    for (const std::size_t item : {hit->row, hit->column})
        if (hit->interval->table->items[item].group)
            groups << toQString(hit->interval->table->items[item].name);
    if (!groups.isEmpty()) Q_EMIT opened(groups);
}

void CommChangesCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!changes_) return SceneView::keyPressEvent(event);
    const std::size_t row = model_.baseRow();
    switch (event->key()) {
    case Qt::Key_Left: return model_.setBaseRow(row > 0 ? row - 1 : 0);
    case Qt::Key_Right: return model_.setBaseRow(std::min(row + 1, changes_->behavior->table.rows() - 1));
    case Qt::Key_Home: return model_.setBaseRow(0);
    default: SceneView::keyPressEvent(event);
    }
}

std::vector<KeyHint> CommChangesCanvas::keyHints() const
{
    return {{tr("Click or drag on the strip, Left, Right"), tr("Move the base")},
            {tr("Click a cell"), tr("Select its pairs of ranks")},
            {tr("Click a title, or a number on the strip"),
             tr("Select the change and go to it, or mark the bin")},
            {tr("Click a colour at a margin"), tr("Select the locations of the cluster")},
            {tr("Double click"), tr("Open a group")}};
}

CommChangesView::CommChangesView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      model_(BehaviorModel::of(context)),
      head_(new ScopeHead(selection(), this)),
      pages_(new QStackedWidget(this)),
      canvas_(new CommChangesCanvas(context, model_, this)),
      table_(new CellTable("comm_changes.table", tr("Changes of communication of pairs"), this))
{
    value_ = addChoice("comm_changes.value", tr("What a cell tells"), {tr("Bytes"), tr("Messages")});
    level_ = addChoice("comm_changes.level", tr("What a row stands for"), {tr("A row a rank")});
    spans_ = addChoice("comm_changes.spans", tr("What matrices are means of"),
                       {tr("Means of periods"), tr("Single bins")});
    spans_->setItemData(0, tr("The bins from one lasting change to the next"), Qt::ToolTipRole);
    spans_->setItemData(1, tr("The last bin, that of the base, and those of changes"), Qt::ToolTipRole);
    reference_ = addChoice("comm_changes.reference", tr("What is taken away from what is after a change"),
                           {tr("Less the base"), tr("Less what was before")});
    shown_ = addChoice("comm_changes.shown", tr("What is shown"), {tr("Matrices"), tr("Table")});
    pages_->addWidget(canvas_);
    table_->freezeColumns(2);
    pages_->addWidget(table_);
    // Its bins are those of Behaviour: whichever of the two is pinned, both are.
    head_->pinTo(ScopeHead::Pin::WholeRun);
    head_->setContentsMargins(8, 4, 8, 0);
    connect(head_, &ScopeHead::pinned, &model_, [this] { model_.tellPin(head_->pinText()); });
    connect(&model_, &BehaviorModel::pinned, head_, &ScopeHead::restorePin);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 4, 8, 4);
    for (QComboBox* choice : {shown_, value_, level_, spans_, reference_}) controls->addWidget(choice);
    controls->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(controls);
    all->addWidget(pages_, 1);
    setFocusProxy(canvas_);
    delay_.setSingleShot(true);
    delay_.setInterval(kCommChangesDelayMs);
    connect(&delay_, &QTimer::timeout, this, &CommChangesView::compute);
    connect(&model_, &BehaviorModel::changed, &delay_, qOverload<>(&QTimer::start));
    connect(&model_, &BehaviorModel::baseChanged, this, &CommChangesView::compute);
    connect(level_, &QComboBox::activated, this, [this] { opened_.clear(); });
    connect(canvas_, &CommChangesCanvas::opened, this, [this](const QStringList& groups) {
        for (const QString& group : groups) opened_.insert(group.toStdString());
        compute();
    });
    setSession(nullptr);
}

QComboBox* CommChangesView::addChoice(const char* name, const QString& label, const QStringList& items)
{
    ChoiceBox* choice = newChoice(this, name, label, items);
    connect(choice, &QComboBox::activated, this, [this] { compute(); });
    return choice;
}

/// What is under way must not come after the message.
void CommChangesView::showNothing(const QString& message)
{
    tasks().drop(kCommChangesKey);
    working_ = again_ = false;
    canvas_->setChanges(nullptr, message);
}

void CommChangesView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    opened_.clear();
    canvas_->setSession(session_);
    head_->setSession(session_);
    head_->pinTo(ScopeHead::Pin::WholeRun);
    model_.setSession(session_);
    level_->clear();
    level_->addItem(tr("A row a rank"), QString());
    if (!session_) return showNothing(tr("Open a trace to see how its communication changes."));
    const Experiment& experiment = *session_->experiments[model_.request().experiment];
    for (const std::string& level : groupingLevels(experiment.definitions))
        level_->addItem(tr("By %1").arg(toQString(level)), toQString(level));
    showNothing(tr("Looking for changes…"));
    delay_.start();
}

void CommChangesView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    model_.workFor(this);
    delay_.start();
}

/// While a picture is made the next one waits, so that a dragged base is seen on its way.
void CommChangesView::compute()
{
    if (!session_ || !isVisible()) return;
    const SessionBehaviorPtr behavior = model_.behavior();
    if (!behavior) return showNothing(model_.message());
    if (communicatingRanks(*session_->experiments[behavior->request.experiment]) == 0)
        return showNothing(tr("This trace tells no messages: there is no communication that could change."));
    again_ = working_;
    if (working_) return;
    working_ = true;
    CommChangesRequest request;
    request.communication = communicationRequest(selection().state(), {}, behavior->request.experiment);
    request.communication.machine = {};
    request.options.value = value_->currentIndex() == 1 ? CommValue::Messages : CommValue::Bytes;
    request.options.level = level_->currentData().toString().toStdString();
    request.options.opened = opened_;
    request.spans = spans_->currentIndex() == 1 ? CommSpans::Bins : CommSpans::Periods;
    request.reference = reference_->currentIndex() == 1 ? CommReference::Before : CommReference::Base;
    request.liveRow = behavior->table.rows() - 1;
    request.baseRow = model_.baseRow();
    tasks().run<CommChangesPtr>(
        {kCommChangesKey, tr("Changes of communication")}, this,
        [results = results(), session = session_, behavior, request](const Task& task) {
            return makeCommChanges(*results, session, behavior, request, task);
        },
        [this](Result<CommChangesPtr> changes) {
            working_ = false;
            present(std::move(changes));
            if (std::exchange(again_, false)) compute();
        });
}

void CommChangesView::present(Result<CommChangesPtr> changes)
{
    pages_->setCurrentIndex(shown_->currentIndex());
    if (!changes) {
        if (!changes.error().cancelled()) canvas_->setChanges(nullptr, toQString(changes.error().text()));
        return;
    }
    canvas_->setChanges(*changes, {});
    if (shown_->currentIndex() == 1) fillTable(**changes);
}

void CommChangesView::fillTable(const CommChanges& changes)
{
    std::vector<const CommInterval*> intervals{&changes.live, &changes.base};
    for (const CommInterval& interval : changes.differences) intervals.push_back(&interval);
    const CommMatrixTable& live = *changes.live.table;
    std::vector<CellColumn> columns{{tr("Sender")}, {tr("Receiver")}};
    for (const CommInterval* interval : intervals)
        columns.push_back({toQString(commIntervalTitle(changes, *interval)),
                           live.options.value == CommValue::Bytes ? CellKind::Bytes : CellKind::Number});
    std::vector<std::vector<TableCell>> rows;
    for (const auto& pair : heaviestPairs(changes)) {
        std::vector<TableCell> row{live.items[pair.first].name, live.items[pair.second].name};
        for (const CommInterval* interval : intervals) {
            const double value = valueAt(*interval->table, pair);
            const std::string amount = commMeanText(live.options.value, std::abs(value));
            row.push_back(WordedNumber{value < 0                           ? "−" + amount
                                           : interval->change && value > 0 ? "+" + amount
                                                                           : amount,
                                       value});
        }
        rows.push_back(std::move(row));
    }
    table_->setRows(std::move(columns), std::move(rows));
}

std::optional<DrawList> CommChangesView::drawnPicture(int width, int height) const
{
    if (pages_->currentWidget() == table_) return std::nullopt;
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
