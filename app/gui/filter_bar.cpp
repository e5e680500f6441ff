// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/filter_bar.h"

#include "views/common/selection_model.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace skein::gui {

FilterBar::FilterBar(SelectionModel& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), chips_(new QHBoxLayout(this))
{
    chips_->setContentsMargins(8, 4, 8, 4);
    chips_->setSpacing(8);
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(ViewParts::kFilters)) rebuild();
    });
    rebuild();
}

void FilterBar::rebuild()
{
    while (QLayoutItem* item = chips_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    const auto& filters = selection_.state().filters;
    setVisible(!filters.empty());
    for (std::size_t i = 0; i < filters.size(); ++i) {
        auto* chip = new QToolButton(this);
        chip->setObjectName("filterChip");
        chip->setText(QString::fromStdString(filters[i].label) + "  ✕");
        chip->setToolTip(tr("Remove this filter"));
        connect(chip, &QToolButton::clicked, this, [this, i] { removeFilter(i); });
        chips_->addWidget(chip);
    }
    chips_->addStretch();
}

void FilterBar::removeFilter(std::size_t index)
{
    auto filters = selection_.state().filters;
    if (index >= filters.size()) return;
    filters.erase(filters.begin() + static_cast<std::ptrdiff_t>(index));
    selection_.setFilters(filters, this);
}

}  // namespace skein::gui
