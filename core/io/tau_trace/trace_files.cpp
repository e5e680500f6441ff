// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/trace_files.h"

#include "core/base/file_bytes.h"
#include "core/base/utf8.h"
#include "core/io/folder_entries.h"
#include "core/io/tau_trace/event_definitions.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

namespace skein::tau {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTraceHeadBytes = 2048;

enum class TraceFileKind { None, Records, Events };

struct DetectedTraceFile {
    TraceFileKind kind = TraceFileKind::None;
    RecordLayout layout;
};

DetectedTraceFile detectTraceFile(const fs::path& file)
{
    const std::string head = fileHead(file, kTraceHeadBytes);
    if (isEventFile(head)) return {TraceFileKind::Events, {}};
    const auto layout = detectLayout(head);
    // What is not called a trace must begin as TAU begins one.
    if (layout && (file.extension() == ".trc" || beginsWithInit(head, *layout)))
        return {TraceFileKind::Records, *layout};
    return {};
}

/// The thread in "tautrace.N.C.T.trc", whatever the file's first and last names are.
std::optional<ThreadKey> keyOf(const fs::path& records)
{
    if (const auto key = threadKeyOfFileName(records.filename().string())) return key;
    return threadKeyOfFileName(records.stem().string());
}

/// What stands before the numbers of a thread in a file's name: "tautrace".
std::string prefixOf(const fs::path& records)
{
    std::string name = records.filename().string();
    if (!threadKeyOfFileName(name)) name = records.stem().string();
    for (int part = 0; part < 3; ++part) name.resize(std::min(name.size(), name.rfind('.')));
    return name;
}

/// True when the folder has files of threads under another name as well. Looks at names alone.
bool hasOtherNames(const fs::path& folder, const std::string& prefix, const Task& task)
{
    std::error_code error;
    std::size_t sniffed = 0;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end && sniffed < kMaximumSniffed; entry.increment(error)) {
        if (task.stopRequested()) return false;
        ++sniffed;
        const fs::path& path = entry->path();
        if (path.extension() == ".trc" && keyOf(path) && prefixOf(path) != prefix
            && detectTraceFile(path).kind == TraceFileKind::Records)
            return true;
    }
    return false;
}

/// The number in "events.N.edf".
std::optional<std::uint32_t> nodeOf(const fs::path& events)
{
    const std::string stem = events.stem().string();
    const auto dot = stem.rfind('.');
    if (dot == std::string::npos || dot + 1 == stem.size()) return std::nullopt;
    std::uint32_t node = 0;
    const char* const end = stem.data() + stem.size();
    const auto [stop, error] = std::from_chars(stem.data() + dot + 1, end, node);
    return error == std::errc() && stop == end ? std::optional(node) : std::nullopt;
}

struct TraceListing {
    std::map<std::string, std::map<ThreadKey, TraceFile>> threads;  ///< by the name before the numbers
    std::vector<TraceFile> merged;
    std::map<std::uint32_t, fs::path> eventsOfNode;
    std::vector<fs::path> otherEvents;
    std::vector<std::string> repeated;
    std::vector<fs::path> unknown;  ///< named like the records of a thread
};

void sortIn(const fs::path& path, const DetectedTraceFile& detected, TraceListing& listing)
{
    if (detected.kind == TraceFileKind::None) {
        if (path.extension() == ".trc" && keyOf(path)) listing.unknown.push_back(path);
        return;
    }
    if (detected.kind == TraceFileKind::Events) {
        const auto node = nodeOf(path);
        if (!node || !listing.eventsOfNode.emplace(*node, path).second) listing.otherEvents.push_back(path);
        return;
    }
    TraceFile file;
    file.records = path;
    file.name = toValidUtf8(path.filename().string());
    file.key = keyOf(path);
    file.layout = detected.layout;
    if (!file.key) listing.merged.push_back(std::move(file));
    else if (const ThreadKey key = *file.key; !listing.threads[prefixOf(path)].emplace(key, file).second)
        listing.repeated.push_back(file.name);
}

Result<TraceListing> listTraces(const fs::path& folder, const Task& task)
{
    const auto entries = folderEntries(folder, task);
    if (!entries) return tl::make_unexpected(entries.error());
    TraceListing listing;
    for (const fs::path& entry : *entries) {
        if (task.stopRequested()) return cancelled();
        sortIn(entry, detectTraceFile(entry), listing);
    }
    return listing;
}

void setEvents(TraceFile& file, const fs::path& events)
{
    file.events = events;
    file.eventsName = toValidUtf8(events.filename().string());
}

/// The event file of a merged trace: of the same name, or the only one that could be.
void findEvents(TraceFile& file, const TraceListing& listing, ImportReport& report)
{
    const fs::path stem = file.records.stem();
    for (const fs::path& events : listing.otherEvents)
        if (events.stem() == stem) return setEvents(file, events);
    for (const auto& [node, events] : listing.eventsOfNode)
        if (events.stem() == stem) return setEvents(file, events);
    if (listing.otherEvents.size() == 1) return setEvents(file, listing.otherEvents.front());
    if (listing.otherEvents.empty() && listing.eventsOfNode.size() == 1)
        return setEvents(file, listing.eventsOfNode.begin()->second);
    report.add(IssueKind::AbsentFile, toValidUtf8(stem.string()) + ".edf", "", "events have no names");
}

/// Files that are named like the records of a thread and hold none.
void reportUnknownRecords(const std::vector<fs::path>& paths, const std::string& prefix, ImportReport& report)
{
    for (const fs::path& path : paths) {
        if (prefixOf(path) != prefix) continue;
        const std::string name = toValidUtf8(path.filename().string());
        const auto bytes = openFileBytes(path);
        if (!bytes) report.add(IssueKind::Unreadable, name, "", bytes.error().message);
        else if (bytes->size() == 0) report.add(IssueKind::Truncated, name, "", "the file is empty");
        else report.add(IssueKind::CorruptRecord, name, "", "the file holds no records of a known layout");
    }
}

TraceFiles threadFiles(TraceListing& listing, const std::string& prefix)
{
    TraceFiles files;
    for (auto& [key, file] : listing.threads.at(prefix)) {
        const auto events = listing.eventsOfNode.find(key.node);
        if (events != listing.eventsOfNode.end()) setEvents(file, events->second);
        else
            files.report.add(IssueKind::AbsentFile, fmt::format("events.{}.edf", key.node), "",
                             "events have no names");
        files.files.push_back(std::move(file));
    }
    reportUnknownRecords(listing.unknown, prefix, files.report);
    for (const auto& [other, threads] : listing.threads)
        if (other != prefix)
            files.report.add(IssueKind::UnsupportedRecord, threads.begin()->second.name, "",
                             "another trace beside it; open it by the path of one of its files");
    for (const TraceFile& merged : listing.merged)
        files.report.add(IssueKind::UnsupportedRecord, merged.name, "",
                         "a merged trace beside it, perhaps of another run; open it by its own path");
    for (const std::string& name : listing.repeated)
        files.report.add(IssueKind::DuplicateDefinition, name, "",
                         "a second trace of the same thread is left aside");
    return files;
}

Result<TraceFiles> tracesOfFolder(const fs::path& folder, const Task& task)
{
    auto listing = listTraces(folder, task);
    if (!listing) return tl::make_unexpected(listing.error());
    if (!listing->threads.empty())
        return threadFiles(
            *listing, listing->threads.contains("tautrace") ? "tautrace" : listing->threads.begin()->first);
    if (listing->merged.size() == 1) {
        TraceFiles files;
        findEvents(listing->merged.front(), *listing, files.report);
        files.files.push_back(std::move(listing->merged.front()));
        return files;
    }
    if (listing->merged.empty())
        return fail(ErrorCode::NotRecognized, fmt::format("{} holds no TAU trace.", folder.string()));
    std::string names;
    for (const TraceFile& file : listing->merged) names += (names.empty() ? "" : ", ") + file.name;
    return fail(ErrorCode::NotRecognized,
                fmt::format("{} holds several TAU traces; open one of {}.", folder.string(), names));
}

Result<TraceFiles> filesOfMerged(const fs::path& records, const Task& task)
{
    const DetectedTraceFile detected = detectTraceFile(records);
    if (detected.kind != TraceFileKind::Records)
        return fail(ErrorCode::NotRecognized, fmt::format("{} is no TAU trace.", records.string()));
    auto listing = listTraces(records.has_parent_path() ? records.parent_path() : fs::path("."), task);
    if (!listing && listing.error().cancelled()) return cancelled();
    if (keyOf(records) && listing && listing->threads.contains(prefixOf(records)))
        return threadFiles(*listing, prefixOf(records));
    TraceFiles files;
    TraceFile& file = files.files.emplace_back();
    file.records = records;
    file.name = toValidUtf8(records.filename().string());
    file.layout = detected.layout;
    findEvents(file, listing ? *listing : TraceListing{}, files.report);
    return files;
}

bool holdsTrace(const fs::path& folder, const Task& task)
{
    std::error_code error;
    std::size_t sniffed = 0;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end && sniffed < kMaximumSniffed; entry.increment(error)) {
        if (task.stopRequested()) return false;
        ++sniffed;
        if (detectTraceFile(entry->path()).kind == TraceFileKind::Records) return true;
    }
    return false;
}

}  // namespace

std::optional<fs::path> traceArchiveOf(const fs::path& path, const Task& task)
{
    std::error_code error;
    if (fs::is_directory(path, error)) return holdsTrace(path, task) ? std::optional(path) : std::nullopt;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const TraceFileKind kind = detectTraceFile(path).kind;
    if (kind == TraceFileKind::Records)
        return keyOf(path) && !hasOtherNames(folder, prefixOf(path), task) ? folder : path;
    if (kind == TraceFileKind::None) return std::nullopt;
    fs::path records = path;
    records.replace_extension(".trc");
    if (detectTraceFile(records).kind == TraceFileKind::Records) return keyOf(records) ? folder : records;
    return holdsTrace(folder, task) ? std::optional(folder) : std::nullopt;
}

bool isNamelessBesideProfile(const fs::path& archive, const Task& task)
{
    std::error_code error;
    if (!fs::is_directory(archive, error)) return false;
    const auto files = tracesOfFolder(archive, task);
    const auto entries = folderEntries(archive, task);
    if (!files || !entries) return false;
    std::set<ThreadKey> profiled;
    for (const fs::path& entry : *entries)
        if (const std::string name = entry.filename().string(); name.starts_with("profile."))
            if (const auto key = threadKeyOfFileName(name)) profiled.insert(*key);
    return std::all_of(files->files.begin(), files->files.end(), [&](const TraceFile& file) {
        return file.events.empty() && file.key && (profiled.empty() || profiled.contains(*file.key));
    });
}

Result<TraceFiles> findTraceFiles(const fs::path& archive, const Task& task)
{
    std::error_code error;
    return fs::is_directory(archive, error) ? tracesOfFolder(archive, task) : filesOfMerged(archive, task);
}

}  // namespace skein::tau
