// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// HPCToolkit databases of experiment.xml and metric-db files (its versions 3 and 4 before 2022).
extern const Importer kHpctoolkitImporter;

}  // namespace skein
