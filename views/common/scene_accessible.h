// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein {

/// From now on screen readers find every SceneView as a table of what can be read in it: SceneView's
/// readableRows(). Does nothing when called again.
void makeScenesAccessible();

}  // namespace skein
