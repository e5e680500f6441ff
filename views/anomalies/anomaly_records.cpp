// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_records.h"

#include "algorithms/anomaly/provenance.h"
#include "core/base/output_file.h"
#include "views/common/scene/data/said_of_calls.h"

#include <fmt/format.h>

namespace skein {
namespace {

std::filesystem::path placeOfRecords(const std::filesystem::path& file, std::size_t number)
{
    std::filesystem::path place = file;
    if (number > 0)
        place.replace_filename(
            fmt::format("{}-{}{}", file.stem().string(), number + 1, file.extension().string()));
    return place;
}

/// Whoever asked for the records was asked about `file` alone.
Result<void> siblingsAreFree(const SessionAnomalies& anomalies, const std::filesystem::path& file)
{
    std::size_t number = 0;
    for (const auto& found : anomalies.found) {
        if (!found) continue;
        const std::filesystem::path place = placeOfRecords(file, number++);
        std::error_code unknown;
        if (number > 1 && std::filesystem::exists(place, unknown))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} exists; nothing was saved. Choose another name, or remove it first.",
                                    place.string()));
    }
    return {};
}

}  // namespace

Result<std::vector<std::filesystem::path>> saveProvenance(const SessionAnomalies& anomalies,
                                                          const std::vector<CallVerdict>& said,
                                                          VerdictUse use, const std::filesystem::path& file,
                                                          const Task& task)
{
    if (const auto free = siblingsAreFree(anomalies, file); !free) return tl::make_unexpected(free.error());
    std::vector<std::filesystem::path> files;
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i) {
        if (!anomalies.found[i]) continue;
        if (task.stopRequested()) return cancelled();
        std::filesystem::path place = placeOfRecords(file, files.size());
        const Experiment& experiment = *anomalies.session->experiments[i];
        const FoundAnomalies& found = *anomalies.found[i];
        const CallVerdicts verdicts(experiment, found, saidOfCalls(said, i),
                                    use == VerdictUse::Teach ? Teaching::Limits : Teaching::None);
        const std::string records = provenanceJson(experiment, found, {}, verdicts, task);
        if (task.stopRequested()) return cancelled();
        if (const auto written = writeFile(place, records); !written)
            return tl::make_unexpected(written.error());
        files.push_back(std::move(place));
    }
    return files;
}

}  // namespace skein
