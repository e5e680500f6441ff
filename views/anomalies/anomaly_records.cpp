// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_records.h"

#include "algorithms/anomaly/provenance.h"
#include "core/base/output_file.h"
#include "views/common/scene/data/said_of_calls.h"

#include <fmt/format.h>

namespace skein {

Result<std::vector<std::filesystem::path>> saveProvenance(const SessionAnomalies& anomalies,
                                                          const std::vector<CallVerdict>& said,
                                                          VerdictUse use, const std::filesystem::path& file,
                                                          const Task& task)
{
    std::vector<std::filesystem::path> files;
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i) {
        if (!anomalies.found[i]) continue;
        if (task.stopRequested()) return cancelled();
        std::filesystem::path place = file;
        if (!files.empty())
            place.replace_filename(
                fmt::format("{}-{}{}", file.stem().string(), files.size() + 1, file.extension().string()));
        const Experiment& experiment = *anomalies.session->experiments[i];
        const FoundAnomalies& found = *anomalies.found[i];
        const CallVerdicts verdicts(experiment, found, saidOfCalls(said, i),
                                    use == VerdictUse::Teach ? Teaching::Limits : Teaching::None);
        if (const auto written = writeFile(place, provenanceJson(experiment, found, {}, verdicts)); !written)
            return tl::make_unexpected(written.error());
        files.push_back(std::move(place));
    }
    return files;
}

}  // namespace skein
