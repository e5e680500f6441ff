// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/archive_chooser.h"

#include "views/common/table/quiet_hover.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace skein::gui {

ArchiveChooser::ArchiveChooser(const ArchiveChoice& choice, QWidget* parent)
    : QDialog(parent), choice_(choice), list_(new QTreeWidget(this))
{
    setObjectName("archiveChooser");
    setWindowTitle(tr("Several Archives"));
    resize(560, 360);
    auto* text = new QLabel(tr("%1 holds %2 archives. Which of them are to be opened together?")
                                .arg(choice.folder)
                                .arg(choice.archives.size()),
                            this);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    list_->setObjectName("archiveChooser.list");
    list_->setAccessibleName(tr("Archives"));
    list_->setRootIsDecorated(false);
    list_->setHeaderLabels({tr("Archive"), tr("Format")});
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->setTextElideMode(Qt::ElideMiddle);
    paintHoveredAlone(*list_);
    const QDir folder(choice.folder);
    for (const ArchiveChoice::Archive& archive : choice.archives) {
        auto* item = new QTreeWidgetItem({folder.relativeFilePath(archive.path), archive.format});
        item->setToolTip(0, archive.path);
        item->setCheckState(0, Qt::Unchecked);
        list_->addTopLevelItem(item);
    }
    list_->setCurrentItem(list_->topLevelItem(0));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT openWanted(chosen());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) {
        Q_EMIT openWanted(
            {choice_.archives[static_cast<std::size_t>(list_->indexOfTopLevelItem(item))].path});
        accept();
    });
    connect(list_, &QTreeWidget::itemChanged, this, &ArchiveChooser::enable);
    connect(list_, &QTreeWidget::currentItemChanged, this, &ArchiveChooser::enable);
    enable();
}

QStringList ArchiveChooser::chosen() const
{
    QStringList paths;
    for (int row = 0; row < list_->topLevelItemCount(); ++row)
        if (list_->topLevelItem(row)->checkState(0) == Qt::Checked)
            paths.push_back(choice_.archives[static_cast<std::size_t>(row)].path);
    if (const int row = list_->indexOfTopLevelItem(list_->currentItem()); paths.isEmpty() && row >= 0)
        paths.push_back(choice_.archives[static_cast<std::size_t>(row)].path);
    return paths;
}

void ArchiveChooser::enable() { open_->setEnabled(!chosen().isEmpty()); }

}  // namespace skein::gui
