// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/output/records.h"
#include "app/cli/output/text.h"
#include "core/base/units.h"
#include "core/index/disk/index_reader.h"
#include "core/index/disk/open_archive.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct IndexOptions {
    std::vector<std::string> paths;
    bool verify = false;
    bool all = false;
    Format format = Format::Table;
    std::function<Result<ExitCode>(const IndexOptions&, const Invocation&)> action;
};

const std::vector<Field> kIndexFields{
    {"archive", "Archive", FieldKind::Text}, {"state", "State", FieldKind::Text},
    {"events", "Events", FieldKind::Count},  {"bytes", "Size", FieldKind::Bytes},
    {"used", "Last used", FieldKind::Text},  {"file", "Index", FieldKind::Text},
};

std::string timeText(std::int64_t unixNs)
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(static_cast<std::time_t>(unixNs / 1'000'000'000)));
}

Result<std::filesystem::path> folderOf(const Invocation& invocation)
{
    if (!invocation.index.folder.empty()) return invocation.index.folder;
    return fail(ErrorCode::InvalidArgument,
                "There is no folder for indexes: set XDG_CACHE_HOME or HOME, or name one with --index-dir.");
}

/// The index of an archive as it is now, whether it exists or not.
Result<std::pair<disk::ArchiveIdentity, std::filesystem::path>> locate(const std::string& path,
                                                                       const std::filesystem::path& folder,
                                                                       const Task& task)
{
    const auto found = findArchive(path, task);
    if (!found) return tl::make_unexpected(found.error());
    auto identity = disk::identify(found->chosen, task);
    if (task.stopRequested()) return cancelled();
    if (!identity)
        return fail(ErrorCode::Io, fmt::format("The files of {} cannot be listed.", printable(path)));
    auto file = disk::indexFileOf(folder, identity->archive);
    return std::pair{std::move(*identity), std::move(file)};
}

std::string whyNotGood(ErrorCode failure)
{
    const bool unread = failure == ErrorCode::AccessDenied || failure == ErrorCode::Io;
    return unread ? "cannot be read" : "damaged or of another version";
}

std::string stateOf(const disk::IndexEntry& entry, const disk::ArchiveIdentity* now)
{
    if (!entry.summary) return whyNotGood(entry.failure);
    if (now && entry.summary->identity != now->text) return "outdated";
    return "good";
}

std::vector<Cell> indexRow(const disk::IndexEntry& entry, std::string state)
{
    return {entry.summary ? Cell(entry.summary->archive) : Cell(),
            std::move(state),
            entry.summary ? Cell(entry.summary->events) : Cell(),
            entry.bytes,
            timeText(entry.usedNs),
            entry.file.string()};
}

Result<ExitCode> build(const IndexOptions& options, const Invocation& invocation)
{
    const auto folder = folderOf(invocation);
    if (!folder) return tl::make_unexpected(folder.error());
    disk::IndexSettings settings = invocation.index;
    settings.enabled = true;
    for (const std::string& path : options.paths) {
        const auto opened = disk::openArchive(path, settings, invocation.task);
        if (!opened) return tl::make_unexpected(opened.error());
        if (!opened->saved && !opened->unsaved) {
            invocation.task.report(1.0, "open");
            invocation.out.write(
                fmt::format("{}: {}\n", printable(path),
                            opened->fromIndex ? "has a good index already" : "is not worth an index"));
            continue;
        }
        const auto saved = opened->saved ? Result<std::filesystem::path>(*opened->saved)
                                         : disk::saveIndex(*opened->unsaved, settings, invocation.task);
        invocation.task.report(1.0, "saved");
        if (!saved) return tl::make_unexpected(saved.error());
        std::error_code ignored;
        invocation.out.write(
            fmt::format("{}: saved {}, {}\n", printable(path), printable(saved->string()),
                        formatBytes(static_cast<double>(std::filesystem::file_size(*saved, ignored)))));
    }
    return ExitCode::Fine;
}

Result<std::string> verified(const std::filesystem::path& file, std::string state, const Task& task)
{
    const auto damaged = disk::damagedBlocks(file, task);
    if (!damaged && damaged.error().cancelled()) return tl::make_unexpected(damaged.error());
    if (!damaged) return whyNotGood(damaged.error().code);
    return damaged->empty()
        ? state + ", verified"
        : fmt::format("damaged: {} of 1 MiB",
                      damaged->size() == 1 ? "1 block" : fmt::format("{} blocks", damaged->size()));
}

Result<ExitCode> tellIndexes(const IndexOptions& options, const Invocation& invocation)
{
    const auto folder = folderOf(invocation);
    if (!folder) return tl::make_unexpected(folder.error());
    const auto entries = disk::listIndexes(*folder);
    if (!entries) return tl::make_unexpected(entries.error());
    RecordWriter writer(invocation.out, options.format, kIndexFields);
    ExitCode code = ExitCode::Fine;
    for (const std::string& path : options.paths) {
        const auto located = locate(path, *folder, invocation.task);
        if (!located) return tl::make_unexpected(located.error());
        const auto& [identity, file] = *located;
        const auto found = std::find_if(entries->begin(), entries->end(),
                                        [&file = file](const auto& entry) { return entry.file == file; });
        if (found == entries->end()) {
            writer.row(
                {identity.archive.string(), std::string("none"), Cell(), Cell(), Cell(), file.string()});
            code = ExitCode::Failed;
            continue;
        }
        std::string state = stateOf(*found, &identity);
        if (options.verify) {
            auto checked = verified(file, std::move(state), invocation.task);
            if (!checked) return tl::make_unexpected(checked.error());
            state = std::move(*checked);
        }
        if (!state.starts_with("good")) code = ExitCode::Failed;
        writer.row(indexRow(*found, std::move(state)));
    }
    writer.finish();
    return code;
}

Result<ExitCode> list(const IndexOptions& options, const Invocation& invocation)
{
    const auto folder = folderOf(invocation);
    if (!folder) return tl::make_unexpected(folder.error());
    const auto entries = disk::listIndexes(*folder);
    if (!entries) return tl::make_unexpected(entries.error());
    RecordWriter writer(invocation.out, options.format, kIndexFields);
    for (const disk::IndexEntry& entry : *entries) {
        std::string state = stateOf(entry, nullptr);
        if (options.verify) {
            auto checked = verified(entry.file, std::move(state), invocation.task);
            if (!checked) return tl::make_unexpected(checked.error());
            state = std::move(*checked);
        }
        writer.row(indexRow(entry, std::move(state)));
    }
    writer.finish();
    return ExitCode::Fine;
}

/// The indexes that are to go, whether they exist or not.
Result<std::vector<std::filesystem::path>> indexesToDrop(const IndexOptions& options,
                                                         const std::filesystem::path& folder,
                                                         const Task& task)
{
    std::vector<std::filesystem::path> files;
    if (options.all) {
        const auto entries = disk::listIndexes(folder);
        if (!entries) return tl::make_unexpected(entries.error());
        for (const disk::IndexEntry& entry : *entries) files.push_back(entry.file);
    }
    for (const std::string& path : options.paths) {
        // An archive that is gone has lost none of its index: its path alone names the file.
        const auto located = locate(path, folder, task);
        std::error_code ignored;
        files.push_back(located
                            ? located->second
                            : disk::indexFileOf(folder, std::filesystem::weakly_canonical(path, ignored)));
    }
    return files;
}

Result<ExitCode> drop(const IndexOptions& options, const Invocation& invocation)
{
    const auto folder = folderOf(invocation);
    if (!folder) return tl::make_unexpected(folder.error());
    if (options.all == !options.paths.empty())
        return fail(ErrorCode::InvalidArgument, "Name either archives whose indexes are to go, or --all.");
    const auto files = indexesToDrop(options, *folder, invocation.task);
    if (!files) return tl::make_unexpected(files.error());
    std::size_t dropped = 0;
    std::optional<Error> kept;
    for (const std::filesystem::path& file : *files) {
        auto gone = disk::dropIndex(file);
        if (gone) dropped += *gone ? 1 : 0;
        else if (!kept) kept = std::move(gone.error());
    }
    disk::tidyIndexes(*folder, invocation.index.sizeLimit, {});
    invocation.out.write(
        fmt::format("{} dropped.\n", dropped == 1 ? "1 index" : fmt::format("{} indexes", dropped)));
    return kept ? Result<ExitCode>(Unexpected(std::move(*kept))) : ExitCode::Fine;
}

using Step = Result<ExitCode> (*)(const IndexOptions&, const Invocation&);

CommandLine& addStep(CommandLine& line, const std::shared_ptr<IndexOptions>& options, const char* name,
                     const char* help, Step step)
{
    CommandLine& command = line.command(name, help);
    command.inheritOptions();
    command.whenChosen([options, step] { options->action = step; });
    return command;
}

Action defineIndex(CommandLine& line)
{
    auto options = std::make_shared<IndexOptions>();
    line.requireCommand();
    addPaths(addStep(line, options, "build", "Import archives and save their indexes", build),
             options->paths);
    CommandLine& telling =
        addStep(line, options, "info", "Whether archives have a good index; exit code 1 where one has not",
                tellIndexes);
    addPaths(telling, options->paths);
    CommandLine& listing = addStep(line, options, "list", "All indexes, the last used first", list);
    for (CommandLine* const command : {&telling, &listing}) {
        command->flag("--verify", options->verify, "Hold all contents against their checksums");
        addFormat(*command, options->format);
    }
    CommandLine& dropping = addStep(line, options, "drop", "Remove the indexes of archives", drop);
    dropping.option("PATH", options->paths, "Archives");
    dropping.flag("--all", options->all, "Remove all indexes");
    return [options](const Invocation& invocation) { return options->action(*options, invocation); };
}

}  // namespace

Command indexCommand()
{
    return {"index", "What is kept of imported archives so that they open at once",
            "  skein-cli index build huge/traces.otf2     on the login node, before the first look\n"
            "  skein-cli index info --verify huge/        is it good, and does it fit the archive\n"
            "  skein-cli index list                       what there is, and how large\n"
            "  skein-cli index drop --all\n",
            defineIndex};
}

}  // namespace skein::cli
