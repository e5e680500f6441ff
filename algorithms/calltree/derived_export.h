// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/metric_expression.h"
#include "algorithms/profile/tree_export.h"

#include <string>
#include <string_view>

namespace skein {

/// True where a text can only be a metric that is worked out of others: it has an operator, a function or an
/// ending, and the experiment has no metric of that name.
bool isExpressionOf(const Experiment& experiment, std::string_view text);

/// One value a call path, as text for other tools: Hatchet's literal, CSV or JSON with columns `value` and
/// `unit` in place of amounts. Errors: InvalidArgument with the character where the expression is wrong, and
/// for forms that want amounts that add up; those of measuredTable().
Result<std::string> exportDerived(const Experiment& experiment, const ProfilePart& part,
                                  std::string_view expression, TreeFormat format, const Task& task);

}  // namespace skein
