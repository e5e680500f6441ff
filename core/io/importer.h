// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace skein {

/// What an archive tells, the most telling first: a folder that holds several kinds opens as the first of
/// them.
enum class ArchiveKind { Trace, Profile, Communication };

/// Reads one family of archives. Plain functions in a table: nothing registers itself.
struct Importer {
    std::string_view id;     ///< "otf2", "tau-profile" … for the command line
    std::string_view title;  ///< "OTF2 trace" … for the user
    /// Looks at the content of `path` (a file or a folder) and gives the path that `read` wants when it is,
    /// or belongs to, an archive of this family; nullopt after a stop request. Must be quick, must not trust
    /// names alone, must not fail.
    std::optional<std::filesystem::path> (*sniff)(const std::filesystem::path& path, const Task& task);
    /// Reads the archive. What is wrong inside goes into the experiment's report; only what cannot be shown
    /// at all is an Error. The same archive gives the same bits for any number of threads.
    Result<Experiment> (*read)(const std::filesystem::path& path, const Task& task);
    ArchiveKind kind = ArchiveKind::Trace;
    /// True for a folder's archive that tells less than a profile beside it: no event of it has a name. Null
    /// where that cannot be.
    bool (*tellsLess)(const std::filesystem::path& archive, const Task& task) = nullptr;
    /// True for profiles that a measurement writes into the folder of its trace: both open together.
    bool joinsTrace = false;
    /// False for archives that open as fast without an index of their own.
    bool indexed = true;
};

/// Every importer of the program, in alphabetical order of their ids.
std::span<const Importer> builtinImporters();

/// Why a path cannot be opened, whatever is in it: NotFound, AccessDenied, Unsupported (no file and no
/// folder), NotRecognized (an empty file). nullopt where it may be an archive. Opens nothing.
std::optional<Error> refusalOf(const std::filesystem::path& path);

/// Opens whatever `path` is.
/// * A file or folder that an importer knows is opened with it. A folder with a trace and a profile opens as
///   the trace, which tells more (but for a trace without any names beside a complete profile), with the
///   profile beside it where one measurement writes both; the report names what else is there, to be opened
///   by the path of one of its files.
/// * A folder that is none itself opens as the one archive below it, see searchArchives; files of
///   communication count only where there is nothing else. Several archives are an error that lists them.
/// * Pipes, devices and sockets are refused without being opened.
/// Errors: NotFound, AccessDenied, NotRecognized (no archive, or several), Unsupported (no file and no
/// folder), OutOfMemory, Cancelled, and those of the importer.
Result<ExperimentPtr> openExperiment(const std::filesystem::path& path, const Task& task);

}  // namespace skein
