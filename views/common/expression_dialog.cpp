// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/expression_dialog.h"

#include "algorithms/calltree/metric_expression.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace skein {
namespace {

QString trExpression(const char* text)
{
    return QCoreApplication::translate("skein::ExpressionDialog", text);
}

QLabel* addExpressionText(QVBoxLayout& layout, const QString& text)
{
    auto* label = new QLabel(text, layout.parentWidget());
    label->setWordWrap(true);
    layout.addWidget(label);
    return label;
}

}  // namespace

QString expressionProblem(const QString& text)
{
    const std::string expression = text.toStdString();
    if (expression.find_first_not_of(' ') == std::string::npos) return {};
    const auto parsed = MetricExpression::parse(expression);
    if (parsed) return {};
    return toQString(pointedAt(parsed.error(), expression) + "\n" + sentenceOf(parsed.error(), expression));
}

void askForExpression(SelectionModel& selection, QWidget* parent)
{
    auto* dialog = new QDialog(parent->window());
    dialog->setObjectName("expression.dialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(trExpression("Metric by Expression"));
    auto* all = new QVBoxLayout(dialog);
    addExpressionText(
        *all,
        trExpression("Call tree, summary, call graph and comparison show it beside the other metrics:"));
    auto* text = new QLineEdit(toQString(selection.state().derived), dialog);
    text->setObjectName("expression.text");
    text->setAccessibleName(dialog->windowTitle());
    text->setPlaceholderText("time.inc / calls");
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    all->addWidget(text);
    auto* problem = addExpressionText(*all, {});
    problem->setObjectName("expression.problem");
    problem->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    problem->setTextFormat(Qt::PlainText);
    problem->setMinimumHeight(3 * problem->fontMetrics().lineSpacing());
    addExpressionText(
        *all,
        trExpression(
            "M is the exclusive and M.inc the inclusive amount of a metric; names "
            "that are no words stand in quotes. Try share(time), "
            "imbalance(time.inc), time.inc / ranks, "
            "\"PAPI_L2_TCM\" / \"PAPI_TOT_INS\". In the panel Comparison a.M and b.M are those of its "
            "two runs: b.time / a.time. Empty: none."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
    all->addWidget(buttons);
    const auto check = [text, problem, buttons] {
        const QString wrong = expressionProblem(text->text());
        problem->setText(wrong);
        buttons->button(QDialogButtonBox::Ok)->setEnabled(wrong.isEmpty());
    };
    QObject::connect(text, &QLineEdit::textChanged, dialog, check);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(dialog, &QDialog::accepted, &selection, [&selection, text] {
        selection.setDerived(text->text().trimmed().toStdString(), nullptr);
    });
    check();
    dialog->resize(520, dialog->sizeHint().height());
    dialog->open();
}

}  // namespace skein
