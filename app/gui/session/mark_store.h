// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <QStringList>

#include <vector>

namespace skein::gui {

/// Keeps marks and notes from one start of the program to the next, by the archives they belong to. Those of
/// the last 100 sessions with marks are kept.
class MarkStore {
public:
    static std::vector<Mark> load(const QStringList& paths);
    /// No marks: forgets the session.
    static void save(const QStringList& paths, const std::vector<Mark>& marks);
};

}  // namespace skein::gui
