// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/open_archive.h"

#include "core/base/memory_limit.h"
#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/base/utf8.h"
#include "core/index/disk/index_reader.h"
#include "core/index/disk/index_writer.h"
#include "core/index/timeline_index.h"
#include "core/index/trace_summary.h"

#include <chrono>
#include <fmt/format.h>
#include <new>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

/// How an index calls what depends on the spelling of a path; a byte that no name of a file holds comes
/// first.
const std::string kArchiveFolder("\0folder", 7);
const std::string kNameOfFolder("\0name of folder", 15);
const std::string kNameOfFile("\0name of file", 13);

const Importer* importerOf(const std::string& id)
{
    for (const Importer& importer : builtinImporters())
        if (importer.id == id) return &importer;
    return nullptr;
}

/// The experiment of an index as an import would give it for this spelling of the archive's path.
ExperimentPtr spelledAs(const Experiment& saved, const FoundArchive& found)
{
    auto experiment = std::make_shared<Experiment>(saved);
    experiment->path = found.chosen.archive;
    const std::string parent = found.chosen.archive.parent_path().string();
    experiment->report.renameFiles([&](const std::string& file) {
        return file.starts_with(kArchiveFolder) ? parent + file.substr(kArchiveFolder.size()) : file;
    });
    if (saved.name == kNameOfFolder)
        experiment->name = found.chosen.archive.parent_path().filename().string();
    if (saved.name == kNameOfFile) experiment->name = found.chosen.archive.filename().string();
    return experiment;
}

/// The reverse: nothing in it depends on how the path was spelled.
Experiment withoutSpelling(const Experiment& experiment)
{
    Experiment result = experiment;
    const std::string parent = experiment.path.parent_path().string();
    result.report.renameFiles([&](const std::string& file) {
        return !parent.empty() && file.starts_with(parent + "/") ? kArchiveFolder + file.substr(parent.size())
                                                                 : file;
    });
    if (experiment.name == experiment.path.parent_path().filename()) result.name = kNameOfFolder;
    else if (experiment.name == experiment.path.filename()) result.name = kNameOfFile;
    return result;
}

Result<ExperimentPtr> import(const FoundArchive& found, const Task& task)
{
    auto read = readArchive(found.chosen, task.part(0.0, 0.8));
    if (!read) return Unexpected(std::move(read.error()));
    const Unfinished<Experiment> experiment(task, std::move(*read));
    if (experiment->trace) {
        auto timeline = buildTimelineIndex(*experiment->trace, *experiment->callTree,
                                           firstOfName(experiment->definitions), task.part(0.8, 0.99));
        if (!timeline) return Unexpected(std::move(timeline.error()));
        experiment->timelineIndex = std::make_shared<const TimelineIndex>(std::move(*timeline));
        auto summary = traceSummaryOf(*experiment, task.part(0.99, 1.0));
        if (!summary) return Unexpected(std::move(summary.error()));
        experiment->summary = std::make_shared<const TraceSummary>(std::move(*summary));
    }
    return std::make_shared<const Experiment>(std::move(*experiment));
}

std::int64_t unixNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Result<fs::path> save(const PendingIndex& unsaved, const IndexSettings& settings, const Task& task)
{
    const Experiment& experiment = *unsaved.experiment;
    const ArchiveCandidate archive{importerOf(experiment.importer), unsaved.identity.archive};
    const auto now = archive.importer ? identify(archive, task) : std::nullopt;
    if (task.stopRequested()) return cancelled();
    if (!now || now->text != unsaved.identity.text)
        return fail(ErrorCode::Io,
                    fmt::format("{} has changed since it was opened; its index is not saved.",
                                unsaved.identity.archive.string()));
    const fs::path file = indexFileOf(settings.folder, unsaved.identity.archive);
    tidyIndexes(settings.folder, settings.sizeLimit, {});
    auto writer = IndexWriter::create(file);
    if (!writer) return Unexpected(writer.error());
    IndexContents contents;
    contents.summary = {now->archive.string(),
                        now->text,
                        now->files,
                        now->bytes,
                        experiment.trace ? experiment.trace->eventCount() : 0,
                        unixNow()};
    contents.experiment = std::make_shared<const Experiment>(withoutSpelling(experiment));
    if (auto written = writer->write(contents, task); !written) return Unexpected(written.error());
    if (writer->bytes() > settings.sizeLimit)
        return fail(ErrorCode::Unsupported,
                    fmt::format("The index of {} takes {}, more than the limit of {}; it is not kept.",
                                now->archive.string(), formatBytes(static_cast<double>(writer->bytes())),
                                formatBytes(static_cast<double>(settings.sizeLimit))));
    if (auto committed = writer->commit(); !committed) return Unexpected(committed.error());
    stampIndex(file);
    tidyIndexes(settings.folder, settings.sizeLimit, file);
    task.report(1.0, "Saving the index");
    return file;
}

/// Null where there is no index, or none of the archive as it is now. Errors: Cancelled.
Result<ExperimentPtr> throughIndex(const FoundArchive& found, const ArchiveIdentity& identity,
                                   const IndexSettings& settings, const Task& task)
{
    const auto contents = openIndex(indexFileOf(settings.folder, identity.archive), Verify::WhenUnsure, task);
    if (!contents && contents.error().cancelled()) return cancelled();
    if (!contents || contents->summary.identity != identity.text) return nullptr;
    return withOthers(spelledAs(*contents->experiment, found), found, task);
}

/// What is left has to do for pictures, tables and what the system keeps of files.
bool memoryIsTight()
{
    const auto limit = memoryLimit();
    return limit && memoryInUse() > *limit / 4;
}

/// Lets go of what was imported; where that fails it stays to be saved later. Errors: Cancelled.
Result<OpenedArchive> exchangedForIndex(PendingIndex imported, const FoundArchive& found,
                                        const IndexSettings& settings, const Task& task)
{
    OpenedArchive opened;
    auto file = save(imported, settings, task);
    if (task.stopRequested()) return cancelled();
    if (file) {
        const ArchiveIdentity identity = imported.identity;
        imported.experiment = nullptr;
        auto experiment = throughIndex(found, identity, settings, task);
        if (!experiment) return Unexpected(experiment.error());
        if (!*experiment)
            return fail(
                ErrorCode::Io,
                fmt::format("{} has changed while it was opened. Open it again.", identity.archive.string()));
        opened.experiment = std::move(*experiment);
        opened.fromIndex = true;
        opened.saved = std::move(*file);
        return opened;
    }
    auto all = withOthers(imported.experiment, found, task);
    if (!all) return Unexpected(all.error());
    opened.experiment = std::move(*all);
    opened.unsaved = std::move(imported);
    return opened;
}

Result<OpenedArchive> openWith(const fs::path& path, const IndexSettings& settings, const Task& task)
{
    const auto found = findArchive(path, task);
    if (!found) return Unexpected(found.error());
    const bool keepsIndex =
        found->chosen.importer->indexed && found->chosen.importer->kind != ArchiveKind::Communication;
    const auto identity = keepsIndex ? identify(found->chosen, task) : std::nullopt;
    if (task.stopRequested()) return cancelled();
    if (identity) {
        auto indexed = throughIndex(*found, *identity, settings, task);
        if (!indexed) return Unexpected(indexed.error());
        if (*indexed) return OpenedArchive{std::move(*indexed), true, std::nullopt, std::nullopt};
    }
    auto experiment = import(*found, task);
    if (!experiment) return Unexpected(std::move(experiment.error()));
    if (identity && memoryIsTight())
        return exchangedForIndex({std::move(*experiment), *identity}, *found, settings, task);
    OpenedArchive opened;
    if (identity) opened.unsaved = PendingIndex{*experiment, *identity};
    auto all = withOthers(*experiment, *found, task);
    if (!all) return Unexpected(all.error());
    opened.experiment = std::move(*all);
    return opened;
}

}  // namespace

Result<OpenedArchive> openArchive(const fs::path& path, const IndexSettings& settings, const Task& task)
{
    try {
        if (settings.enabled && !settings.folder.empty()) return openWith(path, settings, task);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("There is not enough memory to open {}.", toValidUtf8(path.string())));
    } catch (const std::exception& error) {
        return fail(
            ErrorCode::Io,
            fmt::format("{} cannot be opened: {}.", toValidUtf8(path.string()), toValidUtf8(error.what())));
    }
    auto experiment = openExperiment(path, task);
    if (!experiment) return Unexpected(std::move(experiment.error()));
    return OpenedArchive{std::move(*experiment), false, std::nullopt, std::nullopt};
}

Result<fs::path> saveIndex(const PendingIndex& unsaved, const IndexSettings& settings, const Task& task)
{
    try {
        return save(unsaved, settings, task);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "There is not enough memory to save the index.");
    } catch (const std::exception& error) {
        return fail(ErrorCode::Io, fmt::format("The index cannot be saved: {}.", toValidUtf8(error.what())));
    }
}

}  // namespace skein::disk
