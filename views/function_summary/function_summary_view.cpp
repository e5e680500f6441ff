// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/function_summary_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/function_summary/summary_model.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kDelayMs = 60;  ///< a pan or zoom sends many spans; the sum of the last one is wanted
constexpr int kLeastNameWidth = 240;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

bool contains(const Selection& selected, const SummaryRow& row)
{
    return std::any_of(row.region.regions.begin(), row.region.regions.end(), [&](RegionId id) {
        return std::binary_search(selected.regions.begin(), selected.regions.end(), RegionRef{row.experiment, id});
    });
}

}  // namespace

FunctionSummaryView::FunctionSummaryView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      model_(new SummaryModel(this)),
      table_(new QTreeView(this)),
      caption_(new QLabel(this)),
      filter_(new QLineEdit(this))
{
    setUpTable(*table_, "Function summary");
    table_->setModel(model_);
    table_->setRootIsDecorated(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(SummaryModel::kExclusive, Qt::DescendingOrder);
    caption_->setProperty("role", "secondary");
    filter_->setPlaceholderText(tr("Filter by name"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter the regions by name"));
    filter_->setMaximumWidth(240);
    auto* content = new QWidget(this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(caption_, 1);
    row->addWidget(filter_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(table_, 1);
    pages_ = new EmptyState(content, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    setFocusProxy(table_);
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, &FunctionSummaryView::compute);
    connect(filter_, &QLineEdit::textChanged, model_, &SummaryModel::setFilter);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FunctionSummaryView::publishSelection);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kVisible | ViewParts::kClocks)) delay_.start();
        if (change.parts.has(ViewParts::kSelected)) showSelection();
    });
    setSession(nullptr);
}

std::vector<KeyHint> FunctionSummaryView::keyHints() const { return {{tr("Click on a column"), tr("Sort by it")}}; }

void FunctionSummaryView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    fitted_ = false;
    tasks().drop("function_summary");
    model_->clear();
    if (!session_) return pages_->showMessage(tr("Open an archive to see which regions took its time."));
    updatePalettes();
    table_->setColumnHidden(SummaryModel::kComponent, session_->experiments.size() < 2);
    pages_->showMessage(tr("Summing up the calls…"));
    compute();
}

void FunctionSummaryView::compute()
{
    if (!session_) return;
    tasks().run<SummaryRows>(
        {"function_summary", tr("Function summary")}, this,
        [session = session_, state = selection().state()](const Task& task) {
            return makeSummaryRows(*session, sessionClock(*session, state.clockShiftsNs), state.visible, task);
        },
        [this](Result<SummaryRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (!rows.error().cancelled()) pages_->showMessage(text(rows.error().text()));
        });
}

void FunctionSummaryView::showRows(SummaryRows rows)
{
    following_ = true;
    model_->setRows(std::move(rows), *session_);
    following_ = false;
    showCaption();
    if (model_->rows().rows.empty() && model_->rows().wholeRun)
        return pages_->showMessage(tr("This archive has no calls: neither a profile nor enter and leave events."));
    pages_->showContent();
    if (!fitted_) fitColumns(*table_, kLeastNameWidth);
    fitted_ = true;
    showSelection();
}

void FunctionSummaryView::showCaption()
{
    const SummaryRows& rows = model_->rows();
    const auto& visible = selection().state().visible;
    QString what = tr("Whole run");
    if (!rows.wholeRun && visible)
        what = tr("Visible window: %1, from %2").arg(text(formatDuration(double(visible->lengthNs()))),
                                                     text(formatDuration(double(visible->begin))));
    if (rows.someWithoutTimes && !rows.wholeRun) what += tr(" · profiles are left out: they have no times of events");
    const QString regions = text(formatGrouped(static_cast<std::int64_t>(rows.rows.size())));
    caption_->setText(tr("%1 · %2 over all locations · %3 regions")
                          .arg(what, text(formatDuration(rows.totalExclusive)), regions));
}

void FunctionSummaryView::publishSelection()
{
    if (following_ || !session_) return;
    Selection selected;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        const SummaryRow& row = model_->row(index.row());
        for (const RegionId id : row.region.regions) selected = united(selected, select(*session_, RegionRef{row.experiment, id}));
    }
    selection().setSelected(selected, this);
}

void FunctionSummaryView::showSelection()
{
    const Selection& selected = selection().state().selected;
    QItemSelection rows;
    QModelIndex first;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (!contains(selected, model_->row(row))) continue;
        rows.select(model_->index(row, 0), model_->index(row, SummaryModel::kColumnCount - 1));
        if (!first.isValid()) first = model_->index(row, 0);
    }
    following_ = true;
    table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) {
        table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        table_->scrollTo(first);
    }
    following_ = false;
}

void FunctionSummaryView::updatePalettes()
{
    std::vector<RegionPalette> palettes;
    for (const ExperimentPtr& experiment : session_->experiments)
        palettes.push_back(regionPalette(experiment->definitions, themeFor(palette()).dark));
    model_->setPalettes(std::move(palettes));
}

void FunctionSummaryView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) updatePalettes();
}

void FunctionSummaryView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    if (fitted_) fitColumns(*table_, kLeastNameWidth);
}

}  // namespace skein
