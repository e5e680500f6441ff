// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/region_table_view.h"

#include "views/common/empty_state.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QEvent>
#include <QTreeView>

#include <algorithm>

namespace skein {
namespace {

constexpr int kSumUpDelayMs = 30;  ///< a drag sends many spans; the sums of the last one are wanted

}  // namespace

RegionTableView::RegionTableView(const ViewContext& context, const char* accessibleName, ViewParts computed,
                                 QWidget* parent)
    : TableView(context, accessibleName, parent), head_(new ScopeHead(selection(), this))
{
    setHead(head_);
    connect(head_, &ScopeHead::pinned, this, [this] { delay_.start(); });
    delay_.setSingleShot(true);
    delay_.setInterval(kSumUpDelayMs);
    connect(&delay_, &QTimer::timeout, this, [this] {
        if (session_) compute();
    });
    selection().listen(this, [this, computed](const ViewChange& change) {
        if (change.parts.has(computed | kScopeParts)) delay_.start();
        if (change.parts.has(ViewParts::kColors) && session_) updatePalettes();
        if (change.parts.has(ViewParts::kSelected)) showSelection();
    });
}

void RegionTableView::setModel(QAbstractItemModel* model, int column)
{
    table().setModel(model);
    table().setSortingEnabled(true);
    table().sortByColumn(column, Qt::DescendingOrder);
    connect(table().selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RegionTableView::publishSelection);
    connect(&table(), &QTreeView::clicked, this, [this](const QModelIndex& cell) {
        const LocationRef location = session_ ? locationIn(cell) : LocationRef();
        if (!location.valid()) return;
        Selection selected = selection().state().selected;
        selected.locations = {location};
        selection().setSelected(selected, this);
    });
}

bool RegionTableView::takeSession(SessionPtr session, const QString& nothing)
{
    session_ = std::move(session);
    head_->setSession(session_);
    bringSelection();
    forgetFit();
    pages().showMessage(session_ ? tr("Summing up the calls…") : nothing);
    return session_ != nullptr;
}

void RegionTableView::updatePalettes()
{
    setPalettes(palettesOf(RegionGroups(*session_, selection().state().grouping), themeFor(palette())));
    // Models tell of their outermost rows; below these are rows with colours, too.
    table().viewport()->update();
}

bool RegionTableView::anySelected(const Selection& selected, std::uint32_t experiment,
                                  const std::vector<RegionId>& regions)
{
    return std::any_of(regions.begin(), regions.end(), [&](RegionId id) {
        return std::binary_search(selected.regions.begin(), selected.regions.end(),
                                  RegionRef{experiment, id});
    });
}

void RegionTableView::markSelected(const QItemSelection& rows, const QModelIndex& first)
{
    const Selection& selected = selection().state().selected;
    markRows(rows, first, brought_ == selected ? RowSight::AsItIs : RowSight::Brought);
    if (first.isValid()) brought_ = selected;
}

void RegionTableView::tellInsteadOfTime(const std::string& metric)
{
    setNote(metric.empty() ? QString() : tr("No time was recorded: %1 is shown.").arg(toQString(metric)));
}

void RegionTableView::publishSelection()
{
    if (!following() && session_)
        selection().setSelected(meantBy(table().selectionModel()->selectedRows()), this);
}

void RegionTableView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) updatePalettes();
}

void RegionTableView::fillMenu(QMenu& menu)
{
    addFilterActions(menu, selection(), session_, subjectOf(table().selectionModel()->selectedRows()), this);
}

}  // namespace skein
