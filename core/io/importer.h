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

/// Reads one family of archives. Plain functions in a table: nothing registers itself.
struct Importer {
    std::string_view id;     ///< "otf2", "tau-profile" … for the command line
    std::string_view title;  ///< "OTF2 trace" … for the user
    /// Looks at the content of `path` (a file or a folder) and gives the path that `read` wants when it is, or belongs
    /// to, an archive of this family. Must be quick, must not trust names alone, and must not fail.
    std::optional<std::filesystem::path> (*sniff)(const std::filesystem::path& path);
    /// Reads the archive. What is wrong inside goes into the experiment's report; only what cannot be shown at all
    /// is an Error. The same archive gives the same bits for any number of threads.
    Result<Experiment> (*read)(const std::filesystem::path& path, const Task& task);
};

/// Every importer of the program, in alphabetical order of their ids.
std::span<const Importer> builtinImporters();

/// Opens whatever `path` is: asks every importer, then, for a folder, looks for the one archive inside it.
/// Errors: NotFound, AccessDenied, NotRecognized (names what was tried; lists the archives where there are several),
/// Cancelled, and those of the importer.
Result<ExperimentPtr> openExperiment(const std::filesystem::path& path, const Task& task);

}  // namespace skein
