// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/otf2_importer.h"

#include "core/base/utf8.h"
#include "core/io/otf2/archive_files.h"
#include "core/io/otf2/definition_resolver.h"
#include "core/io/otf2/event_reading.h"
#include "core/io/otf2/library.h"

#include <cstdlib>
#include <fmt/format.h>
#include <new>

namespace skein::otf2 {
namespace {

namespace fs = std::filesystem;

void addProperty(Definitions& definitions, const char* name, char* value)
{
    if (value && *value) definitions.properties.push_back({name, toValidUtf8(value)});
    std::free(value);
}

void readTraceProperties(OTF2_Reader* reader, Definitions& definitions)
{
    std::uint32_t count = 0;
    char** names = nullptr;
    if (OTF2_Reader_GetPropertyNames(reader, &count, &names) != OTF2_SUCCESS) return;
    for (std::uint32_t index = 0; index < count; ++index) {
        char* value = nullptr;
        if (OTF2_Reader_GetProperty(reader, names[index], &value) != OTF2_SUCCESS) continue;
        definitions.properties.push_back({toValidUtf8(names[index]), toValidUtf8(value ? value : "")});
        std::free(value);
    }
    std::free(names);
}

/// What the anchor file tells about the archive as a whole.
void readProperties(OTF2_Reader* reader, Definitions& definitions)
{
    const ErrorCapture errors;
    char* text = nullptr;
    if (OTF2_Reader_GetMachineName(reader, &text) == OTF2_SUCCESS) addProperty(definitions, "machine", text);
    if (OTF2_Reader_GetCreator(reader, &(text = nullptr)) == OTF2_SUCCESS)
        addProperty(definitions, "creator", text);
    if (OTF2_Reader_GetDescription(reader, &(text = nullptr)) == OTF2_SUCCESS)
        addProperty(definitions, "description", text);
    readTraceProperties(reader, definitions);
}

/// Snapshots and thumbnails repeat what the events tell, for programs that do not read all of them.
void reportExtras(OTF2_Reader* reader, ImportReport& report)
{
    const ErrorCapture errors;
    std::uint32_t snapshots = 0;
    std::uint32_t thumbnails = 0;
    OTF2_Reader_GetNumberOfSnapshots(reader, &snapshots);
    OTF2_Reader_GetNumberOfThumbnails(reader, &thumbnails);
    if (snapshots > 0)
        report.add(IssueKind::UnsupportedRecord, {}, {},
                   "snapshots: what was open at some moments, which the events tell as well", -1, snapshots);
    if (thumbnails > 0)
        report.add(IssueKind::UnsupportedRecord, {}, {},
                   "thumbnails: pictures of the whole run, which the events give as well", -1, thumbnails);
}

/// Why an archive cannot be shown at all, where that is so.
std::optional<Error> definitionsObstacle(const ArchiveFiles& files)
{
    const fs::path definitions = files.definitions();
    switch (stateOf(definitions)) {
    case FileState::Readable: return std::nullopt;
    case FileState::Absent:
        return Error{ErrorCode::Malformed,
                     fmt::format("The archive {} lacks its definitions, {}; copy the whole archive.",
                                 files.anchor.string(), definitions.filename().string()),
                     {}};
    case FileState::Empty:
        return Error{ErrorCode::Malformed,
                     fmt::format("The definitions of the archive, {}, are empty.", definitions.string()),
                     {}};
    case FileState::Unreadable: break;
    }
    return Error{
        ErrorCode::AccessDenied, fmt::format("{} cannot be opened for reading.", definitions.string()), {}};
}

void checkClock(ResolvedDefinitions& resolved)
{
    constexpr std::uint64_t kFastest = std::uint64_t{1} << 50;
    ClockProperties& clock = resolved.definitions.clock;
    if (clock.present && clock.ticksPerSecond > 0 && clock.ticksPerSecond <= kFastest) return;
    resolved.report.add(IssueKind::NoClock, {}, {}, {});
    clock.present = false;
    clock.ticksPerSecond = 1'000'000'000;
}

/// Whether events lie outside the span that the clock properties declare.
void reportClockLength(const Trace& trace, const Definitions& definitions, ImportReport& report)
{
    const ClockProperties& clock = definitions.clock;
    if (!clock.present || clock.lengthTicks == 0 || trace.extent.empty()) return;
    const TickConverter converter(clock.ticksPerSecond, clock.originTicks);
    const TimeNs begin = converter.toNs(clock.globalOffsetTicks);
    const TimeNs end = converter.toNs(clock.globalOffsetTicks + clock.lengthTicks);
    if (trace.extent.begin >= begin && trace.extent.end <= end) return;
    report.add(IssueKind::ClockLength, {}, {},
               fmt::format("declared {} to {} ns, events {} to {} ns", begin, end, trace.extent.begin,
                           trace.extent.end));
}

Result<Experiment> assemble(const ArchiveFiles& files, ResolvedDefinitions resolved, TraceBuilder builder,
                            const Task& task)
{
    auto finished = finishTrace(std::move(builder), resolved.definitions, resolved.report, task);
    if (!finished) return tl::make_unexpected(std::move(finished.error()));
    reportClockLength(*finished->trace, resolved.definitions, resolved.report);
    Experiment experiment;
    experiment.name = files.anchor.parent_path().filename().string();
    experiment.path = files.anchor;
    experiment.format = "OTF2";
    experiment.definitions = std::move(resolved.definitions);
    experiment.callTree = std::move(finished->callTree);
    experiment.trace = std::move(finished->trace);
    experiment.report = std::move(resolved.report);
    task.report(1.0, "Opened");
    return experiment;
}

Result<Experiment> readUnguarded(const fs::path& anchor, EventDecoding decoding, const Task& task)
{
    const ArchiveFiles files{anchor};
    if (auto error = definitionsObstacle(files)) return tl::make_unexpected(std::move(*error));
    auto reader = openReader(anchor);
    if (!reader) return tl::make_unexpected(std::move(reader.error()));
    task.report(0.0, "Reading definitions");
    auto raw = readGlobalDefinitions(reader->get(), files.definitions().string(), task);
    if (!raw) return tl::make_unexpected(std::move(raw.error()));
    auto outcome = resolve(std::move(*raw), task);
    if (!outcome) return tl::make_unexpected(std::move(outcome.error()));
    ResolvedDefinitions& resolved = *outcome;
    if (resolved.definitions.locations.empty())
        return fail(
            ErrorCode::Malformed,
            fmt::format("The archive {} defines no locations: there is nothing to show.", anchor.string()));
    readProperties(reader->get(), resolved.definitions);
    reportExtras(reader->get(), resolved.report);
    checkClock(resolved);
    auto builder = readEvents(reader->get(), files, resolved, decoding, task.part(0.05, 0.8));
    if (!builder) return tl::make_unexpected(std::move(builder.error()));
    readMarkers(reader->get(), files, resolved, *builder);
    reader->reset();
    return assemble(files, std::move(resolved), std::move(*builder), task.part(0.8, 1.0));
}

Result<Experiment> readDecoding(const fs::path& path, const Task& task)
{
    return readOtf2(path, EventDecoding::OwnWherePossible, task);
}

}  // namespace

Result<Experiment> readOtf2(const fs::path& anchor, EventDecoding decoding, const Task& task)
{
    try {
        return readUnguarded(anchor, decoding, task);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("There is not enough memory to open {}.", anchor.string()));
    }
}

}  // namespace skein::otf2

namespace skein {

const Importer kOtf2Importer{"otf2", "OTF2 trace", &otf2::findAnchor, &otf2::readDecoding};

}  // namespace skein
