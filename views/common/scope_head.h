// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "core/select/scope.h"

#include <optional>
#include <string>

class QAction;
class QToolButton;

namespace skein {

class ElidedLabel;
class SelectionModel;

/// The line at the head of a panel that says in words what it sums up, and the button that pins the panel to
/// another scope than that of the window.
class ScopeHead : public QWidget {
    Q_OBJECT

public:
    ScopeHead(SelectionModel& selection, QWidget* parent);

    /// Another session: pins to something in the old one are gone.
    void setSession(SessionPtr session);
    /// The window's scope, or what the panel is pinned to.
    Scope scope() const;
    /// The state's filters with the scope's locations.
    std::vector<Filter> filters() const;
    /// Puts a control of the panel beside the pin: for panels that are wide and low.
    void addControl(QWidget* control);
    /// Words behind those of the scope, such as sums.
    void setDetail(const QString& detail);
    /// All of the words.
    const QString& text() const;

    enum class Pin { Follow, Visible, WholeRun, Kept };
    void pinTo(Pin pin);
    Pin pin() const { return pin_; }
    /// The pin in a word, one that was kept with its span and locations; for session files.
    std::string pinText() const;
    /// Pins as pinText() said. What the session does not have is left out; of a text that is none: follows.
    void restorePin(const std::string& text);

Q_SIGNALS:
    /// The user has pinned the panel to another scope.
    void pinned();

private:
    QAction* addPin(Pin pin, const QString& text, const QString& hint);
    void tell();

    SelectionModel& selection_;
    SessionPtr session_;
    Pin pin_ = Pin::Follow;
    Scope kept_;
    QString detail_;
    ElidedLabel* label_ = nullptr;
    QToolButton* button_ = nullptr;
    std::vector<QAction*> actions_;  ///< by Pin
};

}  // namespace skein
