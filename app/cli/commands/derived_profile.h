// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/open_session.h"

#include <cstddef>
#include <string>

namespace skein::cli {

/// `profile --metric` of a metric that is worked out of others.
struct DerivedProfileOptions {
    std::string expression;
    std::string window;
    bool byRegion = true;
    std::size_t top = 0;  ///< 0: all
    Format format = Format::Table;
};

/// True where the text can only be an expression: it has an operator, a function or an ending, and no
/// experiment has a metric of that name.
bool isDerivedMetric(const OpenSession& opened, const std::string& text);

/// A row a region, the greatest value first, or a row a call path in preorder. Errors: InvalidArgument with
/// the character where the expression is wrong; those of summing up.
Result<ExitCode> printDerivedProfile(const OpenSession& opened, const DerivedProfileOptions& options,
                                     const Invocation& invocation);

}  // namespace skein::cli
