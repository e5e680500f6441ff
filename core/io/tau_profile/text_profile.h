// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/io/tau_profile/raw_profile.h"

#include <optional>
#include <string_view>

namespace skein::tau {

/// True when a file that begins like this is a text profile: "69 templated_functions_MULTI_TIME".
bool isTextProfile(std::string_view head);

/// Reads a profile.N.C.T file: one thread, one metric. Lines are recognised by what they are and not by the
/// counts that announce them; a line that cannot be read is skipped and reported with its number (from 1).
/// `file` is its name for the report. Linear in the size of the text. Returns nullopt after a stop request.
std::optional<RawProfile> parseTextProfile(std::string_view text, ThreadKey key, std::string_view file,
                                           const Task& task);

}  // namespace skein::tau
