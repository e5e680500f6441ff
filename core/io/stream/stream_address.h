// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace skein {

/// Where lines come from.
struct StreamAddress {
    enum class Kind : std::uint8_t {
        File,  ///< that grows
        Tcp,   ///< a port to which senders connect
        Unix,  ///< a socket in the file system to which senders connect
    };
    Kind kind = Kind::File;
    std::string host;        ///< Tcp
    std::uint16_t port = 0;  ///< Tcp; 0: any that is free
    std::string path;        ///< File, Unix

    /// As parseStreamAddress() reads it.
    std::string text() const;
};

/// Whether a text begins with "tcp:" or "unix:".
bool namesSocket(std::string_view text);

/// Reads "tcp:HOST:PORT", "tcp:PORT" (of this machine alone), "tcp:[::1]:PORT", "unix:PATH"; anything else is
/// the path of a file. Errors: InvalidArgument, saying what is wrong.
Result<StreamAddress> parseStreamAddress(std::string_view text);

}  // namespace skein
