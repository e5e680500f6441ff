// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/guide_window.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace skein::gui {
namespace {

constexpr int kBlockRole = Qt::UserRole;
constexpr int kHeadingsWidth = 220;

}  // namespace

GuideWindow::GuideWindow(QWidget* parent)
    : QDialog(parent),
      text_(new QTextBrowser(this)),
      headings_(new QListWidget(this)),
      field_(new QLineEdit(this))
{
    setObjectName("guide");
    setWindowTitle(tr("User Guide"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    resize(960, 720);
    text_->setObjectName("guide.text");
    text_->setAccessibleName(tr("User guide"));
    text_->setOpenExternalLinks(true);
    text_->document()->setDocumentMargin(16);
    headings_->setAccessibleName(tr("Headings"));
    headings_->setObjectName("guide.headings");
    field_->setObjectName("guide.find");
    field_->setPlaceholderText(tr("Find in this page"));
    field_->setAccessibleName(tr("Find in this page"));
    field_->setClearButtonEnabled(true);
    auto* back = new QPushButton(tr("Back"), this);
    back->setEnabled(false);
    auto* controls = new QHBoxLayout;
    controls->addWidget(back);
    controls->addWidget(field_, 1);
    auto* split = new QSplitter(this);
    split->addWidget(headings_);
    split->addWidget(text_);
    split->setStretchFactor(1, 1);
    split->setSizes({kHeadingsWidth, width() - kHeadingsWidth});
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(controls);
    layout->addWidget(split, 1);
    connect(back, &QPushButton::clicked, text_, &QTextBrowser::backward);
    connect(text_, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(text_, &QTextBrowser::sourceChanged, this, &GuideWindow::listHeadings);
    connect(field_, &QLineEdit::returnPressed, this, &GuideWindow::find);
    connect(headings_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (!item) return;
        const QTextBlock block = text_->document()->findBlockByNumber(item->data(kBlockRole).toInt());
        text_->setTextCursor(QTextCursor(block));
        QScrollBar* bar = text_->verticalScrollBar();
        bar->setValue(bar->value() + text_->cursorRect().top() - 8);
    });
    text_->setSource(QUrl("qrc:/guide/USER_GUIDE.md"), QTextDocument::MarkdownResource);
}

void GuideWindow::listHeadings()
{
    headings_->clear();
    for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level < 1 || level > 3) continue;
        auto* item = new QListWidgetItem(QString(2 * (level - 1), ' ') + block.text(), headings_);
        item->setData(kBlockRole, block.blockNumber());
    }
}

/// From where the cursor is, then from the begin.
void GuideWindow::find()
{
    if (text_->find(field_->text())) return;
    text_->moveCursor(QTextCursor::Start);
    text_->find(field_->text());
}

}  // namespace skein::gui
