// SPDX-License-Identifier: GPL-3.0-or-later
// What the graph of communication offers besides its row of choices.
#include "views/common/color_stops_dialog.h"
#include "views/common/context_menu.h"
#include "views/common/selection_model.h"
#include "views/communication/communication_canvas.h"
#include "views/communication/communication_encoding_scene.h"
#include "views/communication/communication_view.h"
#include "views/communication/encoding_dialog.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QMenu>

namespace skein {
namespace {

/// As if the user had chosen it in the list.
void chooseItem(QComboBox& choice, int item)
{
    // What was typed stands beside the item that was chosen before.
    const bool isShown = choice.currentIndex() == item && choice.currentText() == choice.itemText(item);
    if (isShown || item >= choice.count()) return;
    choice.setCurrentIndex(item);
    if (choice.isEditable()) choice.setEditText(choice.itemText(item));
    Q_EMIT choice.activated(item);
}

/// The items of a list as actions, of which the present one is checked.
void addItems(QMenu& menu, QComboBox& choice)
{
    auto* items = new QActionGroup(&menu);
    for (int item = 0; item < choice.count(); ++item) {
        QAction* action =
            menu.addAction(choice.itemText(item), &choice, [&choice, item] { chooseItem(choice, item); });
        action->setCheckable(true);
        action->setChecked(item == choice.currentIndex() && choice.currentText() == choice.itemText(item));
        items->addAction(action);
    }
}

}  // namespace

void CommunicationView::addDialogs()
{
    encoding_ = new QAction(tr("Si&zes and Widths of Communication…"), this);
    encoding_->setObjectName("communication.sizes");
    connect(encoding_, &QAction::triggered, this, [this] { showEncoding(selection(), this); });
    colors_ = new QAction(tr("C&olours of Communication…"), this);
    colors_->setObjectName("communication.colours");
    connect(colors_, &QAction::triggered, this, [this] { showColorStops(selection(), this); });
    addActions({encoding_, colors_});
}

void CommunicationView::addLineActions(QMenu& menu)
{
    auto* lines = new QActionGroup(&menu);
    const QString texts[] = {tr("Show &Pairs"), tr("Show &Routes"), tr("&Hide Lines")};
    for (int item = 0; item < 3; ++item) {
        QAction* action = menu.addAction(texts[item], this, [this, item] { chooseItem(*lines_, item); });
        action->setCheckable(true);
        action->setChecked(static_cast<int>(options().lines) == item);
        action->setEnabled(static_cast<CommunicationLines>(item) != CommunicationLines::Routes || routed_);
        lines->addAction(action);
    }
}

void CommunicationView::addGroupActions(QMenu& menu, std::optional<std::uint32_t> group)
{
    addItems(*menu.addMenu(tr("&Group Nodes")), *grouping_);
    if (group) {
        const bool open = std::ranges::binary_search(expanded_, *group);
        menu.addAction(open ? tr("Put &Members Together") : tr("Show &Members"), this,
                       [this, group] { toggleExpanded(*group); });
    }
    if (!expanded_.empty())
        menu.addAction(tr("Put &All Members Together"), this, &CommunicationView::joinAll);
}

void CommunicationView::showMenu(const QPoint& globalPosition, std::optional<std::uint32_t> group)
{
    if (!feed_.communication()) return;
    QMenu* menu = newContextMenu(*canvas_);
    menu->setObjectName("communication.menu");
    addLineActions(*menu);
    menu->addSeparator();
    addGroupActions(*menu, group);
    menu->addSeparator();
    menu->addAction(tr("&Clear Selection"), this, [this] { selection().setSelected({}, nullptr); })
        ->setEnabled(!selection().state().selected.empty());
    menu->addAction(tr("&Whole Graph"), canvas_, &CommunicationCanvas::showAll);
    menu->addAction(tr("R&eset"), this, &CommunicationView::reset);
    menu->addSeparator();
    menu->addActions({encoding_, colors_});
    menu->popup(globalPosition);
}

void CommunicationView::joinAll()
{
    expanded_.clear();
    group();
}

/// As the panel was at first, but for what is compared.
void CommunicationView::reset()
{
    selection().setSelected({}, nullptr);
    for (QComboBox* choice : {lines_, grouping_, color_, style_, top_, lasso_}) chooseItem(*choice, 0);
    const PanelSettings usual = encodingSettings({});
    if (encodingSettings(encodingOf(selection().state())) != usual)
        selection().setPanel(kEncodingPanel, usual, tr("Sizes and widths of communication").toStdString(),
                             nullptr);
    if (!expanded_.empty()) joinAll();
    canvas_->showAll();
}

}  // namespace skein
