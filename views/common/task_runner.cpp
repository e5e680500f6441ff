// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/task_runner.h"

#include "core/base/usable_threads.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace skein {
namespace {

constexpr qint64 kFirstEstimateMs = 400;
constexpr double kLeastFractionToEstimate = 0.01;

/// Long work leaves the cores to the window whenever that wants them. Threads that the work starts inherit
/// it. On Linux this is a property of a thread; it can be lowered by anybody and raised by few, so it is
/// never set back.
void yieldToWindow()
{
    constexpr int kBackgroundNice = 5;
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kBackgroundNice);
}

std::optional<Error> runGuarded(const std::function<std::optional<Error>()>& work)
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "The memory does not suffice for this.", {}};
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Io, "The work failed.", exception.what()};
    }
}

}  // namespace

/// What the worker writes and the window reads.
struct TaskRunner::Progress {
    std::mutex mutex;
    double fraction = 0.0;
    std::string stage;
};

struct TaskRunner::Job {
    JobId id = 0;
    JobSpec spec;
    QPointer<QObject> receiver;
    Done done;
    std::stop_source stop;
    std::shared_ptr<Progress> progress = std::make_shared<Progress>();
    QElapsedTimer clock;
    qint64 endedMs = -1;
    JobState state = JobState::Running;
    QString message;
    bool shown = false;
};

TaskRunner::TaskRunner(QObject* parent) : QObject(parent)
{
    // A job that was cancelled may still be leaving while the next one starts.
    for (QThreadPool* pool : {&quickPool_, &longPool_})
        pool->setMaxThreadCount(std::max(4, 2 * usableThreads()));
    timer_.setInterval(kRefreshMs);
    connect(&timer_, &QTimer::timeout, this, &TaskRunner::refresh);
}

TaskRunner::TaskRunner(TaskRunner& shared, QString prefix) : shared_(&shared), prefix_(std::move(prefix))
{
    connect(shared_, &TaskRunner::jobsChanged, this, &TaskRunner::jobsChanged);
    connect(shared_, &TaskRunner::progressed, this, &TaskRunner::progressed);
}

TaskRunner::~TaskRunner()
{
    for (const auto& job : jobs_) job->stop.request_stop();
    quickPool_.waitForDone();
    longPool_.waitForDone();
}

JobId TaskRunner::start(JobSpec spec, QObject* receiver, Work work, Done done)
{
    if (shared_) {
        spec.key = prefix_ + spec.key;
        return shared_->start(std::move(spec), receiver, std::move(work), std::move(done));
    }
    drop(spec.key);
    auto job = std::make_unique<Job>();
    job->id = ++lastId_;
    job->receiver = receiver;
    job->done = std::move(done);
    job->shown = spec.visibility == JobVisibility::AtOnce;
    job->spec = std::move(spec);
    job->clock.start();
    const auto progress = job->progress;
    const Task task(job->stop.get_token(), [progress](double fraction, std::string_view stage) {
        const std::scoped_lock lock(progress->mutex);
        progress->fraction = fraction;
        progress->stage = stage;
    });
    const bool isLong = job->spec.visibility == JobVisibility::AtOnce;
    (isLong ? longPool_ : quickPool_).start([this, isLong, id = job->id, work = std::move(work), task] {
        if (isLong) yieldToWindow();
        const Tell tell = [this, id](std::function<void()> step) {
            queue([this, id, step = std::move(step)] { doStep(id, step); });
        };
        auto error = runGuarded([&] { return work(task, tell); });
        queue([this, id, error = std::move(error)] { finish(id, error); });
    });
    const bool shown = job->shown;
    jobs_.push_back(std::move(job));
    timer_.start();
    if (shown) Q_EMIT jobsChanged();
    return lastId_;
}

void TaskRunner::queue(std::function<void()> step)
{
    QMetaObject::invokeMethod(
        this, [this, step = std::move(step)]() mutable { results_.add(std::move(step)); },
        Qt::QueuedConnection);
}

void TaskRunner::doStep(JobId id, const std::function<void()>& step)
{
    const Job* job = find(id);
    if (job && job->state == JobState::Running && !job->receiver.isNull()) step();
}

void TaskRunner::finish(JobId id, std::optional<Error> error)
{
    Job* job = find(id);
    if (!job || job->state != JobState::Running) return;
    if (!error) end(*job, JobState::Finished, {});
    else if (error->cancelled()) end(*job, JobState::Cancelled, {});
    else end(*job, JobState::Failed, QString::fromStdString(error->text()));
}

void TaskRunner::end(Job& job, JobState state, const QString& message)
{
    job.stop.request_stop();
    job.state = state;
    job.message = message;
    job.endedMs = job.clock.elapsed();
    const Done done = std::exchange(job.done, {});
    const bool deliver = !job.receiver.isNull();
    dropSurplus();
    Q_EMIT jobsChanged();
    if (deliver) done(state == JobState::Cancelled);
}

void TaskRunner::cancel(JobId id)
{
    if (shared_) return shared_->cancel(id);
    Job* job = find(id);
    if (job && job->state == JobState::Running) end(*job, JobState::Cancelled, {});
}

void TaskRunner::cancelAll()
{
    if (shared_) return shared_->cancelAll();
    std::vector<JobId> ids;
    for (const auto& job : jobs_) ids.push_back(job->id);
    for (const JobId id : ids) cancel(id);
}

void TaskRunner::drop(const QString& key)
{
    if (shared_) return shared_->drop(prefix_ + key);
    forget([&](const Job& job) { return job.state == JobState::Running && job.spec.key == key; });
}

void TaskRunner::release(std::shared_ptr<const void> object)
{
    if (!object) return;
    if (shared_) return shared_->release(std::move(object));
    longPool_.start([object = std::move(object)]() mutable {
        yieldToWindow();
        object.reset();
    });
}

void TaskRunner::forget(const std::function<bool(const Job&)>& which)
{
    bool seen = false;
    const auto gone = std::remove_if(jobs_.begin(), jobs_.end(), [&](const std::unique_ptr<Job>& job) {
        if (!which(*job)) return false;
        job->stop.request_stop();
        seen = seen || job->shown;
        return true;
    });
    jobs_.erase(gone, jobs_.end());
    if (seen) Q_EMIT jobsChanged();
}

void TaskRunner::dropSurplus()
{
    std::erase_if(jobs_, [](const auto& job) { return job->state != JobState::Running && !job->shown; });
    while (jobs_.size() > kKeptJobs && jobs_.front()->state != JobState::Running) jobs_.erase(jobs_.begin());
}

void TaskRunner::refresh()
{
    if (!anyRunning()) timer_.stop();
    forget([](const Job& job) { return job.state == JobState::Running && job.receiver.isNull(); });
    bool appeared = false;
    for (const auto& job : jobs_) {
        if (job->shown || job->clock.elapsed() < kQuickMs) continue;
        job->shown = appeared = true;
    }
    if (appeared) Q_EMIT jobsChanged();
    Q_EMIT progressed();
}

TaskRunner::Job* TaskRunner::find(JobId id) const
{
    const auto found =
        std::find_if(jobs_.begin(), jobs_.end(), [id](const auto& job) { return job->id == id; });
    return found == jobs_.end() ? nullptr : found->get();
}

JobInfo TaskRunner::infoOf(const Job& job)
{
    JobInfo info{job.id, job.spec.title, {}, job.message, 0.0, 0, -1, job.state};
    {
        const std::scoped_lock lock(job.progress->mutex);
        info.fraction = job.progress->fraction;
        info.stage = QString::fromStdString(job.progress->stage);
    }
    info.elapsedMs = job.endedMs < 0 ? job.clock.elapsed() : job.endedMs;
    const bool estimable = info.elapsedMs >= kFirstEstimateMs && info.fraction >= kLeastFractionToEstimate;
    if (job.state == JobState::Running && estimable)
        info.leftMs =
            static_cast<qint64>(static_cast<double>(info.elapsedMs) * (1.0 - info.fraction) / info.fraction);
    return info;
}

std::vector<JobInfo> TaskRunner::jobs() const
{
    if (shared_) return shared_->jobs();
    std::vector<JobInfo> result;
    for (const auto& job : jobs_)
        if (job->shown) result.push_back(infoOf(*job));
    return result;
}

bool TaskRunner::running(JobId id) const
{
    if (shared_) return shared_->running(id);
    const Job* job = find(id);
    return job && job->state == JobState::Running;
}

bool TaskRunner::anyRunning() const
{
    if (shared_) return shared_->anyRunning();
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [](const auto& job) { return job->state == JobState::Running; });
}

}  // namespace skein
