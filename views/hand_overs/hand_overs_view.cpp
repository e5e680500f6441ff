// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hand_overs/hand_overs_view.h"

#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/hand_overs/hand_over_model.h"

#include <QHeaderView>
#include <QTreeView>

namespace skein {
namespace {

constexpr int kLeastOutput = 60;

}  // namespace

HandOversView::HandOversView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Hand-overs", parent), model_(new HandOverModel(this))
{
    table().setObjectName("hand_overs.table");
    table().setModel(model_);
    table().setSortingEnabled(true);
    table().sortByColumn(HandOverModel::kWritten, Qt::AscendingOrder);
    table().setExpandsOnDoubleClick(false);
    connect(table().selectionModel(), &QItemSelectionModel::selectionChanged, this, &HandOversView::publish);
    connect(&table(), &QTreeView::doubleClicked, this,
            [this](const QModelIndex& cell) { zoomTo(cell.row()); });
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &HandOversView::load);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kClocks)) present();
        if (change.parts.has(ViewParts::kSelected)) showSelected();
    });
    setSession(nullptr);
}

std::vector<KeyHint> HandOversView::keyHints() const
{
    return {{tr("Click"), tr("Select both ends of the hand-over")}, {tr("Double click"), tr("Zoom to it")}};
}

void HandOversView::setSession(SessionPtr session)
{
    tasks().drop("hand-overs table");
    session_ = std::move(session);
    found_ = nullptr;
    asked_ = false;
    forgetFit();
    present();
    begin_.start();
}

void HandOversView::showEvent(QShowEvent* event)
{
    TableView::showEvent(event);
    begin_.start();
}

/// When it is looked at.
void HandOversView::load()
{
    if (!isVisible() || !session_ || asked_ || session_->experiments.size() < 2) return;
    asked_ = true;
    tasks().run<SessionHandOversPtr>(
        {"hand-overs table", tr("Looking for hand-overs of files"), JobVisibility::WhenSlow}, this,
        [session = session_, results = results()](const Task& task) {
            return handOversOf(*results, session, task);
        },
        [this](Result<SessionHandOversPtr> found) {
            if (!found) return;
            found_ = *found;
            present();
            showSelected();
        });
}

void HandOversView::present()
{
    if (!session_) {
        model_->setHandOvers(nullptr, nullptr, {});
        return pages().showMessage(
            tr("Open the archives of a workflow to see what its components handed over."));
    }
    follow([this] {
        model_->setHandOvers(session_, found_, sessionClock(*session_, selection().state().clockShiftsNs));
    });
    if (session_->experiments.size() < 2)
        return pages().showMessage(
            tr("One archive is open: open the other components of the workflow beside it "
               "with File, Add Folder to Session."));
    if (!found_) return pages().showMessage(tr("Looking for hand-overs…"));
    if (found_->placed.handOvers.empty())
        return pages().showMessage(
            found_->problem.empty()
                ? tr("No table of hand-overs was found: put coupling.csv beside the archives, or open it.")
                : toQString(found_->problem));
    setNote(toQString(found_->problem));
    pages().showContent();
    if (!fitted()) fit(kLeastOutput);
}

void HandOversView::publish()
{
    if (following() || !session_ || !found_) return;
    std::vector<Selection> parts;
    for (const QModelIndex& row : table().selectionModel()->selectedRows()) {
        const std::uint32_t number = model_->numberOf(row.row());
        parts.push_back(skein::select(*session_, found_->placed.handOvers[number], HandOverRef{number}));
    }
    selection().setSelected(unitedParts(std::move(parts)), this);
}

void HandOversView::showSelected()
{
    if (!found_) return;
    QItemSelection rows;
    QModelIndex first;
    for (const HandOverRef& handOver : selection().state().selected.handOvers) {
        const int row = model_->rowOf(handOver.index);
        if (row < 0) continue;
        rows.select(model_->index(row, 0), model_->index(row, HandOverModel::kColumnCount - 1));
        if (!first.isValid()) first = model_->index(row, 0);
    }
    markRows(rows, first);
}

void HandOversView::zoomTo(int row)
{
    if (!found_ || row < 0) return;
    const HandOver& handOver = found_->placed.handOvers[model_->numberOf(row)];
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    const TimeSpan writing = clock.toSession(handOver.producer, handOver.written);
    const TimeSpan reading =
        clock.toSession(handOver.consumer, TimeSpan{handOver.waited.begin, handOver.readEnd});
    const TimeSpan both = writing.united(reading);
    const TimeNs margin = both.lengthNs() / 20 + 1;
    selection().setVisible(TimeSpan{std::max(clock.extent.begin, both.begin - margin),
                                    std::min(clock.extent.end, both.end + margin)},
                           this);
}

}  // namespace skein
