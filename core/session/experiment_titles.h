// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <string>
#include <vector>

namespace skein {

/// How each experiment of the session is called in titles: by its name, with as many folders of its path
/// before it as tell it from the others. Names that say only what it is ("trace-otf2", "profile") get one
/// folder in any case.
std::vector<std::string> experimentTitles(const Session& session);

}  // namespace skein
