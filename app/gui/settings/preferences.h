// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QString>

#include "app/gui/settings/appearance.h"
#include "core/base/presentation.h"
#include "core/index/disk/index_cache.h"
#include "views/common/view.h"

#include <cstdint>

namespace skein::gui {

/// What the user has chosen once and for all; kept in the settings of the program.
struct Preferences {
    Appearance appearance = Appearance::FollowSystem;
    ByteUnits bytes = ByteUnits::Binary;
    LongNames names = LongNames::Whole;
    ShiftWheel shiftWheel = ShiftWheel::RowHeight;
    std::uint64_t memoryLimit = 0;  ///< bytes; 0: none
    disk::IndexSettings index = disk::settingsFromEnvironment();
};

/// The least memory limit that can be chosen, in bytes: with less not even the libraries are content.
inline constexpr std::uint64_t kLeastMemoryLimit = std::uint64_t{128} << 20;

/// What is not in the settings, or damaged there, is as in Preferences{}. Environment variables of the index
/// win.
Preferences loadPreferences();
/// Writes what differs from Preferences{}.
void savePreferences(const Preferences& preferences);

}  // namespace skein::gui
