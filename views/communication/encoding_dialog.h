// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace skein {

class SelectionModel;

/// Opens a dialog with the numbers of CommunicationEncoding. What is changed is seen at once, and can be
/// undone. Returns at once.
void showEncoding(SelectionModel& selection, QWidget* parent);

}  // namespace skein
