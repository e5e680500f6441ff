// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/remote/window_server.h"

#include "app/gui/remote/shared_state.h"
#include "app/gui/session/session_file.h"
#include "app/gui/session/session_loader.h"
#include "core/base/output_file.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QApplication>
#include <QDir>
#include <QLocalSocket>
#include <QRandomGenerator>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::gui {
namespace {

using Json = nlohmann::json;

constexpr int kDeepestRequest = 16;

/// Deeper values are left out: copies and texts of them would need a deep stack.
Json messageOf(const std::string& line)
{
    return Json::parse(
        line, [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepestRequest; }, false);
}

/// What was thrown nowhere is text that is no UTF-8: it is replaced.
std::string lineOf(const Json& message)
{
    return message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string newToken()
{
    std::string token;
    for (int word = 0; word < 4; ++word)
        token += fmt::format("{:016x}", QRandomGenerator::system()->generate64());
    return token;
}

/// In the same time wherever they differ.
bool sameToken(const std::string& given, const std::string& token)
{
    if (given.size() != token.size()) return false;
    unsigned differing = 0;
    for (std::size_t i = 0; i < token.size(); ++i)
        differing |= static_cast<unsigned>(given[i]) ^ static_cast<unsigned>(token[i]);
    return differing == 0;
}

bool isOfThisUser(const QLocalSocket& socket)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    const int descriptor = static_cast<int>(socket.socketDescriptor());
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

/// Who may write where a folder lies can put another one in its place.
Result<void> checkPlaceOf(const std::string& folder, const std::string& parent)
{
    struct stat status {};
    if (stat(parent.c_str(), &status) != 0)
        return fail(ErrorCode::Io, "The folder " + folder + " for the window's socket cannot be made.");
    const bool trusted = status.st_uid == getuid() || status.st_uid == 0;
    const bool shared = (status.st_mode & 0022) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (!trusted || shared)
        return fail(ErrorCode::AccessDenied,
                    "Others can replace folders in " + parent + ": no script can be let in there.");
    return {};
}

Result<void> makePrivateFolder(const std::string& folder)
{
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::path(folder).parent_path();
    std::filesystem::create_directories(parent.parent_path(), ignored);
    mkdir(parent.c_str(), 0700);
    if (auto placed = checkPlaceOf(folder, parent.string()); !placed) return placed;
    mkdir(folder.c_str(), 0700);
    struct stat status {};
    if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return fail(ErrorCode::Io, "The folder " + folder + " for the window's socket cannot be made.");
    if (status.st_uid != getuid() || (status.st_mode & 0077) != 0)
        return fail(ErrorCode::AccessDenied,
                    "The folder " + folder + " is open to others: no script can be let in there.");
    return {};
}

/// What killed windows have left behind.
void removeStale(const std::string& folder)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("window-")) continue;
        const long pid = std::strtol(name.c_str() + 7, nullptr, 10);
        if (pid > 0 && kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)
            std::filesystem::remove(entry.path(), ignored);
    }
}

/// Whether what is open is what was wanted. A session file names its archives itself, and a table of
/// hand-overs is opened beside those that are open.
bool isOpen(const QStringList& wanted, const SessionLoader& loader)
{
    if (loader.loading() || !loader.session()) return false;
    if (wanted.size() == 1 && isSessionFile(wanted.front())) return true;
    const QString& coupling = loader.couplingFile();
    if (!coupling.isEmpty() && wanted.contains(QDir::cleanPath(coupling))) return true;
    return std::ranges::all_of(loader.paths(), [&](const QString& path) { return wanted.contains(path); });
}

/// Counts an answer as long as somebody may give it.
class WaitingAnswer {
public:
    explicit WaitingAnswer(std::shared_ptr<std::size_t> count) : count_(std::move(count)) { ++*count_; }
    ~WaitingAnswer() { --*count_; }
    WaitingAnswer(const WaitingAnswer&) = delete;
    WaitingAnswer& operator=(const WaitingAnswer&) = delete;

private:
    std::shared_ptr<std::size_t> count_;
};

/// Problems of all together name no path.
bool areOf(const QStringList& wanted, const std::vector<Problem>& problems)
{
    if (wanted.size() == 1 && isSessionFile(wanted.front())) return true;
    return std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.path.isEmpty() || wanted.contains(problem.path)
            || wanted.contains(QDir::cleanPath(problem.path));
    });
}

Json textField(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found == object.end() ? Json() : *found;
}

}  // namespace

/// One script that is connected.
struct WindowServer::Client {
    QPointer<QLocalSocket> socket;
    std::string waiting;       ///< of a line whose end has not come
    std::size_t searched = 0;  ///< bytes of it that are known to have no end
    bool greeted = false;
    bool listens = false;
    std::shared_ptr<std::size_t> unanswered =
        std::make_shared<std::size_t>(0);  ///< answers that it waits for
};

WindowServer::WindowServer(const Parts& parts) : QObject(&parts.window), parts_(parts)
{
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&server_, &QLocalServer::newConnection, this, &WindowServer::accept);
    connect(&parts_.selection, &SelectionModel::changed, this, &WindowServer::announce);
    connect(&parts_.loader, &SessionLoader::sessionChanged, this, &WindowServer::describe);
}

WindowServer::~WindowServer()
{
    if (!addressFile_.empty()) unlink(addressFile_.c_str());
    for (const auto& client : clients_)
        if (client->socket) client->socket->disconnect(this);
}

std::string WindowServer::runtimeFolder()
{
    const char* given = std::getenv("XDG_RUNTIME_DIR");
    if (given && *given) return std::string(given) + "/skein";
    return "/tmp/runtime-" + std::to_string(getuid()) + "/skein";
}

Result<void> WindowServer::listen(const std::string& folder)
{
    if (auto made = makePrivateFolder(folder); !made) return made;
    removeStale(folder);
    const std::string base = fmt::format("{}/window-{}", folder, getpid());
    unlink((base + ".sock").c_str());
    if (!server_.listen(QString::fromStdString(base + ".sock")))
        return fail(ErrorCode::Io, "The socket " + base + ".sock cannot be made.",
                    server_.errorString().toStdString());
    token_ = newToken();
    addressFile_ = base + ".json";
    describe();
    return {};
}

/// Scripts read the file while it is written: it is replaced as a whole.
void WindowServer::writeAddress(const std::string& text)
{
    const std::string part = addressFile_ + ".part";
    const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
    if (!written || std::rename(part.c_str(), addressFile_.c_str()) != 0) unlink(part.c_str());
}

void WindowServer::describe()
{
    if (addressFile_.empty()) return;
    Json address = whatIsOpen();
    address["skein"] = kVersion;
    address["pid"] = getpid();
    address["socket"] = server_.fullServerName().toStdString();
    address["token"] = token_;
    writeAddress(lineOf(address));
    for (const auto& client : clients_)
        if (client->listens) {
            Json event = whatIsOpen();
            event["event"] = "session";
            tell(client->socket, event);
        }
}

Json WindowServer::whatIsOpen() const
{
    Json paths = Json::array();
    for (const QString& path : parts_.loader.paths()) {
        std::error_code ignored;
        paths.push_back(std::filesystem::weakly_canonical(path.toStdString(), ignored).string());
    }
    return {{"paths", paths}, {"loading", parts_.loader.loading()}};
}

void WindowServer::accept()
{
    while (QLocalSocket* const socket = server_.nextPendingConnection()) {
        clients_.push_back(std::make_unique<Client>());
        Client* const client = clients_.back().get();
        client->socket = socket;
        if (!isOfThisUser(*socket)) {
            close(*client, "This window belongs to another user.");
            continue;
        }
        connect(socket, &QLocalSocket::readyRead, this, [this, client] { read(*client); });
        // Later: it may come while all clients are told something.
        connect(
            socket, &QLocalSocket::disconnected, this, [this, socket] { forget(socket); },
            Qt::QueuedConnection);
        read(*client);
    }
}

void WindowServer::forget(QLocalSocket* socket)
{
    socket->disconnect(this);  // what it has read still must not reach a client that is gone
    std::erase_if(clients_, [socket](const auto& client) { return client->socket == socket; });
    socket->deleteLater();
}

void WindowServer::close(Client& client, const std::string& sentence)
{
    tell(client.socket, {{"ok", false}, {"error", sentence}});
    client.greeted = false;
    client.waiting.clear();
    client.searched = 0;
    client.socket->disconnect(this);
    QLocalSocket* const socket = client.socket;
    socket->flush();
    socket->disconnectFromServer();
    QMetaObject::invokeMethod(
        this, [this, socket] { forget(socket); }, Qt::QueuedConnection);
}

void WindowServer::read(Client& client)
{
    const QPointer<QLocalSocket> socket = client.socket;
    const QByteArray bytes = socket->readAll();
    client.waiting.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    std::size_t from = 0;
    for (std::size_t end;
         (end = client.waiting.find('\n', std::max(from, client.searched))) != std::string::npos;
         from = end + 1) {
        if (end - from > longestLineOf(client)) return close(client, "This line is too long.");
        const std::string line = client.waiting.substr(from, end - from);
        hear(client, line);
        if (!socket || socket->state() != QLocalSocket::ConnectedState) return;
    }
    client.waiting.erase(0, from);
    client.searched = client.waiting.size();
    if (client.waiting.size() > longestLineOf(client)) close(client, "This line is too long.");
}

/// Nobody may fill the memory who has not said the token.
std::size_t WindowServer::longestLineOf(const Client& client)
{
    constexpr std::size_t kLongestGreeting = 4096;
    return client.greeted ? static_cast<std::size_t>(kLongestLine) : kLongestGreeting;
}

void WindowServer::hear(Client& client, const std::string& line)
{
    const Json message = messageOf(line);
    if (!message.is_object()) return close(client, "A line is one JSON object.");
    if (client.greeted) serve(client, message);
    else greet(client, message);
}

void WindowServer::greet(Client& client, const Json& hello)
{
    const Json token = textField(hello, "token"), version = textField(hello, "skein");
    if (!token.is_string() || !sameToken(token.get<std::string>(), token_))
        return close(client, "The token is not that of this window.");
    if (version != Json(kVersion))
        return close(client, fmt::format("This window speaks version {} of its protocol.", kVersion));
    client.greeted = true;
    Json welcome = whatIsOpen();
    welcome["skein"] = kVersion;
    welcome["ok"] = true;
    welcome["program"] = QApplication::applicationVersion().toStdString();
    tell(client.socket, welcome);
}

void WindowServer::serve(Client& client, const Json& request)
{
    static const std::map<std::string, Handler> kHandlers{
        {"get", &WindowServer::answerGet},         {"set", &WindowServer::answerSet},
        {"open", &WindowServer::answerOpen},       {"query", &WindowServer::answerQuery},
        {"metrics", &WindowServer::answerMetrics}, {"listen", &WindowServer::answerListen},
        {"raise", &WindowServer::answerRaise},
    };
    const Json id = textField(request, "id"), what = textField(request, "do");
    const Answer answer = [this, id, socket = client.socket,
                           waiting =
                               std::make_shared<WaitingAnswer>(client.unanswered)](Result<Json> result) {
        Json message = result ? std::move(*result) : Json::object();
        message["id"] = id;
        message["ok"] = result.has_value();
        if (!result) message["error"] = result.error().text();
        tell(socket, message);
    };
    const auto found = what.is_string() ? kHandlers.find(what.get<std::string>()) : kHandlers.end();
    if (found == kHandlers.end())
        return answer(fail(ErrorCode::InvalidArgument, "A request has a \"do\" that this window knows."));
    if (*client.unanswered > kMostWaiting)
        return answer(fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} requests of this script are not answered yet; ask again later.", kMostWaiting)));
    (this->*found->second)(client, request, answer);
}

void WindowServer::tell(QLocalSocket* socket, const Json& message)
{
    if (!socket || socket->state() != QLocalSocket::ConnectedState) return;
    // Who does not read what it asked for must not fill the memory.
    if (socket->bytesToWrite() > kMostUnread) return socket->abort();
    const std::string line = lineOf(message);
    socket->write(line.data(), static_cast<qint64>(line.size()));
}

/// Scripts hear of what the user has changed, and of what other scripts have.
void WindowServer::announce(ViewParts parts)
{
    const auto names = namesOfShared(parts);
    const bool mine = std::exchange(changing_, false);
    const bool heard = std::ranges::any_of(clients_, [](const auto& client) { return client->listens; });
    if (names.empty() || !heard || !parts_.loader.session()) return;
    Json event{{"event", "changed"}, {"parts", names}, {"by_script", mine}};
    event["state"] = sharedState(parts_.selection.state(), *parts_.loader.session());
    for (const auto& client : clients_)
        if (client->listens) tell(client->socket, event);
}

void WindowServer::answerGet(Client&, const Json&, const Answer& answer)
{
    Json result = whatIsOpen();
    if (parts_.loader.session())
        result["state"] = sharedState(parts_.selection.state(), *parts_.loader.session());
    answer(std::move(result));
}

void WindowServer::answerSet(Client&, const Json& request, const Answer& answer)
{
    if (!parts_.loader.session())
        return answer(fail(ErrorCode::InvalidArgument, "Nothing is open in the window."));
    const auto state =
        withShared(parts_.selection.state(), textField(request, "state"), *parts_.loader.session());
    if (!state) return answer(Unexpected(state.error()));
    const ViewParts shared = ViewParts::kVisible | ViewParts::kBrushed | ViewParts::kSelected
        | ViewParts::kMetric | ViewParts::kTree;
    const ViewParts parts = differingParts(parts_.selection.state(), *state).of(shared);
    changing_ = parts.any();
    if (parts.any()) parts_.selection.take(*state, parts, this);
    answer(Json::object());
}

/// Tells how the opening of these paths ends, once. Another one, of a script or of the user, may end first,
/// or take its place.
void WindowServer::connectOutcome(QObject* once, const QStringList& wanted, const Answer& answer)
{
    const auto heard = std::make_shared<bool>(false);
    const auto later = [this, answer, heard](const Result<Json>& result) {
        if (std::exchange(*heard, true)) return;
        QMetaObject::invokeMethod(
            this, [answer, result] { answer(result); }, Qt::QueuedConnection);
    };
    SessionLoader* const loader = &parts_.loader;
    connect(loader, &SessionLoader::failed, once,
            [later, wanted](const std::vector<Problem>& problems, const QStringList&) {
                if (!areOf(wanted, problems)) return;
                later(fail(ErrorCode::NotFound,
                           problems.empty() ? std::string("It cannot be opened.")
                                            : problems.front().cause.toStdString()));
            });
    connect(loader, &SessionLoader::choiceWanted, once, [later, wanted](const ArchiveChoice& choice) {
        if (wanted.contains(choice.folder)) later(fail(ErrorCode::NotRecognized, choice.cause.toStdString()));
    });
    connect(loader, &SessionLoader::sessionChanged, once, [this, answer, heard, wanted] {
        if (!isOpen(wanted, parts_.loader)) return;
        if (std::exchange(*heard, true)) return;
        parts_.whenShown([this, answer] { answer(whatIsOpen()); });
    });
    connect(loader, &SessionLoader::loadingChanged, once, [loader, once, later] {
        if (loader->loading()) return;
        // What the opening ended with is told in this turn of the event loop.
        QTimer::singleShot(0, once, [later] {
            later(fail(ErrorCode::Cancelled, "The opening was cancelled, or another one took its place."));
        });
    });
}

/// Answers once the archives are there, or why they are not.
void WindowServer::answerOpen(Client&, const Json& request, const Answer& answer)
{
    const Json paths = textField(request, "paths");
    QStringList wanted;
    for (const Json& path : paths.is_array() ? paths : Json::array())
        if (path.is_string()) wanted << QString::fromStdString(path.get<std::string>());
    if (wanted.isEmpty()) return answer(fail(ErrorCode::InvalidArgument, "paths is a list of archives."));
    auto* const once = new QObject(this);
    const Answer answerOnce = [once = QPointer<QObject>(once), answer](Result<Json> result) {
        if (!once) return;
        once->disconnect();
        delete once;
        answer(std::move(result));
    };
    QStringList clean = wanted;
    for (QString& path : clean) path = QDir::cleanPath(path);
    connectOutcome(once, clean, answerOnce);
    parts_.loader.open(wanted);
}

/// A job under a key of its own: that of one script must not replace, unanswered, that of another one.
QString WindowServer::keyOf(const char* what)
{
    return QStringLiteral("%1.%2").arg(QString::fromLatin1(what)).arg(++jobs_);
}

void WindowServer::answerQuery(Client&, const Json&, const Answer& answer)
{
    const SessionPtr session = parts_.loader.session();
    if (!session) return answer(fail(ErrorCode::InvalidArgument, "Nothing is open in the window."));
    parts_.tasks.run<PrunedQuery>(
        {keyOf("remote.query"), tr("Writing a query of what is shown"), JobVisibility::WhenSlow}, this,
        [session, state = parts_.selection.state()](const Task& task) {
            return queryOfPruned(session, state, task);
        },
        [answer](Result<PrunedQuery> query) {
            if (!query) return answer(Unexpected(query.error()));
            answer(Json{{"query", query->text}, {"exact", query->exact}});
        });
}

void WindowServer::answerMetrics(Client&, const Json& request, const Answer& answer)
{
    const SessionPtr session = parts_.loader.session();
    if (!session) return answer(fail(ErrorCode::InvalidArgument, "Nothing is open in the window."));
    auto metrics = sharedMetrics(request, *session);
    if (!metrics) return answer(Unexpected(metrics.error()));
    parts_.tasks.run<SessionPtr>(
        {keyOf("remote.metrics"), tr("Taking metrics of a script"), JobVisibility::WhenSlow}, this,
        [session, metrics = std::move(*metrics)](const Task& task) {
            return withMetrics(*session, metrics, task);
        },
        [this, session, answer](Result<SessionPtr> derived) {
            if (!derived) return answer(Unexpected(derived.error()));
            if (parts_.loader.session() != session)
                return answer(fail(ErrorCode::InvalidArgument, "Another session was opened meanwhile."));
            // The same locations, call paths and calls are there: what was seen is seen again.
            parts_.loader.derive(*derived);
            parts_.whenShown([answer] { answer(Json::object()); });
        });
}

void WindowServer::answerListen(Client& client, const Json& request, const Answer& answer)
{
    const Json on = textField(request, "on");
    if (!on.is_boolean()) return answer(fail(ErrorCode::InvalidArgument, "on is true or false."));
    client.listens = on.get<bool>();
    answer(Json::object());
}

void WindowServer::answerRaise(Client&, const Json&, const Answer& answer)
{
    parts_.window.raise();
    parts_.window.activateWindow();
    answer(Json::object());
}

}  // namespace skein::gui
