// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace skein {
class SelectionModel;
}

namespace skein::gui {

class FlowLayout;

/// The stack of filters as chips, in as many rows as they need; a click on one removes it. Takes no room
/// while there are none.
class FilterBar : public QWidget {
    Q_OBJECT

public:
    FilterBar(SelectionModel& selection, QWidget* parent);

private:
    void rebuild();
    void removeFilter(std::size_t index);

    SelectionModel& selection_;
    FlowLayout* chips_ = nullptr;
};

}  // namespace skein::gui
