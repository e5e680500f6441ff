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
#include "views/common/utf8_text.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace skein {
namespace {

QString lengthOf(TimeNs lengthNs) { return toQString(formatDuration(static_cast<double>(lengthNs))); }

QString lengthText(TimeNs lengthNs) { return lengthNs > 0 ? lengthOf(lengthNs) : QString("–"); }

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
    table_ = new QTreeWidget(content);
    table_->setAccessibleName(tr("Marks and notes"));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAlternatingRowColors(true);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    table_->setHeaderLabels({tr("At"), tr("Length"), tr("Note")});
    for (const int number : {kBegin, kLength})
        table_->headerItem()->setTextAlignment(number, Qt::AlignRight | Qt::AlignVCenter);
    table_->header()->setSectionResizeMode(kBegin, QHeaderView::ResizeToContents);
    table_->header()->setSectionResizeMode(kLength, QHeaderView::ResizeToContents);
    table_->installEventFilter(this);
    column->addWidget(measure_);
    column->addWidget(table_, 1);
    pages_ = EmptyState::fill(*this, content, table_);
    connect(table_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int clicked) {
        if (clicked == kNote) table_->editItem(item, kNote);
        else goTo(*item);
    });
    connect(table_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        if (!filling_) keepNote(*item);
    });
    connect(table_, &QTreeWidget::itemSelectionChanged, this, [this] { showMeasure(); });
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
    filling_ = true;
    table_->clear();
    for (const Mark& mark : selection().state().marks) {
        auto* item = new QTreeWidgetItem(
            table_,
            {toQString(exactTime(mark.span.begin)), lengthText(mark.span.lengthNs()), toQString(mark.note)});
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        for (const int number : {kBegin, kLength})
            item->setTextAlignment(number, Qt::AlignRight | Qt::AlignVCenter);
    }
    filling_ = false;
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
    std::vector<std::size_t> chosen;
    for (int row = 0; row < table_->topLevelItemCount(); ++row)
        if (table_->topLevelItem(row)->isSelected()) chosen.push_back(static_cast<std::size_t>(row));
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

void MarksView::goTo(const QTreeWidgetItem& item)
{
    const auto row =
        static_cast<std::size_t>(table_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(&item)));
    if (!session_ || row >= selection().state().marks.size()) return;
    showMark(selection(), selection().state().marks[row],
             sessionClock(*session_, selection().state().clockShiftsNs).extent, this);
}

void MarksView::contextMenuEvent(QContextMenuEvent* event)
{
    const QTreeWidgetItem* item = table_->itemAt(table_->viewport()->mapFromGlobal(event->globalPos()));
    const auto row =
        item ? static_cast<std::size_t>(table_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item))) : 0;
    if (!session_ || !item || row >= selection().state().marks.size()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addMarkActions(*menu, selection(), selection().state().marks[row],
                   sessionClock(*session_, selection().state().clockShiftsNs).extent, this);
    menu->popup(event->globalPos());
}

void MarksView::keepNote(const QTreeWidgetItem& item)
{
    auto marks = selection().state().marks;
    const auto row =
        static_cast<std::size_t>(table_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(&item)));
    if (row >= marks.size()) return;
    marks[row].note = item.text(kNote).trimmed().toStdString();
    selection().setMarks(marks, this);
}

void MarksView::removeChosen()
{
    std::vector<Mark> kept;
    const auto& marks = selection().state().marks;
    for (std::size_t row = 0; row < marks.size(); ++row)
        if (!table_->topLevelItem(static_cast<int>(row))->isSelected()) kept.push_back(marks[row]);
    selection().setMarks(kept, this);
    fill();
}

bool MarksView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != table_ || event->type() != QEvent::KeyPress) return View::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete) return removeChosen(), true;
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && table_->currentItem())
        return goTo(*table_->currentItem()), true;
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
