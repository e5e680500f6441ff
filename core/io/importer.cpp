// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/importer.h"

#include <fmt/format.h>

namespace skein {
namespace {

namespace fs = std::filesystem;

struct Candidate {
    const Importer* importer = nullptr;
    fs::path archive;
};

std::optional<Candidate> recognize(const fs::path& path)
{
    for (const Importer& importer : builtinImporters())
        if (auto archive = importer.sniff(path)) return Candidate{&importer, *archive};
    return std::nullopt;
}

}  // namespace

Result<ExperimentPtr> openExperiment(const fs::path& path, const Task& task)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorCode::NotFound, fmt::format("There is no file or folder {}.", path.string()));
    if (error) return fail(ErrorCode::AccessDenied, fmt::format("{} cannot be opened: {}.", path.string(), error.message()));
    const auto found = recognize(path);
    if (!found) return fail(ErrorCode::NotRecognized, fmt::format("{} is no archive that Skein knows.", path.string()));
    auto experiment = found->importer->read(found->archive, task);
    if (!experiment) return tl::make_unexpected(std::move(experiment.error()));
    experiment->importer = found->importer->id;
    return std::make_shared<const Experiment>(std::move(*experiment));
}

}  // namespace skein
