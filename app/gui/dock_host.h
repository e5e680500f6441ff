// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/view_list.h"

#include <QMainWindow>

#include <vector>

class QDockWidget;

namespace skein::gui {

/// Holds every view in a dock that the user may move, float, stack and close.
class DockHost : public QMainWindow {
    Q_OBJECT

public:
    struct Panel {
        const ViewDescription* description = nullptr;
        View* view = nullptr;
        QDockWidget* dock = nullptr;
    };

    DockHost(const ViewContext& context, QWidget* parent);

    /// In the order of the view list.
    const std::vector<Panel>& panels() const { return panels_; }
    const Panel* find(const QString& id) const;
    /// From the upper left to the lower right of the default layout.
    std::vector<const Panel*> panelsInReadingOrder() const;

    void applyDefaultLayout();
    QByteArray layout() const;
    /// False, and nothing changes, when the bytes are of another version or damaged.
    bool setLayout(const QByteArray& bytes);

    /// Takes the panel that has the keyboard out of the window, or puts it back.
    void toggleFloating();

    /// The panel that has the keyboard; null where none has.
    const Panel* focused() const;

    /// Shows a view, in front of those stacked with it, and gives it the keyboard.
    void focusView(const QString& id);

private:
    void addPanel(const ViewDescription& description, const ViewContext& context);
    std::vector<const Panel*> panelsAt(ViewPlace place) const;
    void scheduleTitles();
    void updateTitles();
    void floatTab(const QString& title);
    void placeRow();
    void placeBottom();
    void shareColumn(ViewPlace place, int columnHeight);

    std::vector<Panel> panels_;
    bool titlesScheduled_ = false;
};

}  // namespace skein::gui
