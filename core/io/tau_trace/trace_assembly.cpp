// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/trace_assembly.h"

#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/base/utf8.h"
#include "core/io/tau/several_runs.h"
#include "core/io/tau/tau_locations.h"
#include "core/io/tau_trace/trace_reader.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace skein::tau {
namespace {

constexpr std::uint64_t kTicksPerSecond = 1'000'000;
/// Times below are no wall clock: 2001 in microseconds.
constexpr std::uint64_t kEarliestWallClock = 1'000'000'000'000'000;

/// "name | value": how TAU puts metadata into a trace.
std::optional<Property> metadataOf(std::string_view valueName)
{
    constexpr std::string_view separator = " |";
    const auto bar = valueName.find(separator);
    if (bar == std::string_view::npos) return std::nullopt;
    return Property{toValidUtf8(trimmed(valueName.substr(0, bar))),
                    toValidUtf8(trimmed(valueName.substr(bar + separator.size())))};
}

/// A part of the reading: the records of some threads of one file.
struct Share {
    std::size_t file = 0;
    std::uint32_t part = 0;  ///< locations whose place among the file's threads is `part` modulo `parts`
    std::uint32_t parts = 1;
};

class Assembly {
public:
    Assembly(std::vector<TraceInput> inputs, TraceNames names, ImportReport report, const Task& task)
        : inputs_(std::move(inputs)), names_(std::move(names)), report_(std::move(report)), task_(task)
    {
    }

    Result<Experiment> run()
    {
        if (!takeInputs()) return cancelled();
        if (traces_.empty()) return fail(ErrorCode::Malformed, "The trace holds no record.");
        if (!scanFiles()) return cancelled();
        if (const auto whole = filesStillWhole(); !whole) return Unexpected(whole.error());
        const std::size_t named = names_.values().size();
        defineUndefined();
        defineMetrics(named);
        assignLocations();
        builder_ = std::make_unique<TraceBuilder>(keys_.size(), kTicksPerSecond);
        if (!readRecords()) return cancelled();
        if (const auto whole = filesStillWhole(); !whole) return Unexpected(whole.error());
        addTransfers();
        return finish();
    }

private:
    /// Leaves empty files out. False when it was stopped.
    bool takeInputs()
    {
        for (TraceInput& input : inputs_) {
            if (task_.stopRequested()) return false;
            OpenTraceFile trace{std::move(input.file), std::move(input.records), {}};
            const std::size_t rest = trace.bytes.size() % trace.file.layout.recordBytes();
            if (rest != 0)
                report_.add(IssueKind::Truncated, trace.file.name, "",
                            fmt::format("the last record has {} bytes", rest),
                            static_cast<std::int64_t>(trace.bytes.size() - rest));
            if (input.events) trace.events = *input.events;
            if (trace.records() > 0) traces_.push_back(std::move(trace));
        }
        inputs_.clear();
        return true;
    }

    /// Records that a running program takes away while they are read would be shown as zeros.
    Result<void> filesStillWhole() const
    {
        for (const OpenTraceFile& trace : traces_)
            if (auto whole = stillWhole(trace.bytes, trace.file.records.string()); !whole) return whole;
        return {};
    }

    bool scanFiles()
    {
        scans_.resize(traces_.size());
        task_.report(0.0, "Looking through the records");
        std::atomic<bool> whole{true};
        const bool all = parallelFor(traces_.size(), task_, [&](std::size_t index) {
            if (!scanTrace(traces_[index], names_.values().size(), scans_[index], task_)) whole = false;
        });
        return all && whole;
    }

    /// Events without a known kind: those whose values are all 1 and −1 are regions, the others are values.
    void defineUndefined()
    {
        for (std::size_t index = 0; index < traces_.size(); ++index) {
            OpenTraceFile& trace = traces_[index];
            for (const auto& [id, use] : scans_[index].undefined) {
                const EventDefinition* const known = trace.events.named(id);
                EventMeaning meaning;
                meaning.kind = use.isRegion() ? EventKind::EntryExit : EventKind::Trigger;
                meaning.number = use.isRegion() ? names_.undefinedRegion(id, known, trace.file.name)
                                                : names_.undefinedValue(id, known, trace.file.name);
                trace.events.define(id, meaning);
                // That its type is not known was told with its definition.
                if (!known)
                    report_.add(IssueKind::UndefinedReference, trace.file.name, "",
                                fmt::format("event {}", id));
            }
            if (scans_[index].tooManyThreads)
                report_.add(IssueKind::CorruptRecord, trace.file.name, "",
                            fmt::format("records of more than {} threads", kMaximumThreads));
        }
    }

    /// Gives a metric to every value that has samples. The first `named` are those that event files define.
    void defineMetrics(std::size_t named)
    {
        metricOfValue_.resize(names_.values().size());
        std::vector<ValueUse> uses(metricOfValue_.size(), ValueUse::Other);
        std::fill_n(uses.begin(), named, ValueUse::Unused);
        for (const TraceScan& scan : scans_)
            for (const auto& [value, use] : scan.values) uses[value] = std::max(uses[value], use);
        for (std::size_t value = 0; value < metricOfValue_.size(); ++value) {
            const ValueUse use = uses[value];
            const bool metadata = use == ValueUse::ZeroOrOne && metadataOf(names_.values()[value]);
            if (use == ValueUse::Unused || metadata) continue;
            metricOfValue_[value] = MetricId(metrics_.size());
            metrics_.push_back(makeEventMetric(names_.values()[value]));
            metrics_.back().valueType = MetricValueType::Int64;
        }
    }

    /// Metrics all of whose values look like doubles are doubles.
    void chooseValueTypes()
    {
        std::map<MetricId, bool> doubles;
        for (const LocationReader& location : locations_)
            for (const auto& [metric, looksDouble] : location.findings().doubles) {
                const auto [found, fresh] = doubles.try_emplace(metric, looksDouble);
                if (!fresh) found->second = found->second && looksDouble;
            }
        for (const auto& [metric, looksDouble] : doubles)
            if (looksDouble) metrics_[metric.index()].valueType = MetricValueType::Double;
    }

    static ThreadKey keyOf(std::uint32_t thread, std::uint32_t context)
    {
        return {thread >> 16, context, thread & 0xFFFF};
    }

    /// The threads that the records of a file stand for. A file of one thread is of that thread, whatever its
    /// name is; its context stands in the name alone.
    std::vector<ThreadKey> threadsOf(std::size_t index) const
    {
        const auto& named = traces_[index].file.key;
        const std::vector<std::uint32_t>& threads = scans_[index].threads;
        if (named && threads.size() != 1) return {*named};
        std::vector<ThreadKey> keys;
        for (const std::uint32_t thread : threads) keys.push_back(keyOf(thread, named ? named->context : 0));
        return keys;
    }

    void assignLocations()
    {
        std::map<ThreadKey, std::size_t> owner;
        std::vector<std::vector<ThreadKey>> keysOfFile;
        for (std::size_t index = 0; index < traces_.size(); ++index) {
            keysOfFile.push_back(threadsOf(index));
            for (ThreadKey& key : keysOfFile.back()) {
                if (owner.contains(key) && traces_[index].file.key) key = *traces_[index].file.key;
                if (!owner.emplace(key, index).second) left(index, key);
            }
        }
        for (const auto& [key, index] : owner) keys_.push_back(key);
        places_.resize(traces_.size());
        for (std::size_t index = 0; index < traces_.size(); ++index)
            for (const ThreadKey& key : keysOfFile[index])
                places_[index].push_back(owner.at(key) == index ? LocationId(numberOf(key)) : LocationId());
        for (std::size_t location = 0; location < keys_.size(); ++location) noteRank(location);
    }

    void left(std::size_t index, ThreadKey key)
    {
        report_.add(IssueKind::DuplicateDefinition, traces_[index].file.name, "",
                    fmt::format("a second trace of node {} thread {} is left aside", key.node, key.thread));
    }

    std::size_t numberOf(ThreadKey key) const
    {
        return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }

    /// The first location of a node stands for its rank.
    void noteRank(std::size_t location)
    {
        const std::uint32_t node = keys_[location].node;
        // Messages cannot name larger ranks.
        if (node > 0xFFFF) return;
        if (node >= locationOfRank_.size()) locationOfRank_.resize(node + std::size_t{1});
        if (!locationOfRank_[node].valid()) locationOfRank_[node] = LocationId(location);
    }

    std::vector<Share> shares() const
    {
        std::vector<Share> shares;
        for (std::size_t file = 0; file < traces_.size(); ++file) {
            // Every share of a file goes through all of its records: more shares than threads cost and bring
            // nothing.
            const auto parts = static_cast<std::uint32_t>(std::min<std::size_t>(
                places_[file].size(), static_cast<std::size_t>(std::min(task_.threads(), 8))));
            for (std::uint32_t part = 0; part < parts; ++part) shares.push_back({file, part, parts});
        }
        return shares;
    }

    bool readRecords()
    {
        for (const LocationTraceBuilder& location : builder_->locations)
            locations_.emplace_back((*builder_)[location.location()], locationOfRank_, metricOfValue_,
                                    names_.callSiteOf());
        const std::vector<Share> work = shares();
        std::uint64_t total = 0;
        for (const Share& share : work) total += traces_[share.file].records();
        std::atomic<std::uint64_t> done{0};
        std::atomic<bool> whole{true};
        const bool all = parallelFor(work.size(), task_, [&](std::size_t index) {
            const auto advance = [&](std::uint64_t records) {
                const std::uint64_t now = done += records;
                task_.report(0.1 + 0.6 * static_cast<double>(now) / static_cast<double>(total),
                             "Reading events");
            };
            if (!readShare(work[index], advance)) whole = false;
        });
        return all && whole;
    }

    bool readShare(const Share& share, const std::function<void(std::uint64_t)>& advance)
    {
        const OpenTraceFile& trace = traces_[share.file];
        const bool single = places_[share.file].size() == 1;
        const std::size_t records = trace.records();
        for (std::size_t index = 0; index < records; ++index) {
            if (index % kRecordsPerLook == 0) {
                if (task_.stopRequested()) return false;
                advance(std::min(kRecordsPerLook, records - index));
            }
            const TraceRecord record = trace.record(index);
            const LocationId location = single ? places_[share.file].front() : placeOf(share, record);
            if (location.valid()) locations_[location.index()].read(record, trace.events.find(record.event));
        }
        for (std::uint32_t at = share.part; at < places_[share.file].size(); at += share.parts)
            if (const LocationId location = places_[share.file][at]; location.valid())
                locations_[location.index()].finish();
        return true;
    }

    /// The location of a record in a file of several threads; invalid where another share reads it.
    LocationId placeOf(const Share& share, const TraceRecord& record) const
    {
        const std::vector<std::uint32_t>& threads = scans_[share.file].threads;
        const auto found = std::lower_bound(threads.begin(), threads.end(), threadNumber(record));
        if (found == threads.end() || *found != threadNumber(record)) return {};
        const auto at = static_cast<std::size_t>(found - threads.begin());
        return at % share.parts == share.part ? places_[share.file][at] : LocationId();
    }

    /// Both ends of a transfer have the same numbers: they become one operation of the source. An end alone
    /// stays one.
    void addTransfers() const
    {
        std::map<std::array<std::int64_t, 2>, std::deque<std::pair<LocationId, const TransferEnd*>>> received;
        for (const LocationReader& location : locations_)
            for (const TransferEnd& end : location.findings().transfers)
                if (end.kind == EventKind::OneSidedReceive && end.idCount == 2)
                    received[end.ids].emplace_back(location.location(), &end);
        std::set<const TransferEnd*> matched;
        for (const LocationReader& location : locations_)
            for (const TransferEnd& end : location.findings().transfers) {
                if (end.kind == EventKind::OneSidedReceive) continue;
                RmaOperation row = operationOf(location.location(), end);
                const auto other = received.find(end.ids);
                if (end.kind == EventKind::OneSidedSend && end.idCount == 2 && other != received.end()
                    && !other->second.empty()) {
                    row.target = other->second.front().first;
                    row.end = static_cast<TimeNs>(other->second.front().second->time);
                    matched.insert(other->second.front().second);
                    other->second.pop_front();
                }
                (*builder_)[location.location()].tables().rmaOperations.push(row);
            }
        for (const LocationReader& location : locations_)
            for (const TransferEnd& end : location.findings().transfers)
                if (end.kind == EventKind::OneSidedReceive && !matched.contains(&end))
                    (*builder_)[location.location()].tables().rmaOperations.push(
                        operationOf(location.location(), end));
    }

    static RmaOperation operationOf(LocationId location, const TransferEnd& end)
    {
        RmaOperation row;
        row.begin = static_cast<TimeNs>(end.time);
        row.bytes = end.bytes;
        row.origin = location;
        row.interval = end.interval;
        row.kind = end.kind == EventKind::OneSidedSend ? RmaKind::Put
            : end.kind == EventKind::OneSidedReceive   ? RmaKind::Get
                                                       : RmaKind::Other;
        return row;
    }

    void defineCommunicators(Definitions& definitions) const
    {
        std::uint64_t used = 0;
        for (const LocationReader& location : locations_) used |= location.findings().communicators;
        for (std::uint32_t number = 0; number < 64 && used >> number != 0; ++number) {
            Communicator communicator;
            communicator.name = number == 0 ? "MPI_COMM_WORLD" : fmt::format("Communicator {}", number);
            // Partners are ranks of the world in all communicators.
            communicator.members = locationOfRank_;
            communicator.originalId = number;
            definitions.communicators.push_back(std::move(communicator));
        }
    }

    /// False when it was stopped.
    bool define(Definitions& definitions)
    {
        const Unfinished<std::vector<ThreadDescription>> unfinished(task_);
        std::vector<ThreadDescription>& threads = *unfinished;
        for (std::size_t location = 0; location < keys_.size(); ++location) {
            if (task_.stopRequested()) return false;
            ThreadDescription thread{keys_[location], {}};
            for (const std::uint32_t value : locations_[location].findings().metadata)
                if (auto property = metadataOf(names_.values()[value]))
                    thread.metadata.push_back(std::move(*property));
            threads.push_back(std::move(thread));
        }
        if (!defineLocations(threads, definitions, task_)) return false;
        chooseValueTypes();
        definitions.metrics = std::move(metrics_);
        defineCommunicators(definitions);
        linkCallSites(names_.regions(), names_.callSiteOf(), names_.callSites());
        definitions.callSites = std::move(names_.callSites());
        definitions.regions = std::move(names_.regions());
        definitions.regionGroups = std::move(names_.groups());
        definitions.clock.present = true;
        definitions.clock.ticksPerSecond = kTicksPerSecond;
        return true;
    }

    void reportFindings(const Definitions& definitions)
    {
        for (std::size_t location = 0; location < locations_.size(); ++location) {
            const LocationFindings& findings = locations_[location].findings();
            const std::string name = displayName(definitions, LocationId(location));
            for (const auto& [detail, count] : findings.odd)
                report_.add(IssueKind::CorruptRecord, "", name, detail, -1, count);
            if (findings.unrecordedEnters > 0)
                report_.add(IssueKind::UnrecordedEnter, "", "", ".TAU application on " + name, -1,
                            findings.unrecordedEnters);
        }
    }

    /// Files of several runs are told by the times of their first and last events.
    void reportRuns(const Trace& trace, const ClockProperties& clock)
    {
        constexpr double secondsPerNs = 1e-9;
        const double origin = static_cast<double>(clock.originTicks) / static_cast<double>(kTicksPerSecond);
        std::vector<MeasuredSpan> spans;
        for (std::size_t file = 0; file < traces_.size(); ++file) {
            if (places_[file].size() != 1 || !places_[file].front().valid()) continue;
            const LocationTrace& location = trace.locations[places_[file].front().index()];
            if (location.events == 0) continue;
            spans.push_back({traces_[file].file.name,
                             origin + static_cast<double>(location.extent.begin) * secondsPerNs,
                             origin + static_cast<double>(location.extent.end) * secondsPerNs});
        }
        reportSeveralRuns(std::move(spans), report_);
    }

    Result<Experiment> finish()
    {
        const Unfinished<Experiment> unfinished(task_);
        Experiment& experiment = *unfinished;
        if (!define(experiment.definitions)) return cancelled();
        reportFindings(experiment.definitions);
        auto finished =
            finishTrace(std::move(*builder_), experiment.definitions, report_, task_.part(0.7, 1.0));
        if (!finished) return tl::make_unexpected(finished.error());
        ClockProperties& clock = experiment.definitions.clock;
        clock.globalOffsetTicks = clock.originTicks;
        clock.lengthTicks = static_cast<std::uint64_t>(finished->trace->extent.lengthNs()) / 1000;
        const bool wallClock =
            clock.originTicks >= kEarliestWallClock && clock.originTicks < 8 * kEarliestWallClock;
        clock.realtimeNs = wallClock ? static_cast<std::int64_t>(clock.originTicks * 1000) : 0;
        reportRuns(*finished->trace, clock);
        experiment.format = "TAU trace";
        experiment.callTree = finished->callTree;
        experiment.trace = finished->trace;
        experiment.report = std::move(report_);
        return std::move(experiment);
    }

    std::vector<TraceInput> inputs_;
    std::vector<OpenTraceFile> traces_;
    std::vector<TraceScan> scans_;
    std::vector<ThreadKey> keys_;                  ///< of the locations
    std::vector<std::vector<LocationId>> places_;  ///< [file][thread]: invalid where left aside
    std::vector<LocationId> locationOfRank_;
    std::unique_ptr<TraceBuilder> builder_;
    std::vector<LocationReader> locations_;
    std::vector<MetricId> metricOfValue_;  ///< invalid for metadata and for values without samples
    std::vector<Metric> metrics_;
    TraceNames names_;
    ImportReport report_;
    const Task& task_;
};

}  // namespace

Result<Experiment> assembleTrace(std::vector<TraceInput> inputs, TraceNames names, ImportReport report,
                                 const Task& task)
{
    const Unfinished<Assembly> assembly(task, std::move(inputs), std::move(names), std::move(report), task);
    return assembly->run();
}

Result<Experiment> assembleTrace(std::string_view events, std::string_view records, const Task& task)
{
    const auto layout = detectLayout(records);
    if (!layout) return fail(ErrorCode::NotRecognized, "These bytes are no TAU trace.");
    ImportReport report;
    TraceInput input;
    input.file.layout = *layout;
    input.file.name = "records";
    input.file.eventsName = "events";
    input.records = FileBytes(nullptr, records);
    TraceNames names;
    const std::vector<EventDefinition> definitions = parseEventFile(events, input.file.eventsName, report);
    input.events =
        std::make_shared<const EventTable>(names.number(definitions, input.file.eventsName, report));
    std::vector<TraceInput> inputs;
    inputs.push_back(std::move(input));
    return assembleTrace(std::move(inputs), std::move(names), std::move(report), task);
}

}  // namespace skein::tau
