// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/clock_correction.h"

#include "algorithms/timeline/correct_clocks.h"
#include "core/index/trace_summary.h"

namespace skein::gui {

Result<ClockEstimates> estimateClocks(const Session& session, const Task& task)
{
    ClockEstimates estimates(session.experiments.size());
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        if (!session.experiments[i]->trace) continue;
        auto offsets = clockOffsetsOf(*session.experiments[i], task);
        if (!offsets) return tl::make_unexpected(offsets.error());
        estimates[i] = std::move(*offsets);
    }
    return estimates;
}

Result<Session> correctAll(const Session& session, const ClockEstimates& estimates, const Task& task)
{
    Session result;
    const auto count = static_cast<double>(session.experiments.size());
    for (std::size_t i = 0; i < session.experiments.size(); ++i) {
        const auto at = static_cast<double>(i);
        if (!estimates[i] || !estimates[i]->needed()) {
            result.experiments.push_back(session.experiments[i]);
            continue;
        }
        auto corrected =
            correctClocks(*session.experiments[i], *estimates[i], task.part(at / count, (at + 1) / count));
        if (!corrected) return tl::make_unexpected(corrected.error());
        result.experiments.push_back(std::make_shared<const Experiment>(std::move(*corrected)));
    }
    return result;
}

}  // namespace skein::gui
