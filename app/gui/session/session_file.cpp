// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_file.h"

#include "app/gui/session/json_view.h"
#include "core/base/output_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <fmt/format.h>

namespace skein::gui {
namespace {

constexpr auto kFormat = "skein-session";
constexpr int kVersion = 1;
constexpr qint64 kLargestBytes = qint64{64} << 20;

using Json = nlohmann::json;

Json sourceToJson(const SessionSource& source, const QDir& folder)
{
    Json object{{"path", folder.relativeFilePath(source.path).toStdString()}};
    if (!source.hash.isEmpty()) object["hash"] = source.hash.toStdString();
    return object;
}

SessionSource sourceFrom(const JsonView& value, const QDir& folder)
{
    const QString path = QString::fromStdString(value["path"].text());
    return {path.isEmpty() ? path : QDir::cleanPath(folder.absoluteFilePath(path)),
            QString::fromStdString(value["hash"].text())};
}

Unexpected corrupt(const std::string& sentence, const std::string& context = {})
{
    return fail(ErrorCode::Malformed, sentence, context);
}

/// Errors: Malformed, with the line.
Result<Json> parsedJson(const QByteArray& text)
{
    try {
        return Result<Json>(tl::in_place, Json::parse(text.begin(), text.end()));
    } catch (const Json::exception& error) {
        const auto* const place = dynamic_cast<const Json::parse_error*>(&error);
        const auto read = static_cast<qsizetype>(place ? place->byte : 0);
        return corrupt("This is no JSON, or was cut off.",
                       fmt::format("line {}: {}", text.left(read).count('\n') + 1, error.what()));
    }
}

}  // namespace

bool isSessionFile(const QString& path) { return path.endsWith(".session.json", Qt::CaseInsensitive); }

QByteArray toJson(const SessionFile& session, const QString& folder)
{
    const QDir base(folder);
    Json sources = Json::array();
    for (const SessionSource& source : session.sources) sources.push_back(sourceToJson(source, base));
    Json root{{"format", kFormat},
              {"version", kVersion},
              {"sources", sources},
              {"clocks", session.clocks == SessionClocks::Corrected ? "corrected" : "recorded"},
              {"state", Json::object()}};
    if (!session.state.empty()) root["state"] = Json::parse(session.state, nullptr, false);
    if (!session.coupling.path.isEmpty()) root["coupling"] = sourceToJson(session.coupling, base);
    if (!session.layout.isEmpty()) root["layout"] = session.layout.toBase64().toStdString();
    return QByteArray::fromStdString(root.dump(4, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<SessionFile> parseSessionFile(const QByteArray& text, const QString& folder)
{
    const auto parsed = parsedJson(text);
    if (!parsed) return tl::make_unexpected(parsed.error());
    const JsonView root(*parsed);
    if (root["format"].text() != kFormat)
        return corrupt("This is JSON, but no session of Skein: it has no \"format\": \"skein-session\".");
    const std::int64_t version = root["version"].whole(-1);
    if (version > kVersion)
        return fail(ErrorCode::Unsupported,
                    fmt::format("This session is of a later version of Skein (format {}, this one knows {}).",
                                version, kVersion));
    if (version < 1) return corrupt("The \"version\" of this session is missing.");
    SessionFile session;
    const QDir base(folder);
    for (const JsonView& value : root["sources"].elements()) {
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
    if (root["clocks"].text() == "corrected") session.clocks = SessionClocks::Corrected;
    session.layout = QByteArray::fromBase64(QByteArray::fromStdString(root["layout"].text()));
    if (parsed->contains("state")) session.state = (*parsed)["state"].dump();
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
