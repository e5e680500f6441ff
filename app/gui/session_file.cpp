// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_file.h"

#include "core/base/output_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <fmt/format.h>

namespace skein::gui {
namespace {

constexpr auto kFormat = "skein-session";
constexpr int kVersion = 1;
constexpr qint64 kLargestBytes = qint64{64} << 20;

QJsonObject sourceToJson(const SessionSource& source, const QDir& folder)
{
    QJsonObject object{{"path", folder.relativeFilePath(source.path)}};
    if (!source.hash.isEmpty()) object.insert("hash", source.hash);
    return object;
}

SessionSource sourceFrom(const QJsonValue& value, const QDir& folder)
{
    const QString path = value["path"].toString();
    return {path.isEmpty() ? path : QDir::cleanPath(folder.absoluteFilePath(path)), value["hash"].toString()};
}

Unexpected corrupt(const std::string& sentence, const std::string& context = {})
{
    return fail(ErrorCode::Malformed, sentence, context);
}

}  // namespace

bool isSessionFile(const QString& path) { return path.endsWith(".session.json", Qt::CaseInsensitive); }

QByteArray toJson(const SessionFile& session, const QString& folder)
{
    const QDir base(folder);
    QJsonArray sources;
    for (const SessionSource& source : session.sources) sources.push_back(sourceToJson(source, base));
    QJsonObject root{{"format", kFormat},
                     {"version", kVersion},
                     {"sources", sources},
                     {"clocks", session.clocks == SessionClocks::Corrected ? "corrected" : "recorded"},
                     {"state", session.state}};
    if (!session.coupling.path.isEmpty()) root.insert("coupling", sourceToJson(session.coupling, base));
    if (!session.layout.isEmpty()) root.insert("layout", QString::fromLatin1(session.layout.toBase64()));
    return QJsonDocument(root).toJson();
}

Result<SessionFile> parseSessionFile(const QByteArray& text, const QString& folder)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError)
        return corrupt("This is no JSON, or was cut off.",
                       fmt::format("line {}: {}", text.left(error.offset).count('\n') + 1,
                                   error.errorString().toStdString()));
    const QJsonObject root = document.object();
    if (root["format"].toString() != kFormat)
        return corrupt("This is JSON, but no session of Skein: it has no \"format\": \"skein-session\".");
    const int version = root["version"].toInt(-1);
    if (version > kVersion)
        return fail(ErrorCode::Unsupported,
                    fmt::format("This session is of a later version of Skein (format {}, this one knows {}).",
                                version, kVersion));
    if (version < 1) return corrupt("The \"version\" of this session is missing.");
    SessionFile session;
    const QDir base(folder);
    for (const QJsonValue& value : root["sources"].toArray()) {
        session.sources.push_back(sourceFrom(value, base));
        if (session.sources.back().path.isEmpty())
            return corrupt(fmt::format("Source {} of this session has no \"path\".", session.sources.size()));
        // One that named itself would be opened for ever.
        if (isSessionFile(session.sources.back().path))
            return corrupt(
                fmt::format("Source {} of this session is a session itself; a session names archives.",
                            session.sources.size()));
    }
    if (session.sources.empty())
        return corrupt("This session names no archives: \"sources\" is missing or empty.");
    session.coupling = sourceFrom(root["coupling"], base);
    if (root["clocks"].toString() == "corrected") session.clocks = SessionClocks::Corrected;
    session.layout = QByteArray::fromBase64(root["layout"].toString().toLatin1());
    session.state = root["state"].toObject();
    return session;
}

Result<void> writeSessionFile(const QString& path, const SessionFile& session)
{
    const QByteArray text = toJson(session, QFileInfo(path).absolutePath());
    return writeFile(path.toStdString(), std::string_view(text.constData(), text.size()));
}

Result<SessionFile> readSessionFile(const QString& path)
{
    QFile file(path);
    if (!file.exists()) return fail(ErrorCode::NotFound, "There is no such file.");
    if (file.size() > kLargestBytes)
        return fail(ErrorCode::Unsupported, "A session file of more than 64 MiB is none.");
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::Io, "The session file cannot be read.", file.errorString().toStdString());
    return parseSessionFile(file.readAll(), QFileInfo(path).absolutePath());
}

}  // namespace skein::gui
