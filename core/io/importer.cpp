// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/importer.h"

#include "core/base/utf8.h"
#include "core/io/archive_search.h"
#include "core/io/gap_report.h"
#include "core/io/metric_locations.h"
#include "core/session/join_profile.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <string_view>
#include <unistd.h>

namespace skein {
namespace {

namespace fs = std::filesystem;

/// So many archives are named where there are several.
constexpr std::size_t kMostNamed = 12;

std::string shown(const fs::path& path) { return toValidUtf8(path.string()); }

}  // namespace

std::optional<Error> refusalOf(const fs::path& path)
{
    const auto error = [&](ErrorCode code, std::string message) {
        return Error{code, std::move(message), {}};
    };
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found)
        return error(ErrorCode::NotFound, fmt::format("There is no file or folder {}.", shown(path)));
    if (failure == std::errc::too_many_symbolic_link_levels)
        return error(ErrorCode::NotFound,
                     fmt::format("{} is a symbolic link that leads to itself.", shown(path)));
    if (failure)
        return error(ErrorCode::AccessDenied,
                     fmt::format("{} cannot be opened: {}.", shown(path), failure.message()));
    if (!fs::is_regular_file(status) && !fs::is_directory(status))
        return error(
            ErrorCode::Unsupported,
            fmt::format("{} is a pipe or device; only files and folders can be opened.", shown(path)));
    const bool folder = fs::is_directory(status);
    if (faccessat(AT_FDCWD, path.c_str(), folder ? R_OK | X_OK : R_OK, AT_EACCESS) != 0)
        return error(ErrorCode::AccessDenied,
                     fmt::format("The {} {} may not be read; check its permissions.",
                                 folder ? "folder" : "file", shown(path)));
    if (!folder && fs::file_size(path, failure) == 0 && !failure)
        return error(ErrorCode::NotRecognized, fmt::format("The file {} is empty.", shown(path)));
    return std::nullopt;
}

namespace {

/// Files of ADIOS2 say so: BP4 and BP5 are folders whose index begins with it, BP3 files end with it.
bool isAdios(const fs::path& path)
{
    constexpr std::string_view kMark = "ADIOS-BP";
    constexpr std::streamoff kFooter = 64;
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    std::ifstream file(folder ? path / "md.idx" : path, std::ios::binary);
    if (!folder) {
        file.seekg(0, std::ios::end);
        const std::streamoff size = file.tellg();
        file.seekg(size > kFooter ? size - kFooter : 0);
    }
    std::string text(static_cast<std::size_t>(kFooter), '\0');
    file.read(text.data(), kFooter);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return folder ? text.starts_with(kMark) : text.find(kMark) != std::string::npos;
}

Unexpected adiosRefused(const fs::path& path)
{
    return fail(
        ErrorCode::Unsupported,
        fmt::format("{} is output of ADIOS2, which is not read. Let TAU write its profiles, traces or "
                    "monitoring.csv instead, or write what bpls prints of it into a table.",
                    shown(path)));
}

std::string titles()
{
    std::string text;
    for (const Importer& importer : builtinImporters())
        text += (text.empty() ? "" : ", ") + std::string(importer.title);
    return text;
}

fs::path wholePath(const fs::path& path)
{
    std::error_code error;
    const fs::path whole = fs::absolute(path, error).lexically_normal();
    return error ? path : whole;
}

Unexpected severalFound(const fs::path& folder, const std::vector<ArchiveCandidate>& found)
{
    std::string names;
    for (std::size_t index = 0; index < std::min(found.size(), kMostNamed); ++index)
        names += (index == 0 ? "" : ", ")
            + shown(wholePath(found[index].archive).lexically_proximate(wholePath(folder)));
    if (found.size() > kMostNamed) names += fmt::format(" and {} more", found.size() - kMostNamed);
    return fail(
        ErrorCode::NotRecognized,
        fmt::format("{} holds several archives, of which one must be chosen: {}.", shown(folder), names));
}

/// The one archive below a folder. Files of communication count only where there is nothing else.
Result<ArchiveCandidate> findBelow(const fs::path& folder, const Task& task)
{
    task.report(0.0, "Looking for archives");
    auto search = searchArchives(folder, task);
    if (!search) return cancelled();
    std::vector<ArchiveCandidate>& found = search->found;
    const auto isMeasured = [](const ArchiveCandidate& candidate) {
        return candidate.importer->kind != ArchiveKind::Communication;
    };
    if (std::any_of(found.begin(), found.end(), isMeasured)) std::erase_if(found, std::not_fn(isMeasured));
    if (found.size() > 1) return severalFound(folder, found);
    if (found.size() == 1) return found.front();
    if (search->complete)
        return fail(ErrorCode::NotRecognized,
                    fmt::format("{} holds no archive of the known kinds: {}.", shown(folder), titles()));
    return fail(
        ErrorCode::NotRecognized,
        fmt::format("No archive was found in the first entries of {}; give the path of one of its files.",
                    shown(folder)));
}

/// Puts a profile before a trace beside it whose events have no names.
void preferNames(std::vector<ArchiveCandidate>& candidates, const Task& task)
{
    if (candidates.empty() || !candidates.front().importer->tellsLess) return;
    const auto profile =
        std::find_if(candidates.begin(), candidates.end(), [](const ArchiveCandidate& candidate) {
            return candidate.importer->kind == ArchiveKind::Profile;
        });
    if (profile == candidates.end()) return;
    if (candidates.front().importer->tellsLess(candidates.front().archive, task))
        std::rotate(candidates.begin(), profile, profile + 1);
}

/// The profile that joins a trace which was found below a folder.
void addProfileBeside(std::vector<ArchiveCandidate>& candidates, const Task& task)
{
    if (candidates.front().importer->kind != ArchiveKind::Trace) return;
    for (ArchiveCandidate& other : recognizeArchive(candidates.front().archive.parent_path(), task))
        if (other.importer->joinsTrace) candidates.push_back(std::move(other));
}

Result<ExperimentPtr> openFound(const fs::path& path, const Task& task)
{
    const auto found = findArchive(path, task);
    if (!found) return Unexpected(found.error());
    auto experiment = readArchive(found->chosen, task);
    if (!experiment) return Unexpected(std::move(experiment.error()));
    return withOthers(std::make_shared<const Experiment>(std::move(*experiment)), *found, task);
}

/// Archives are named after their folder, which "." and "folder/" do not tell.
fs::path withName(const fs::path& path)
{
    if (!path.has_filename()) return path.has_relative_path() ? withName(path.parent_path()) : path;
    if (path.filename() != "." && path.filename() != "..") return path;
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    return error ? path : whole;
}

}  // namespace

Result<ExperimentPtr> withOthers(ExperimentPtr experiment, const FoundArchive& found, const Task& task)
{
    if (found.others.empty()) return experiment;
    std::vector<const ArchiveCandidate*> told;
    std::string obstacle;
    for (const ArchiveCandidate& other : found.others) {
        if (!other.importer->joinsTrace || !experiment->trace || experiment->profile) {
            told.push_back(&other);
            continue;
        }
        const auto profile = readArchive(other, task);
        if (!profile && profile.error().cancelled()) return cancelled();
        auto joined = profile ? joinProfile(*experiment, *profile) : Unexpected(profile.error());
        if (joined) {
            experiment = std::move(*joined);
            continue;
        }
        obstacle = " (" + joined.error().message + ")";
        told.push_back(&other);
    }
    auto result = std::make_shared<Experiment>(*experiment);
    for (const ArchiveCandidate* other : told)
        result->report.add(IssueKind::UnsupportedRecord, shown(other->archive.filename()), "",
                           fmt::format("a {} in the same folder; open it by the path of one of its files{}",
                                       other->importer->title,
                                       other->importer->joinsTrace ? obstacle : std::string()));
    return result;
}

Result<FoundArchive> findArchive(const fs::path& asked, const Task& task)
{
    const fs::path path = withName(asked);
    if (auto error = refusalOf(path)) return Unexpected(std::move(*error));
    auto candidates = recognizeArchive(path, task);
    if (task.stopRequested()) return cancelled();
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    if (candidates.empty() && isAdios(path)) return adiosRefused(path);
    if (candidates.empty() && !folder)
        return fail(ErrorCode::NotRecognized,
                    fmt::format("{} is no archive of the known kinds: {}.", shown(path), titles()));
    if (candidates.empty()) {
        auto below = findBelow(path, task);
        if (!below) return Unexpected(std::move(below.error()));
        candidates.push_back(std::move(*below));
        addProfileBeside(candidates, task);
    }
    if (folder) preferNames(candidates, task);
    FoundArchive found{std::move(candidates.front()), {}};
    if (folder)
        found.others.assign(std::make_move_iterator(candidates.begin() + 1),
                            std::make_move_iterator(candidates.end()));
    return found;
}

Result<Experiment> readArchive(const ArchiveCandidate& archive, const Task& task)
{
    auto experiment = archive.importer->read(archive.archive, task);
    if (!experiment) return experiment;
    experiment->importer = archive.importer->id;
    if (experiment->trace) nameMetricLocations(*experiment->trace, experiment->definitions);
    if (experiment->trace || experiment->profile) reportGaps(experiment->definitions, experiment->report);
    return experiment;
}

Result<ExperimentPtr> openExperiment(const fs::path& path, const Task& task)
{
    try {
        return openFound(path, task);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("There is not enough memory to open {}.", shown(path)));
    } catch (const std::exception& error) {
        return fail(ErrorCode::Io,
                    fmt::format("{} cannot be opened: {}.", shown(path), toValidUtf8(error.what())));
    }
}

}  // namespace skein
