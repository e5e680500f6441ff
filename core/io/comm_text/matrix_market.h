// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein::comm_text {

/// Matrix Market exchange files (Boisvert, Pozo, Remington 1996): coordinate and array, real, integer and
/// pattern, general, symmetric, skew-symmetric and hermitian. Row = sender, value = bytes; a pattern counts
/// messages.
extern const Importer kMatrixMarketImporter;

}  // namespace skein::comm_text
