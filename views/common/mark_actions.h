// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <QString>

#include <optional>

class QObject;
class QWidget;

/// What views do with marks. Every change is an edit that can be taken back.
namespace skein {

class SelectionModel;

/// Pins the brushed span as a mark, or, where there is none, the moment under the pointer. Says what was marked; nullopt
/// where there is neither.
std::optional<Mark> pinMark(SelectionModel& selection, const QObject* origin);

/// The same, and asks for a note; `window` is the parent of the question.
void pinMarkWithNote(SelectionModel& selection, QWidget* window);

}  // namespace skein
