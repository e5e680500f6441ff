// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/mark_actions.h"

#include "core/select/navigate.h"
#include "views/common/selection_model.h"

#include <QInputDialog>

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
    const auto mark = pinMark(selection, nullptr);
    if (!mark) return;
    auto* dialog = new QInputDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Mark"));
    dialog->setLabelText(QObject::tr("Note"));
    dialog->setTextValue(QString::fromStdString(mark->note));
    QObject::connect(dialog, &QInputDialog::textValueSelected, &selection, [&selection, span = mark->span](const QString& note) {
        selection.setMarks(withMark(selection.state().marks, {span, note.trimmed().toStdString()}), nullptr);
    });
    dialog->open();
}

}  // namespace skein
