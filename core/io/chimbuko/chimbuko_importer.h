// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein::chimbuko {

/// Executions as Chimbuko's visualization gets them: JSON files of windows of time, each with completed calls
/// and their messages. A folder of them is one trace.
extern const Importer kExecutionsImporter;

}  // namespace skein::chimbuko
