// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace skein {

class SelectionModel;

/// Opens a dialog for the colours of all communication views: their stops, and the five colours between which
/// all others lie. What is changed is seen at once, and can be undone. Returns at once.
void showColorStops(SelectionModel& selection, QWidget* parent);

}  // namespace skein
