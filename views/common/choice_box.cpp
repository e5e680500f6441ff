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
            [this](const QModelIndex&, int first, int last) { countIn(first, last); });
    connect(model(), &QAbstractItemModel::rowsRemoved, this, &ChoiceBox::countAgain);
    countAgain();
}

/// Of words that come one by one each is measured once: to shape a text takes long, and a choice may have
/// hundreds.
void ChoiceBox::countIn(int first, int last)
{
    widestPx_ = std::max(widestPx_, wordsPx(first, last));
    fitWords();
}

void ChoiceBox::countAgain()
{
    widestPx_ = wordsPx(0, count() - 1);
    fitWords();
}

int ChoiceBox::wordsPx(int first, int last) const
{
    int widestPx = 0;
    for (int item = first; item <= last; ++item)
        widestPx = std::max(widestPx, fontMetrics().horizontalAdvance(itemText(item)));
    return widestPx;
}

/// Qt counts in the width of an X, which most letters are narrower than.
void ChoiceBox::fitWords()
{
    const int letterPx = std::max(1, fontMetrics().horizontalAdvance('X'));
    setMinimumContentsLength(
        std::clamp((widestPx_ + letterPx - 1) / letterPx, kFewestOfChoice, kMostOfChoice));
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
