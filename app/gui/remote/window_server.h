// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QLocalServer>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include "core/base/result.h"
#include "core/select/view_state.h"

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

class QLocalSocket;
class QWidget;

namespace skein {
class SelectionModel;
class TaskRunner;
}  // namespace skein

namespace skein::gui {

class SessionLoader;

/// Lets scripts of the same user see and change what the window shows, over a local socket: lines of JSON,
/// docs/WINDOW_SOCKET.md. The socket and the file with its token lie in a folder that only the user can read;
/// whoever connects says the token first, and must be a process of this user. Lives in the GUI thread.
class WindowServer : public QObject {
    Q_OBJECT

public:
    static constexpr int kVersion = 1;
    static constexpr qint64 kLongestLine = qint64{64} << 20;  ///< bytes; a longer one ends the connection
    static constexpr qint64 kMostUnread = qint64{256} << 20;  ///< bytes to a script; with more it is left
    static constexpr std::size_t kMostWaiting = 64;           ///< answers that a script may wait for

    /// What of the window scripts work with; all of it outlives the server.
    struct Parts {
        SessionLoader& loader;
        SelectionModel& selection;
        TaskRunner& tasks;
        QWidget& window;
        /// Calls the function once the panels have the session that is open.
        std::function<void(std::function<void()>)> whenShown;
    };

    explicit WindowServer(const Parts& parts);
    ~WindowServer() override;

    /// Listens in the folder, which is made where it is missing. Errors: Io, AccessDenied where the folder is
    /// somebody else's or open to others, or lies where others can replace it.
    Result<void> listen(const std::string& folder);

    /// $XDG_RUNTIME_DIR/skein, or a folder of this user's own below /tmp.
    static std::string runtimeFolder();
    /// The file that tells scripts where the socket is; empty while it does not listen.
    const std::string& addressFile() const { return addressFile_; }

private:
    struct Client;
    using Answer = std::function<void(Result<nlohmann::json>)>;
    using Handler = void (WindowServer::*)(Client&, const nlohmann::json&, const Answer&);

    void accept();
    void read(Client& client);
    static std::size_t longestLineOf(const Client& client);
    void hear(Client& client, const std::string& line);
    void greet(Client& client, const nlohmann::json& hello);
    void serve(Client& client, const nlohmann::json& request);
    void tell(QLocalSocket* socket, const nlohmann::json& message);
    void close(Client& client, const std::string& sentence);
    void forget(QLocalSocket* socket);
    void announce(ViewParts parts);
    void writeAddress(const std::string& text);
    void describe();
    QString keyOf(const char* what);

    void answerGet(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerSet(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerOpen(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerQuery(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerMetrics(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerListen(Client& client, const nlohmann::json& request, const Answer& answer);
    void answerRaise(Client& client, const nlohmann::json& request, const Answer& answer);
    void connectOutcome(QObject* once, const QStringList& wanted, const Answer& answer);
    nlohmann::json whatIsOpen() const;

    Parts parts_;
    QLocalServer server_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::string token_, addressFile_;
    quint64 jobs_ = 0;       ///< started so far
    bool changing_ = false;  ///< a script changes the state: it need not hear of it
};

}  // namespace skein::gui
