// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/hand_over_causes.h"
#include "app/cli/open_session.h"

#include <optional>
#include <string>
#include <vector>

namespace skein::cli {

/// The programs of a workflow, what was found in them and what they handed over. Of one archive: just that.
struct JudgedWorkflow {
    const OpenSession* opened = nullptr;
    std::vector<std::optional<FoundAnomalies>> found;  ///< by experiment; nothing for a profile
    std::vector<HandOver> handOvers;

    /// Refers to this.
    std::vector<JudgedProgram> programs() const;
};

/// Judges each archive; `coupling` as workflowHandOvers() takes it, which is asked where there are several.
/// Errors: those of findAnomalies() and workflowHandOvers().
Result<JudgedWorkflow> judgedWorkflow(const OpenSession& opened, const AnomalyParams& params,
                                      const std::string& coupling, const Task& task);

}  // namespace skein::cli
