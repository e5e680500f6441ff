// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/clock_dialog.h"

#include "core/base/units.h"
#include "views/common/table/cell_table.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
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

void addClockRows(std::vector<std::vector<TableCell>>& rows, const Experiment& experiment,
                  const ClockOffsets& offsets)
{
    for (std::size_t i = 0; i < offsets.groups.size(); ++i) {
        const ClockOffset& offset = offsets.groups[i];
        const bool reference = LocationGroupId(i) == offsets.reference;
        const QString name = groupName(experiment, i) + (reference ? QObject::tr(" (reference)") : QString());
        const double drift = offset.drift * 1e6;
        const QString words = offset.drift == 0.0 ? QObject::tr("none") : QString::number(drift, 'g', 4);
        const auto known = [](double ns) { return std::isfinite(ns) ? ns : std::nan(""); };
        rows.push_back({name.toStdString(), known(static_cast<double>(offset.offsetNs)),
                        known(static_cast<double>(offset.errorNs)), WordedNumber{words.toStdString(), drift},
                        experiment.name});
    }
}

}  // namespace

ClockDialog::ClockDialog(SessionPtr session, TaskRunner& tasks, QWidget* parent)
    : QDialog(parent),
      session_(std::move(session)),
      tasks_(tasks),
      summary_(new QLabel(this)),
      table_(new CellTable("clocks.table", tr("Clocks of the processes"), this)),
      correct_(new QPushButton(tr("Correct Clocks"), this))
{
    setObjectName("clockDialog");
    setWindowTitle(tr("Clocks of the Processes"));
    resize(640, 480);
    summary_->setWordWrap(true);
    summary_->setText(tr("Comparing the clocks…"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
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
    std::vector<std::vector<TableCell>> rows;
    bool needed = false;
    for (std::size_t i = 0; i < estimates_.size(); ++i) {
        if (!estimates_[i]) continue;
        sentences.push_back(sentence(*session_->experiments[i], *estimates_[i]));
        addClockRows(rows, *session_->experiments[i], *estimates_[i]);
        needed = needed || estimates_[i]->needed();
    }
    summary_->setText(sentences.isEmpty() ? tr("There is no trace whose clocks could be compared.")
                                          : sentences.join("\n"));
    table_->setRows({{tr("Process")},
                     {tr("Offset"), CellKind::Duration},
                     {tr("Error ±"), CellKind::Duration},
                     {tr("Drift [µs/s]"), CellKind::Number},
                     {tr("Archive")}},
                    std::move(rows));
    table_->setColumnHidden(4, session_->experiments.size() < 2);
    table_->fit();
    correct_->setEnabled(needed);
    correct_->setDefault(needed);
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
