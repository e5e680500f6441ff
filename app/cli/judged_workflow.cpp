// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judged_workflow.h"

#include "app/cli/workflow_hand_overs.h"

namespace skein::cli {

std::vector<JudgedProgram> JudgedWorkflow::programs() const
{
    std::vector<JudgedProgram> all;
    for (std::size_t i = 0; i < found.size(); ++i)
        all.push_back({opened->session.experiments[i].get(), found[i] ? &*found[i] : nullptr});
    return all;
}

Result<JudgedWorkflow> judgedWorkflow(const OpenSession& opened, const AnomalyParams& params,
                                      const std::string& coupling, const Task& task)
{
    JudgedWorkflow workflow;
    workflow.opened = &opened;
    for (const ExperimentPtr& experiment : opened.session.experiments) {
        workflow.found.emplace_back();
        if (!experiment->trace) continue;
        auto found = findAnomalies(*experiment, params, task);
        if (!found) return tl::make_unexpected(found.error());
        workflow.found.back() = std::move(*found);
    }
    if (opened.single() && coupling.empty()) return workflow;
    auto handOvers = workflowHandOvers(opened, coupling, task);
    if (!handOvers) return tl::make_unexpected(handOvers.error());
    workflow.handOvers = std::move(*handOvers);
    return workflow;
}

}  // namespace skein::cli
