// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/filter_bar.h"

#include "app/gui/window/flow_layout.h"
#include "views/common/selection_model.h"

#include <QToolButton>

namespace skein::gui {
namespace {

constexpr int kWidestName = 320;

}  // namespace

FilterBar::FilterBar(SelectionModel& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), chips_(new FlowLayout(this))
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
        const QString label = QString::fromStdString(filters[i].label);
        const QString name = chip->fontMetrics().elidedText(label, Qt::ElideMiddle, kWidestName);
        chip->setText(QString(name).replace("&", "&&") + "  ✕");
        chip->setToolTip(name == label ? tr("Remove this filter") : tr("Remove this filter: %1").arg(label));
        connect(chip, &QToolButton::clicked, this, [this, i] { removeFilter(i); });
        chips_->addWidget(chip);
    }
}

void FilterBar::removeFilter(std::size_t index)
{
    auto filters = selection_.state().filters;
    if (index >= filters.size()) return;
    filters.erase(filters.begin() + static_cast<std::ptrdiff_t>(index));
    selection_.setFilters(filters, this);
}

}  // namespace skein::gui
