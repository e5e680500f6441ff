// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/job_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace skein {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("skein::Jobs", text); }

}  // namespace

QString clockText(qint64 ms)
{
    const qint64 seconds = (ms + 500) / 1000;
    const QString tail = QString("%1").arg(seconds % 60, 2, 10, QChar('0'));
    if (seconds < 3600) return QString("%1:%2").arg(seconds / 60).arg(tail);
    return QString("%1:%2:%3").arg(seconds / 3600).arg(seconds / 60 % 60, 2, 10, QChar('0')).arg(tail);
}

QString percentText(double fraction)
{
    return QString("%1 %").arg(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100.0));
}

QString timeLeftText(const JobInfo& job)
{
    return job.leftMs < 0 ? QString() : translated("about %1 left").arg(clockText(job.leftMs));
}

QString stateText(const JobInfo& job)
{
    switch (job.state) {
    case JobState::Running: return job.stage;
    case JobState::Finished: return translated("finished");
    case JobState::Cancelled: return translated("cancelled");
    case JobState::Failed: return translated("failed: %1").arg(job.message);
    }
    return {};
}

}  // namespace skein
