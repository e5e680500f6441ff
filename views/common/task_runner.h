// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "views/common/turn_queue.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace skein {

/// Numbers jobs in the order of their start; 0 names none.
using JobId = quint64;

enum class JobState { Running, Finished, Cancelled, Failed };

/// Whether the user sees a job. Quick jobs appear once they have run for TaskRunner::kQuickMs.
enum class JobVisibility { AtOnce, WhenSlow };

struct JobSpec {
    QString key;    ///< a new job under a key replaces the one that runs under it
    QString title;  ///< what is done, in the user's words
    JobVisibility visibility = JobVisibility::WhenSlow;
};

/// How a job stands. Times in ms.
struct JobInfo {
    JobId id = 0;
    QString title;
    QString stage;
    QString message;        ///< why it failed
    double fraction = 0.0;  ///< 0…1
    qint64 elapsedMs = 0;
    qint64 leftMs = -1;  ///< estimated; -1 while nothing can be said
    JobState state = JobState::Running;
};

/// Runs long work off the GUI thread. The latest job under a key wins: the one it replaces is stopped and its
/// result dropped. Results reach the receiver on the GUI thread, each in a turn of the event loop of its own,
/// and only while it lives. A cancelled job leaves at once, for
/// the user as for the receiver; its thread follows within the 10 ms in which work asks its Task. To be used
/// on the GUI thread only. The destructor stops everything and waits.
class TaskRunner : public QObject {
    Q_OBJECT

public:
    static constexpr int kRefreshMs = 50;  ///< how often progress is shown
    static constexpr int kQuickMs = 300;   ///< jobs that are faster are never shown
    static constexpr std::size_t kKeptJobs = 50;

    explicit TaskRunner(QObject* parent = nullptr);
    /// A front of another runner, which outlives it, with keys of its own: several views of a kind do not
    /// replace each other's jobs. Jobs are counted, shown and cancelled as those of the other one.
    TaskRunner(TaskRunner& shared, QString prefix);
    ~TaskRunner() override;

    /// Starts `work`. `done` is called with its result, or with `cancelled()` when the user cancels; never
    /// when the receiver has gone or the job was replaced or dropped.
    template <typename T>
    JobId run(JobSpec spec, QObject* receiver, std::function<Result<T>(const Task&)> work,
              std::function<void(Result<T>)> done)
    {
        auto result = std::make_shared<Result<T>>(cancelled());
        return start(
            std::move(spec), receiver,
            [result, work = std::move(work)](const Task& task, const Tell&) {
                *result = work(task);
                return result->has_value() ? std::optional<Error>() : std::optional<Error>(result->error());
            },
            [result, done](bool wasCancelled) {
                done(wasCancelled ? Result<T>(cancelled()) : std::move(*result));
            });
    }

    /// The same for work that tells what it knows before its end: `step` is called with each, in the order in
    /// which they were told; never once the job has ended, was replaced or dropped.
    template <typename T>
    JobId runInSteps(JobSpec spec, QObject* receiver,
                     std::function<Result<T>(const Task&, const std::function<void(T)>& tell)> work,
                     std::function<void(T)> step, std::function<void(Result<T>)> done)
    {
        auto result = std::make_shared<Result<T>>(cancelled());
        return start(
            std::move(spec), receiver,
            [result, work = std::move(work), step = std::move(step)](const Task& task, const Tell& tell) {
                *result = work(task, [&](T known) { tell([step, known] { step(known); }); });
                return result->has_value() ? std::optional<Error>() : std::optional<Error>(result->error());
            },
            [result, done](bool wasCancelled) {
                done(wasCancelled ? Result<T>(cancelled()) : std::move(*result));
            });
    }

    void cancel(JobId id);
    void cancelAll();
    /// Stops the job under the key without telling its receiver.
    void drop(const QString& key);

    /// Lets go of something large on another thread: to give back memory takes time, too.
    void release(std::shared_ptr<const void> object);

    /// Jobs that the user sees, oldest first; the last kKeptJobs of those that are over.
    std::vector<JobInfo> jobs() const;
    bool running(JobId id) const;
    bool anyRunning() const;

Q_SIGNALS:
    /// Jobs came, went or ended.
    void jobsChanged();
    /// Running jobs got further; at most every kRefreshMs.
    void progressed();

private:
    /// Called on the thread of the work: what is to be done on the GUI thread while the job runs.
    using Tell = std::function<void(std::function<void()> step)>;
    using Work = std::function<std::optional<Error>(const Task&, const Tell&)>;
    using Done = std::function<void(bool wasCancelled)>;
    struct Progress;
    struct Job;

    JobId start(JobSpec spec, QObject* receiver, Work work, Done done);
    /// Does `step` in a turn of the event loop of its own. May be called from any thread.
    void queue(std::function<void()> step);
    void doStep(JobId id, const std::function<void()>& step);
    void finish(JobId id, std::optional<Error> error);
    void end(Job& job, JobState state, const QString& message);
    void forget(const std::function<bool(const Job&)>& which);
    void refresh();
    void dropSurplus();
    Job* find(JobId id) const;
    static JobInfo infoOf(const Job& job);

    TaskRunner* shared_ = nullptr;  ///< that does the work of a front
    QString prefix_;                ///< of a front's keys
    std::vector<std::unique_ptr<Job>> jobs_;
    QThreadPool quickPool_;
    QThreadPool longPool_;  ///< for jobs that the user sees at once; of lower priority
    QTimer timer_;
    TurnQueue results_;  ///< of jobs that have ended and whose receivers have not heard of it
    JobId lastId_ = 0;
};

}  // namespace skein
