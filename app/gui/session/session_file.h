// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/base/result.h"

#include <string>
#include <vector>

namespace skein::gui {

/// An archive, or a table of hand-overs, that a session was made of.
struct SessionSource {
    QString path;  ///< absolute; in the file relative to its folder where it is on the same disk
    QString hash;  ///< of sourceHash(); empty: not known
};

enum class SessionClocks { Recorded, Corrected };

/// What a *.session.json holds. docs/FORMATS.md describes it.
struct SessionFile {
    std::vector<SessionSource> sources;  ///< at least one; in the order of the experiments
    SessionSource coupling;              ///< path empty: none was named
    SessionClocks clocks = SessionClocks::Recorded;
    QByteArray layout;  ///< of DockHost; empty: leave it
    std::string state;  ///< JSON; see core/select/view_state.h; made and read by session_state.h
};

bool isSessionFile(const QString& path);

/// The text of a file that is to stand in `folder`.
QByteArray toJson(const SessionFile& session, const QString& folder);
/// Errors: Malformed (no JSON, with the line, or no session file), Unsupported (of a later version).
Result<SessionFile> parseSessionFile(const QByteArray& text, const QString& folder);

/// Replaces the file as a whole or not at all. Errors: those of writeFile().
Result<void> writeSessionFile(const QString& path, const SessionFile& session);
/// Errors: NotFound, Io, Unsupported (larger than 64 MiB), and those of parseSessionFile.
Result<SessionFile> readSessionFile(const QString& path);

}  // namespace skein::gui
