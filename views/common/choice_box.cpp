// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/choice_box.h"

#include <QAbstractItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace skein {
namespace {

constexpr int kFewestOfChoice = 6, kMostOfChoice = 32, kKeptOfChoice = 9;
constexpr auto kKeptProperty = "keptWithPanel";

}  // namespace

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumWidth(fontMetrics().averageCharWidth() * kKeptOfChoice);
    connect(model(), &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { measureMore(first, last); });
    connect(model(), &QAbstractItemModel::rowsRemoved, this, &ChoiceBox::measureAll);
    measureAll();
}

/// Of words that come one by one each is measured once: to shape a text takes long, and a choice may have
/// hundreds. Qt counts in the width of an X, which most letters are narrower than.
void ChoiceBox::measureMore(int first, int last)
{
    const int letterPx = std::max(1, fontMetrics().horizontalAdvance('X'));
    for (int item = first; item <= last; ++item) {
        const int widthPx = fontMetrics().horizontalAdvance(itemText(item));
        mostLetters_ = std::max(mostLetters_, (widthPx + letterPx - 1) / letterPx);
    }
    setMinimumContentsLength(std::clamp(mostLetters_, kFewestOfChoice, kMostOfChoice));
}

void ChoiceBox::measureAll()
{
    mostLetters_ = 0;
    measureMore(0, count() - 1);
}

void ChoiceBox::paintEvent(QPaintEvent* event)
{
    if (isEditable() || currentIndex() < 0) return QComboBox::paintEvent(event);
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - 2);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void keepWithPanel(QWidget& field) { field.setProperty(kKeptProperty, true); }

bool isKeptWithPanel(const QWidget& field) { return field.property(kKeptProperty).toBool(); }

ChoiceBox* newChoice(QWidget* parent, const QString& name, const QString& label, const QStringList& items)
{
    auto* choice = new ChoiceBox(parent);
    choice->setObjectName(name);
    choice->setAccessibleName(label);
    choice->setToolTip(label);
    choice->addItems(items);
    return choice;
}

}  // namespace skein
