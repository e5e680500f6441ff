// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;

namespace skein {
class SelectionModel;
}

namespace skein::gui {

/// The stack of filters as chips, each with a button that removes it. Takes no room while there are none.
class FilterBar : public QWidget {
    Q_OBJECT

public:
    FilterBar(SelectionModel& selection, QWidget* parent);

private:
    void rebuild();
    void removeFilter(std::size_t index);

    SelectionModel& selection_;
    QHBoxLayout* chips_ = nullptr;
};

}  // namespace skein::gui
