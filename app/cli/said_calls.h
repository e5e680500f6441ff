// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_verdicts.h"
#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace skein::cli {

/// What a session file says of the calls of its source number `source`: the verdicts that the user gave in
/// the window, of each call the last one. Errors: NotFound, AccessDenied, NotRecognized for a file that is no
/// session.
Result<std::vector<SaidOfCall>> readSaidCalls(const std::filesystem::path& file, std::size_t source);

}  // namespace skein::cli
