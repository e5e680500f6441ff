// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// Folded stacks: "main;solve;dot 42" a line, as stackcollapse writes them from samples.
extern const Importer kFoldedImporter;

/// The JSON that pyinstrument writes (root_frame).
extern const Importer kPyinstrumentImporter;

/// The tree that timemory writes as JSON.
extern const Importer kTimemoryImporter;

}  // namespace skein
