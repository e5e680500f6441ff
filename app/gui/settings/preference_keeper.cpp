// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings/preference_keeper.h"

#include "app/gui/session/session_loader.h"
#include "app/gui/window/dock_host.h"
#include "core/base/memory_limit.h"
#include "views/common/view.h"

#include <QApplication>

#include <utility>

namespace skein::gui {
namespace {

bool sameIndex(const disk::IndexSettings& left, const disk::IndexSettings& right)
{
    return left.enabled == right.enabled && left.folder == right.folder && left.sizeLimit == right.sizeLimit;
}

}  // namespace

PreferenceKeeper::PreferenceKeeper(SettingsUse settings, DockHost& docks, SessionLoader& loader,
                                   QObject* parent)
    : QObject(parent),
      settings_(settings),
      docks_(docks),
      loader_(loader),
      systemPalette_(QApplication::palette())
{
}

void PreferenceKeeper::restore()
{
    if (settings_ == SettingsUse::None) return setAppearance(Appearance::Light);
    preferences_ = loadPreferences();
    setAppearance(preferences_.appearance);
    applyPresentation();
}

void PreferenceKeeper::set(const Preferences& preferences)
{
    const Preferences before = std::exchange(preferences_, preferences);
    if (settings_ == SettingsUse::Persistent) savePreferences(preferences_);
    if (before.appearance != preferences_.appearance) setAppearance(preferences_.appearance);
    if (before.memoryLimit != preferences_.memoryLimit) setMemoryLimit(preferences_.memoryLimit);
    if (!sameIndex(before.index, preferences_.index)) loader_.setIndexSettings(preferences_.index);
    if (before.bytes != preferences_.bytes || before.names != preferences_.names
        || before.shiftWheel != preferences_.shiftWheel)
        applyPresentation();
}

/// What panels make again when the colours change they make again for this as well.
void PreferenceKeeper::applyPresentation()
{
    setByteUnits(preferences_.bytes);
    setLongNames(preferences_.names);
    QEvent restyled(QEvent::PaletteChange);
    const auto restyle = [&](View& view) {
        view.setShiftWheel(preferences_.shiftWheel);
        QApplication::sendEvent(&view, &restyled);
    };
    for (const DockHost::Panel& panel : docks_.panels()) {
        restyle(*panel.view);
        for (QWidget* part : panel.view->findChildren<QWidget*>()) {
            if (auto* nested = qobject_cast<View*>(part)) restyle(*nested);
            part->update();
        }
    }
}

void PreferenceKeeper::setAppearance(Appearance appearance)
{
    preferences_.appearance = appearance;
    changingAppearance_ = true;
    applyAppearance(appearance, systemPalette_);
    changingAppearance_ = false;
    appliedPalette_ = QApplication::palette();
    Q_EMIT appearanceChanged(appearance);
}

/// The desktop has changed its colours while the program runs.
void PreferenceKeeper::followSystem()
{
    const QPalette now = QApplication::palette();
    if (changingAppearance_ || now == appliedPalette_) return;
    systemPalette_ = now;
    setAppearance(preferences_.appearance);
}

void PreferenceKeeper::hear(const QEvent& event)
{
    if (event.type() == QEvent::ApplicationPaletteChange) followSystem();
    if (event.type() == QEvent::ThemeChange && !changingAppearance_) {
        changingAppearance_ = true;
        QApplication::setPalette(QPalette());  // back to what the desktop says now
        changingAppearance_ = false;
        followSystem();
    }
}

}  // namespace skein::gui
