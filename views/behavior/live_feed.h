// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "views/behavior/live_scene.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace skein {

/// What a stream is looked at for, and how.
struct LiveChoices {
    /// Which metric pictures are of, the first one where there is none of this name; nullopt: all of them.
    std::optional<std::string> metric = std::string();
    ChangeParams changes = {};
    StreamTransformParams transform = {};
    std::string sampled = {};    ///< "pe", "kp", "lp" of ROSS, where a file has it; else its first
    StreamColumns columns = {};  ///< of tables of text

    bool operator==(const LiveChoices&) const = default;
};

/// Reads a stream and makes pictures of it, all on a thread of its own; the newest picture waits to be taken,
/// and no others do. What it holds is bounded as LiveStream says.
class LiveFeed : public QObject {
    Q_OBJECT

public:
    explicit LiveFeed(QObject* parent) : QObject(parent) {}
    ~LiveFeed() override;

    /// Follows another stream; series that TAU's monitoring has written are there at once. Errors: those of
    /// StreamReader::open() and parseTauMonitoring().
    Result<void> follow(const std::string& address);
    void stop();
    bool running() const { return thread_.joinable(); }
    /// What follow() was told.
    const std::string& address() const { return address_; }
    /// Where senders connect, or the file.
    const std::string& where() const { return where_; }
    /// From now on; `choices` as checkChangeParams() and checkStreamTransform() let pass. What is in sight is
    /// looked through again for changes. Where it is transformed otherwise, or other samples or columns are
    /// chosen, a file is read again, and of what senders send only what comes from now on is seen. Errors:
    /// those of follow().
    Result<void> choose(const LiveChoices& choices);
    LiveChoices choices() const;
    /// The newest picture.
    std::shared_ptr<const LivePicture> latest() const;

Q_SIGNALS:
    /// There is a new picture. Comes on the thread of this object.
    void came();

private:
    void forget();
    /// Tables of the same times, and what is known of their entities.
    struct Finished {
        std::vector<SeriesTable> tables;
        std::vector<std::string> levels;          ///< of names with slashes
        std::vector<StreamAttribute> attributes;  ///< of the columns
        std::vector<LiveGranularity> granularities;
    };
    static void hear(LiveStream& stream, const Finished& finished, const std::stop_token& stop);
    static Result<Finished> readFinished(const std::string& path, const std::string& sampled);
    Result<void> replay(const std::string& path);
    /// `reader` is null where all is there already.
    void work(const std::stop_token& stop, StreamReader* reader, const Finished& finished);
    /// What is shown beside the values.
    struct Beside {
        std::vector<std::string> notes;
        std::string causes;
        std::chrono::steady_clock::time_point causesDue = {};
        bool causesLate = false;  ///< rows came that they do not know
        std::uint64_t restarts = 0;
        std::vector<LiveGranularity> granularities;
        std::uint64_t bytesRead = 0;  ///< when something came last, at `heard`
        std::chrono::steady_clock::time_point heard = {};
        std::size_t unfinished = 0;  ///< bytes of a line that has waited for its end for long

        /// Whether that has changed.
        bool lookAtUnfinished(const StreamReader* reader);
    };
    void publish(LiveStream& stream, Beside& beside, const std::optional<std::string>& metric,
                 const Task& task);
    static void lookForCauses(LiveStream& stream, Beside& beside, const Task& task);

    std::string address_, where_;
    bool fromFile_ = false;
    mutable std::mutex mutex_;
    LiveChoices choices_;
    std::shared_ptr<const LivePicture> latest_;
    std::jthread thread_;
};

}  // namespace skein
