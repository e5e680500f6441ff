// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/source_opener.h"

#include "views/common/utf8_text.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace skein {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("SourceOpener", text); }

bool isOneOf(const QString& name, std::initializer_list<const char*> names)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const char* one) { return name == QLatin1String(one); });
}

QString terminalProgram()
{
    for (const QString& name : {qEnvironmentVariable("TERMINAL"), QString("x-terminal-emulator"),
                                QString("konsole"), QString("gnome-terminal"), QString("xterm")})
        if (!name.isEmpty() && !QStandardPaths::findExecutable(name).isEmpty()) return name;
    return {};
}

/// As the archive names it, or the file of its name in a folder that is at hand; empty: not here.
QString sourceHere(const Session& session, RegionRef region, const QString& file)
{
    const QFileInfo named(file);
    if (named.isFile()) return named.absoluteFilePath();
    const QFileInfo archive(toQString(session.experiments[region.experiment]->path.string()));
    for (const QString& folder : {archive.isDir() ? archive.filePath() : archive.path(), QString(".")})
        for (const QString& name : {file, named.fileName()}) {
            const QFileInfo found(folder + "/" + name);
            if (found.isFile()) return found.absoluteFilePath();
        }
    return {};
}

}  // namespace

QStringList editorCommand(const QString& editor, const QString& terminal, const QString& file,
                          std::uint32_t line)
{
    QStringList words = QProcess::splitCommand(editor);
    if (words.isEmpty()) return {};
    const QString name = QFileInfo(words.front()).fileName();
    const QString number = QString::number(line);
    if (line == 0) words << file;
    else if (isOneOf(name, {"code", "codium", "code-insiders"})) words << "--goto" << file + ":" + number;
    else if (isOneOf(name, {"subl", "hx", "zed"})) words << file + ":" + number;
    else if (isOneOf(name, {"kate", "kwrite"})) words << "--line" << number << file;
    else if (isOneOf(name, {"clion", "idea"})) words << "--line" << number << file;
    else words << "+" + number << file;
    const bool inTerminal =
        isOneOf(name, {"vi", "vim", "nvim", "nano", "pico", "micro", "hx", "ed", "joe", "ne"})
        || (name == "emacs" && words.contains("-nw"));
    if (!inTerminal || terminal.isEmpty()) return words;
    const bool dashes = QFileInfo(terminal).fileName() == "gnome-terminal";
    return QStringList{terminal, dashes ? "--" : "-e"} + words;
}

QString openSourceOf(const Session& session, RegionRef region)
{
    const bool known = region.valid() && region.experiment < session.experiments.size()
        && region.id.index() < session.experiments[region.experiment]->definitions.regions.size();
    if (!known) return translated("Select a call to open its source.");
    const Region& definition = session.experiments[region.experiment]->definitions.region(region.id);
    if (definition.sourceFile.empty())
        return translated("The archive does not say where the source of this call is.");
    const QString file = toQString(definition.sourceFile);
    const QString place = QString("%1:%2").arg(file).arg(definition.beginLine);
    const QString here = sourceHere(session, region, file);
    if (here.isEmpty()) {
        QApplication::clipboard()->setText(place);
        return translated("%1 is not on this machine; its place is in the clipboard.").arg(place);
    }
    const QString editor = qEnvironmentVariable("VISUAL", qEnvironmentVariable("EDITOR"));
    QStringList command = editorCommand(editor, terminalProgram(), here, definition.beginLine);
    if (!command.isEmpty()) {
        const QString program = command.takeFirst();
        if (QProcess::startDetached(program, command)) return translated("Opened %1.").arg(place);
        return translated("The editor %1 cannot be started.").arg(program);
    }
    if (QDesktopServices::openUrl(QUrl::fromLocalFile(here)))
        return translated("Opened %1 (set $EDITOR to open it at its line).").arg(place);
    return translated("Set $EDITOR to an editor to open %1.").arg(place);
}

}  // namespace skein
