// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/clock_dialog.h"

#include "core/base/units.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <cmath>

namespace skein::gui {
namespace {

QString duration(double durationNs)
{
    return std::isfinite(durationNs) ? toQString(formatDuration(durationNs)) : QString("–");
}

QString groupName(const Experiment& experiment, std::size_t index)
{
    const LocationGroup& group = experiment.definitions.locationGroups[index];
    return group.rank >= 0 ? QObject::tr("Rank %1").arg(group.rank) : toQString(group.name);
}

QString sentence(const Experiment& experiment, const ClockOffsets& offsets)
{
    if (offsets.violations == 0)
        return QObject::tr("%1: nothing contradicts the recorded clocks.").arg(toQString(experiment.name));
    return QObject::tr("%1: %2 messages and collectives contradict the recorded clocks, by up to %3. After "
                       "the correction: %4.")
        .arg(toQString(experiment.name),
             toQString(formatGrouped(static_cast<std::int64_t>(offsets.violations))),
             duration(double(offsets.worstViolationNs)),
             offsets.remainingNs == 0 ? QObject::tr("none")
                                      : QObject::tr("up to %1").arg(duration(double(offsets.remainingNs))));
}

}  // namespace

ClockDialog::ClockDialog(SessionPtr session, TaskRunner& tasks, QWidget* parent)
    : QDialog(parent),
      session_(std::move(session)),
      tasks_(tasks),
      summary_(new QLabel(this)),
      table_(new QTreeWidget(this)),
      correct_(new QPushButton(tr("Correct Clocks"), this))
{
    setObjectName("clockDialog");
    setWindowTitle(tr("Clocks of the Processes"));
    resize(640, 480);
    summary_->setWordWrap(true);
    summary_->setText(tr("Comparing the clocks…"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    table_->setHeaderLabels({tr("Process"), tr("Offset"), tr("Error ±"), tr("Drift"), tr("Archive")});
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setColumnHidden(4, session_->experiments.size() < 2);
    for (const int column : {1, 2, 3})
        table_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(correct_, QDialogButtonBox::ActionRole);
    correct_->setObjectName("correctClocks");
    correct_->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(summary_);
    layout->addWidget(table_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(correct_, &QPushButton::clicked, this, &ClockDialog::correct);
    estimate();
}

void ClockDialog::estimate()
{
    tasks_.run<ClockEstimates>(
        {"clocks", tr("Comparing clocks")}, this,
        [session = session_](const Task& task) { return estimateClocks(*session, task); },
        [this](Result<ClockEstimates> estimates) {
            if (estimates) show(std::move(*estimates));
            else summary_->setText(toQString(estimates.error().text()));
        });
}

void ClockDialog::show(ClockEstimates estimates)
{
    estimates_ = std::move(estimates);
    QStringList sentences;
    bool needed = false;
    for (std::size_t i = 0; i < estimates_.size(); ++i) {
        if (!estimates_[i]) continue;
        sentences.push_back(sentence(*session_->experiments[i], *estimates_[i]));
        addRows(*session_->experiments[i], *estimates_[i]);
        needed = needed || estimates_[i]->needed();
    }
    summary_->setText(sentences.isEmpty() ? tr("There is no trace whose clocks could be compared.")
                                          : sentences.join("\n"));
    for (int column = 0; column < 4; ++column) table_->resizeColumnToContents(column);
    correct_->setEnabled(needed);
    correct_->setDefault(needed);
}

void ClockDialog::addRows(const Experiment& experiment, const ClockOffsets& offsets)
{
    for (std::size_t i = 0; i < offsets.groups.size(); ++i) {
        const ClockOffset& offset = offsets.groups[i];
        const bool reference = LocationGroupId(i) == offsets.reference;
        const QString drift =
            offset.drift == 0.0 ? tr("none") : tr("%1 µs/s").arg(offset.drift * 1e6, 0, 'g', 4);
        auto* row = new QTreeWidgetItem(
            table_,
            {groupName(experiment, i) + (reference ? tr(" (reference)") : QString()),
             duration(offset.offsetNs), duration(offset.errorNs), drift, toQString(experiment.name)});
        for (const int column : {1, 2, 3}) row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

void ClockDialog::correct()
{
    correct_->setEnabled(false);
    tasks_.run<Session>(
        {"clocks", tr("Correcting clocks"), JobVisibility::AtOnce}, this,
        [session = session_, estimates = estimates_](const Task& task) {
            return correctAll(*session, estimates, task);
        },
        [this](Result<Session> session) {
            if (!session) return summary_->setText(toQString(session.error().text()));
            Q_EMIT corrected(std::make_shared<const Session>(std::move(*session)));
            accept();
        });
}

}  // namespace skein::gui
