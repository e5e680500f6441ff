// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/tau_profile_importer.h"

#include "core/base/file_bytes.h"
#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/base/utf8.h"
#include "core/io/gzip/gzip_reader.h"
#include "core/io/tau_profile/packed_profile.h"
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/profile_files.h"
#include "core/io/tau_profile/text_profile.h"
#include "core/io/tau_profile/xml_profile.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::tau {
namespace {

namespace fs = std::filesystem;

/// So many files are held at the same time between reading and joining.
constexpr std::size_t kBatch = 256;

/// Unpacks no further than a limit, so that a small file cannot fill the memory.
Result<RawProfile> readZippedXml(std::string_view packed, const std::string& name, const Task& task)
{
    GzipReader reader(packed, unpackingLimit(packed.size()));
    const std::string text = reader.readUpTo(unpackingLimit(packed.size()));
    auto profile = parseXmlProfile(text, name, task);
    if (!profile) return cancelled();
    if (!reader.complete())
        profile->report.add(reader.overLimit() ? IssueKind::CorruptRecord : IssueKind::Truncated, name, "",
                            reader.overLimit()
                                ? "unpacks to far more than a profile can hold; the rest is left out"
                                : "the packed data ends or is damaged here",
                            static_cast<std::int64_t>(reader.offset()));
    return std::move(*profile);
}

/// One file read on its own: what it holds, or why not.
Result<RawProfile> readFile(const ProfileFile& file, const Task& task)
{
    if (file.kind == ProfileKind::Packed) return readPackedProfile(file.path, task);
    const auto bytes = openFileBytes(file.path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    if (isGzip(bytes->text())) return readZippedXml(bytes->text(), file.name, task);
    auto profile = file.kind == ProfileKind::Text ? parseTextProfile(bytes->text(), file.key, file.name, task)
                                                  : parseXmlProfile(bytes->text(), file.name, task);
    if (!profile) return cancelled();
    if (const auto whole = stillWhole(*bytes, file.path.string()); !whole) return Unexpected(whole.error());
    return std::move(*profile);
}

/// Joins a read file, or notes why it could not be read.
void take(Result<RawProfile> read, const ProfileFile& file, ProfileAssembler& assembler)
{
    if (read) return assembler.add(std::move(*read));
    RawProfile nothing;
    nothing.report.add(IssueKind::Unreadable, file.name, "", read.error().message);
    assembler.add(std::move(nothing));
}

std::string stemOf(const ProfileFiles& files)
{
    const ProfileKind kind = files.files.empty() ? ProfileKind::None : files.files.front().kind;
    return kind == ProfileKind::Text ? "profile" : kind == ProfileKind::Snapshot ? "snapshot" : "";
}

using Batch = std::vector<std::optional<Result<RawProfile>>>;

Result<Experiment> readFiles(const ProfileFiles& files, const Task& task)
{
    const Unfinished<ProfileAssembler> assembler(task);
    RawProfile first;
    first.report = files.report;
    first.fileStem = stemOf(files);
    assembler->add(std::move(first));
    std::optional<Error> failure;
    for (std::size_t from = 0; from < files.files.size(); from += kBatch) {
        const std::size_t count = std::min(kBatch, files.files.size() - from);
        const Unfinished<Batch> batch(task, count);
        const bool all = parallelFor(count, task, [&](std::size_t index) {
            (*batch)[index] = readFile(files.files[from + index], task);
        });
        if (!all) return cancelled();
        for (std::size_t index = 0; index < count; ++index) {
            if (task.stopRequested()) return cancelled();
            Result<RawProfile>& read = *(*batch)[index];
            if (!read && read.error().cancelled()) return cancelled();
            if (!read && !failure) failure = read.error();
            take(std::move(read), files.files[from + index], *assembler);
        }
        task.report(0.9 * static_cast<double>(from + count) / static_cast<double>(files.files.size()),
                    "Reading profiles");
    }
    if (assembler->empty()) {
        if (failure) return tl::make_unexpected(*failure);
        return fail(ErrorCode::Malformed,
                    fmt::format("{} holds no profile of any thread.", files.archive.string()));
    }
    task.report(0.9, "Joining profiles");
    return std::move(*assembler).finish(task);
}

}  // namespace

std::optional<fs::path> sniffProfile(const fs::path& path, const Task& task)
{
    return profileArchiveOf(path, task);
}

Result<Experiment> readProfile(const fs::path& path, const Task& task)
{
    auto files = findProfileFiles(path, task);
    if (!files) return tl::make_unexpected(files.error());
    auto experiment = readFiles(*files, task);
    if (!experiment) return experiment;
    experiment->path = path;
    experiment->name = toValidUtf8(path.filename().string());
    return experiment;
}

const Importer kProfileImporter{"tau-profile", "TAU profile", sniffProfile, readProfile,
                                ArchiveKind::Profile};

}  // namespace skein::tau
