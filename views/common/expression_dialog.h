// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace skein {

class SelectionModel;

/// Opens a small dialog in which a metric is written as an expression, with what is wrong at the character
/// while it is typed; it becomes ViewState::derived. Returns at once.
void askForExpression(SelectionModel& selection, QWidget* parent);

/// What is wrong with an expression: two lines, of which the second points at the character, and a sentence.
/// Empty where nothing is.
QString expressionProblem(const QString& text);

}  // namespace skein
