// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/references.h"
#include "core/session/experiment.h"

#include <QString>
#include <QStringList>

#include <cstdint>

namespace skein {

/// The words that start an editor at a line: `editor` as $VISUAL or $EDITOR has it, perhaps with arguments.
/// Editors that are known take the line in their way, others as `+LINE`, as most do. Those that need a
/// terminal are started in `terminal`; empty: in none.
QStringList editorCommand(const QString& editor, const QString& terminal, const QString& file,
                          std::uint32_t line);

/// Opens the source of a region in $VISUAL, else $EDITOR, else what the desktop opens such files with. Looked
/// for as the archive names it, then beside the archive and in the working folder. Gives a sentence about
/// what was done or why it was not; where the file is not here its place is in the clipboard.
QString openSourceOf(const Session& session, RegionRef region);

}  // namespace skein
