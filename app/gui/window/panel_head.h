// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace skein {
class ElidedLabel;
class View;
}  // namespace skein

namespace skein::gui {

/// The one line at the head of every panel, stacked and floated ones too: title, the scope with its pin where
/// the view has one, and buttons that maximise, float and close it. A drag on it moves the panel. It never
/// keeps a panel wide: what has no room is left out, the title last.
class PanelHead : public QWidget {
    Q_OBJECT

public:
    /// Takes the view's ScopeHead, if it has one, out of the view.
    PanelHead(View& view, QWidget* parent);

    void setTitle(const QString& title);
    /// A panel that is stacked with others has its title on its tab.
    void setTitleShown(bool shown);
    void setMaximised(bool maximised);
    void setFloats(bool floats);
    /// What a click on the head with the right button, or on its last button, offers.
    QMenu& menu() { return *menu_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void maximiseWanted();
    void floatWanted();
    void closeWanted();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& label);
    void showWhatFits();

    QHBoxLayout* row_ = nullptr;
    ElidedLabel* title_ = nullptr;
    QWidget* scope_ = nullptr;
    QToolButton* more_ = nullptr;
    QToolButton* maximise_ = nullptr;
    QToolButton* float_ = nullptr;
    QToolButton* close_ = nullptr;
    QMenu* menu_ = nullptr;
    bool titleShown_ = true;
};

}  // namespace skein::gui
