// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/waits/waits_view.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"
#include "views/waits/wait_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTreeView>

#include <algorithm>
#include <set>

namespace skein {
namespace {

constexpr int kWaitsDelayMs = 60;
constexpr int kLeastWaiterWidth = 220;

}  // namespace

WaitsView::WaitsView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Wait states", parent),
      model_(new WaitModel(this)),
      head_(new ScopeHead(selection(), this)),
      grouping_(new QComboBox(this)),
      marks_(new QCheckBox(tr("Mark in the timeline"), this))
{
    table().setModel(model_);
    table().setSortingEnabled(true);
    table().sortByColumn(WaitModel::kTime, Qt::DescendingOrder);
    model_->setDarkTheme(themeFor(palette()).dark);
    setHead(head_);
    grouping_->setObjectName("waits.grouping");
    grouping_->setAccessibleName(tr("What waits are summed by"));
    for (const auto& [title, grouping] : {std::pair{tr("By region"), WaitGrouping::Region},
                                          {tr("By location"), WaitGrouping::Location},
                                          {tr("By cause"), WaitGrouping::Cause},
                                          {tr("By kind"), WaitGrouping::Kind}})
        grouping_->addItem(title, static_cast<int>(grouping));
    marks_->setObjectName("waits.marks");
    head_->addControl(marks_);
    head_->addControl(grouping_);
    delay_.setSingleShot(true);
    delay_.setInterval(kWaitsDelayMs);
    connect(&delay_, &QTimer::timeout, this, &WaitsView::compute);
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &WaitsView::find);
    connect(grouping_, &QComboBox::currentIndexChanged, this, &WaitsView::compute);
    connect(head_, &ScopeHead::pinned, this, &WaitsView::compute);
    connect(marks_, &QCheckBox::clicked, this, [this](bool on) {
        selection().setWaitMarks(on ? WaitMarks::Shown : WaitMarks::Hidden, nullptr);
    });
    connect(&table(), &QTreeView::clicked, this, &WaitsView::click);
    connect(&table(), &QTreeView::activated, this, &WaitsView::click);
    connect(&table(), &QTreeView::doubleClicked, this, &WaitsView::zoomTo);
    table().setExpandsOnDoubleClick(false);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks)) delay_.start();
        if (change.parts.has(ViewParts::kOverlays))
            marks_->setChecked(selection().state().waitMarks == WaitMarks::Shown);
    });
    setSession(nullptr);
}

std::vector<KeyHint> WaitsView::keyHints() const
{
    return {{tr("Click"), tr("Select the call that waited")},
            {tr("Click on \"Waited for\""), tr("Select the call that it waited for")},
            {tr("Double click"), tr("Zoom to both")}};
}

void WaitsView::setSession(SessionPtr session)
{
    tasks().drop("waits");
    tasks().drop("wait sums");
    session_ = std::move(session);
    head_->setSession(session_);
    waits_ = nullptr;
    finding_ = false;
    forgetFit();
    model_->clear();
    if (!session_) return pages().showMessage(tr("Open a trace to see which calls waited, and for whom."));
    if (!anyTrace(*session_))
        return pages().showMessage(
            tr("Wait states need the times of events, and a profile has none. Open a trace."));
    pages().showMessage(tr("Looking for wait states…"));
    begin_.start();
}

/// Work that only this view needs begins when it is looked at.
void WaitsView::showEvent(QShowEvent* event)
{
    TableView::showEvent(event);
    begin_.start();
}

void WaitsView::find()
{
    if (finding_ || waits_ || !isVisible() || !session_ || !anyTrace(*session_)) return;
    finding_ = true;
    tasks().run<SessionWaitsPtr>(
        {"waits", tr("Wait states")}, this,
        [session = session_, results = results()](const Task& task) {
            return waitsOf(*results, *session, task);
        },
        [this](Result<SessionWaitsPtr> found) {
            finding_ = false;
            if (!found)
                return pages().showMessage(
                    tr("The search for wait states was cancelled. Show this panel again to repeat it."));
            waits_ = *found;
            compute();
        });
}

void WaitsView::compute()
{
    if (!session_ || !waits_) return;
    const ViewState& state = selection().state();
    const WaitRequest request{head_->scope().span, head_->filters(),
                              static_cast<WaitGrouping>(grouping_->currentData().toInt()),
                              state.clockShiftsNs};
    tasks().run<WaitRows>(
        {"wait sums", tr("Wait states")}, this,
        [session = session_, found = waits_, request](const Task& task) -> Result<WaitRows> {
            WaitRows rows = makeWaitRows(*session, *found, request);
            if (const auto added = addMpiTimes(rows, *session, *found, request, task); !added)
                return tl::make_unexpected(added.error());
            return rows;
        },
        [this](Result<WaitRows> rows) {
            if (rows) showRows(std::move(*rows));
        });
}

void WaitsView::showRows(WaitRows rows)
{
    std::set<std::pair<std::uint32_t, std::uint32_t>> unfolded;
    const auto key = [this](int row) {
        return std::pair(model_->row(model_->index(row, 0)).experiment,
                         model_->row(model_->index(row, 0)).sum.item);
    };
    const bool same = rows.grouping == model_->rows().grouping;
    for (int row = 0; same && row < model_->rowCount(); ++row)
        if (table().isExpanded(model_->index(row, 0))) unfolded.insert(key(row));
    model_->setRows(std::move(rows), session_);
    for (int row = 0; row < model_->rowCount(); ++row)
        if (unfolded.contains(key(row))) table().expand(model_->index(row, 0));
    showCaption();
    if (!same) fitToGrouping();
    if (model_->rowCount() == 0) return pages().showMessage(nothingText());
    pages().showContent();
    if (!fitted()) fit(kLeastWaiterWidth);
}

/// Where nothing waited, what all time in MPI went to is still told.
QString WaitsView::nothingText() const
{
    const WaitRows& rows = model_->rows();
    const bool filtered = !selection().state().filters.empty();
    QString text = tr("No call waited for another one: there are no messages and collectives, or they never "
                      "had to wait.");
    if (rows.hidden > 0 && filtered) text = tr("Filters hide all waits of this scope.");
    else if (filtered || head_->scope() != Scope())
        text = tr("In this scope no call waited for another one.");
    return rows.mpi.mpiNs > 0 ? text + '\n' + mpiNote() + '.' : text;
}

/// Filters of messages leave some of the waits; time in MPI is divided by all of them.
QString WaitsView::mpiNote() const
{
    const QString note = toQString(mpiText(model_->rows().mpi));
    return messageRules(head_->filters()).empty() ? note : tr("%1 (of all messages)").arg(note);
}

/// What time in MPI went to is told of regions alone.
void WaitsView::fitToGrouping()
{
    const bool regions = model_->rows().grouping == WaitGrouping::Region;
    for (const int column : {WaitModel::kMpi, WaitModel::kWork, WaitModel::kUnexplained})
        table().setColumnHidden(column, !regions);
    forgetFit();
}

void WaitsView::showCaption()
{
    const WaitRows& rows = model_->rows();
    QString caption = tr("%1 lost in %2 waits")
                          .arg(toQString(formatDuration(static_cast<double>(rows.totalNs))),
                               toQString(formatGrouped(static_cast<std::int64_t>(rows.count))));
    if (rows.inferredCollectives > 0)
        caption += tr(" · %1 collectives found by the names of regions")
                       .arg(toQString(formatGrouped(static_cast<std::int64_t>(rows.inferredCollectives))));
    if (rows.hidden > 0 && !selection().state().filters.empty())
        caption += tr(" · filters hide %1 others")
                       .arg(toQString(formatGrouped(static_cast<std::int64_t>(rows.hidden))));
    head_->setDetail(caption);
    setNote(rows.mpi.mpiNs > 0 ? mpiNote() : QString());
}

Selection WaitsView::selectionOf(const QModelIndex& index) const
{
    const WaitRow& row = model_->row(index);
    const bool cause = index.column() == WaitModel::kCause;
    if (const SingleWait* wait = model_->wait(index))
        return cause ? selectCause(*session_, row.experiment, wait->state)
                     : selectWait(*session_, row.experiment, wait->state);
    if (cause && row.sum.count == 0) return {};
    if (cause) return select(*session_, LocationRef{row.experiment, row.cause});
    switch (model_->rows().grouping) {
    case WaitGrouping::Region: {
        Selection all;
        for (const RegionRef region : namesakes(*session_, {{row.experiment, RegionId(row.sum.item)}}))
            all = united(all, select(*session_, region));
        return all;
    }
    case WaitGrouping::Location:
    case WaitGrouping::Cause: return select(*session_, LocationRef{row.experiment, LocationId(row.sum.item)});
    case WaitGrouping::Kind: break;
    }
    return {};
}

/// What was selected is brought into the window where it lies outside of it.
void WaitsView::click(const QModelIndex& index)
{
    if (!session_ || !index.isValid()) return;
    selection().setSelected(selectionOf(index), this);
    const SingleWait* wait = model_->wait(index);
    const auto& visible = selection().state().visible;
    if (!wait || !visible) return;
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    const TimeSpan span = spanOfWait(*session_, clock, model_->row(index).experiment, wait->state);
    if (span.begin < visible->begin || span.end > visible->end) zoomTo(index);
}

void WaitsView::zoomTo(const QModelIndex& index)
{
    const SingleWait* wait = model_->wait(index);
    if (!wait)
        return table().setExpanded(index.siblingAtColumn(0), !table().isExpanded(index.siblingAtColumn(0)));
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    const TimeSpan span = spanOfWait(*session_, clock, model_->row(index).experiment, wait->state);
    const TimeNs margin = std::max<TimeNs>(span.lengthNs() / 4, 1000);
    const TimeSpan shown = TimeSpan{span.begin - margin, span.end + margin}.intersected(clock.extent);
    selection().setVisible(shown, nullptr);
}

void WaitsView::fillMenu(QMenu& menu)
{
    const QModelIndex index = table().currentIndex();
    if (!index.isValid() || !session_) return;
    menu.addAction(
        tr("Select What It Waited For"), this,
        [this, cause = QPersistentModelIndex(index.siblingAtColumn(WaitModel::kCause))] { click(cause); });
    if (model_->wait(index))
        menu.addAction(tr("Zoom to the Wait and Its Cause"), this,
                       [this, at = QPersistentModelIndex(index)] { zoomTo(at); });
}

void WaitsView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && model_) model_->setDarkTheme(themeFor(palette()).dark);
}

}  // namespace skein
