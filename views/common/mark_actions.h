// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <QString>

#include <optional>

class QObject;
class QMenu;
class QWidget;

/// What views do with marks. Every change is an edit that can be taken back.
namespace skein {

class SelectionModel;

/// Pins the brushed span as a mark, or, where there is none, the moment under the pointer. Says what was
/// marked; nullopt where there is neither.
std::optional<Mark> pinMark(SelectionModel& selection, const QObject* origin);

/// The same, and asks for a note; `window` is the parent of the question.
void pinMarkWithNote(SelectionModel& selection, QWidget* window);

/// Asks for the note of a mark.
void editNote(SelectionModel& selection, const Mark& mark, QWidget* window);

/// Shows a mark within `whole`: a span with a margin; to a moment the window is moved.
void showMark(SelectionModel& selection, const Mark& mark, TimeSpan whole, const QObject* origin);

/// Appends going to the mark, changing its note and deleting it.
void addMarkActions(QMenu& menu, SelectionModel& selection, const Mark& mark, TimeSpan whole,
                    QWidget* window);

}  // namespace skein
