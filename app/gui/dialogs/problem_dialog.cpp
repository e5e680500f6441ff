// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/problem_dialog.h"

#include "app/gui/session/recent_paths.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace skein::gui {
namespace {

QLabel* paragraph(const QString& text, const char* role, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setProperty("role", role);
    return label;
}

void addProblem(const Problem& problem, QVBoxLayout& layout, QWidget* parent)
{
    if (!problem.path.isEmpty()) layout.addWidget(paragraph(shortTitle({problem.path}), "heading", parent));
    layout.addWidget(paragraph(problem.cause, "", parent));
    if (!problem.context.isEmpty()) layout.addWidget(paragraph(problem.context, "secondary", parent));
    layout.addSpacing(8);
}

}  // namespace

ProblemDialog::ProblemDialog(const std::vector<Problem>& problems, const QStringList& opened, QWidget* parent)
    : QDialog(parent)
{
    setObjectName("problemDialog");
    setWindowTitle(opened.isEmpty() ? tr("Nothing was opened") : tr("Not everything was opened"));
    resize(560, 240);
    auto* content = new QWidget(this);
    auto* list = new QVBoxLayout(content);
    for (const Problem& problem : problems) addProblem(problem, *list, content);
    const QString salvaged = opened.isEmpty() ? tr("What was open before is unchanged.")
                                              : tr("Opened all the same: %1.").arg(shortTitle(opened));
    list->addWidget(paragraph(salvaged, "secondary", content));
    list->addStretch();
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scroll);
    layout->addWidget(buttons);
}

void showProblems(const std::vector<Problem>& problems, const QStringList& opened, QWidget& window)
{
    auto* dialog = new ProblemDialog(problems, opened, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace skein::gui
