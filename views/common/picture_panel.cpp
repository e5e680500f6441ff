// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/picture_panel.h"

#include "views/common/choice_box.h"
#include "views/common/control_strip.h"
#include "views/common/scene_view.h"
#include "views/common/table/cell_table.h"
#include "views/common/wrap_layout.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace skein {

PicturePanel::PicturePanel(const ViewContext& context, const char* name, QWidget* parent)
    : View(context, parent),
      controls_(new ControlStrip(this)),
      all_(new QVBoxLayout(this)),
      middle_(new QHBoxLayout),
      pages_(new QStackedWidget(this)),
      table_(new CellTable((QByteArray(name) + ".table").constData(), {}, this)),
      tableShown_(new QAction(tr("Table"), this))
{
    setObjectName(name);
    tableShown_->setObjectName(QString(name) + ".asTable");
    tableShown_->setCheckable(true);
    tableShown_->setToolTip(tr("Show the same as a table"));
    addAction(tableShown_);
    auto* button = new QToolButton(this);
    button->setDefaultAction(tableShown_);
    WrapLayout& row = controls_->row();
    row.setContentsMargins(8, 4, 8, 4);
    row.setSpacing(8);
    row.addStretch();
    row.addWidget(button);
    middle_->setSpacing(0);
    middle_->addWidget(pages_, 1);
    all_->setContentsMargins(0, 0, 0, 0);
    all_->setSpacing(0);
    all_->addWidget(controls_);
    all_->addLayout(middle_, 1);
    connect(tableShown_, &QAction::toggled, this, [this](bool shown) {
        pages_->setCurrentIndex(shown ? 1 : 0);
        setFocusProxy(pages_->currentWidget());
        if (shown) Q_EMIT tableWanted();
    });
}

void PicturePanel::setPicture(SceneView* picture, const QString& tableName)
{
    picture_ = picture;
    table_->setAccessibleName(tableName);
    pages_->addWidget(picture_);
    pages_->addWidget(table_);
    setFocusProxy(picture_);
    connect(table_, &CellTable::rowsChosen, this, &PicturePanel::tellChosen);
}

CellModel& PicturePanel::rows() const { return table_->cells(); }

void PicturePanel::tellChosen()
{
    const std::vector<std::size_t> chosen = table_->chosenRows();
    if (!chosen.empty()) Q_EMIT rowsChosen(chosen);
}

QComboBox* PicturePanel::addChoice(const char* name, const QString& label, const QStringList& items)
{
    ChoiceBox* choice = newChoice(this, name, label, items);
    addControl(choice);
    return choice;
}

void PicturePanel::addControl(QWidget* control)
{
    // Before the stretch and the button of the table.
    controls_->row().insertWidget(controls_->row().count() - 2, control);
}

void PicturePanel::setHead(QWidget* head)
{
    head->setContentsMargins(8, 4, 8, 0);
    all_->insertWidget(0, head);
}

void PicturePanel::setSide(QWidget* side) { middle_->addWidget(side); }

bool PicturePanel::showsTable() const { return tableShown_->isChecked(); }

void PicturePanel::showTable(bool shown) { tableShown_->setChecked(shown); }

std::vector<KeyHint> PicturePanel::keyHints() const { return picture_->keyHints(); }

std::optional<DrawList> PicturePanel::drawnPicture(int width, int height) const
{
    if (showsTable()) return std::nullopt;
    return picture_->drawnPicture(width, height);
}

}  // namespace skein
