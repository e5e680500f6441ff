// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <functional>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace skein {
class SelectionModel;
}

namespace skein::gui {

/// The line under the menu that says in words what all panels sum up: the span of time, the locations and the
/// stack of filters, each as a chip that a click takes away. It always has the height of one line, so that
/// nothing moves under the pointer; chips that have no room stand in a menu at its end. Hidden while nothing
/// is open.
class ScopeBar : public QWidget {
    Q_OBJECT

public:
    ScopeBar(SelectionModel& selection, QWidget* parent);

    void setSession(SessionPtr session);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Part {
        QString text;
        std::function<void()> remove;  ///< empty: it cannot be taken away
        const char* name = "";
    };

    std::vector<Part> parts();
    void rebuild();
    void addChip();
    void fillChip(QToolButton& chip, const Part& part);
    void showWhatFits();
    void removeFilter(std::size_t index);

    SelectionModel& selection_;
    SessionPtr session_;
    QHBoxLayout* row_ = nullptr;
    std::vector<Part> shown_;
    std::vector<QToolButton*> chips_;
    QToolButton* more_ = nullptr;
};

}  // namespace skein::gui
