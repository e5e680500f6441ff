// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/version.h"

namespace skein::cli {

std::string_view version() { return SKEIN_VERSION; }

}  // namespace skein::cli
