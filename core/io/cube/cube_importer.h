// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// Profiles of Score-P and Scalasca: `.cubex` files of Cube 4, from the file, or from the folder that holds
/// one. Values are read when they are asked for; the import looks at each once, in bounded memory.
extern const Importer kCubeImporter;

}  // namespace skein
