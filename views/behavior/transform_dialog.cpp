// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/transform_dialog.h"

#include "views/common/choice_box.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace skein {
namespace {

constexpr int kMostTransformCount = 1'000'000;
constexpr double kMostTransformAmount = 1e9;
constexpr int kTransformDecimals = 6;
constexpr double kPercentOfShare = 100;

}  // namespace

TransformDialog::TransformDialog(const StreamTransformParams& now, QWidget* parent) : QDialog(parent)
{
    setObjectName("transforms.dialog");
    setWindowTitle(tr("Transforms of the Stream"));
    auto* form = new QFormLayout(this);
    every_ = addCount(*form, "every", tr("Take one of so many time points:"), 1);
    leastInterval_ =
        addAmount(*form, "least_interval", tr("… and none sooner after the last one than:"), tr(" s"));
    entities_ = new QLineEdit(this);
    entities_->setObjectName("transforms.entities");
    entities_->setPlaceholderText(tr("all; or names between commas: rank 1*, rank 2?"));
    form->addRow(tr("Entities:"), entities_);
    level_ = addCount(*form, "level", tr("Join the entities of one group of level:"), 0);
    level_->setSpecialValueText(tr("none"));
    rows_ = addCount(*form, "rows", tr("Join so many time points to one:"), 1);
    join_ =
        newChoice(this, "transforms.join", tr("What joined values become"),
                  {tr("their mean"), tr("their sum"), tr("the least of them"), tr("the greatest of them")});
    form->addRow(tr("Joined values become:"), join_);
    leastChange_ = addAmount(*form, "least_change",
                             tr("Pass on only what moved since the last one by more than:"), tr(" %"));
    auto* note =
        new QLabel(tr("In this order. A file is read again from its begin; of what senders send only "
                      "what comes from now on is looked at. What moved is told in shares of the "
                      "length of all values together."),
                   this);
    note->setWordWrap(true);
    form->addRow(note);
    addButtons(*form);
    present(now);
}

QSpinBox* TransformDialog::addCount(QFormLayout& form, const char* name, const QString& label, int least)
{
    auto* field = new QSpinBox(this);
    field->setObjectName(QString("transforms.") + name);
    field->setRange(least, kMostTransformCount);
    form.addRow(label, field);
    return field;
}

QDoubleSpinBox* TransformDialog::addAmount(QFormLayout& form, const char* name, const QString& label,
                                           const QString& suffix)
{
    auto* field = new QDoubleSpinBox(this);
    field->setObjectName(QString("transforms.") + name);
    field->setDecimals(kTransformDecimals);
    field->setRange(0, kMostTransformAmount);
    field->setSuffix(suffix);
    form.addRow(label, field);
    return field;
}

void TransformDialog::addButtons(QFormLayout& form)
{
    auto* buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    buttons->button(QDialogButtonBox::RestoreDefaults)->setText(tr("None"));
    form.addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { present({}); });
}

void TransformDialog::present(const StreamTransformParams& params)
{
    every_->setValue(static_cast<int>(params.every));
    leastInterval_->setValue(params.leastInterval);
    QStringList patterns;
    for (const std::string& pattern : params.entities) patterns.append(toQString(pattern));
    entities_->setText(patterns.join(", "));
    level_->setValue(static_cast<int>(params.level));
    rows_->setValue(static_cast<int>(params.rows));
    join_->setCurrentIndex(static_cast<int>(params.join));
    leastChange_->setValue(params.leastChange * kPercentOfShare);
}

StreamTransformParams TransformDialog::params() const
{
    StreamTransformParams params;
    params.every = static_cast<std::size_t>(every_->value());
    params.leastInterval = leastInterval_->value();
    for (const QString& pattern : entities_->text().split(',', Qt::SkipEmptyParts))
        if (!pattern.trimmed().isEmpty()) params.entities.push_back(pattern.trimmed().toStdString());
    params.level = static_cast<std::size_t>(level_->value());
    params.rows = static_cast<std::size_t>(rows_->value());
    params.join = static_cast<StreamJoin>(join_->currentIndex());
    params.leastChange = leastChange_->value() / kPercentOfShare;
    return params;
}

}  // namespace skein
