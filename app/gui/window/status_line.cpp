// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/status_line.h"

#include "core/base/units.h"
#include "core/session/session_clock.h"
#include "views/common/elided_label.h"
#include "views/common/job_text.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace skein::gui {
namespace {

constexpr int kMemoryRefreshMs = 2000;
constexpr int kProgressWidth = 120;

void addCount(QStringList& parts, std::size_t count, const QString& one, const QString& many)
{
    if (count > 0)
        parts.push_back(QString("%1 %2").arg(toQString(formatCount(double(count))), count == 1 ? one : many));
}

QString archiveText(const Session& session)
{
    QStringList names;
    for (const ExperimentPtr& experiment : session.experiments)
        names.push_back(QString("%1 (%2)").arg(toQString(experiment->name), toQString(experiment->format)));
    return names.join(" + ");
}

QString spanText(const Session& session, const ViewState& state)
{
    const TimeSpan whole = sessionClock(session, state.clockShiftsNs).extent;
    if (whole.empty()) return {};
    const QString length = toQString(formatDuration(double(whole.lengthNs())));
    if (!state.visible) return QObject::tr("all %1").arg(length);
    const TimeSpan shown = *state.visible;
    return QObject::tr("%1 of %2, from %3")
        .arg(toQString(formatDuration(double(shown.lengthNs()))), length,
             toQString(formatDuration(double(shown.begin))));
}

}  // namespace

double residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return statm ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0.0;
}

QString memoryText() { return toQString(formatBytes(residentBytes())); }

QString selectionText(const SelectionModel& selection)
{
    const Selection& selected = selection.state().selected;
    QStringList parts;
    if (selection.state().brushed)
        parts.push_back(toQString(formatDuration(double(selection.state().brushed->lengthNs()))));
    addCount(parts, selected.intervals.size(), QObject::tr("call"), QObject::tr("calls"));
    addCount(parts, selected.messages.size(), QObject::tr("message"), QObject::tr("messages"));
    addCount(parts, selected.regions.size(), QObject::tr("region"), QObject::tr("regions"));
    addCount(parts, selected.callPaths.size(), QObject::tr("call path"), QObject::tr("call paths"));
    addCount(parts, selected.locations.size(), QObject::tr("location"), QObject::tr("locations"));
    addCount(parts, selected.rankPairs.size(), QObject::tr("pair of ranks"), QObject::tr("pairs of ranks"));
    addCount(parts, selected.links.size(), QObject::tr("link"), QObject::tr("links"));
    addCount(parts, selected.nodes.size(), QObject::tr("node"), QObject::tr("nodes"));
    addCount(parts, selected.collectives.size(), QObject::tr("collective"), QObject::tr("collectives"));
    addCount(parts, selected.handOvers.size(), QObject::tr("hand-over"), QObject::tr("hand-overs"));
    addCount(parts, selected.changePoints.size(), QObject::tr("change"), QObject::tr("changes"));
    addCount(parts, selected.clusters.size(), QObject::tr("cluster"), QObject::tr("clusters"));
    return parts.join(" · ");
}

StatusLine::StatusLine(SelectionModel& selection, TaskRunner& tasks, QWidget* parent)
    : QStatusBar(parent),
      selection_(selection),
      tasks_(tasks),
      archive_(new ElidedLabel(this)),
      span_(new ElidedLabel(this)),
      selected_(new ElidedLabel(this)),
      memory_(new ElidedLabel(this)),
      stage_(new ElidedLabel(this)),
      progress_(new QProgressBar(this)),
      left_(new QLabel(this)),
      cancel_(new QToolButton(this))
{
    setSizeGripEnabled(false);
    archive_->setAccessibleName(tr("What is open"));
    progress_->setFixedWidth(kProgressWidth);
    progress_->setTextVisible(false);
    progress_->setRange(0, 1000);
    cancel_->setText(tr("Cancel"));
    cancel_->setObjectName("cancelJob");
    cancel_->setAccessibleName(tr("Cancel the job"));
    for (ElidedLabel* label : {archive_, span_, selected_, stage_, memory_}) {
        // A padding of the style sheet would take room that the label does not know of.
        label->setStyleSheet("padding: 0");
        label->setContentsMargins(8, 0, 8, 0);
    }
    setContentsMargins(8, 0, 8, 0);
    // They change while the view moves, and all the time.
    span_->keepWidest();
    memory_->keepWidest();
    memory_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (ElidedLabel* label : {archive_, span_, selected_}) addWidget(label);
    for (QWidget* widget : std::initializer_list<QWidget*>{stage_, progress_, left_, cancel_, memory_})
        addPermanentWidget(widget);
    connect(cancel_, &QToolButton::clicked, this, [this] { tasks_.cancel(shownJob_); });
    connect(&tasks_, &TaskRunner::jobsChanged, this, &StatusLine::showJob);
    connect(&tasks_, &TaskRunner::progressed, this, &StatusLine::showJob);
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.without(ViewParts::kHover).any()) showSelection();
    });
    connect(this, &QStatusBar::messageChanged, this, &StatusLine::showFoot);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &StatusLine::showMemory);
    timer->start(kMemoryRefreshMs);
    showMemory();
    showJob();
}

void StatusLine::setSession(SessionPtr session)
{
    session_ = std::move(session);
    archive_->setText(session_ ? archiveText(*session_) : tr("Nothing is open"));
    showSelection();
    showMemory();
}

void StatusLine::showSelection()
{
    const QString span = session_ ? spanText(*session_, selection_.state()) : QString();
    const QString selected = session_ ? selectionText(selection_) : QString();
    span_->setText(span);
    selected_->setText(selected.isEmpty() ? QString() : tr("Selected: %1").arg(selected));
    showFoot();
}

/// A bar paints all of itself when one of its labels may want another size; the layout paints what moves.
bool StatusLine::event(QEvent* event)
{
    if (event->type() != QEvent::LayoutRequest) return QStatusBar::event(event);
    const int before = std::exchange(wantedHeightPx_, sizeHint().height());
    return before == wantedHeightPx_ ? QWidget::event(event) : QStatusBar::event(event);
}

/// A message takes the place of everything at the left.
void StatusLine::showFoot()
{
    for (ElidedLabel* label : {archive_, span_, selected_})
        label->setVisible(currentMessage().isEmpty() && !label->fullText().isEmpty());
}

void StatusLine::showMemory() { memory_->setText(memoryText()); }

void StatusLine::showJob()
{
    const auto jobs = tasks_.jobs();
    const auto running = std::find_if(jobs.rbegin(), jobs.rend(),
                                      [](const JobInfo& job) { return job.state == JobState::Running; });
    const bool any = running != jobs.rend();
    for (QWidget* widget : std::initializer_list<QWidget*>{stage_, progress_, left_, cancel_})
        widget->setVisible(any);
    shownJob_ = any ? running->id : 0;
    if (!any) return;
    stage_->setText(running->stage.isEmpty() ? running->title : running->title + ": " + running->stage);
    progress_->setValue(static_cast<int>(running->fraction * 1000.0));
    left_->setText(percentText(running->fraction) + "  " + timeLeftText(*running));
}

}  // namespace skein::gui
