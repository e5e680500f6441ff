// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

#include "views/common/scene/data/change_comparison.h"
#include "views/common/view.h"

namespace skein {

class CellTable;

/// How what was called differs between the periods before and after a change: a row a call path, the greatest
/// differences first. A chosen row is selected everywhere. Deletes itself when it is closed.
class ChangeDialog : public QDialog {
    Q_OBJECT

public:
    ChangeDialog(SelectionModel& selection, SessionPtr session, ChangeComparison comparison,
                 std::size_t number, QWidget* parent);

private:
    void fill();
    void choose();

    SelectionModel& selection_;
    SessionPtr session_;
    ChangeComparison comparison_;
    CellTable* table_ = nullptr;
};

}  // namespace skein
