// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Qt's words are macros of lower case that are also names in core: Placement::slots(), MapHost::slots. The
/// widgets say Q_SIGNALS, Q_SLOTS and Q_EMIT. Include this after Qt's headers and before those that use the
/// words as names.
#include <qobjectdefs.h>

#undef emit
#undef signals
#undef slots
