// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/column_dialog.h"

#include "views/common/choice_box.h"
#include "views/common/table/cell_table.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {

ColumnDialog::ColumnDialog(const std::vector<std::string>& names, const StreamColumns& now, QWidget* parent)
    : QDialog(parent), names_(names), naming_(names.size())
{
    setObjectName("columns.dialog");
    setWindowTitle(tr("Columns of the Stream"));
    auto* all = new QVBoxLayout(this);
    auto* words = new QLabel(tr("Tick the columns that name an entity: then a line is of one entity, and the "
                                "other columns are metrics. With none ticked each column is an entity."),
                             this);
    words->setWordWrap(true);
    all->addWidget(words);
    table_ = new CellTable("columns.table", windowTitle(), this);
    all->addWidget(table_, 1);
    auto* form = new QFormLayout;
    QStringList times{tr("the first column if it is called so, else counted")};
    for (const std::string& name : names_) times.append(toQString(name));
    time_ = newChoice(this, "columns.time", tr("Which column has the times"), times);
    form->addRow(tr("Time:"), time_);
    all->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    all->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&table_->cells(), &CellModel::ticked, this,
            [this](std::size_t row, bool on) { naming_[row] = on; });
    fill(now);
    resize(460, 420);
}

void ColumnDialog::fill(const StreamColumns& now)
{
    std::vector<std::vector<TableCell>> rows;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        rows.push_back({names_[i]});
        naming_[i] = std::find(now.entity.begin(), now.entity.end(), names_[i]) != now.entity.end();
    }
    table_->setRows({{tr("Names an entity")}}, std::move(rows));
    table_->cells().setTicks(naming_);
    const auto time = std::find(names_.begin(), names_.end(), now.time);
    time_->setCurrentIndex(time == names_.end() ? 0 : static_cast<int>(time - names_.begin()) + 1);
}

StreamColumns ColumnDialog::columns() const
{
    StreamColumns columns;
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (naming_[i]) columns.entity.push_back(names_[i]);
    if (time_->currentIndex() > 0) columns.time = names_[static_cast<std::size_t>(time_->currentIndex() - 1)];
    return columns;
}

}  // namespace skein
