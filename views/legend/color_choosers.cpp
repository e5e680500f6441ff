// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/color_choosers.h"

#include "core/session/recorded_groups.h"

#include <QBoxLayout>
#include <QComboBox>

namespace skein {
namespace {

constexpr int kNarrowest = 60;

}  // namespace

ColorChoosers::ColorChoosers(QWidget* parent)
    : QWidget(parent),
      row_(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      modes_(new QComboBox(this)),
      grouping_(new QComboBox(this))
{
    modes_->setObjectName("colorMode");
    modes_->setAccessibleName(tr("What calls are coloured by"));
    modes_->addItems({tr("Colour by region"), tr("Colour by group"), tr("Colour by depth"),
                      tr("Colour by duration"), tr("Colour by metric")});
    modes_->setItemData(3, tr("Against the other calls of the same region"), Qt::ToolTipRole);
    modes_->setItemData(4, tr("Counters and other samples of the trace, where the location has them"),
                        Qt::ToolTipRole);
    grouping_->setObjectName("regionGrouping");
    grouping_->setAccessibleName(tr("What groups of regions are"));
    grouping_->addItems({tr("Groups by role"), tr("Groups as recorded")});
    grouping_->setItemData(0, tr("Application, MPI, threads …: told from paradigms, groups and names"),
                           Qt::ToolTipRole);
    grouping_->setItemData(1, tr("TAU_DEFAULT, TAU_USER, MPI …: as the archives have them"), Qt::ToolTipRole);
    row_->setContentsMargins(0, 0, 0, 0);
    for (QComboBox* chooser : {modes_, grouping_}) {
        // Else the row would keep the panel as wide as both are beside each other.
        chooser->setMinimumWidth(kNarrowest);
        row_->addWidget(chooser, 1);
    }
    connect(modes_, &QComboBox::activated, this,
            [this](int mode) { Q_EMIT colorsChosen(static_cast<ColorMode>(mode)); });
    connect(grouping_, &QComboBox::activated, this,
            [this](int grouping) { Q_EMIT groupingChosen(static_cast<RegionGrouping>(grouping)); });
}

void ColorChoosers::setSession(const Session& session)
{
    const bool recorded = hasRecordedGroups(session);
    grouping_->setEnabled(recorded);
    grouping_->setToolTip(
        recorded ? tr("What groups of regions are: their role, or the groups that the archives recorded")
                 : tr("No open archive recorded groups of regions. TAU records them; in OTF2 archives of "
                      "others they are rare."));
}

void ColorChoosers::showChoice(ColorMode colors, RegionGrouping grouping)
{
    modes_->setCurrentIndex(static_cast<int>(colors));
    grouping_->setCurrentIndex(grouping_->isEnabled() ? static_cast<int>(grouping) : 0);
}

void ColorChoosers::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int needed = modes_->sizeHint().width() + grouping_->sizeHint().width() + row_->spacing();
    row_->setDirection(width() >= needed ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace skein
