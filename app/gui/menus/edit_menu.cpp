// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/edit_menu.h"

#include "app/gui/dialogs/settings_dialog.h"
#include "app/gui/export/panel_export.h"
#include "app/gui/menus/action_registry.h"
#include "app/gui/search/finder_popup.h"
#include "app/gui/search/hit_list.h"
#include "app/gui/search/search_box.h"
#include "app/gui/search/searches.h"
#include "app/gui/session/session_loader.h"
#include "app/gui/settings/preference_keeper.h"
#include "views/common/selection_model.h"

#include <QHBoxLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QToolButton>

namespace skein::gui {

EditMenu::EditMenu(const WindowParts& parts, PanelExport& exports, QObject* parent)
    : QObject(parent), parts_(parts)
{
    makeSearch();
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&Edit"));
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "edit.undo", tr("&Undo"), QKeySequence("Ctrl+Z"),
                  tr("Take the last change of filters, marks, rows, shifts or choices in panels back"),
                  [this] {
                      parts_.selection.undo();
                      enable();
                  });
    actions.addTo(menu, "edit.redo", tr("&Redo"), QKeySequence("Ctrl+Shift+Z"), tr("Make the change again"),
                  [this] {
                      parts_.selection.redo();
                      enable();
                  });
    menu.addSeparator();
    addSearch(menu);
    addClearing(menu, exports);
    menu.addSeparator();
    QAction* settings = actions.addTo(menu, "edit.settings", tr("Se&ttings…"), QKeySequence("Ctrl+,"),
                                      tr("Look, units, names, memory, index"), [this] { showSettings(); });
    settings->setIcon(QIcon(":/icons/settings.svg"));
    settings->setIconVisibleInMenu(false);
    addCorner();
    connect(&parts_.selection, &SelectionModel::changed, this, &EditMenu::enable);
    enable();
}

void EditMenu::addSearch(QMenu& menu)
{
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "edit.search", tr("&Find…"), QKeySequence("/"),
                  tr("Find regions, locations, the longest calls of a region, messages"),
                  [this] { search_->popUp(); });
    actions.addTo(menu, "edit.nextHit", tr("&Next Hit"), QKeySequence("N"),
                  tr("The next of the calls that a search has found"), [this] { parts_.hits.step(1); });
    actions.addTo(menu, "edit.previousHit", tr("&Previous Hit"), QKeySequence("Shift+N"),
                  tr("The one before it"), [this] { parts_.hits.step(-1); });
    QAction* byLength = actions.addTo(
        menu, "edit.hitsByLength", tr("Hits by &Length"), {},
        tr("N goes from the longest of the calls that were found to shorter ones, not along the time"),
        [] {});
    byLength->setCheckable(true);
    connect(byLength, &QAction::toggled, this,
            [this](bool on) { parts_.hits.setOrder(on ? HitOrder::Length : HitOrder::Time); });
}

void EditMenu::addClearing(QMenu& menu, PanelExport& exports)
{
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "edit.clearSelection", tr("&Clear Selection"), QKeySequence("Ctrl+Shift+A"),
                  tr("Select nothing, in every view"), [this] {
                      parts_.selection.setSelected({}, nullptr);
                      parts_.selection.setBrushed(std::nullopt, nullptr);
                      parts_.hits.setHits({}, 0);
                  });
    actions.addTo(menu, "edit.copyPicture", tr("Copy &Picture"), QKeySequence("Ctrl+Shift+C"),
                  tr("Put the panel with the keyboard, or the window, on the clipboard"),
                  [&exports] { exports.copyPicture(); });
    actions.addTo(menu, "edit.clearFilters", tr("Remove All &Filters"), {}, tr("Show what filters hide"),
                  [this] { parts_.selection.setFilters({}, nullptr); });
}

void EditMenu::makeSearch()
{
    search_ = new FinderPopup(
        tr("Find regions, locations, calls and messages"),
        [this](const QString& query) {
            return findInSession(parts_.loader.session(), parts_.selection, query);
        },
        &parts_.window);
    search_->setObjectName("searchPopup");
    search_->setSlowSearch([this](const QString& query, const FinderPopup::Deliver& deliver) {
        searchTrace(parts_.loader.session(), parts_.selection, parts_.tasks, parts_.hits, query, deliver);
    });
    search_->setDismissed([this] {
        parts_.tasks.drop("search");
        parts_.hits.setHits({}, 0);
    });
}

/// What is wanted most often is in sight: the search, and the settings.
void EditMenu::addCorner()
{
    QMenuBar& bar = *parts_.window.menuBar();
    auto* corner = new QWidget(&bar);
    auto* layout = new QHBoxLayout(corner);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(4);
    auto* box = new SearchBox(*parts_.actions.find("edit.search"), corner);
    search_->setAnchor(box);
    auto* settings = new QToolButton(corner);
    settings->setObjectName("settingsButton");
    settings->setProperty("flat", true);
    settings->setDefaultAction(parts_.actions.find("edit.settings"));
    settings->setToolButtonStyle(Qt::ToolButtonIconOnly);
    settings->setAccessibleName(tr("Settings"));
    layout->addWidget(box);
    layout->addWidget(settings);
    bar.setCornerWidget(corner);
}

void EditMenu::showSettings()
{
    auto* dialog = new SettingsDialog(parts_.preferences.preferences(), &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, &parts_.preferences, &PreferenceKeeper::set);
    dialog->open();
}

/// Asked at once after a step, too: the model tells of changes in the next turn of the event loop, and what
/// was just undone can be done again before that.
void EditMenu::enable()
{
    const EditHistory& edits = parts_.selection.edits();
    const auto named = [&](const char* id, const QString& verb, const std::string& what) {
        const QString name = QString::fromStdString(what).replace("&", "&&");
        parts_.actions.find(id)->setText(name.isEmpty() ? verb : tr("%1 %2").arg(verb, name));
    };
    named("edit.undo", tr("&Undo"), edits.undoName());
    named("edit.redo", tr("&Redo"), edits.redoName());
    parts_.actions.find("edit.undo")->setEnabled(edits.canUndo());
    parts_.actions.find("edit.redo")->setEnabled(edits.canRedo());
    parts_.actions.find("edit.clearFilters")->setEnabled(!parts_.selection.state().filters.empty());
}

}  // namespace skein::gui
