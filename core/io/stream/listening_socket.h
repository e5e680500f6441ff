// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/stream/stream_address.h"

#include <unistd.h>
#include <utility>

namespace skein {

/// A file descriptor that is closed with its owner.
class OwnedDescriptor {
public:
    explicit OwnedDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
    ~OwnedDescriptor()
    {
        if (descriptor_ >= 0) close(descriptor_);
    }
    OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }

private:
    int descriptor_;
};

/// A socket to which senders connect; none of its calls waits. A socket in the file system is for its owner
/// alone, takes the place of one to which nobody listens any more, and goes with this.
class ListeningSocket {
public:
    /// Errors: Io, AccessDenied, InvalidArgument (a host that is none).
    static Result<ListeningSocket> open(StreamAddress address);
    ~ListeningSocket();
    ListeningSocket(ListeningSocket&& other) noexcept = default;
    ListeningSocket& operator=(ListeningSocket&& other) noexcept = default;

    int descriptor() const { return socket_.get(); }
    const StreamAddress& address() const { return address_; }
    /// The next sender; none where nobody waits.
    OwnedDescriptor accept() const;

private:
    ListeningSocket(StreamAddress address, OwnedDescriptor socket)
        : address_(std::move(address)), socket_(std::move(socket))
    {
    }

    StreamAddress address_;
    OwnedDescriptor socket_;
};

}  // namespace skein
