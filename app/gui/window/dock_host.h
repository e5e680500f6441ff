// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/view_list.h"
#include "app/gui/window/workspaces.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QDockWidget;

namespace skein {
class LinkedSelection;
class TaskRunner;
}  // namespace skein

namespace skein::gui {

class PanelHead;

/// Holds every view in a dock that the user may move, float, stack, maximise and close, and further panels of
/// the same views that the user has asked for.
class DockHost : public QMainWindow {
    Q_OBJECT

public:
    struct Panel {
        const ViewDescription* description = nullptr;
        View* view = nullptr;
        QDockWidget* dock = nullptr;
        QString id;  ///< that of the view; "timeline.2" for the second of a kind
        PanelHead* head = nullptr;
        LinkedSelection* link = nullptr;  ///< of further panels: what ties them to the window
    };

    DockHost(const ViewContext& context, QWidget* parent);
    ~DockHost() override;

    /// In the order of the view list, then further ones in the order in which they were made.
    const std::vector<Panel>& panels() const { return panels_; }
    const Panel* find(const QString& id) const;
    /// From the upper left to the lower right of the first layout, then those that it does not have.
    std::vector<const Panel*> panelsInReadingOrder() const;
    /// Of the present arrangement; of the first one where that has it closed.
    const Panel& mainPanel() const;

    /// The arrangement that applyDefaultLayout() makes from now on.
    void setDefault(const Workspace& workspace) { workspace_ = &workspace; }
    const Workspace& workspace() const { return *workspace_; }
    void applyDefaultLayout();
    QByteArray layout() const;
    /// False, and nothing changes, when the bytes are of another version or damaged.
    bool setLayout(const QByteArray& bytes);

    /// One more panel of a view, stacked with the first; null when there is no such view. It has settings and
    /// pins of its own, and on wish a time axis of its own.
    const Panel* addPanel(const QString& view);
    /// Takes a further panel away for good.
    void removePanel(const QString& id);

    /// Takes the panel that has the keyboard out of the window, or puts it back where it was.
    void toggleFloating();
    /// Shows the panel that has the keyboard alone, or all of them again.
    void toggleMaximised();
    void setMaximised(const QString& id);
    void restoreMaximised();
    bool isMaximised() const { return !maximised_.isEmpty(); }

    /// The panel that has the keyboard; null where none has.
    const Panel* focused() const;

    /// Shows a view, in front of those stacked with it, and gives it the keyboard.
    void focusView(const QString& id);

Q_SIGNALS:
    /// A further panel is there and has no session yet.
    void panelAdded(skein::View* view);
    /// The panels were arranged by setLayout() or applyDefaultLayout().
    void arranged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Spot {
        ViewPlace place;
        int order;
    };
    /// What small screens have no room for.
    struct Room {
        bool narrow = false;  ///< no column at the left
        bool low = false;     ///< nothing below the timeline but tabs
        bool large = false;
        bool operator==(const Room&) const = default;
    };

    Panel& makePanel(const ViewDescription& description, const QString& id);
    void fillMenu(const Panel& panel);
    Room room() const;
    Spot fitted(Spot spot) const;
    std::optional<Spot> spotOf(const Panel& panel) const;
    bool stacked(const Panel& above, const Panel& panel) const;
    std::vector<const Panel*> panelsAt(ViewPlace place) const;
    void keepSizesBut(const Panel& growing, const std::vector<std::pair<QDockWidget*, QRect>>& before,
                      QSize more);
    void fitLater();
    void scheduleTitles();
    void updateTitles();
    void watchTabs();
    const Panel* panelOfTab(const QString& title) const;
    bool dragTab(QObject* tabs, QEvent* event);
    void setFloating(const Panel& panel, bool floating);
    void watchPlaces();
    void placeRow();
    void splitColumn(const std::vector<const Panel*>& panels);
    void stackColumn(const std::vector<const Panel*>& panels);
    void placeBottom();
    void placeClosed();
    void giveSizes();
    void shareColumn(ViewPlace place, int columnHeight);
    void makeFurther(const QStringList& ids);
    void forgetMaximised();
    bool takeLayout(QSize made, const QByteArray& state);

    ViewContext context_;
    std::vector<Panel> panels_;
    std::vector<std::unique_ptr<TaskRunner>> runners_;  ///< of further panels; outlive them
    const Workspace* workspace_ = &workspaces().front();
    Room arrangedIn_;
    bool readyMade_ = false;  ///< the user has moved nothing since applyDefaultLayout()
    bool arranging_ = false;
    bool titlesScheduled_ = false;
    QString floated_;              ///< panel that floats and was the last to do so; empty: none
    QPointer<QWidget> focusThen_;  ///< that had the keyboard then
    QString maximised_;            ///< panel; empty: none
    QByteArray beforeMaximised_;   ///< layout()
    QPoint tabPressed_;
    int tabIndex_ = -1;  ///< that was pressed; -1: none
};

}  // namespace skein::gui
