// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/listening_socket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace skein {
namespace {

constexpr int kWaitingSenders = 64;

Unexpected noSocket(const StreamAddress& address, int error)
{
    const ErrorCode code = error == EACCES || error == EPERM ? ErrorCode::AccessDenied : ErrorCode::Io;
    return fail(code,
                fmt::format("Nothing can be received at {}: {}. Choose another address.", address.text(),
                            std::strerror(error)));
}

std::uint16_t portOf(int socket)
{
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
    if (bound.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(bound).sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

Result<OwnedDescriptor> boundTcp(const StreamAddress& address)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(address.port);
    if (const int problem = getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found); problem != 0)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("\"{}\" is no host of this machine: {}.", address.host, gai_strerror(problem)));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, freeaddrinfo);
    int error = EADDRNOTAVAIL;
    for (const addrinfo* one = found; one; one = one->ai_next) {
        OwnedDescriptor socket(
            ::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, one->ai_protocol));
        const int yes = 1;
        if (socket) setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (socket && bind(socket.get(), one->ai_addr, one->ai_addrlen) == 0
            && listen(socket.get(), kWaitingSenders) == 0)
            return socket;
        error = errno;
    }
    return noSocket(address, error);
}

sockaddr_un unixAddress(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    return address;
}

/// Whether a socket in the file system is one that nobody listens to.
bool isLeftOver(const sockaddr_un& address)
{
    struct stat status {};
    if (lstat(address.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
    const OwnedDescriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    return probe && connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        && errno == ECONNREFUSED;
}

Result<OwnedDescriptor> boundUnix(const StreamAddress& address)
{
    const sockaddr_un where = unixAddress(address.path);
    OwnedDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket) return noSocket(address, errno);
    const auto* const name = reinterpret_cast<const sockaddr*>(&where);
    int bound = bind(socket.get(), name, sizeof where);
    if (bound != 0 && errno == EADDRINUSE && isLeftOver(where) && unlink(where.sun_path) == 0)
        bound = bind(socket.get(), name, sizeof where);
    // Nobody can connect before listen(): the rights are those of the owner by then.
    if (bound != 0 || chmod(where.sun_path, S_IRUSR | S_IWUSR) != 0
        || listen(socket.get(), kWaitingSenders) != 0)
        return noSocket(address, bound != 0 && errno == 0 ? EADDRINUSE : errno);
    return socket;
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(StreamAddress address)
{
    auto socket = address.kind == StreamAddress::Kind::Tcp ? boundTcp(address) : boundUnix(address);
    if (!socket) return Unexpected(socket.error());
    if (address.kind == StreamAddress::Kind::Tcp) address.port = portOf(socket->get());
    return ListeningSocket(std::move(address), std::move(*socket));
}

ListeningSocket::~ListeningSocket()
{
    if (socket_ && address_.kind == StreamAddress::Kind::Unix) unlink(address_.path.c_str());
}

OwnedDescriptor ListeningSocket::accept() const
{
    return OwnedDescriptor(accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

}  // namespace skein
