// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_query_dialog.h"

#include "views/anomalies/anomaly_query_scene.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace skein {
namespace {

/// In the order of the fields: the word that begins the clause.
constexpr std::array<const char*, 6> kClauseWords{"programs", "ranks", "function",
                                                  "begins",   "lost",  "scores"};
/// In the order of the list behind "any".
constexpr std::array<AnomalyLabel, 3> kAskedLabels{AnomalyLabel::Anomaly, AnomalyLabel::Consequence,
                                                   AnomalyLabel::Normal};

}  // namespace

AnomalyQueryDialog::AnomalyQueryDialog(QWidget* parent) : QDialog(parent)
{
    setObjectName("anomalyQuery");
    setWindowTitle(tr("Query of Calls"));
    auto* form = new QFormLayout(this);
    const std::array<QString, kFields> titles{tr("&Program"), tr("&Rank"), tr("&Function"),
                                              tr("&Entry"),   tr("&Lost"), tr("&Score")};
    const std::array<QString, kFields> examples{tr("0, or 0..1"),       tr("3, or 2..5"),
                                                tr("part of its name"), tr("1s..2.5s"),
                                                tr("1ms.., or ..10ms"), tr("3.., or 3..10")};
    for (std::size_t i = 0; i < kFields; ++i) {
        fields_[i] = new QLineEdit(this);
        fields_[i]->setObjectName(QString("anomalyQuery.") + kClauseWords[i]);
        fields_[i]->setPlaceholderText(examples[i]);
        form->addRow(titles[i], fields_[i]);
        connect(fields_[i], &QLineEdit::returnPressed, this, &AnomalyQueryDialog::ask);
    }
    label_ = new QComboBox(this);
    label_->setObjectName("anomalyQuery.label");
    label_->addItem(tr("any"));
    for (const AnomalyLabel each : kAskedLabels) label_->addItem(toQString(name(each)));
    form->addRow(tr("L&abel"), label_);
    problem_ = new QLabel(this);
    problem_->setObjectName("anomalyQuery.problem");
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    form->addRow(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* show = buttons->addButton(tr("S&how"), QDialogButtonBox::ApplyRole);
    auto* all = buttons->addButton(tr("&All Calls"), QDialogButtonBox::ResetRole);
    show->setObjectName("anomalyQuery.show");
    all->setObjectName("anomalyQuery.all");
    show->setDefault(true);
    form->addRow(buttons);
    connect(show, &QPushButton::clicked, this, &AnomalyQueryDialog::ask);
    connect(all, &QPushButton::clicked, this, &AnomalyQueryDialog::clear);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void AnomalyQueryDialog::setQuery(const QString& text)
{
    const auto query = parseAnomalyQuery(text.toStdString());
    if (!query) return;
    for (QLineEdit* field : fields_) field->clear();
    label_->setCurrentIndex(0);
    for (const QString& clause : toQString(textOf(*query)).split("; ", Qt::SkipEmptyParts)) {
        const QString word = clause.section(' ', 0, 0), value = clause.section(' ', 1);
        for (std::size_t i = 0; i < kFields; ++i)
            if (word == kClauseWords[i]) fields_[i]->setText(value);
        if (word == "label") label_->setCurrentText(value);
    }
    problem_->clear();
}

void AnomalyQueryDialog::ask()
{
    QStringList clauses;
    for (std::size_t i = 0; i < kFields; ++i)
        if (const QString value = fields_[i]->text().trimmed(); !value.isEmpty())
            clauses.push_back(QString("%1 %2").arg(kClauseWords[i], value));
    if (label_->currentIndex() > 0) clauses.push_back("label " + label_->currentText());
    const auto query = parseAnomalyQuery(clauses.join("; ").toStdString());
    problem_->setText(query ? QString() : toQString(query.error().text()));
    if (query) Q_EMIT asked(toQString(textOf(*query)));
}

void AnomalyQueryDialog::clear()
{
    setQuery({});
    Q_EMIT asked({});
}

}  // namespace skein
