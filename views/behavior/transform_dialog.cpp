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

QString joinedPatterns(const std::vector<std::string>& patterns)
{
    QStringList list;
    for (const std::string& pattern : patterns) list.append(toQString(pattern));
    return list.join(", ");
}

std::vector<std::string> patternsIn(const QString& text)
{
    std::vector<std::string> patterns;
    for (const QString& pattern : text.split(',', Qt::SkipEmptyParts))
        if (!pattern.trimmed().isEmpty()) patterns.push_back(pattern.trimmed().toStdString());
    return patterns;
}

}  // namespace

TransformDialog::TransformDialog(const StreamTransformParams& now, QWidget* parent) : QDialog(parent)
{
    setObjectName("transforms.dialog");
    setWindowTitle(tr("Transforms of the Stream"));
    auto* form = new QFormLayout(this);
    every_ = addCount(*form, "every", tr("Take one of so many time points:"), 1);
    leastInterval_ =
        addAmount(*form, "least_interval", tr("… and none sooner after the last one than:"), tr(" s"));
    entities_ =
        addText(*form, "entities", tr("Entities:"), tr("all; or names between commas: rank 1*, rank 2?"));
    where_ = addText(*form, "where", tr("Only those whose attributes are:"),
                     tr("anything; or like kind=io|compute; rack!=r1*; pe<4"));
    problem_ = new QLabel(this);
    problem_->setObjectName("transforms.problem");
    problem_->setWordWrap(true);
    problem_->hide();
    form->addRow(problem_);
    messageTypes_ = addText(*form, "message_types", tr("Messages of type:"),
                            tr("all; or types between commas: halo, io*"));
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

QLineEdit* TransformDialog::addText(QFormLayout& form, const char* name, const QString& label,
                                    const QString& example)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(QString("transforms.") + name);
    field->setPlaceholderText(example);
    form.addRow(label, field);
    return field;
}

/// What is no condition is said while it is typed.
void TransformDialog::checkConditions()
{
    const auto parsed = parseAttributeConditions(where_->text().toStdString());
    problem_->setText(parsed ? QString() : toQString(parsed.error().text()));
    problem_->setVisible(!parsed);
    accept_->setEnabled(parsed.has_value());
    if (isVisible()) adjustSize();
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
    accept_ = buttons->button(QDialogButtonBox::Ok);
    connect(where_, &QLineEdit::textChanged, this, &TransformDialog::checkConditions);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { present({}); });
}

void TransformDialog::present(const StreamTransformParams& params)
{
    every_->setValue(static_cast<int>(params.every));
    leastInterval_->setValue(params.leastInterval);
    entities_->setText(joinedPatterns(params.entities));
    where_->setText(toQString(textOf(params.where)));
    messageTypes_->setText(joinedPatterns(params.messageTypes));
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
    params.entities = patternsIn(entities_->text());
    if (const auto where = parseAttributeConditions(where_->text().toStdString())) params.where = *where;
    params.messageTypes = patternsIn(messageTypes_->text());
    params.level = static_cast<std::size_t>(level_->value());
    params.rows = static_cast<std::size_t>(rows_->value());
    params.join = static_cast<StreamJoin>(join_->currentIndex());
    params.leastChange = leastChange_->value() / kPercentOfShare;
    return params;
}

}  // namespace skein
