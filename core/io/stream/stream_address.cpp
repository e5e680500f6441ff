// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_address.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <sys/un.h>

namespace skein {
namespace {

constexpr std::string_view kTcpPrefix = "tcp:", kUnixPrefix = "unix:";
constexpr std::string_view kThisMachine = "127.0.0.1";

Result<StreamAddress> tcpAddress(std::string_view rest)
{
    StreamAddress address;
    address.kind = StreamAddress::Kind::Tcp;
    const std::size_t colon = rest.rfind(':');
    std::string_view host = colon == std::string_view::npos ? std::string_view() : rest.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    address.host = host.empty() ? kThisMachine : host;
    const auto port =
        parseNumber<std::uint16_t>(colon == std::string_view::npos ? rest : rest.substr(colon + 1));
    if (!port)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("\"tcp:{}\" names no port. Write tcp:HOST:PORT, such as tcp:127.0.0.1:7777.", rest));
    address.port = *port;
    return address;
}

}  // namespace

std::string StreamAddress::text() const
{
    switch (kind) {
    case Kind::Tcp:
        return host.find(':') == std::string::npos ? fmt::format("tcp:{}:{}", host, port)
                                                   : fmt::format("tcp:[{}]:{}", host, port);
    case Kind::Unix: return fmt::format("unix:{}", path);
    case Kind::File: break;
    }
    return path;
}

bool namesSocket(std::string_view text)
{
    return text.starts_with(kTcpPrefix) || text.starts_with(kUnixPrefix);
}

Result<StreamAddress> parseStreamAddress(std::string_view text)
{
    if (text.starts_with(kTcpPrefix)) return tcpAddress(text.substr(kTcpPrefix.size()));
    StreamAddress address;
    const bool socket = text.starts_with(kUnixPrefix);
    address.kind = socket ? StreamAddress::Kind::Unix : StreamAddress::Kind::File;
    address.path = socket ? text.substr(kUnixPrefix.size()) : text;
    if (address.path.empty())
        return fail(ErrorCode::InvalidArgument,
                    "A stream needs an address: a file, tcp:HOST:PORT or unix:PATH.");
    if (socket && address.path.size() >= sizeof(sockaddr_un::sun_path))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The path of a socket may have {} bytes, this one has {}. Choose a shorter "
                                "one.",
                                sizeof(sockaddr_un::sun_path) - 1, address.path.size()));
    return address;
}

}  // namespace skein
