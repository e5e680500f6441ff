// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_feed.h"

#include "core/base/file_bytes.h"
#include "core/base/units.h"
#include "core/series/ross_statistics.h"
#include "core/series/tau_monitoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace skein {
namespace {

using FeedClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kFeedWait{50}, kBetweenPictures{100};
/// About a million values: what can be drawn ten times a second.
constexpr std::size_t kFeedWindowBytes = std::size_t{8} << 20;
constexpr std::size_t kNotesKept = 50;
constexpr int kCausesRest = 10;
/// Who writes in blocks leaves lines without an end for a while.
constexpr std::chrono::seconds kLongForALine{2};

LiveStreamParams feedParams(const LiveChoices& choices)
{
    LiveStreamParams params;
    params.online.series.change = choices.changes;
    params.online.transform = choices.transform;
    params.columns = choices.columns;
    params.online.series.windowRows = 2000;
    params.online.series.windowBytes = kFeedWindowBytes;
    params.online.series.clusterSeconds = 0.03;
    params.online.series.placeSeconds = 0.005;
    params.online.causalSeconds = 0.02;
    return params;
}

std::string causeText(const OnlineCausality& causes)
{
    if (causes.links.empty() || !(causes.links[0].pValue < 0.05)) return {};
    const CausalLink& link = causes.links[0];
    return fmt::format("{} leads {} (p = {:.2g}, from {:.0f} % of the time points)",
                       causes.metrics[link.from], causes.metrics[link.to], link.pValue, causes.share() * 100);
}

constexpr std::string_view kRankPrefix = "Rank ";

/// The ranks of TAU's monitoring, as its file has them.
StreamAttribute ranksOf(const std::vector<std::string>& columns)
{
    StreamAttribute ranks{"rank", {}, {}};
    for (const std::string& column : columns)
        ranks.values.push_back(column.starts_with(kRankPrefix) ? column.substr(kRankPrefix.size()) : column);
    return ranks;
}

}  // namespace

LiveFeed::~LiveFeed() { stop(); }

/// All rows, as if they came now.
void LiveFeed::hear(LiveStream& stream, const Finished& finished, const std::stop_token& stop)
{
    const std::vector<SeriesTable>& tables = finished.tables;
    for (std::size_t row = 0; !tables.empty() && row < tables.front().rows(); ++row) {
        if (stop.stop_requested()) return;
        StreamRecord record;
        record.time = tables.front().times[row];
        record.entities = tables.front().columns;
        if (row == 0) record.levels = finished.levels;
        if (row == 0) record.attributes = finished.attributes;
        for (const SeriesTable& table : tables) {
            const auto values = table.row(row);
            record.samples.push_back({table.metric, {}, std::vector<double>(values.begin(), values.end())});
        }
        stream.take(std::move(record));
    }
}

void LiveFeed::stop()
{
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
}

void LiveFeed::forget()
{
    const std::lock_guard lock(mutex_);
    latest_ = nullptr;
}

Result<void> LiveFeed::follow(const std::string& address)
{
    stop();
    // Also where the new source cannot be opened: what the old one had would stand in place of the reason.
    forget();
    const auto parsed = parseStreamAddress(address);
    if (!parsed) return Unexpected(parsed.error());
    address_ = address;
    fromFile_ = parsed->kind == StreamAddress::Kind::File;
    if (fromFile_ && (isTauMonitoringFile(parsed->path) || isRossStatisticsFile(parsed->path)))
        return replay(parsed->path);
    auto reader = StreamReader::open(*parsed);
    if (!reader) return Unexpected(reader.error());
    where_ = (*reader)->address().text();
    thread_ = std::jthread([this, source = std::shared_ptr<StreamReader>(std::move(*reader))](
                               const std::stop_token& stop) { work(stop, source.get(), {}); });
    return {};
}

Result<LiveFeed::Finished> LiveFeed::readFinished(const std::string& path, const std::string& sampled)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return Unexpected(bytes.error());
    Finished finished;
    if (!looksLikeRossStatistics(bytes->text())) {
        auto tables = parseTauMonitoring(bytes->text(), {}, path, Task());
        if (!tables) return Unexpected(tables.error());
        finished.tables = std::move(*tables);
        finished.attributes.push_back(ranksOf(finished.tables.front().columns));
        return finished;
    }
    const std::vector<std::string> entities = rossEntities(bytes->text());
    const bool has = std::find(entities.begin(), entities.end(), sampled) != entities.end();
    RossStatisticsParams params;
    if (!entities.empty()) params.entity = has ? sampled : entities.front();
    auto tables = parseRossStatistics(bytes->text(), params, path, Task());
    if (!tables) return Unexpected(tables.error());
    finished.tables = std::move(*tables);
    finished.levels = rossAttributes(finished.tables.front().columns.front());
    finished.granularities = rossGranularities(entities);
    return finished;
}

Result<void> LiveFeed::replay(const std::string& path)
{
    auto finished = readFinished(path, choices().sampled);
    if (!finished) return Unexpected(finished.error());
    where_ = path;
    thread_ = std::jthread(
        [this, all = std::move(*finished)](const std::stop_token& stop) { work(stop, nullptr, all); });
    return {};
}

Result<void> LiveFeed::choose(const LiveChoices& choices)
{
    bool again = false;
    {
        const std::lock_guard lock(mutex_);
        again = fromFile_
            && (choices.transform != choices_.transform || choices.sampled != choices_.sampled
                || choices.columns != choices_.columns);
        choices_ = choices;
    }
    return again && running() ? follow(std::string(address_)) : Result<void>();
}

LiveChoices LiveFeed::choices() const
{
    const std::lock_guard lock(mutex_);
    return choices_;
}

std::shared_ptr<const LivePicture> LiveFeed::latest() const
{
    const std::lock_guard lock(mutex_);
    return latest_;
}

void LiveFeed::work(const std::stop_token& stop, StreamReader* reader, const Finished& finished)
{
    LiveChoices used = choices();
    LiveStream stream(feedParams(used));
    hear(stream, finished, stop);
    const Task task(stop);
    Beside beside;
    std::vector<std::string>& notes = beside.notes;
    beside.granularities = finished.granularities;
    bool shown = false;
    std::uint64_t rows = 0;
    auto last = FeedClock::now() - kBetweenPictures;
    while (!stop.stop_requested()) {
        std::vector<StreamEvent> events;
        if (reader) events = reader->take(kFeedWait);
        else std::this_thread::sleep_for(kFeedWait);
        // What came meanwhile may have been sent after they were made.
        const LiveChoices wanted = choices();
        if (wanted.transform != used.transform) stream.setTransform(wanted.transform);
        if (wanted.columns != used.columns) {
            stream.setColumns(wanted.columns);
            ++beside.restarts;
        }
        if (wanted.changes != used.changes) stream.lookAgain(wanted.changes);
        LiveStream::Update update;
        if (reader) update = stream.take(events);
        beside.restarts += update.restarted ? 1 : 0;
        for (std::string& note : update.notes) notes.push_back(std::move(note));
        if (notes.size() > kNotesKept)
            notes.erase(notes.begin(), notes.end() - static_cast<std::ptrdiff_t>(kNotesKept));
        const bool causesWait = beside.causesLate && FeedClock::now() >= beside.causesDue;
        const bool otherEnd = beside.lookAtUnfinished(reader);
        shown = shown && wanted == used && stream.rowCount() == rows && update.notes.empty() && !causesWait
            && !otherEnd;
        used = wanted;
        if (shown || FeedClock::now() - last < kBetweenPictures) continue;
        if (reader) beside.granularities = streamGranularities(stream.rows());
        publish(stream, beside, used.metric, task);
        rows = stream.rowCount();
        shown = true;
        last = FeedClock::now();
    }
}

bool LiveFeed::Beside::lookAtUnfinished(const StreamReader* reader)
{
    if (!reader) return false;
    const auto now = FeedClock::now();
    if (std::exchange(bytesRead, reader->bytesRead()) != bytesRead) heard = now;
    const std::size_t waits = now - heard >= kLongForALine ? reader->unfinishedBytes() : 0;
    return std::exchange(unfinished, waits) != unfinished;
}

/// Of many metrics these take long: no more than a tenth of the time.
void LiveFeed::lookForCauses(LiveStream& stream, Beside& beside, const Task& task)
{
    const auto begin = FeedClock::now();
    beside.causesLate = false;
    if (stream.online().metricCount() < 2) {
        beside.causes.clear();
        beside.causesDue = {};
        return;
    }
    if (begin < beside.causesDue) {
        beside.causesLate = true;
        return;
    }
    const auto causes = stream.online().causality(task);
    beside.causes = causes ? causeText(*causes) : std::string();
    beside.causesDue = begin + kCausesRest * (FeedClock::now() - begin);
}

/// Only what is shown is looked at closely, however many metrics there are.
void LiveFeed::publish(LiveStream& stream, Beside& beside, const std::optional<std::string>& metric,
                       const Task& task)
{
    for (const std::size_t shown : liveMetrics(stream.online(), metric))
        if (!stream.online().refresh(shown, task)) return;
    auto live = std::make_shared<LivePicture>(metric ? livePicture(stream.online(), *metric)
                                                     : livePictureOfAll(stream.online()));
    lookForCauses(stream, beside, task);
    live->notes = beside.notes;
    for (std::string& sentence : stream.rows().notes().sentences())
        live->notes.push_back(std::move(sentence));
    if (beside.unfinished > 0)
        live->notes.push_back(fmt::format("A line waits for its end: {}.",
                                          formatBytes(static_cast<double>(beside.unfinished))));
    live->columns = stream.columnNames();
    live->restarts = beside.restarts;
    live->granularities = beside.granularities;
    live->causes = beside.causes;
    {
        const std::lock_guard lock(mutex_);
        latest_ = std::move(live);
    }
    Q_EMIT came();
}

}  // namespace skein
