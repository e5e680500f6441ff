// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace skein {

/// An archive and who reads it.
struct ArchiveCandidate {
    const Importer* importer = nullptr;
    std::filesystem::path archive;
};

/// Every importer that knows the path, the kind that tells most first and then in the order of the list.
/// Incomplete after a stop request.
std::vector<ArchiveCandidate> recognizeArchive(const std::filesystem::path& path, const Task& task);

/// What a path leads to, and what else lies in the same folder.
struct FoundArchive {
    ArchiveCandidate chosen;
    std::vector<ArchiveCandidate> others;
};

/// The archive that openExperiment reads for a path. Errors: as there, but for those of reading.
Result<FoundArchive> findArchive(const std::filesystem::path& path, const Task& task);

/// Reads a found archive. Errors: those of its importer.
Result<Experiment> readArchive(const ArchiveCandidate& archive, const Task& task);

/// The experiment of the chosen archive with what else lies in the folder: a profile that joins the trace is
/// read and joined, the rest is reported. Errors: Cancelled.
Result<ExperimentPtr> withOthers(ExperimentPtr experiment, const FoundArchive& found, const Task& task);

struct ArchiveSearch {
    std::vector<ArchiveCandidate> found;  ///< by path; at most one entry a path
    bool complete = true;                 ///< false: a limit was reached before everything was looked at
};

/// Looks for archives below a folder that is none itself: at most 4 levels deep, at 20 000 entries and at the
/// contents of 2 000 files, empty ones not counted. Folders that are archives are not descended into,
/// symbolic links to folders are not followed. nullopt after a stop request.
std::optional<ArchiveSearch> searchArchives(const std::filesystem::path& folder, const Task& task);

}  // namespace skein
