// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/shortcut_dialog.h"

#include "views/common/table/quiet_hover.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <map>

namespace skein::gui {
namespace {

QTreeWidgetItem* addCategory(QTreeWidget& tree, const QString& title)
{
    auto* item = new QTreeWidgetItem(&tree, {title});
    QFont font = item->font(0);
    font.setBold(true);
    item->setFont(0, font);
    item->setFirstColumnSpanned(true);
    item->setFlags(Qt::ItemIsEnabled);
    return item;
}

void listActions(QTreeWidget& tree, const ActionRegistry& registry)
{
    std::map<QString, QTreeWidgetItem*> categories;
    for (const auto& entry : registry.entries()) {
        const QString keys = entry.action->shortcut().toString(QKeySequence::NativeText);
        if (keys.isEmpty()) continue;
        QTreeWidgetItem*& category = categories[entry.category];
        if (!category) category = addCategory(tree, entry.category);
        new QTreeWidgetItem(category, {plainText(*entry.action), keys});
    }
}

void addHints(QTreeWidget& tree, const std::vector<ViewKeys>& views)
{
    for (const ViewKeys& view : views) {
        if (view.hints.empty()) continue;
        auto* category = addCategory(tree, view.title + QObject::tr(": keys and mouse"));
        for (const KeyHint& hint : view.hints) new QTreeWidgetItem(category, {hint.meaning, hint.keys});
    }
}

}  // namespace

ShortcutDialog::ShortcutDialog(const ActionRegistry& registry, const std::vector<ViewKeys>& views,
                               QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keyboard and Mouse"));
    setObjectName("shortcutDialog");
    resize(620, 640);
    auto* tree = new QTreeWidget(this);
    tree->setHeaderLabels({tr("What"), tr("Keys")});
    tree->setRootIsDecorated(false);
    tree->setIndentation(12);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setAccessibleName(tr("Shortcuts"));
    paintHoveredAlone(*tree);
    listActions(*tree, registry);
    addHints(*tree, views);
    tree->expandAll();
    tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    tree->header()->setStretchLastSection(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tree);
    layout->addWidget(buttons);
}

}  // namespace skein::gui
