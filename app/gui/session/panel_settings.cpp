// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/panel_settings.h"

#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_head.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QTimer>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr auto kPin = "scope";

/// What has its place in the view state already.
bool isShared(const QString& name)
{
    static const QStringList shared{"timeline.waits", "timeline.messages", "waits.marks"};
    return shared.contains(name) || name.startsWith("legend.");
}

bool isChoice(const QObject& object, const DockHost::Panel& panel)
{
    const QString& name = object.objectName();
    return name.startsWith(QString(panel.description->id) + '.') && !isShared(name);
}

template <typename Kind>
QList<Kind*> choicesOf(const DockHost::Panel& panel)
{
    QList<Kind*> found;
    for (const QObject* part : {static_cast<QObject*>(panel.view), static_cast<QObject*>(panel.head)})
        for (Kind* one : part->findChildren<Kind*>())
            if (isChoice(*one, panel)) found.push_back(one);
    return found;
}

QList<QAbstractButton*> switchesOf(const DockHost::Panel& panel)
{
    QList<QAbstractButton*> found = choicesOf<QAbstractButton>(panel);
    found.removeIf([](const QAbstractButton* button) { return !button->isCheckable(); });
    return found;
}

QList<QAction*> actionsOf(const DockHost::Panel& panel)
{
    QList<QAction*> found = choicesOf<QAction>(panel);
    found.removeIf([](const QAction* action) { return !action->isCheckable(); });
    return found;
}

std::string keyOf(const QObject& object) { return object.objectName().section('.', 1).toStdString(); }

QString labelOf(const QComboBox& combo)
{
    return combo.accessibleName().isEmpty() ? combo.objectName() : combo.accessibleName();
}

}  // namespace

PanelSettingsKeeper::PanelSettingsKeeper(DockHost& docks, SelectionModel& selection, QObject* parent)
    : QObject(parent), docks_(docks), selection_(selection)
{
    for (const DockHost::Panel& panel : docks_.panels()) watch(panel.id);
    connect(&docks_, &DockHost::panelAdded, this, [this](View* view) { watch(view->objectName()); });
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        const EditHistory& edits = selection_.edits();
        const bool fresh = !edits.canUndo() && !edits.canRedo() && selection_.state().panels.empty();
        if (parts.has(ViewParts::kPanels) && !fresh) restore();
    });
}

void PanelSettingsKeeper::watch(const QString& id)
{
    const DockHost::Panel& panel = *docks_.find(id);
    for (QComboBox* combo : choicesOf<QComboBox>(panel)) {
        connect(combo, &QComboBox::activated, this, [this, id, combo] { record(id, labelOf(*combo)); });
        // What was chosen may be among what the list gets later.
        connect(combo->model(), &QAbstractItemModel::rowsInserted, this, [this] {
            if (!selection_.state().panels.empty())
                QTimer::singleShot(0, this, &PanelSettingsKeeper::restore);
        });
    }
    for (QAbstractButton* button : switchesOf(panel))
        connect(button, &QAbstractButton::clicked, this, [this, id, button] { record(id, button->text()); });
    for (QAction* action : actionsOf(panel))
        connect(action, &QAction::triggered, this,
                [this, id, action] { record(id, action->text().remove('&')); });
    if (auto* scope = panel.head->findChild<ScopeHead*>())
        connect(scope, &ScopeHead::pinned, this, [this, id] { record(id, tr("Pin")); });
    known_[id] = present(id);
}

PanelSettings PanelSettingsKeeper::present(const QString& id) const
{
    PanelSettings settings;
    const DockHost::Panel* panel = docks_.find(id);
    if (!panel) return settings;
    for (const QComboBox* combo : choicesOf<QComboBox>(*panel))
        if (combo->currentIndex() >= 0) settings[keyOf(*combo)] = combo->currentText().toStdString();
    for (const QAbstractButton* button : switchesOf(*panel))
        settings[keyOf(*button)] = button->isChecked() ? "on" : "off";
    for (const QAction* action : actionsOf(*panel))
        settings[keyOf(*action)] = action->isChecked() ? "on" : "off";
    if (const auto* scope = panel->head->findChild<ScopeHead*>()) settings[kPin] = scope->pinText();
    return settings;
}

void PanelSettingsKeeper::begin()
{
    paused_ = false;
    first_.clear();
    for (const DockHost::Panel& panel : docks_.panels()) known_[panel.id] = present(panel.id);
    if (!selection_.state().panels.empty()) restore();
}

void PanelSettingsKeeper::record(const QString& id, const QString& what)
{
    if (restoring_ || paused_) return;
    const DockHost::Panel* panel = docks_.find(id);
    const PanelSettings now = present(id);
    if (!panel || now == known_[id]) return;
    first_.try_emplace(id, known_[id]);
    known_[id] = now;
    selection_.setPanel(id.toStdString(), now,
                        QString("%1: %2").arg(panel->dock->windowTitle(), what).toStdString(), this);
}

/// A panel that the state says nothing of stands as before its first choice.
void PanelSettingsKeeper::restore()
{
    for (const DockHost::Panel& panel : docks_.panels()) {
        const auto said = selection_.state().panels.find(panel.id.toStdString());
        const auto first = first_.find(panel.id);
        if (said != selection_.state().panels.end()) restorePanel(panel.id, said->second);
        else if (first != first_.end()) restorePanel(panel.id, first->second);
    }
}

void PanelSettingsKeeper::restorePanel(const QString& id, const PanelSettings& wanted)
{
    const DockHost::Panel& panel = *docks_.find(id);
    const auto valueOf = [&](const std::string& key) {
        const auto found = wanted.find(key);
        return found == wanted.end() ? std::string() : found->second;
    };
    restoring_ = true;
    for (QComboBox* combo : choicesOf<QComboBox>(panel)) {
        const int row = combo->findText(QString::fromStdString(valueOf(keyOf(*combo))));
        if (row < 0 || row == combo->currentIndex()) continue;
        combo->setCurrentIndex(row);
        Q_EMIT combo->activated(row);
    }
    const auto differs = [&](const QObject& choice, bool checked) {
        const std::string value = valueOf(keyOf(choice));
        return !value.empty() && (value == "on") != checked;
    };
    for (QAbstractButton* button : switchesOf(panel))
        if (differs(*button, button->isChecked())) button->click();
    for (QAction* action : actionsOf(panel))
        if (differs(*action, action->isChecked())) action->trigger();
    if (auto* scope = panel.head->findChild<ScopeHead*>(); scope && !valueOf(kPin).empty())
        scope->restorePin(valueOf(kPin));
    restoring_ = false;
    known_[id] = present(id);
}

}  // namespace skein::gui
