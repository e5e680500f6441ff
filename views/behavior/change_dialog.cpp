// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/change_dialog.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr std::size_t kMostChangedPaths = 200;

QString shareText(double share) { return QString::number(share * 100, 'f', 2) + " %"; }

QString spanText(TimeSpan span)
{
    return toQString(formatDuration(static_cast<double>(span.begin)) + " to "
                     + formatDuration(static_cast<double>(span.end)));
}

}  // namespace

ChangeDialog::ChangeDialog(SelectionModel& selection, SessionPtr session, ChangeComparison comparison,
                           std::size_t number, QWidget* parent)
    : QDialog(parent), selection_(selection), session_(std::move(session)), comparison_(std::move(comparison))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(false);
    setObjectName("behavior.change_dialog");
    setWindowTitle(tr("Call Paths Before and After Change %1").arg(number));
    auto* words =
        new QLabel(tr("Shares of the time of all locations, in the call path itself. Before: %1. After: %2.")
                       .arg(spanText(comparison_.periods.before), spanText(comparison_.periods.after)),
                   this);
    words->setWordWrap(true);
    table_ = new QTreeWidget(this);
    table_->setObjectName("behavior.change_table");
    table_->setColumnCount(4);
    table_->setHeaderLabels({tr("Call path"), tr("Before"), tr("After"), tr("Difference")});
    setUpTable(*table_, "Call paths before and after the change");
    table_->setRootIsDecorated(false);
    fill();
    connect(table_, &QTreeWidget::itemSelectionChanged, this, &ChangeDialog::choose);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addWidget(words);
    all->addWidget(table_, 1);
    all->addWidget(buttons);
    resize(720, 420);
    fitColumns(*table_, 300);
}

void ChangeDialog::fill()
{
    const std::size_t count = std::min(kMostChangedPaths, comparison_.paths.size());
    for (std::size_t i = 0; i < count; ++i) {
        const ChangedPath& path = comparison_.paths[i];
        auto* row = new QTreeWidgetItem(table_);
        row->setText(0, toQString(path.path));
        row->setToolTip(0, toQString(path.path));
        row->setText(1, shareText(path.before));
        row->setText(2, shareText(path.after));
        row->setText(3, (path.difference() > 0 ? "+" : "") + shareText(path.difference()));
        for (int column = 1; column < 4; ++column)
            row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

void ChangeDialog::choose()
{
    std::vector<CallPathRef> chosen;
    for (QTreeWidgetItem* row : table_->selectedItems()) {
        const auto& own = comparison_.paths[static_cast<std::size_t>(table_->indexOfTopLevelItem(row))];
        chosen.insert(chosen.end(), own.callPaths.begin(), own.callPaths.end());
    }
    std::sort(chosen.begin(), chosen.end());
    if (session_) selection_.setSelected(select(*session_, chosen), nullptr);
}

}  // namespace skein
