// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QEvent>
#include <QObject>
#include <QPalette>

#include "app/gui/settings/preferences.h"

namespace skein::gui {

class DockHost;
class SessionLoader;

/// Whether a window reads and writes the user's settings (layout, size, theme, recent files).
enum class SettingsUse { Persistent, None };

/// The preferences of a window: makes them count at once, in every panel, and the next time. Follows the
/// desktop's colours where that is preferred.
class PreferenceKeeper : public QObject {
    Q_OBJECT

public:
    PreferenceKeeper(SettingsUse settings, DockHost& docks, SessionLoader& loader, QObject* parent);

    const Preferences& preferences() const { return preferences_; }
    /// What was chosen the last time; a light appearance where no settings are used.
    void restore();
    void set(const Preferences& preferences);
    /// Does not keep it.
    void setAppearance(Appearance appearance);
    /// To be told every event of the window, before the window sees it.
    void hear(const QEvent& event);

Q_SIGNALS:
    void appearanceChanged(skein::gui::Appearance appearance);

private:
    void applyPresentation();
    void followSystem();

    SettingsUse settings_;
    DockHost& docks_;
    SessionLoader& loader_;
    QPalette systemPalette_;   ///< what the desktop gave the application
    QPalette appliedPalette_;  ///< what this window made of it
    Preferences preferences_;
    bool changingAppearance_ = false;
};

}  // namespace skein::gui
