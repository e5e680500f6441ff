// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace skein {

/// The property of an archive whose value is its machine's spec, where that is known and no Cartesian
/// topology can say it.
inline constexpr std::string_view kMachineProperty = "Machine (--topology)";

}  // namespace skein
