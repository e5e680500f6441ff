// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/empty_state.h"

#include <QLabel>
#include <QVBoxLayout>

namespace skein {

EmptyState::EmptyState(QWidget* content, QWidget* parent) : QStackedWidget(parent), label_(new QLabel(this))
{
    label_->setWordWrap(true);
    label_->setAlignment(Qt::AlignCenter);
    label_->setMargin(24);
    label_->setProperty("role", "secondary");
    addWidget(content);
    addWidget(label_);
}

EmptyState* EmptyState::fill(QWidget& view, QWidget* content, QWidget* focus)
{
    auto* pages = new EmptyState(content, &view);
    auto* layout = new QVBoxLayout(&view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages);
    view.setFocusProxy(focus);
    return pages;
}

void EmptyState::showMessage(const QString& sentence)
{
    label_->setText(sentence);
    setCurrentIndex(1);
}

QString EmptyState::message() const { return label_->text(); }

}  // namespace skein
