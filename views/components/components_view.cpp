// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/components/components_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_setup.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace skein {
namespace {

QString shiftText(TimeNs shiftNs)
{
    if (shiftNs == 0) return QString("0 ms");
    return (shiftNs > 0 ? QString("+") : QString("−"))
        + toQString(formatDuration(tableNs(shiftNs < 0 ? -shiftNs : shiftNs)));
}

QString ranksText(const GlobalRanks& ranks)
{
    if (ranks.count == 0) return QString("–");
    return ranks.count == 1 ? QString::number(ranks.first)
                            : QString("%1 – %2").arg(ranks.first).arg(ranks.first + ranks.count - 1);
}

std::vector<CellColumn> componentColumns()
{
    CellColumn shift{ComponentsView::tr("Shift"), CellKind::Duration,
                     ComponentsView::tr("Added to its times; double-click to edit: 12.5 ms, -3 s")};
    shift.editable = true;
    return {{ComponentsView::tr("Component")},
            {ComponentsView::tr("Format")},
            {ComponentsView::tr("Locations"), CellKind::Count},
            {ComponentsView::tr("Global ranks"), CellKind::Count,
             ComponentsView::tr("Its ranks among those of all components")},
            {ComponentsView::tr("Starts at"), CellKind::Duration,
             ComponentsView::tr("On the common clock, shift included")},
            {ComponentsView::tr("Duration"), CellKind::Duration,
             ComponentsView::tr("From its first to its last event")},
            shift,
            {ComponentsView::tr("Handed over"), CellKind::Count,
             ComponentsView::tr("Pieces of data that others read")},
            {ComponentsView::tr("Taken"), CellKind::Count,
             ComponentsView::tr("Pieces of data that others wrote")},
            {ComponentsView::tr("Waited for data"), CellKind::Duration,
             ComponentsView::tr("Time its locations waited for data of others")}};
}

std::vector<TableCell> componentCells(const ComponentRow& row)
{
    const auto time = [](TimeNs ns, bool known, const QString& otherwise) {
        return known ? TableCell(tableNs(ns)) : TableCell(otherwise.toStdString());
    };
    return {row.name,
            row.format,
            static_cast<double>(row.locations),
            ranksText(row.ranks).toStdString(),
            time(row.span.begin, row.hasTimes, ComponentsView::tr("no times")),
            time(row.span.lengthNs(), row.hasTimes, "–"),
            WordedNumber{shiftText(row.shiftNs).toStdString(), tableNs(row.shiftNs)},
            static_cast<double>(row.wrote),
            static_cast<double>(row.read),
            time(row.waitedNs, row.read > 0, "–")};
}

}  // namespace

ComponentsView::ComponentsView(const ViewContext& context, QWidget* parent) : View(context, parent)
{
    auto* content = new QWidget(this);
    table_ = new CellTable("components.table", tr("Components"), content);
    caption_ = new ElidedLabel(content);
    caption_->setProperty("role", "secondary");
    align_ = new QPushButton(tr("Align Starts"), content);
    align_->setObjectName("components.align");
    align_->setToolTip(tr("Shift every component so that all begin at the same time"));
    recorded_ = new QPushButton(tr("As Recorded"), content);
    recorded_->setObjectName("components.recorded");
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(8, 4, 8, 4);
    controls->setSpacing(4);
    controls->addWidget(caption_, 1);
    controls->addWidget(align_);
    controls->addWidget(recorded_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(controls);
    column->addWidget(table_, 1);
    pages_ = EmptyState::fill(*this, content, table_);
    connect(align_, &QPushButton::clicked, this, [this] { shift(shiftsToAlignStarts(*session_)); });
    connect(recorded_, &QPushButton::clicked, this, [this] { shift({}); });
    connect(table_, &QTreeView::doubleClicked, this,
            [this](const QModelIndex& cell) { editShift(table_->cells().rowOf(cell.row())); });
    connect(table_, &QTreeView::clicked, this,
            [this](const QModelIndex& cell) { select(table_->cells().rowOf(cell.row())); });
    auto* edit = new QAction(tr("Edit Shift"), table_);
    edit->setShortcut(Qt::Key_F2);
    edit->setShortcutContext(Qt::WidgetShortcut);
    connect(edit, &QAction::triggered, this, [this] {
        if (const auto row = table_->currentRow()) editShift(*row);
    });
    table_->addAction(edit);
    // Later: the rows come anew, and with them the field goes that is written in.
    connect(
        &table_->cells(), &CellModel::written, this,
        [this](std::size_t row, int, const QString& shift) { takeShift(row, shift); }, Qt::QueuedConnection);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kClocks)) showRows();
    });
    setSession(nullptr);
}

std::vector<KeyHint> ComponentsView::keyHints() const
{
    return {{tr("Click"), tr("Select the locations of the component")},
            {tr("Double click, F2"), tr("Edit by how much its clock is shifted")}};
}

void ComponentsView::setSession(SessionPtr session)
{
    tasks().drop("components");
    session_ = std::move(session);
    handOvers_ = nullptr;
    if (!session_)
        return pages_->showMessage(
            tr("Open the archives of a workflow, or of several runs, to see them side by side."));
    pages_->showContent();
    showRows();
    if (session_->experiments.size() > 1) load();
}

void ComponentsView::load()
{
    tasks().run<SessionHandOversPtr>(
        {"components", tr("Looking for hand-overs of files")}, this,
        [session = session_, results = results()](const Task& task) {
            return handOversOf(*results, session, task);
        },
        [this](Result<SessionHandOversPtr> found) {
            if (!found) return;
            handOvers_ = *found;
            showRows();
        });
}

void ComponentsView::showRows()
{
    if (!session_) return;
    const auto current = table_->currentRow();
    std::vector<std::vector<TableCell>> cells;
    for (const ComponentRow& row :
         makeComponentRows(*session_, selection().state().clockShiftsNs,
                           handOvers_ ? handOvers_->placed.handOvers : std::vector<HandOver>()))
        cells.push_back(componentCells(row));
    table_->setRows(componentColumns(), std::move(cells));
    const bool any = handOvers_ && !handOvers_->placed.handOvers.empty();
    for (const int column : {kWrote, kRead, kWaited})
        useColumn(*table_, column, any ? ColumnUse::Offered : ColumnUse::Missing);
    table_->fit();
    if (current) table_->setCurrentRow(*current);
    align_->setEnabled(session_->experiments.size() > 1);
    recorded_->setEnabled(!selection().state().clockShiftsNs.empty());
    showCaption();
}

void ComponentsView::showCaption()
{
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    QString caption = clock.absolute ? tr("On the clock of the day they ran")
                                     : tr("Starts aligned: the archives do not tell when they ran together");
    if (handOvers_ && !handOvers_->file.empty()) {
        std::uint64_t bytes = 0;
        for (const HandOver& handOver : handOvers_->placed.handOvers) bytes += handOver.bytes;
        caption +=
            tr(" · %1 hand-overs, %2, from %3")
                .arg(toQString(formatGrouped(static_cast<std::int64_t>(handOvers_->placed.handOvers.size()))),
                     toQString(formatBytes(static_cast<double>(bytes))),
                     toQString(handOvers_->file.filename().string()));
        if (!handOvers_->problem.empty()) caption += " · " + toQString(handOvers_->problem);
    }
    caption_->setText(caption);
}

void ComponentsView::shift(const std::vector<TimeNs>& shifts) { selection().setClockShifts(shifts, nullptr); }

void ComponentsView::editShift(std::size_t row)
{
    if (session_->experiments[row]->trace) return table_->edit(table_->cellOf(row, kShift));
    selection().say(tr("A profile has no times that could be shifted"));
}

void ComponentsView::takeShift(std::size_t row, const QString& written)
{
    if (!session_ || row >= session_->experiments.size()) return;
    const auto wanted = parseShift(QString(written).replace(QString("−"), "-").toStdString());
    if (!wanted) selection().say(tr("“%1” is no time: write 12.5 ms, -3 s or 250 (ms)").arg(written));
    std::vector<TimeNs> shifts = selection().state().clockShiftsNs;
    shifts.resize(session_->experiments.size(), 0);
    const bool changes = wanted && shifts[row] != *wanted;
    if (changes) {
        shifts[row] = *wanted;
        if (std::all_of(shifts.begin(), shifts.end(), [](TimeNs time) { return time == 0; })) shifts.clear();
        return shift(shifts);
    }
    showRows();
}

void ComponentsView::select(std::size_t row)
{
    if (!session_) return;
    Selection chosen;
    const auto number = static_cast<std::uint32_t>(row);
    for (std::uint32_t id = 0; id < session_->experiments[number]->definitions.locations.size(); ++id)
        chosen.locations.push_back({number, LocationId(id)});
    selection().setSelected(chosen, this);
}

}  // namespace skein
