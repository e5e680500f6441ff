// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;

namespace skein {

/// Qt paints all of a table, and of its header, when the pointer comes or goes, as soon as a style sheet has
/// a rule for what is under the pointer. From here on rows and titles under it are painted alone: over a
/// remote display every pixel counts. To be called once for a view.
void paintHoveredAlone(QAbstractItemView& view);

}  // namespace skein
