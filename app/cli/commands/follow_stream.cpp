// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/follow_stream.h"

#include "algorithms/behavior/replay_clock.h"
#include "app/cli/arguments.h"
#include "app/cli/output/text.h"
#include "app/cli/result_after_stop.h"
#include "core/base/units.h"
#include "core/series/ross_statistics.h"
#include "core/series/tau_monitoring.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <thread>

namespace skein::cli {
namespace {

using FollowClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLongestWait{50};
constexpr std::size_t kLinksTold = 3;

double secondsSince(FollowClock::time_point then)
{
    return std::chrono::duration<double>(FollowClock::now() - then).count();
}

std::string followNumber(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string followText(std::string_view text)
{
    std::string quoted;
    appendJson(quoted, text);
    return quoted;
}

/// Writes events as they happen, each at once.
class EventWriter {
public:
    EventWriter(Format format, const Invocation& invocation) : format_(format), invocation_(invocation)
    {
        if (format_ == Format::Csv)
            rows_ = std::make_unique<RecordWriter>(invocation.out, Format::Csv,
                                                   std::vector<Field>{{"metric", "", FieldKind::Text},
                                                                      {"index", "", FieldKind::Count},
                                                                      {"time", "", FieldKind::Number},
                                                                      {"p_value", "", FieldKind::Number},
                                                                      {"entity", "", FieldKind::Text},
                                                                      {"before", "", FieldKind::Number},
                                                                      {"after", "", FieldKind::Number},
                                                                      {"deviations", "", FieldKind::Number}});
    }

    void listening(const std::string& where)
    {
        if (format_ == Format::Json)
            write(fmt::format("{{\"event\": \"listening\", \"address\": {}}}\n", followText(where)));
        else tell(fmt::format("Listening at {}; Ctrl+C ends.", where));
    }

    void note(const std::string& sentence)
    {
        if (format_ == Format::Json)
            write(fmt::format("{{\"event\": \"note\", \"text\": {}}}\n", followText(sentence)));
        else tell(sentence);
    }

    void change(const LiveStream& stream, const OnlineFinding& finding)
    {
        const std::string& metric = stream.online().metricName(finding.metric);
        const auto& names = stream.online().series(finding.metric).window().columns;
        if (format_ == Format::Json) return jsonChange(metric, names, finding.change);
        if (format_ == Format::Csv) return csvChange(metric, names, finding.change);
        std::string text =
            fmt::format("{:>8}  time {:<12} {}{}p = {:.2g}", finding.change.row, finding.change.time,
                        printable(metric), metric.empty() ? "" : "  ", finding.change.pValue);
        if (!finding.change.moved.empty()) {
            const EntityShift& shift = finding.change.moved.front();
            text += fmt::format(
                "  {}: {:.4g} → {:.4g} ({})", printable(names[shift.entity]), shift.before, shift.after,
                shift.deviations ? fmt::format("{:+.1f} σ", *shift.deviations) : "constant before");
        }
        write(text + "\n");
    }

    void state(LiveStream& stream)
    {
        OnlineBehavior& online = stream.online();
        if (!online.refresh(invocation_.task)) return;
        for (std::size_t metric = 0; metric < online.metricCount(); ++metric) metricState(online, metric);
        if (online.metricCount() > 1)
            if (const auto causes = online.causality(invocation_.task)) causeState(*causes);
    }

    void end(const LiveStream& stream, std::uint64_t changes)
    {
        if (format_ != Format::Json)
            return tell(fmt::format("{} time points, {} changes.", stream.rowCount(), changes));
        std::string text = fmt::format("{{\"event\": \"end\", \"rows\": {}, \"changes\": {}, \"findings\": [",
                                       stream.rowCount(), changes);
        const auto sentences = stream.rows().notes().sentences();
        for (std::size_t i = 0; i < sentences.size(); ++i) text += (i ? ", " : "") + followText(sentences[i]);
        write(text + "]}\n");
    }

private:
    void write(const std::string& text)
    {
        invocation_.out.write(text);
        invocation_.out.flush();
    }
    void tell(const std::string& sentence)
    {
        invocation_.err.write("skein-cli: " + printable(sentence) + "\n");
        invocation_.err.flush();
    }

    void jsonChange(const std::string& metric, const std::vector<std::string>& names,
                    const OnlineChange& change)
    {
        std::string text = fmt::format(
            "{{\"event\": \"change\", \"metric\": {}, \"index\": {}, \"time\": {}, \"p_value\": "
            "{}, \"moved\": [",
            followText(metric), change.row, followNumber(change.time), followNumber(change.pValue));
        for (std::size_t i = 0; i < change.moved.size(); ++i) {
            const EntityShift& shift = change.moved[i];
            text +=
                fmt::format("{}{{\"entity\": {}, \"before\": {}, \"after\": {}, \"deviations\": {}}}",
                            i ? ", " : "", followText(names[shift.entity]), followNumber(shift.before),
                            followNumber(shift.after), followNumber(shift.deviations.value_or(std::nan(""))));
        }
        write(text + "]}\n");
    }

    void csvChange(const std::string& metric, const std::vector<std::string>& names,
                   const OnlineChange& change)
    {
        std::vector<Cell> cells{metric, change.row, change.time, change.pValue};
        if (change.moved.empty()) cells.resize(8);
        else
            cells.insert(cells.end(),
                         {names[change.moved[0].entity], change.moved[0].before, change.moved[0].after,
                          deviationsCell(change.moved[0])});
        rows_->row(cells);
        invocation_.out.flush();
    }

    void metricState(const OnlineBehavior& online, std::size_t metric)
    {
        const OnlineSeries& series = online.series(metric);
        const StreamTransform& transform = online.transform(metric);
        if (transform.seen() > 0 && transform.entities().empty())
            return tell(fmt::format("{}: values came, but of entities that are filtered out.",
                                    online.metricName(metric)));
        if (series.clusters().labels.empty()) return;
        std::vector<std::uint64_t> sizes(series.clusters().clusters, 0);
        for (const std::uint32_t label : series.clusters().labels) ++sizes[label];
        const std::string list = fmt::format("{}", fmt::join(sizes, ", "));
        if (format_ == Format::Json)
            return write(fmt::format(
                "{{\"event\": \"state\", \"metric\": {}, \"rows\": {}, \"entities\": {}, \"changes\": {}, "
                "\"withheld\": {}, \"cluster_sizes\": [{}], \"clustered\": {}, \"placed\": {}, "
                "\"explained\": {}}}\n",
                followText(online.metricName(metric)), series.rows(), series.window().columns.size(),
                series.changes().size(), transform.withheld(), list, followNumber(series.clusterShare()),
                followNumber(series.placeShare()),
                followNumber(series.places().explained[0] + series.places().explained[1])));
        tell(fmt::format("{} {} time points of {} entities; clusters of {} (from {:.0f} % of the entities)",
                         online.metricName(metric), series.rows(), series.window().columns.size(), list,
                         series.clusterShare() * 100));
    }

    void causeState(const OnlineCausality& causes)
    {
        std::string text;
        for (std::size_t i = 0; i < std::min(kLinksTold, causes.links.size()); ++i) {
            const CausalLink& link = causes.links[i];
            if (!std::isfinite(link.pValue)) break;
            const std::string& from = causes.metrics[link.from];
            const std::string& to = causes.metrics[link.to];
            if (format_ == Format::Json)
                text += fmt::format("{}{{\"from\": {}, \"to\": {}, \"p_value\": {}}}", i ? ", " : "",
                                    followText(from), followText(to), followNumber(link.pValue));
            else text += fmt::format("{}{} leads {} (p = {:.2g})", i ? ", " : "", from, to, link.pValue);
        }
        if (format_ == Format::Json)
            return write(
                fmt::format("{{\"event\": \"causes\", \"lags\": {}, \"processed\": {}, \"links\": [{}]}}\n",
                            causes.lags, followNumber(causes.share()), text));
        if (!text.empty())
            tell(fmt::format("{} (from {:.0f} % of the time points)", text, causes.share() * 100));
    }

    Format format_;
    const Invocation& invocation_;
    std::unique_ptr<RecordWriter> rows_;
};

/// What goes on between input and output, whatever the input is.
class Following {
public:
    Following(const SeriesInput& input, const FollowOptions& options, Format format,
              const Invocation& invocation)
        : options_(options),
          invocation_(invocation),
          stream_(streamParams(input, options)),
          writer_(format, invocation)
    {
    }

    LiveStream& stream() { return stream_; }
    EventWriter& writer() { return writer_; }

    /// False: it is time to end.
    bool follow(const std::vector<StreamEvent>& events)
    {
        if (!events.empty()) lastHeard_ = FollowClock::now();
        print(stream_.take(events));
        if (options_.stateEvery > 0 && secondsSince(lastState_) >= options_.stateEvery) {
            writer_.state(stream_);
            lastState_ = FollowClock::now();
        }
        const bool idle = options_.idle > 0 && secondsSince(lastHeard_) >= options_.idle;
        return !idle && !enough() && !stream_.ended() && !invocation_.task.stopRequested()
            && invocation_.out.open();
    }

    /// Where all was wanted, so many bytes at its end are no line.
    void tellUnfinished(std::size_t bytes)
    {
        if (bytes > 0 && !enough() && !stream_.ended())
            writer_.note(fmt::format("The last line has no end: {} left out.",
                                     formatBytes(static_cast<double>(bytes))));
    }

    ExitCode finish()
    {
        print(stream_.finish());
        if (options_.stateEvery > 0 && !invocation_.task.stopRequested()) writer_.state(stream_);
        writer_.end(stream_, changes_);
        return invocation_.task.stopRequested() ? ExitCode::Interrupted : ExitCode::Fine;
    }

private:
    bool enough() const { return options_.stopAfter > 0 && stream_.rowCount() >= options_.stopAfter; }

    static LiveStreamParams streamParams(const SeriesInput& input, const FollowOptions& options)
    {
        // They are columns of tables, and patterns of what lines of JSON call metrics.
        LiveStreamParams params{options.online, {input.time, input.entity, input.metrics}};
        params.online.metrics = input.metrics;
        return params;
    }

    void print(const LiveStream::Update& update)
    {
        for (const std::string& sentence : update.notes) writer_.note(sentence);
        if (update.restarted) changes_ = 0;
        for (const OnlineFinding& finding : update.changes) writer_.change(stream_, finding);
        changes_ += update.changes.size();
    }

    const FollowOptions& options_;
    const Invocation& invocation_;
    LiveStream stream_;
    EventWriter writer_;
    std::uint64_t changes_ = 0;
    FollowClock::time_point lastHeard_ = FollowClock::now(), lastState_ = FollowClock::now();
};

/// Rows of a finished table as the lines of a stream that says them.
std::vector<StreamEvent> replayedRow(const SeriesTable& table, std::size_t row)
{
    std::string line = fmt::format("{{\"time\": {}, \"metric\": {}, \"values\": [",
                                   followNumber(table.times[row]), followText(table.metric));
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        line += (i ? "," : "") + followNumber(table.at(row, i));
    return {{StreamEvent::Kind::Line, 1, line + "]}"}};
}

std::vector<StreamEvent> replayedHead(const SeriesTable& table)
{
    std::string line = "{\"entities\": [";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        line += (i ? "," : "") + followText(table.columns[i]);
    return {{StreamEvent::Kind::Line, 1, line + "]}"}};
}

Unexpected onlyTraces()
{
    return fail(
        ErrorCode::InvalidArgument,
        "--speed goes with traces: what grows or is sent comes as fast as it does, and steps of TAU's "
        "monitoring have no clock.");
}

/// A trace as if it happened now, or the steps of TAU's monitoring as fast as can be.
Result<ExitCode> replayTrace(const SeriesInput& input, const FollowOptions& options, Format format,
                             const Invocation& invocation)
{
    const auto loaded = loadSeries(input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    if (options.speed > 0 && !loaded->fromTrace) return onlyTraces();
    SeriesInput names = input;
    names.metrics.clear();
    // What is left is as wanted.
    FollowOptions rest = options;
    rest.online.transform.where.clear();
    Following following(names, rest, format, invocation);
    if (loaded->tables.empty() || loaded->tables.front().rows() == 0) return following.finish();
    const SeriesTable& first = loaded->tables.front();
    ReplayClock clock({static_cast<TimeNs>(first.times.front()), static_cast<TimeNs>(first.times.back())},
                      options.speed > 0 ? options.speed : 1.0);
    const auto begin = FollowClock::now();
    clock.resume(0);
    bool more = following.follow(replayedHead(first));
    for (std::size_t row = 0; row < first.rows() && more;) {
        if (options.speed > 0 && clock.shown(secondsSince(begin)) < static_cast<TimeNs>(first.times[row])) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            more = following.follow({});
            continue;
        }
        for (const SeriesTable& table : loaded->tables)
            if (row < table.rows()) more = following.follow(replayedRow(table, row)) && more;
        ++row;
    }
    const ExitCode code = following.finish();
    return code == ExitCode::Fine ? loaded->exitCode : code;
}

/// Whether a file is read line by line: a table, or lines that begin with an object.
bool growsByLines(const std::string& path)
{
    const std::string ending = std::filesystem::path(path).extension().string();
    // TAU's monitoring tells rank after rank: its steps are replayed.
    if (isTauMonitoringFile(path) || isRossStatisticsFile(path)) return false;
    if (ending == ".csv" || ending == ".tsv" || ending == ".jsonl" || ending == ".ndjson") return true;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe would make this wait
    std::ifstream file(path);
    char letter = 0;
    return file >> letter && letter == '{' && ending != ".json";
}

}  // namespace

void addFollowOptions(CommandLine& line, FollowOptions& options)
{
    line.flag("--follow", options.follow,
              "Tell changes as they happen: PATH is a file that grows (a table, or lines of JSON), "
              "tcp:HOST:PORT or unix:PATH to which senders connect, or a trace that is replayed");
    line.option("--state-every", options.stateEvery,
                "With --follow: clusters and causes every so many seconds")
        .valueName("SECONDS")
        .between(0.0, 1e9)
        .needs("--follow");
    line.option("--idle", options.idle, "With --follow: end when nothing has come for so long")
        .valueName("SECONDS")
        .between(0.0, 1e9)
        .needs("--follow");
    line.option("--stop-after", options.stopAfter, "With --follow: end after so many time points")
        .valueName("N")
        .needs("--follow");
    line.option("--speed", options.speed,
                "With --follow: a trace runs so many times as fast as it did; 0, the default: as fast as can "
                "be")
        .valueName("X")
        .between(0.0, 1e12)
        .needs("--follow");
    line.option("--k", options.online.series.clusters,
                "With --state-every: number of clusters; else proposed")
        .valueName("K")
        .between(1, 1024)
        .needs("--follow");
    line.option("--budget", options.budgetMs, "With --state-every: milliseconds for clusters and for causes")
        .valueName("MS")
        .between(0.0, 1e9)
        .needs("--follow");
    addTransformOptions(line, options.online.transform);
}

void addTransformOptions(CommandLine& line, StreamTransformParams& transform)
{
    line.option("--every", transform.every, "With --follow: of so many time points one is looked at")
        .valueName("N")
        .needs("--follow");
    line.option("--least-interval", transform.leastInterval,
                "With --follow: time that lies between two time points at least")
        .valueName("TIME")
        .needs("--follow");
    line.option("--keep", transform.entities,
                "With --follow: entities to look at, * for any text; may be repeated")
        .valueName("PATTERN")
        .repeatable()
        .needs("--follow");
    line.option("--level", transform.level,
                "With --follow: entities of one group of this level, from 1, become one")
        .valueName("N")
        .needs("--follow");
    line.option("--join", transform.rows, "With --follow: so many time points become one")
        .valueName("N")
        .needs("--follow");
    addChoice<StreamJoin>(line, "--join-by", transform.join,
                          {{"mean", StreamJoin::Mean},
                           {"sum", StreamJoin::Sum},
                           {"min", StreamJoin::Least},
                           {"max", StreamJoin::Most}},
                          "With --follow: what joined values become; mean by default");
    line.option("--least-change", transform.leastChange,
                "With --follow: only time points that differ by this share from the one before; 0.1: a tenth")
        .valueName("SHARE")
        .needs("--follow");
}

Result<ExitCode> followStream(const SeriesInput& input, FollowOptions options, Format format,
                              const Invocation& invocation)
{
    if (const auto good = checkStreamTransform(options.online.transform); !good)
        return Unexpected(good.error());
    auto where = conditionsOf(input.where);
    if (!where) return Unexpected(where.error());
    options.online.transform.where = std::move(*where);
    options.online.series.clusterSeconds = options.budgetMs / 1e3;
    options.online.series.placeSeconds = options.budgetMs / 1e3;
    options.online.causalSeconds = options.budgetMs / 1e3;
    if (!namesSocket(input.path) && !growsByLines(input.path))
        return replayTrace(input, options, format, invocation);
    if (options.speed > 0) return onlyTraces();
    const auto address = parseStreamAddress(input.path);
    if (!address) return Unexpected(address.error());
    const auto reader = StreamReader::open(*address);
    if (!reader) return Unexpected(reader.error());
    // What was found until then is told, and the socket is taken away.
    expectResultAfterStop();
    Following following(input, options, format, invocation);
    if (namesSocket(input.path)) following.writer().listening((*reader)->address().text());
    while (following.follow((*reader)->take(kLongestWait))) {}
    following.tellUnfinished((*reader)->unfinishedBytes());
    return following.finish();
}

}  // namespace skein::cli
