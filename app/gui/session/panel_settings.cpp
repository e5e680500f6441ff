// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/panel_settings.h"

#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_head.h"
#include "views/common/choice_box.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>

#include <utility>

namespace skein::gui {
namespace {

constexpr auto kPin = "scope";
constexpr int kTypedForMs = 700;  ///< a rest in typing ends an edit

/// What has its place in the view state already.
bool isShared(const QString& name)
{
    static const QStringList shared{"timeline.waits", "timeline.messages", "waits.marks", "profile.metric"};
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

template <typename Field>
QList<Field*> keptFieldsOf(const DockHost::Panel& panel)
{
    QList<Field*> found = choicesOf<Field>(panel);
    found.removeIf([](const Field* field) { return !isKeptWithPanel(*field); });
    return found;
}

std::string choiceKey(const QObject& object) { return object.objectName().section('.', 1).toStdString(); }

QString labelOf(const QWidget& choice)
{
    return choice.accessibleName().isEmpty() ? choice.objectName() : choice.accessibleName();
}

/// Of fields that are being written in, which is not recorded yet, what was recorded last: they are left
/// alone, for the user may go on.
PanelSettings beingWritten(const DockHost::Panel& panel, const PanelSettings& known)
{
    PanelSettings fields;
    const auto ask = [&](const QWidget& field, const QString& text) {
        const auto recorded = known.find(choiceKey(field));
        if (recorded != known.end() && recorded->second != text.toStdString()) fields.insert(*recorded);
    };
    for (const QLineEdit* text : keptFieldsOf<QLineEdit>(panel)) ask(*text, text->text());
    for (const QComboBox* combo : keptFieldsOf<QComboBox>(panel)) ask(*combo, combo->currentText());
    return fields;
}

/// Texts and numbers; after the lists, which say how far numbers go.
void restoreFields(const DockHost::Panel& panel, const PanelSettings& wanted)
{
    const auto restore = [&](const QWidget& field, const auto& set) {
        const auto said = wanted.find(choiceKey(field));
        if (said != wanted.end()) set(QString::fromStdString(said->second));
    };
    for (QLineEdit* text : keptFieldsOf<QLineEdit>(panel))
        restore(*text, [text](const QString& said) { text->setText(said); });
    for (QComboBox* combo : keptFieldsOf<QComboBox>(panel))
        restore(*combo, [combo](const QString& said) { combo->setEditText(said); });
    for (QSpinBox* number : keptFieldsOf<QSpinBox>(panel))
        restore(*number, [number](const QString& said) { number->setValue(said.toInt()); });
    for (QDoubleSpinBox* number : keptFieldsOf<QDoubleSpinBox>(panel))
        restore(*number, [number](const QString& said) { number->setValue(said.toDouble()); });
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
        if (isKeptWithPanel(*combo) && combo->lineEdit()) watchText(id, *combo->lineEdit(), labelOf(*combo));
        // What was chosen may be among what the list gets later.
        connect(combo->model(), &QAbstractItemModel::rowsInserted, this, [this, id] {
            QTimer::singleShot(0, this, [this, id] {
                noteFilled(id);
                if (!selection_.state().panels.empty()) restore();
            });
        });
    }
    for (QAbstractButton* button : switchesOf(panel))
        connect(button, &QAbstractButton::clicked, this, [this, id, button] { record(id, button->text()); });
    for (QAction* action : actionsOf(panel))
        connect(action, &QAction::triggered, this,
                [this, id, action] { record(id, action->text().remove('&')); });
    for (QLineEdit* text : keptFieldsOf<QLineEdit>(panel)) watchText(id, *text, labelOf(*text));
    for (QSpinBox* number : keptFieldsOf<QSpinBox>(panel))
        connect(number, &QSpinBox::valueChanged, this, [this, id, number] { record(id, labelOf(*number)); });
    for (QDoubleSpinBox* number : keptFieldsOf<QDoubleSpinBox>(panel))
        connect(number, &QDoubleSpinBox::valueChanged, this,
                [this, id, number] { record(id, labelOf(*number)); });
    if (auto* scope = panel.head->findChild<ScopeHead*>())
        connect(scope, &ScopeHead::pinned, this, [this, id] { record(id, tr("Pin")); });
    known_[id] = present(id);
}

/// What is written counts at once, but is one edit until the user rests or leaves the field.
void PanelSettingsKeeper::watchText(const QString& id, QLineEdit& text, const QString& what)
{
    auto* rest = new QTimer(&text);
    rest->setSingleShot(true);
    rest->setInterval(kTypedForMs);
    connect(&text, &QLineEdit::textChanged, rest, [this, rest, id, what] {
        typed_[id] = what;
        rest->start();
    });
    connect(rest, &QTimer::timeout, this, [this, id, what] { record(id, what); });
    connect(&text, &QLineEdit::editingFinished, this, [this, id, what] { record(id, what); });
}

PanelSettings PanelSettingsKeeper::present(const QString& id) const
{
    PanelSettings settings;
    const DockHost::Panel* panel = docks_.find(id);
    if (!panel) return settings;
    for (const QComboBox* combo : choicesOf<QComboBox>(*panel))
        if (combo->currentIndex() >= 0) settings[choiceKey(*combo)] = combo->currentText().toStdString();
    for (const QAbstractButton* button : switchesOf(*panel))
        settings[choiceKey(*button)] = button->isChecked() ? "on" : "off";
    for (const QAction* action : actionsOf(*panel))
        settings[choiceKey(*action)] = action->isChecked() ? "on" : "off";
    for (const QLineEdit* text : keptFieldsOf<QLineEdit>(*panel))
        settings[choiceKey(*text)] = text->text().toStdString();
    for (const QSpinBox* number : keptFieldsOf<QSpinBox>(*panel))
        settings[choiceKey(*number)] = std::to_string(number->value());
    for (const QDoubleSpinBox* number : keptFieldsOf<QDoubleSpinBox>(*panel))
        settings[choiceKey(*number)] = QString::number(number->value(), 'g', 17).toStdString();
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

/// Lists that were empty before have something to go back to now.
void PanelSettingsKeeper::noteFilled(const QString& id)
{
    if (restoring_ || paused_) return;
    const PanelSettings now = present(id);
    known_[id].insert(now.begin(), now.end());
    if (const auto first = first_.find(id); first != first_.end())
        first->second.insert(now.begin(), now.end());
}

void PanelSettingsKeeper::recordTyped()
{
    for (const auto& [id, what] : std::exchange(typed_, {})) record(id, what);
}

void PanelSettingsKeeper::record(const QString& id, const QString& what)
{
    typed_.erase(id);
    if (restoring_ || paused_) return;
    const DockHost::Panel* panel = docks_.find(id);
    const PanelSettings now = present(id);
    if (!panel || now == known_[id]) return;
    first_.try_emplace(id, known_[id]);
    known_[id] = now;
    selection_.setPanel(id.toStdString(), now,
                        QString("%1: %2").arg(panel->dock->windowTitle(), what).toStdString(), this);
}

/// What the state says nothing of stands as before the first choice in its panel.
void PanelSettingsKeeper::restore()
{
    for (const DockHost::Panel& panel : docks_.panels()) {
        PanelSettings wanted;
        const auto said = selection_.state().panels.find(panel.id.toStdString());
        if (said != selection_.state().panels.end()) wanted = said->second;
        if (const auto first = first_.find(panel.id); first != first_.end())
            wanted.insert(first->second.begin(), first->second.end());
        if (!wanted.empty()) restorePanel(panel.id, wanted);
    }
}

void PanelSettingsKeeper::restorePanel(const QString& id, const PanelSettings& wanted)
{
    const DockHost::Panel& panel = *docks_.find(id);
    const PanelSettings written = beingWritten(panel, known_[id]);
    const auto valueOf = [&](const std::string& key) {
        const auto found = wanted.find(key);
        return found == wanted.end() ? std::string() : found->second;
    };
    restoring_ = true;
    for (QComboBox* combo : choicesOf<QComboBox>(panel)) {
        if (isKeptWithPanel(*combo)) continue;
        const int row = combo->findText(QString::fromStdString(valueOf(choiceKey(*combo))));
        if (row < 0 || row == combo->currentIndex()) continue;
        combo->setCurrentIndex(row);
        Q_EMIT combo->activated(row);
    }
    const auto differs = [&](const QObject& choice, bool checked) {
        const std::string value = valueOf(choiceKey(choice));
        return !value.empty() && (value == "on") != checked;
    };
    for (QAbstractButton* button : switchesOf(panel))
        if (differs(*button, button->isChecked())) button->click();
    for (QAction* action : actionsOf(panel))
        if (differs(*action, action->isChecked())) action->trigger();
    PanelSettings fields = wanted;
    for (const auto& [key, recorded] : written) fields.erase(key);
    restoreFields(panel, fields);
    if (auto* scope = panel.head->findChild<ScopeHead*>(); scope && !valueOf(kPin).empty())
        scope->restorePin(valueOf(kPin));
    restoring_ = false;
    known_[id] = present(id);
    for (const auto& [key, recorded] : written) known_[id][key] = recorded;
}

}  // namespace skein::gui
