// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/tree/derived_column.h"

#include <QString>

namespace skein {

/// "time.inc / calls", with its unit where cells do not have it.
QString derivedTitle(const DerivedColumn& column);
/// What the column is, or why it is empty.
QString derivedHint(const DerivedColumn& column);

}  // namespace skein
