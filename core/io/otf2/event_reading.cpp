// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_reading.h"

#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/io/otf2/event_file.h"
#include "core/io/otf2/event_handlers.h"
#include "core/io/otf2/library.h"
#include "core/io/otf2/local_definitions.h"
#include "core/io/otf2/location_events.h"
#include "core/io/otf2/record_reader.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <numeric>

namespace skein::otf2 {
namespace {

namespace fs = std::filesystem;

/// What one location's reading left behind, besides its events.
struct LocationResult {
    ImportReport report;
    std::vector<std::uint64_t> undefinedRegions;
    LocalDefinitions local;
    bool isLibraryTold = true;  ///< of the local definitions, where they say anything
    std::uint64_t bytes = 0;    ///< of the event file
    FileState state = FileState::Absent;
    std::uint64_t toldBytes = 0;                  ///< of the event file, as progress
    std::uint64_t limit = OTF2_UNDEFINED_UINT64;  ///< of events that may be read
    bool cutOff = false;                          ///< the event file ends before its contents do
    bool outOfMemory = false;
};

/// Tells how far the reading is, from any thread, in bytes of event files.
class ReadingProgress {
public:
    ReadingProgress(std::uint64_t total, const Task& task)
        : total_(std::max<std::uint64_t>(total, 1)), task_(task)
    {
    }

    void advance(std::uint64_t bytes)
    {
        const std::uint64_t done = done_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock || done <= told_) return;
        told_ = done;
        task_.report(static_cast<double>(done) / static_cast<double>(total_), "Reading events");
    }

private:
    std::uint64_t total_;
    const Task& task_;
    std::atomic<std::uint64_t> done_{0};
    std::mutex mutex_;
    std::uint64_t told_ = 0;
};

class EventReading {
public:
    EventReading(OTF2_Reader* reader, const ArchiveFiles& files, ResolvedDefinitions& resolved,
                 EventDecoding decoding, const Task& task)
        : reader_(reader),
          isPlain_(hasPlainFiles(reader)),
          decodesDefinitions_(decoding == EventDecoding::OwnWherePossible && isPlain_),
          decodes_(decodesDefinitions_ && !resolved.tables.hasAttributes),
          files_(files),
          resolved_(resolved),
          task_(task),
          builder_(resolved.definitions.locations.size(), resolved.definitions.clock.ticksPerSecond),
          results_(resolved.definitions.locations.size())
    {
    }

    Result<TraceBuilder> run()
    {
        ErrorCapture errors;
        const bool finished = findFiles() && readAll();
        errors.moveTo(resolved_.report, {}, {});
        if (!finished || task_.stopRequested()) return cancelled();
        if (std::any_of(results_.begin(), results_.end(),
                        [](const LocationResult& one) { return one.outOfMemory; }))
            return fail(ErrorCode::OutOfMemory, "There is not enough memory for the events of this archive.");
        nameUndefinedRegions();
        for (std::size_t index = 0; index < results_.size(); ++index) collect(index);
        return std::move(builder_);
    }

private:
    static bool hasPlainFiles(OTF2_Reader* reader)
    {
        OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
        OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
        OTF2_Reader_GetFileSubstrate(reader, &substrate);
        OTF2_Reader_GetCompression(reader, &compression);
        return substrate == OTF2_SUBSTRATE_POSIX && compression == OTF2_COMPRESSION_NONE;
    }

    std::uint64_t id(std::size_t index) const { return resolved_.definitions.locations[index].originalId; }
    std::string label(std::size_t index) const
    {
        return displayName(resolved_.definitions, LocationId(index));
    }
    std::string fileName(std::size_t index) const { return files_.events(id(index)).string(); }

    bool findFiles()
    {
        for (std::size_t index = 0; index < results_.size(); ++index) {
            if (task_.stopRequested()) return false;
            LocationResult& result = results_[index];
            const fs::path file = files_.events(id(index));
            result.state = stateOf(file);
            std::error_code error;
            if (result.state == FileState::Readable) result.bytes = fs::file_size(file, error);
            OTF2_Reader_SelectLocation(reader_, id(index));
        }
        return true;
    }

    LocalDefinitionFile localDefinitions(std::size_t index) const
    {
        return {files_.localDefinitions(id(index)), LocationId(index), id(index), label(index),
                isPlain_ ? definitionChunkBytes_ : 0};
    }

    /// What is decoded here, libotf2 hears of only once it has to read the location's events.
    void readDefinitions(std::size_t index)
    {
        const LocalDefinitionFile file = localDefinitions(index);
        if (stateOf(file.path) != FileState::Readable) return;
        LocationResult& result = results_[index];
        result.isLibraryTold = false;
        auto decoded = decodesDefinitions_ ? decodeLocalDefinitions(file) : std::nullopt;
        if (!decoded) return tellLibrary(index);
        result.local = std::move(*decoded);
        result.isLibraryTold = !result.local.hasMappings && result.local.clockOffsets.empty();
    }

    void tellLibrary(std::size_t index)
    {
        LocationResult& result = results_[index];
        if (result.isLibraryTold) return;
        result.local = readLocalDefinitions(reader_, localDefinitions(index));
        result.outOfMemory = result.local.outOfMemory;
        result.isLibraryTold = true;
    }

    /// Large files first, so that no thread is left with the largest at the end.
    std::vector<std::size_t> bySize() const
    {
        std::vector<std::size_t> order(results_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return results_[a].bytes > results_[b].bytes; });
        return order;
    }

    bool readAll()
    {
        const EventHandlers handlers = eventHandlers();
        if (!handlers.callbacks) return false;
        const std::vector<std::size_t> order = bySize();
        const auto total =
            std::accumulate(results_.begin(), results_.end(), std::uint64_t{0},
                            [](std::uint64_t sum, const LocationResult& one) { return sum + one.bytes; });
        ReadingProgress progress(total, task_);
        OTF2_Reader_GetChunkSize(reader_, &chunkBytes_, &definitionChunkBytes_);
        OTF2_Reader_OpenDefFiles(reader_);
        OTF2_Reader_OpenEvtFiles(reader_);
        std::atomic<std::size_t> next{0};
        const bool finished = parallelFor(order.size(), task_, [&](std::size_t) {
            const std::size_t index = order[next.fetch_add(1, std::memory_order_relaxed)];
            readDefinitions(index);
            readLocation(index, handlers, progress);
            results_[index].local.ids = {};
        });
        OTF2_Reader_CloseEvtFiles(reader_);
        OTF2_Reader_CloseDefFiles(reader_);
        return finished;
    }

    /// Leaves that name no open call can only be understood when all of the location has been read: where
    /// every enter has its leave, it is read once more.
    void readLocation(std::size_t index, const EventHandlers& handlers, ReadingProgress& progress)
    {
        if (!isReadable(index)) return;
        LocationTraceBuilder& builder = builder_.locations[index];
        if (!readOnce(index, handlers, &progress)) return;
        if (builder.droppedLeaves() > 0 && builder.balances() && !task_.stopRequested()) {
            results_[index].report = {};
            builder.restart();
            builder.setUnknownLeaves(UnknownLeaves::EndInnermost);
            readOnce(index, handlers, nullptr);
        }
        if (!task_.stopRequested()) builder.close();
    }

    /// False where there is nothing to read.
    bool readOnce(std::size_t index, const EventHandlers& handlers, ReadingProgress* progress)
    {
        if (decodeOnce(index, handlers, progress)) return true;
        if (!findEnd(index)) return false;
        readByLibrary(index, *handlers.callbacks, progress);
        return true;
    }

    /// False where libotf2 has to read the location, which is untouched then.
    bool decodeOnce(std::size_t index, const EventHandlers& handlers, ReadingProgress* progress)
    {
        LocationResult& result = results_[index];
        LocationTraceBuilder& builder = builder_.locations[index];
        if (!decodes_.load(std::memory_order_relaxed) || result.local.onlyLibrary) return false;
        LocationEvents events(resolved_.tables, builder);
        LocationReading reading{events, result.local.ids, ClockCorrection(result.local.clockOffsets)};
        const auto advance = [&](std::uint64_t bytes) { tellBytes(index, bytes, progress); };
        const EventFile file{files_.events(id(index)), result.bytes, chunkBytes_};
        if (readRecords(file, handlers, reading, task_, advance) == RecordsRead::Refused) {
            builder.restart();
            if (refused_.fetch_add(1, std::memory_order_relaxed) >= kRefusedToGiveUp) decodes_ = false;
            return false;
        }
        tellBytes(index, result.bytes, progress);
        keepResult(index, events);
        return true;
    }

    /// No more bytes are told than the file has.
    void tellBytes(std::size_t index, std::uint64_t bytes, ReadingProgress* progress)
    {
        LocationResult& result = results_[index];
        const std::uint64_t step = std::min(bytes, result.bytes - result.toldBytes);
        result.toldBytes += step;
        if (progress) progress->advance(step);
    }

    void readByLibrary(std::size_t index, const OTF2_EvtReaderCallbacks& callbacks, ReadingProgress* progress)
    {
        tellLibrary(index);
        LocationResult& result = results_[index];
        LocationEvents events(resolved_.tables, builder_.locations[index]);
        {
            ErrorCapture errors;
            if (OTF2_EvtReader* reader = OTF2_Reader_GetEvtReader(reader_, id(index))) {
                OTF2_Reader_RegisterEvtCallbacks(reader_, reader, &callbacks, &events);
                // What there is nothing to apply of, libotf2 need not look for at every event.
                OTF2_EvtReader_ApplyMappingTables(reader, result.local.hasMappings);
                OTF2_EvtReader_ApplyClockOffsets(reader, !result.local.clockOffsets.empty());
                readRecordsOf(index, reader, events, progress);
                OTF2_Reader_CloseEvtReader(reader_, reader);
            } else {
                result.report.add(IssueKind::CorruptRecord, fileName(index), label(index), errors.first());
            }
            errors.moveTo(result.report, fileName(index), label(index));
        }
        keepResult(index, events);
    }

    void keepResult(std::size_t index, const LocationEvents& events)
    {
        LocationResult& result = results_[index];
        events.reportTo(result.report, {}, label(index));
        result.undefinedRegions = events.undefinedRegions();
        result.outOfMemory = result.outOfMemory || events.outOfMemory;
    }

    bool isReadable(std::size_t index)
    {
        LocationResult& result = results_[index];
        if (result.state == FileState::Readable) return true;
        if (result.state == FileState::Absent && resolved_.declaredEvents[index] == 0) return false;
        const IssueKind kind = result.state == FileState::Absent ? IssueKind::AbsentFile
            : result.state == FileState::Empty                   ? IssueKind::Truncated
                                                                 : IssueKind::Unreadable;
        result.report.add(kind, fileName(index), label(index), {});
        return false;
    }

    /// How many events may be read; false where there is none.
    bool findEnd(std::size_t index)
    {
        LocationResult& result = results_[index];
        const auto found = eventsBeforeCut(files_.events(id(index)), result.bytes, chunkBytes_, task_);
        if (!found) return true;
        result.limit = *found;
        result.cutOff = true;
        return *found > 0;
    }

    void readRecordsOf(std::size_t index, OTF2_EvtReader* reader, LocationEvents& events,
                       ReadingProgress* progress)
    {
        constexpr std::uint64_t kBatch = 1u << 15;  // about a millisecond
        const std::uint64_t limit = results_[index].limit;
        std::uint64_t total = 0;
        while (total < limit) {
            std::uint64_t read = 0;
            const std::uint64_t wanted = std::min(kBatch, limit - total);
            const OTF2_ErrorCode status = OTF2_Reader_ReadLocalEvents(reader_, reader, wanted, &read);
            total += read;
            const bool shrunk = hasShrunk(index);
            if (status != OTF2_SUCCESS && status != OTF2_ERROR_INTERRUPTED_BY_CALLBACK) {
                results_[index].report.add(IssueKind::CorruptRecord, fileName(index), label(index),
                                           OTF2_Error_GetDescription(status),
                                           static_cast<std::int64_t>(events.builder().events()));
                break;
            }
            if (read < wanted || events.outOfMemory || shrunk || task_.stopRequested()) break;
            constexpr std::uint64_t kUsualBytes = 10;  // of a record
            tellBytes(index, read * kUsualBytes, progress);
        }
        tellBytes(index, results_[index].bytes, progress);
    }

    /// Undefined ids of all locations get regions in the order of the ids.
    void nameUndefinedRegions()
    {
        std::map<std::uint64_t, std::uint32_t> numbers;
        for (const LocationResult& result : results_)
            for (const std::uint64_t ref : result.undefinedRegions) numbers.emplace(ref, 0);
        for (auto& [ref, number] : numbers) {
            number = static_cast<std::uint32_t>(resolved_.definitions.regions.size());
            Region& region = resolved_.definitions.regions.emplace_back();
            region.name = fmt::format("undefined region {}", ref);
        }
        for (std::size_t index = 0; index < results_.size(); ++index) {
            std::vector<RegionId> names;
            for (const std::uint64_t ref : results_[index].undefinedRegions)
                names.emplace_back(numbers.at(ref));
            if (!names.empty())
                builder_.locations[index].renumberRegions(RegionId(resolved_.tables.regionCount), names);
        }
    }

    /// Somebody else may rewrite the file while it is read; libotf2 then takes what its memory happens to
    /// hold for events, of which no more than a batch is let through.
    bool hasShrunk(std::size_t index)
    {
        std::error_code error;
        const std::uintmax_t now = fs::file_size(files_.events(id(index)), error);
        if (!error && now >= results_[index].bytes) return false;
        results_[index].cutOff = true;
        return true;
    }

    static std::string cutText(std::uint64_t read, std::uint64_t declared)
    {
        if (declared == OTF2_UNDEFINED_UINT64) return fmt::format("after {} events", read);
        return fmt::format("{} of {} events", read, declared);
    }

    void collect(std::size_t index)
    {
        LocationResult& result = results_[index];
        const std::uint64_t declared = resolved_.declaredEvents[index];
        const std::uint64_t read = builder_.locations[index].events();
        if (result.cutOff)
            result.report.add(IssueKind::Truncated, fileName(index), label(index), cutText(read, declared));
        else if (result.state == FileState::Readable && declared != read && declared != OTF2_UNDEFINED_UINT64)
            result.report.add(IssueKind::EventCount, files_.definitions().string(), {},
                              fmt::format("{}: {} declared, {} read", label(index), declared, read));
        resolved_.report.merge(result.local.report);
        resolved_.report.merge(result.report);
        auto& offsets = resolved_.definitions.clockOffsets;
        const auto& own = result.local.clockOffsets;
        offsets.insert(offsets.end(), own.begin(), own.end());
    }

    static constexpr int kRefusedToGiveUp = 4;  ///< locations; the others will be refused as well

    OTF2_Reader* reader_;
    const bool isPlain_;             ///< files are not packed
    const bool decodesDefinitions_;  ///< of locations, here
    std::atomic<bool> decodes_;      ///< records of events, here
    std::atomic<int> refused_{0};
    std::uint64_t chunkBytes_ = 0;  ///< of event files
    std::uint64_t definitionChunkBytes_ = 0;
    const ArchiveFiles& files_;
    ResolvedDefinitions& resolved_;
    const Task& task_;
    TraceBuilder builder_;
    std::vector<LocationResult> results_;
};

}  // namespace

Result<TraceBuilder> readEvents(OTF2_Reader* reader, const ArchiveFiles& files, ResolvedDefinitions& resolved,
                                EventDecoding decoding, const Task& task)
{
    const Unfinished<EventReading> reading(task, reader, files, resolved, decoding, task);
    return reading->run();
}

}  // namespace skein::otf2
