// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/loss_bar.h"

#include "core/base/units.h"
#include "views/common/elided_label.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kStripe = 4;

/// What the most frequent losses mean for who is named; others are told by their names.
QString meaningOf(IssueKind kind)
{
    switch (kind) {
    case IssueKind::AbsentFile: return QObject::tr("no events, its file is missing");
    case IssueKind::AbsentPart: return QObject::tr("missing between the others");
    case IssueKind::Truncated: return QObject::tr("its file ends before its events do");
    case IssueKind::CorruptRecord: return QObject::tr("some records cannot be read");
    case IssueKind::Unreadable: return QObject::tr("its file cannot be opened");
    case IssueKind::CopiedFile: return QObject::tr("its file is a copy of another one's");
    default: return toQString(describe(kind).name);
    }
}

QString sentenceOf(const Issue& issue, const Experiment& experiment, bool named)
{
    const bool hasPlace = !issue.location.empty();
    QString who = hasPlace   ? toQString(issue.location)
        : issue.file.empty() ? toQString(experiment.name)
                             : toQString(issue.file);
    if (named && who != toQString(experiment.name)) who = toQString(experiment.name) + ", " + who;
    QString sentence = QObject::tr("%1: %2").arg(who, meaningOf(issue.kind));
    if (issue.count > 1)
        sentence += QString(" ×%1").arg(toQString(formatGrouped(static_cast<std::int64_t>(issue.count))));
    if (hasPlace && !issue.file.empty()) sentence += QString(" (%1)").arg(toQString(issue.file));
    return sentence;
}

}  // namespace

QStringList lossSentences(const Session& session)
{
    struct Loss {
        Severity severity;
        QString sentence;
    };
    std::vector<Loss> losses;
    for (const ExperimentPtr& experiment : session.experiments)
        for (const Issue& issue : experiment->report.summary())
            if (const Severity severity = describe(issue.kind).severity; severity != Severity::Information)
                losses.push_back({severity, sentenceOf(issue, *experiment, session.experiments.size() > 1)});
    std::stable_sort(losses.begin(), losses.end(),
                     [](const Loss& a, const Loss& b) { return a.severity > b.severity; });
    QStringList sentences;
    for (const Loss& loss : losses) sentences.push_back(loss.sentence);
    return sentences;
}

LossBar::LossBar(QWidget* parent)
    : QWidget(parent), text_(new ElidedLabel(this)), more_(new QToolButton(this))
{
    setObjectName("lossBar");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8 + kStripe, 2, 8, 2);
    row->setSpacing(8);
    text_->setObjectName("lossBar.text");
    row->addWidget(text_, 1);
    row->addWidget(more_);
    more_->setObjectName("lossBar.report");
    connect(more_, &QToolButton::clicked, this, &LossBar::reportWanted);
    auto* close = new QToolButton(this);
    close->setObjectName("lossBar.close");
    close->setText("✕");
    close->setProperty("flat", true);
    close->setToolTip(tr("Hide this; the import report keeps it"));
    close->setAccessibleName(tr("Hide what was lost"));
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    setVisible(false);
}

void LossBar::setSession(const SessionPtr& session)
{
    const QStringList losses = session ? lossSentences(*session) : QStringList();
    setVisible(!losses.isEmpty());
    if (losses.isEmpty()) return;
    text_->setText(losses.front());
    setAccessibleName(losses.front());
    more_->setText(losses.size() > 1 ? tr("%1 more…").arg(losses.size() - 1) : tr("Report…"));
    more_->setToolTip(losses.mid(0, 12).join("\n"));
}

void LossBar::paintEvent(QPaintEvent*)
{
    const Theme theme = plainThemeFor(palette());
    QPainter painter(this);
    QColor fill = toQColor(theme.warning);
    painter.fillRect(0, 0, kStripe, height(), fill);
    fill.setAlpha(28);
    painter.fillRect(rect(), fill);
}

}  // namespace skein::gui
