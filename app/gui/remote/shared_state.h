// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// What a window and a script tell each other about a session, as JSON; docs/WINDOW_SOCKET.md describes it.
/// Everything that comes from outside may be anything: what is wrong is one sentence.
namespace skein::gui {

/// The parts of the state that scripts can ask for: span, marked, selection, metric, tree.
nlohmann::json sharedState(const ViewState& state, const Session& session);

/// The state with the parts that the JSON names; what it does not name stays. Errors: InvalidArgument for
/// what is of another kind, or is not in the session.
Result<ViewState> withShared(ViewState state, const nlohmann::json& wanted, const Session& session);

/// Which of the shared parts are among these: "span", "marked", "selection", "metric", "tree".
std::vector<std::string> namesOfShared(ViewParts parts);

/// Amounts of a metric that a script has worked out, one a call path.
struct SharedMetric {
    std::uint32_t experiment = 0;
    std::string name;
    std::string unit;
    std::vector<std::uint32_t> callPaths;
    std::vector<double> values;  ///< exclusive: views add up what is below
};

/// Errors: InvalidArgument.
Result<std::vector<SharedMetric>> sharedMetrics(const nlohmann::json& request, const Session& session);

/// The session with these metrics beside those that were measured: on the first location that met the call
/// path. A metric of a name that scripts gave before is replaced. Long work. Errors: InvalidArgument where a
/// metric of the archive has the name; those of profileOf().
Result<SessionPtr> withMetrics(const Session& session, const std::vector<SharedMetric>& metrics,
                               const Task& task);

/// The query that finds what the state's prunes leave of the call tree, and whether it finds nothing else.
struct PrunedQuery {
    std::string text;
    bool exact = true;
};
/// Long work. Errors: those of makeCallTreeRows().
Result<PrunedQuery> queryOfPruned(const SessionPtr& session, const ViewState& state, const Task& task);

}  // namespace skein::gui
