// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/io/tau_profile/raw_profile.h"

#include <optional>
#include <string_view>

namespace skein::tau {

/// True when a file that begins like this is a merged profile or a snapshot: `<profile_xml>`.
bool isXmlProfile(std::string_view head);

/// True for a merged profile, which holds all threads; false for a snapshot file, which holds one.
bool isMergedProfile(std::string_view head);

/// Reads tauprofile.xml and snapshot.N.C.T. Several snapshots of one thread are laid over each other: the
/// newest value of each row counts. Elements that are not known are skipped. Linear in the size of the text.
/// Returns nullopt after a stop request.
std::optional<RawProfile> parseXmlProfile(std::string_view text, std::string_view file, const Task& task);

}  // namespace skein::tau
