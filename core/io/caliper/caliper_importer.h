// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// Caliper's JSON in its split form ("json-split": data, columns, column_metadata, nodes).
extern const Importer kCaliperJsonImporter;

/// Caliper's native records (.cali), as profiles: records of one path are summed.
extern const Importer kCaliperImporter;

}  // namespace skein
