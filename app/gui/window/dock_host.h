// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/view_list.h"
#include "app/gui/window/workspaces.h"

#include <QMainWindow>

#include <optional>
#include <utility>
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

    /// The arrangement that applyDefaultLayout() makes from now on.
    void setDefault(const Workspace& workspace) { workspace_ = &workspace; }
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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Spot {
        ViewPlace place;
        int order;
    };

    void addPanel(const ViewDescription& description, const ViewContext& context);
    std::optional<Spot> spotOf(const Panel& panel) const;
    bool stacked(const Panel& above, const Panel& panel) const;
    std::vector<const Panel*> panelsAt(ViewPlace place) const;
    void keepSizesBut(const Panel& growing, const std::vector<std::pair<QDockWidget*, QRect>>& before,
                      QSize more);
    void scheduleTitles();
    void updateTitles();
    void floatTab(const QString& title);
    void placeRow();
    void placeBottom();
    void placeClosed();
    void shareColumn(ViewPlace place, int columnHeight);

    std::vector<Panel> panels_;
    const Workspace* workspace_ = &workspaces().front();
    bool titlesScheduled_ = false;
};

}  // namespace skein::gui
