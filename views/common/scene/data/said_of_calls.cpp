// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/said_of_calls.h"

namespace skein {

std::vector<SaidOfCall> saidOfCalls(const std::vector<CallVerdict>& verdicts, std::uint32_t experiment)
{
    std::vector<SaidOfCall> said;
    for (const CallVerdict& each : verdicts)
        if (each.call.experiment == experiment)
            said.push_back(
                {each.call.location, each.call.index,
                 each.kind == CallVerdict::Kind::Anomaly ? AnomalyLabel::Anomaly : AnomalyLabel::Normal});
    return said;
}

}  // namespace skein
