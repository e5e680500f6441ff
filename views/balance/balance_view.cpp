// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_view.h"

#include "core/select/translate.h"
#include "views/balance/balance_canvas.h"
#include "views/balance/phase_canvas.h"
#include "views/common/choice_box.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kBalanceDelayMs = 60;  ///< a pan or zoom sends many spans; the matrix of the last one is wanted

}  // namespace

BalanceView::BalanceView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      head_(new ScopeHead(selection(), this)),
      canvas_(new BalanceCanvas(context, this)),
      curves_(new PhaseCanvas(context, this)),
      scroll_(new QScrollBar(Qt::Vertical, this))
{
    addPhases();
    addMatrixChoices();
    addTable();
    layOut();
    listen();
    setSession(nullptr);
}

void BalanceView::addMatrixChoices()
{
    quantity_ =
        newChoice(this, "balance.quantity", tr("What of the metric"), {tr("Inclusive"), tr("Exclusive")});
    columns_ = newChoice(this, "balance.columns", tr("What a column stands for"));
    shading_ = newChoice(this, "balance.shading", tr("What colours tell"),
                         {tr("Difference from the mean"), tr("Value"), tr("Share of the location's time")});
    rowOrder_ = newChoice(
        this, "balance.rowOrder", tr("Order of the regions"),
        {tr("Most time first"), tr("Most lost first"), tr("By name"), tr("What is alike together")});
    columnOrder_ =
        newChoice(this, "balance.columnOrder", tr("Order of the columns"),
                  {tr("In order of rank"), tr("By selected region"), tr("What is alike together")});
    for (QComboBox* choice : {quantity_, columns_})
        connect(choice, &QComboBox::activated, this, [this] { compute(); });
    for (QComboBox* choice : {shading_, rowOrder_, columnOrder_})
        connect(choice, &QComboBox::activated, this, [this] { arrange(); });
}

/// Whatever levels the archives' system trees have.
void BalanceView::offerColumns()
{
    const QSignalBlocker quiet(columns_);
    columnChoices_ = balanceColumns(*session_);
    columns_->clear();
    for (const BalanceColumns& choice : columnChoices_) {
        const QString by = toQString(balanceByText(choice));
        columns_->addItem(by.left(1).toUpper() + by.mid(1));
    }
    // Threads of a process do other things than its first one: processes are compared where there are
    // several.
    const bool processes = std::any_of(
        session_->experiments.begin(), session_->experiments.end(),
        [](const ExperimentPtr& experiment) { return experiment->definitions.locationGroups.size() > 1; });
    columns_->setCurrentIndex(processes ? 1 : 0);
}

void BalanceView::layOut()
{
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 0, 8, 4);
    controls->setSpacing(8);
    for (QComboBox* choice : {phases_, shading_, quantity_, columns_, rowOrder_, columnOrder_})
        controls->addWidget(choice);
    controls->addStretch();
    controls->addWidget(tableShown_);
    all->addLayout(controls);
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(canvas_, 1);
    below->addWidget(scroll_);
    below->addWidget(curves_, 1);
    below->addWidget(table_, 1);
    all->addLayout(below, 1);
    setFocusProxy(canvas_);
}

void BalanceView::listen()
{
    connect(head_, &ScopeHead::pinned, this, &BalanceView::compute);
    connect(canvas_, &BalanceCanvas::scrolledBy, this,
            [this](int rows) { scroll_->setValue(scroll_->value() + rows); });
    connect(canvas_, &BalanceCanvas::resized, this, &BalanceView::fitScroll);
    connect(scroll_, &QScrollBar::valueChanged, this, [this] { arrange(); });
    delay_.setSingleShot(true);
    delay_.setInterval(kBalanceDelayMs);
    connect(&delay_, &QTimer::timeout, this, &BalanceView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks))
            delay_.start();
        if (change.parts.has(ViewParts::kSelected | ViewParts::kMarks) && byPhase()) computePhases();
        if (change.parts.has(ViewParts::kSelected) && columnOrder_->currentIndex() > 0) arrange();
    });
}

void BalanceView::addTable()
{
    table_ = new TableTree(this);
    cells_ = new CellModel(this);
    setUpTable(*table_, "Balance");
    table_->setObjectName("balance.table");
    table_->setRootIsDecorated(false);
    table_->setModel(cells_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->hide();
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &BalanceView::chooseRows);
    tableShown_ = new QToolButton(this);
    tableShown_->setObjectName("balance.asTable");
    tableShown_->setText(tr("Table"));
    tableShown_->setToolTip(tr("The same as a table of numbers"));
    tableShown_->setCheckable(true);
    connect(tableShown_, &QToolButton::toggled, this, [this] {
        showParts();
        fillTable();
    });
}

/// The matrix or the curves, or the table of them.
void BalanceView::showParts()
{
    const bool asTable = tableShown_->isChecked(), curves = byPhase();
    canvas_->setVisible(!asTable && !curves);
    curves_->setVisible(!asTable && curves);
    table_->setVisible(asTable);
    for (QComboBox* choice : {shading_, quantity_, columns_, rowOrder_, columnOrder_})
        choice->setVisible(!curves);
    setFocusProxy(asTable ? table_ : curves ? static_cast<QWidget*>(curves_) : canvas_);
    scroll_->hide();
    fitScroll();
}

void BalanceView::fillTable()
{
    if (!tableShown_->isChecked()) return;
    if (byPhase()) return fillPhaseTable();
    if (const BalancePicturePtr& picture = canvas_->picture()) return fillMatrixTable(*picture);
    cells_->clearRows();
}

/// Regions in the order of the picture, numbers of its columns.
void BalanceView::fillMatrixTable(const BalancePicture& picture)
{
    const BalanceTable table = balanceTable(picture);
    const CellKind amount = picture.matrix.time ? CellKind::Duration : CellKind::Number;
    const CellKind kind = picture.options.shading == BalanceShading::Value ? amount : CellKind::Percent;
    std::vector<CellColumn> columns{{tr("Region")},
                                    {tr("Max/mean"), CellKind::Number},
                                    {tr("Lost"), amount},
                                    {tr("Mean"), amount},
                                    {tr("Worst")}};
    for (const std::string& name : table.columns) columns.push_back({toQString(name), kind});
    cells_->setTable(std::move(columns), table.rows);
    fitColumns(*table_, 160);
    if (table.left > 0)
        selection().say(tr("%L1 more columns have no room in a table; skein-cli profile --by region-location "
                           "prints all.")
                            .arg(table.left));
}

void BalanceView::chooseRows()
{
    if (byPhase()) {
        const QModelIndexList chosen = table_->selectionModel()->selectedRows();
        if (chosen.isEmpty()) return;
        const std::size_t row = cells_->rowOf(chosen.front().row());
        if (row < tablePlaces_.size()) showPhase(tablePlaces_[row]);
        return;
    }
    const BalancePicturePtr& picture = canvas_->picture();
    if (!picture || !session_) return;
    std::vector<RegionRef> regions;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        const std::size_t row = cells_->rowOf(index.row());
        if (row >= picture->rowOrder.size()) continue;
        const auto& found = picture->matrix.rows[picture->rowOrder[row]].regions;
        regions.insert(regions.end(), found.begin(), found.end());
    }
    if (!regions.empty()) selection().setSelected(select(*session_, regions), this);
}

void BalanceView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    matrix_ = nullptr;
    tasks().drop("balance");
    head_->setSession(session_);
    canvas_->setSession(session_);
    proposePhases();
    showParts();
    if (!session_)
        return canvas_->setPicture(nullptr, tr("Open an archive to see whether its time is divided evenly."));
    canvas_->setPicture(nullptr, tr("Summing up the calls…"));
    offerColumns();
    compute();
}

void BalanceView::compute()
{
    if (byPhase()) computePhases();
    else computeMatrix();
}

void BalanceView::computeMatrix()
{
    if (!session_) return;
    const ViewState& state = selection().state();
    const BalanceRequest request{
        {head_->scope().span, head_->filters(), state.metric, state.clockShiftsNs, results()},
        static_cast<BalanceQuantity>(quantity_->currentIndex()),
        columnChoices_[static_cast<std::size_t>(std::max(0, columns_->currentIndex()))]};
    tasks().run<std::shared_ptr<const BalanceMatrix>>(
        {"balance", tr("Balance")}, this,
        [session = session_, request](const Task& task) -> Result<std::shared_ptr<const BalanceMatrix>> {
            auto matrix = makeBalanceMatrix(*session, request, task);
            if (!matrix) return tl::make_unexpected(std::move(matrix.error()));
            return std::make_shared<const BalanceMatrix>(std::move(*matrix));
        },
        [this](Result<std::shared_ptr<const BalanceMatrix>> matrix) {
            if (matrix) {
                matrix_ = *matrix;
                head_->setDetail(
                    tr("Max/mean and lost %1").arg(toQString(balanceByText(matrix_->columnsAre))));
                arrange();
                return fitScroll();
            }
            if (!matrix.error().cancelled()) canvas_->setPicture(nullptr, toQString(matrix.error().text()));
        });
}

void BalanceView::arrange()
{
    if (!matrix_ || !session_ || byPhase()) return;
    options_ = {static_cast<BalanceShading>(shading_->currentIndex()),
                static_cast<BalanceRowOrder>(rowOrder_->currentIndex()),
                static_cast<BalanceColumnOrder>(columnOrder_->currentIndex()),
                static_cast<std::size_t>(std::max(0, scroll_->value()))};
    canvas_->setPicture(
        arrangeBalance(*session_, *matrix_, options_, selection().state().selected.regions),
        tr("Nothing of this metric was recorded in the scope. Choose another one, or show more "
           "of the time."));
    fillTable();
}

void BalanceView::fitScroll()
{
    if (!canvas_->picture() || tableShown_->isChecked() || byPhase()) return;
    const auto rows = static_cast<int>(canvas_->picture()->matrix.rows.size());
    const auto inSight = static_cast<int>(canvas_->sceneLayout().rowsInSight);
    {
        const QSignalBlocker quiet(scroll_);
        scroll_->setRange(0, std::max(0, rows - inSight));
        scroll_->setPageStep(inSight);
        scroll_->setVisible(rows > inSight);
    }
    if (static_cast<std::size_t>(scroll_->value()) != canvas_->picture()->options.firstRow) arrange();
}

std::vector<KeyHint> BalanceView::keyHints() const
{
    return byPhase() ? curves_->keyHints() : canvas_->keyHints();
}

std::optional<DrawList> BalanceView::drawnPicture(int width, int height) const
{
    if (tableShown_->isChecked()) return std::nullopt;
    return byPhase() ? curves_->drawnPicture(width, height) : canvas_->drawnPicture(width, height);
}

}  // namespace skein
