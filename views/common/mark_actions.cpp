// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/mark_actions.h"

#include "core/select/navigate.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/selection_model.h"

#include <QInputDialog>
#include <QMenu>

namespace skein {

std::optional<Mark> pinMark(SelectionModel& selection, const QObject* origin)
{
    const ViewState& state = selection.state();
    if (!state.brushed && !state.hover.time) return std::nullopt;
    Mark mark{state.brushed ? *state.brushed : TimeSpan{*state.hover.time, *state.hover.time}, {}};
    for (const Mark& known : state.marks)
        if (known.span == mark.span) mark.note = known.note;
    selection.setMarks(withMark(state.marks, mark), origin);
    return mark;
}

void pinMarkWithNote(SelectionModel& selection, QWidget* window)
{
    if (const auto mark = pinMark(selection, nullptr)) editNote(selection, *mark, window);
}

void editNote(SelectionModel& selection, const Mark& mark, QWidget* window)
{
    auto* dialog = new QInputDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Mark"));
    dialog->setLabelText(QObject::tr("Note"));
    dialog->setTextValue(QString::fromStdString(mark.note));
    QObject::connect(dialog, &QInputDialog::textValueSelected, &selection,
                     [&selection, span = mark.span](const QString& note) {
                         selection.setMarks(
                             withMark(selection.state().marks, {span, note.trimmed().toStdString()}),
                             nullptr);
                     });
    dialog->open();
}

void showMark(SelectionModel& selection, const Mark& mark, TimeSpan whole, const QObject* origin)
{
    const TimeSpan visible = selection.state().visible.value_or(whole);
    const TimeNs length =
        mark.span.lengthNs() > 0 ? mark.span.lengthNs() + mark.span.lengthNs() / 10 : visible.lengthNs();
    const TimeNs begin = mark.span.begin + mark.span.lengthNs() / 2 - length / 2;
    selection.setVisible(visibleOf(windowWithin({begin, begin + length}, whole), whole), origin);
}

void addMarkActions(QMenu& menu, SelectionModel& selection, const Mark& mark, TimeSpan whole, QWidget* window)
{
    menu.addAction(QObject::tr("Go to Mark"), &selection,
                   [&selection, mark, whole] { showMark(selection, mark, whole, nullptr); })
        ->setObjectName("mark.show");
    menu.addAction(QObject::tr("Edit Note…"), &selection,
                   [&selection, mark, window] { editNote(selection, mark, window); })
        ->setObjectName("mark.note");
    menu.addAction(QObject::tr("Delete Mark"), &selection,
                   [&selection, mark] {
                       selection.setMarks(withoutMark(selection.state().marks, mark.span), nullptr);
                   })
        ->setObjectName("mark.delete");
}

}  // namespace skein
