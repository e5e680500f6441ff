// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/archive_generator/archive_writer.h"

#include "tests/bench/archive_generator/definitions.h"

#include <algorithm>
#include <memory>

namespace skein::generator {

namespace {

class CountingSink : public EventSink {
public:
    void enter(std::uint64_t timeNs, Region) override
    {
        ++counts_.enters;
        count(timeNs);
    }
    void leave(std::uint64_t timeNs, Region) override { count(timeNs); }
    void send(std::uint64_t timeNs, const Message& message) override { countSend(timeNs, message); }
    void receive(std::uint64_t timeNs, const Message&) override { count(timeNs); }
    void sendStarted(std::uint64_t timeNs, const Message& message) override { countSend(timeNs, message); }
    void sendCompleted(std::uint64_t timeNs, const Message&) override
    {
        ++counts_.sendCompletions;
        count(timeNs);
    }
    void receiveStarted(std::uint64_t timeNs, const Message&) override { count(timeNs); }
    void receiveCompleted(std::uint64_t timeNs, const Message&) override { count(timeNs); }
    void collectiveBegin(std::uint64_t timeNs) override { count(timeNs); }
    void collectiveEnd(std::uint64_t timeNs, Collective, std::uint64_t) override
    {
        ++counts_.collectives;
        count(timeNs);
    }

    Counts& counts() { return counts_; }

private:
    void count(std::uint64_t timeNs)
    {
        ++counts_.events;
        counts_.lastTimeNs = timeNs;
    }
    void countSend(std::uint64_t timeNs, const Message& message)
    {
        ++counts_.sends;
        counts_.sentBytes += message.bytes;
        count(timeNs);
    }

    Counts counts_;
};

/// Cycles at 2.6 GHz, and instructions at a rate that depends on the region: memory-bound sweeps retire few.
class Counters {
public:
    void enter(std::uint64_t timeNs, Region region)
    {
        advance(timeNs);
        stack_.push_back(region);
    }
    void leave(std::uint64_t timeNs)
    {
        advance(timeNs);
        if (!stack_.empty()) stack_.pop_back();
    }
    std::array<OTF2_MetricValue, 2> values() const
    {
        std::array<OTF2_MetricValue, 2> out{};
        out[0].unsigned_int = now_ * 26 / 10;
        out[1].unsigned_int = instructions_;
        return out;
    }

private:
    static std::uint64_t tenthsPerCycle(Region region)
    {
        if (region == Region::ApplyFlux) return 21;
        if (region == Region::SweepBlock || region == Region::ComputeBoundary) return 9;
        return region >= Region::MpiInit ? 14 : 12;
    }
    void advance(std::uint64_t timeNs)
    {
        if (!stack_.empty()) instructions_ += (timeNs - now_) * 26 / 10 * tenthsPerCycle(stack_.back()) / 10;
        now_ = timeNs;
    }

    std::vector<Region> stack_;
    std::uint64_t now_ = 0;
    std::uint64_t instructions_ = 0;
};

OTF2_CollectiveOp operationOf(Collective collective)
{
    switch (collective) {
    case Collective::Allreduce: return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case Collective::Barrier: return OTF2_COLLECTIVE_OP_BARRIER;
    case Collective::Bcast: return OTF2_COLLECTIVE_OP_BCAST;
    case Collective::Reduce: return OTF2_COLLECTIVE_OP_REDUCE;
    }
    return OTF2_COLLECTIVE_OP_BARRIER;
}

bool rooted(Collective collective)
{
    return collective == Collective::Bcast || collective == Collective::Reduce;
}

/// Hands one rank's events to libotf2; remembers its first refusal.
class Otf2Sink : public EventSink {
public:
    Otf2Sink(OTF2_EvtWriter* writer, bool metrics) : writer_(writer), metrics_(metrics)
    {
        check(OTF2_EvtWriter_ProgramBegin(writer_, nullptr, 0, kProgramName, 0, nullptr));
    }

    void finish(std::uint64_t timeNs) { check(OTF2_EvtWriter_ProgramEnd(writer_, nullptr, timeNs, 0)); }
    OTF2_ErrorCode status() const { return status_; }
    std::uint64_t metricRecords() const { return metricRecords_; }

    void enter(std::uint64_t timeNs, Region region) override
    {
        if (metrics_) {
            counters_.enter(timeNs, region);
            sample(timeNs);
        }
        check(OTF2_EvtWriter_Enter(writer_, nullptr, timeNs, static_cast<OTF2_RegionRef>(region)));
    }
    void leave(std::uint64_t timeNs, Region region) override
    {
        if (metrics_) {
            counters_.leave(timeNs);
            sample(timeNs);
        }
        check(OTF2_EvtWriter_Leave(writer_, nullptr, timeNs, static_cast<OTF2_RegionRef>(region)));
    }
    void send(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiSend(writer_, nullptr, timeNs, m.peer, kWorld, m.tag, m.bytes));
    }
    void receive(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, timeNs, m.peer, kWorld, m.tag, m.bytes));
    }
    void sendStarted(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, timeNs, m.peer, kWorld, m.tag, m.bytes, m.request));
    }
    void sendCompleted(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, timeNs, m.request));
    }
    void receiveStarted(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, timeNs, m.request));
    }
    void receiveCompleted(std::uint64_t timeNs, const Message& m) override
    {
        check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, timeNs, m.peer, kWorld, m.tag, m.bytes, m.request));
    }
    void collectiveBegin(std::uint64_t timeNs) override
    {
        check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, timeNs));
    }
    void collectiveEnd(std::uint64_t timeNs, Collective operation, std::uint64_t bytes) override
    {
        const std::uint32_t root = rooted(operation) ? 0U : std::uint32_t{OTF2_COLLECTIVE_ROOT_NONE};
        check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, timeNs, operationOf(operation), kWorld, root,
                                              bytes, bytes));
    }

private:
    void check(OTF2_ErrorCode code)
    {
        if (status_ == OTF2_SUCCESS) status_ = code;
    }
    void sample(std::uint64_t timeNs)
    {
        constexpr std::array<OTF2_Type, 2> types = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
        check(OTF2_EvtWriter_Metric(writer_, nullptr, timeNs, kCounters, 2, types.data(),
                                    counters_.values().data()));
        ++metricRecords_;
    }

    OTF2_EvtWriter* writer_;
    bool metrics_;
    Counters counters_;
    std::uint64_t metricRecords_ = 0;
    OTF2_ErrorCode status_ = OTF2_SUCCESS;
};

/// Both sinks at once, so that what is counted is what is written.
template <class Target>
class Tee : public CountingSink {
public:
    explicit Tee(Target& target) : target_(target) {}
    void enter(std::uint64_t t, Region r) override { CountingSink::enter(t, r), target_.enter(t, r); }
    void leave(std::uint64_t t, Region r) override { CountingSink::leave(t, r), target_.leave(t, r); }
    void send(std::uint64_t t, const Message& m) override { CountingSink::send(t, m), target_.send(t, m); }
    void receive(std::uint64_t t, const Message& m) override
    {
        CountingSink::receive(t, m), target_.receive(t, m);
    }
    void sendStarted(std::uint64_t t, const Message& m) override
    {
        CountingSink::sendStarted(t, m), target_.sendStarted(t, m);
    }
    void sendCompleted(std::uint64_t t, const Message& m) override
    {
        CountingSink::sendCompleted(t, m), target_.sendCompleted(t, m);
    }
    void receiveStarted(std::uint64_t t, const Message& m) override
    {
        CountingSink::receiveStarted(t, m), target_.receiveStarted(t, m);
    }
    void receiveCompleted(std::uint64_t t, const Message& m) override
    {
        CountingSink::receiveCompleted(t, m), target_.receiveCompleted(t, m);
    }
    void collectiveBegin(std::uint64_t t) override
    {
        CountingSink::collectiveBegin(t), target_.collectiveBegin(t);
    }
    void collectiveEnd(std::uint64_t t, Collective c, std::uint64_t bytes) override
    {
        CountingSink::collectiveEnd(t, c, bytes), target_.collectiveEnd(t, c, bytes);
    }

private:
    Target& target_;
};

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

struct ArchiveClose {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};
using ArchiveHandle = std::unique_ptr<OTF2_Archive, ArchiveClose>;

Unexpected refused(const std::filesystem::path& folder, OTF2_ErrorCode code)
{
    return fail(ErrorCode::Io, "The archive could not be written to " + folder.string() + ".",
                OTF2_Error_GetDescription(code));
}

Result<ArchiveHandle> openForWriting(const std::filesystem::path& folder)
{
    constexpr std::uint64_t eventChunk = 1U << 20;
    constexpr std::uint64_t definitionChunk = 4U << 20;
    // Without a post-flush callback libotf2 writes no BufferFlush records: the counts stay those of the
    // simulation.
    static const OTF2_FlushCallbacks flush = {flushAlways, nullptr};
    ArchiveHandle archive(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, eventChunk,
                                            definitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!archive)
        return fail(ErrorCode::Io, "No archive could be opened for writing in " + folder.string() + ".");
    for (const OTF2_ErrorCode code : {OTF2_Archive_SetFlushCallbacks(archive.get(), &flush, nullptr),
                                      OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()),
                                      OTF2_Archive_SetCreator(archive.get(), "skein-generate-archive"),
                                      OTF2_Archive_OpenEvtFiles(archive.get())})
        if (code != OTF2_SUCCESS) return refused(folder, code);
    return archive;
}

void add(Counts& total, const Counts& part)
{
    total.events += part.events;
    total.enters += part.enters;
    total.sends += part.sends;
    total.sentBytes += part.sentBytes;
    total.sendCompletions += part.sendCompletions;
    total.metricRecords += part.metricRecords;
    total.lastTimeNs = std::max(total.lastTimeNs, part.lastTimeNs);
    total.collectives = std::max(total.collectives, part.collectives);
}

Result<Counts> writeRank(OTF2_Archive* archive, const Schedule& schedule, std::uint32_t rank)
{
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, locationOf(rank));
    if (!writer) return fail(ErrorCode::Io, "libotf2 gave no writer for a location.");
    Otf2Sink target(writer, schedule.options().metrics);
    Tee sink(target);
    playRank(schedule, rank, sink);
    target.finish(sink.counts().lastTimeNs);
    sink.counts().metricRecords = target.metricRecords();
    sink.counts().events += target.metricRecords() + 2;
    const OTF2_ErrorCode closed = OTF2_Archive_CloseEvtWriter(archive, writer);
    const OTF2_ErrorCode status = target.status() != OTF2_SUCCESS ? target.status() : closed;
    if (status != OTF2_SUCCESS)
        return fail(ErrorCode::Io, "libotf2 refused an event.", OTF2_Error_GetDescription(status));
    return sink.counts();
}

/// Readers expect a file of local definitions for each location, even an empty one.
OTF2_ErrorCode writeLocalDefinitions(OTF2_Archive* archive, std::uint32_t ranks)
{
    OTF2_ErrorCode status = OTF2_Archive_OpenDefFiles(archive);
    for (std::uint32_t rank = 0; rank < ranks && status == OTF2_SUCCESS; ++rank) {
        OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive, locationOf(rank));
        status = writer ? OTF2_Archive_CloseDefWriter(archive, writer) : OTF2_ERROR_INVALID_ARGUMENT;
    }
    return status == OTF2_SUCCESS ? OTF2_Archive_CloseDefFiles(archive) : status;
}

std::uint64_t eventsIn(const Options& options)
{
    const Schedule schedule(options);
    std::uint64_t events = 0;
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) {
        CountingSink sink;
        playRank(schedule, rank, sink);
        const Counts& counts = sink.counts();
        const std::uint64_t metricRecords = options.metrics ? 2 * counts.enters : 0;
        events += counts.events + metricRecords + 2;
    }
    return events;
}

}  // namespace

Result<Counts> writeArchive(const std::filesystem::path& folder, const Options& options)
{
    if (options.ranks == 0 || options.steps == 0 || options.ranksPerNode == 0)
        return fail(ErrorCode::InvalidArgument, "Ranks, steps and ranks per node must be at least one.");
    if (options.fields == 0 || options.fields > kMostFields)
        return fail(ErrorCode::InvalidArgument, "Fields must be at least one and at most eight.");
    const auto archive = openForWriting(folder);
    if (!archive) return Unexpected(archive.error());
    OTF2_Archive* raw = archive->get();
    const Schedule schedule(options);
    Counts total;
    std::vector<std::uint64_t> eventsOfRank(options.ranks);
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) {
        const auto written = writeRank(raw, schedule, rank);
        if (!written) return Unexpected(written.error());
        eventsOfRank[rank] = written->events;
        add(total, *written);
    }
    OTF2_ErrorCode status = OTF2_Archive_CloseEvtFiles(raw);
    if (status == OTF2_SUCCESS) status = writeLocalDefinitions(raw, options.ranks);
    if (status != OTF2_SUCCESS) return refused(folder, status);
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter(raw);
    if (!definitions || !writeDefinitions(definitions, schedule, eventsOfRank, total.lastTimeNs + 1))
        return fail(ErrorCode::Io, "The definitions could not be written to " + folder.string() + ".");
    return total;
}

std::vector<TrueAnomaly> trueAnomalies(const Options& options)
{
    const Schedule schedule(options);
    std::vector<TrueAnomaly> truth;
    CountingSink sink;
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) playRank(schedule, rank, sink, &truth);
    return truth;
}

std::vector<std::uint32_t> slowRanks(const Options& options)
{
    Options noSteps = options;
    noSteps.steps = 0;
    const Schedule schedule(noSteps);
    std::vector<std::uint32_t> slow;
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank)
        if (schedule.isSlow(rank)) slow.push_back(rank);
    return slow;
}

std::uint64_t countEvents(const Options& options) { return eventsIn(options); }

std::uint32_t stepsForEvents(const Options& options, std::uint64_t events)
{
    // Steps repeat with this period, so two of them tell both the fixed part and the part of each period.
    Options probe = options;
    probe.steps = kCheckpointEvery;
    const std::uint64_t one = countEvents(probe);
    probe.steps = 2 * kCheckpointEvery;
    const std::uint64_t period = countEvents(probe) - one;
    if (events <= one) return kCheckpointEvery;
    const std::uint64_t periods = 1 + (events - one + period - 1) / period;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(periods * kCheckpointEvery, UINT32_MAX));
}

}  // namespace skein::generator
