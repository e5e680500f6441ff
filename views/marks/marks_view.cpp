// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/marks/marks_view.h"

#include "core/base/units.h"
#include "core/session/session_clock.h"
#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/mark_actions.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/utf8_text.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace skein {
namespace {

QString lengthOf(TimeNs lengthNs) { return toQString(formatDuration(static_cast<double>(lengthNs))); }

}  // namespace

MarksView::MarksView(const ViewContext& context, QWidget* parent) : View(context, parent)
{
    setObjectName("marks");
    setAccessibleName(tr("Marks"));
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    measure_ = new ElidedLabel(content);
    measure_->setObjectName("measure");
    measure_->setContentsMargins(8, 4, 8, 4);
    table_ = new CellTable("marks.table", tr("Marks and notes"), content);
    table_->setWidest(CellTable::Widest::Last);
    table_->setContextMenuPolicy(Qt::NoContextMenu);  // the panel has one
    table_->installEventFilter(this);
    column->addWidget(measure_);
    column->addWidget(table_, 1);
    pages_ = EmptyState::fill(*this, content, table_);
    connect(table_, &QTreeView::doubleClicked, this, [this](const QModelIndex& cell) {
        if (cell.column() == kNote) table_->edit(cell);
        else goTo(table_->cells().rowOf(cell.row()));
    });
    // Later: the rows come anew, and with them the field goes that is written in.
    connect(
        &table_->cells(), &CellModel::written, this,
        [this](std::size_t mark, int, const QString& note) { keepNote(mark, note); }, Qt::QueuedConnection);
    connect(table_, &CellTable::rowsChosen, this, &MarksView::showMeasure);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kMarks)) fill();
    });
    setSession(nullptr);
}

void MarksView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    fill();
}

void MarksView::fill()
{
    std::vector<std::vector<TableCell>> rows;
    for (const Mark& mark : selection().state().marks) {
        const TimeNs length = mark.span.lengthNs();
        rows.push_back({WordedNumber{exactTime(mark.span.begin), static_cast<double>(mark.span.begin)},
                        length > 0 ? TableCell(static_cast<double>(length)) : WordedNumber{"–", 0},
                        mark.note});
    }
    CellColumn note{tr("Note")};
    note.editable = true;
    table_->setRows({{tr("At"), CellKind::Number}, {tr("Length"), CellKind::Duration}, note},
                    std::move(rows));
    showMeasure();
    if (!session_) return pages_->showMessage(tr("Open a trace to mark moments and spans of it."));
    if (selection().state().marks.empty())
        return pages_->showMessage(tr(
            "Nothing is marked. In the timeline, M marks the span that was dragged, or the moment under the "
            "pointer; Shift+M asks for a note as well."));
    pages_->showContent();
}

/// Chosen marks from the first one to the last one.
void MarksView::showMeasure()
{
    const auto& marks = selection().state().marks;
    const std::vector<std::size_t> chosen = table_->chosenRows();
    if (chosen.size() < 2)
        return measure_->setText(marks.size() == 1
                                     ? tr("1 mark. Choose two to measure between them.")
                                     : tr("%1 marks. Choose two to measure between them.").arg(marks.size()));
    const Mark& first = marks[chosen.front()];
    const Mark& last = marks[chosen.back()];
    const TimeNs between = last.span.begin - first.span.end;
    const QString apart = between >= 0 ? tr("%1 from the end of the first to the begin of the last")
                                       : tr("the last begins %1 before the first ends");
    measure_->setText(
        tr("%1 from begin to begin, %2")
            .arg(lengthOf(last.span.begin - first.span.begin), apart.arg(lengthOf(std::abs(between)))));
}

void MarksView::goTo(std::size_t mark)
{
    if (!session_ || mark >= selection().state().marks.size()) return;
    showMark(selection(), selection().state().marks[mark],
             sessionClock(*session_, selection().state().clockShiftsNs).extent, this);
}

void MarksView::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex cell = table_->indexAt(table_->viewport()->mapFromGlobal(event->globalPos()));
    if (!session_ || !cell.isValid()) return;
    const std::size_t row = table_->cells().rowOf(cell.row());
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addMarkActions(*menu, selection(), selection().state().marks[row],
                   sessionClock(*session_, selection().state().clockShiftsNs).extent, this);
    menu->addSeparator();
    menu->addActions(table_->actions());
    menu->popup(event->globalPos());
}

void MarksView::keepNote(std::size_t mark, const QString& note)
{
    auto marks = selection().state().marks;
    if (mark >= marks.size() || marks[mark].note == note.trimmed().toStdString()) return;
    marks[mark].note = note.trimmed().toStdString();
    selection().setMarks(marks, this);
    // A click on another mark ends the writing, too: that one keeps the keyboard.
    const std::optional<std::size_t> current = table_->currentRow();
    fill();
    if (current) table_->setCurrentRow(*current);
}

void MarksView::removeChosen()
{
    std::vector<Mark> kept;
    const auto& marks = selection().state().marks;
    const std::vector<std::size_t> chosen = table_->chosenRows();
    for (std::size_t row = 0; row < marks.size(); ++row)
        if (!std::binary_search(chosen.begin(), chosen.end(), row)) kept.push_back(marks[row]);
    selection().setMarks(kept, this);
    fill();
}

bool MarksView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != table_ || event->type() != QEvent::KeyPress) return View::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete) return removeChosen(), true;
    const std::optional<std::size_t> current = table_->currentRow();
    if (!current) return View::eventFilter(watched, event);
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return goTo(*current), true;
    if (key == Qt::Key_F2) return table_->edit(table_->cellOf(*current, kNote)), true;
    return View::eventFilter(watched, event);
}

std::vector<KeyHint> MarksView::keyHints() const
{
    return {{tr("Double click, Enter"), tr("Show the mark")},
            {tr("F2, double click on the note"), tr("Change the note")},
            {tr("Ctrl+click on two"), tr("Measure between them")},
            {tr("Delete"), tr("Remove the chosen marks")}};
}

}  // namespace skein
