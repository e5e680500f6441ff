// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/stream/stream_address.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Lines of text from outside while they come.
namespace skein {

/// What a stream may take, whatever its senders do.
struct StreamLimits {
    std::size_t lineBytes = std::size_t{16} << 20;   ///< longer lines are left out
    std::size_t queueBytes = std::size_t{32} << 20;  ///< that wait to be taken; beyond it nothing is read
    std::size_t senders = 64;                        ///< at a time; further ones are refused
};

struct StreamEvent {
    enum class Kind : std::uint8_t {
        Line,
        Began,    ///< a sender has come; text: which
        Ended,    ///< it has gone; text: what it left unfinished, a sentence, or empty
        Trouble,  ///< text: a sentence
    };
    Kind kind = Kind::Line;
    std::uint32_t sender = 0;  ///< counted from 1 in the order in which they came; a file is 1
    std::string text;
};

/// Reads on a thread of its own: a file while it grows (one that was cut or replaced is read again from its
/// begin), or all senders that connect to a port or socket; who has gone may come again. Where the lines that
/// wait are too many it reads no further until some are taken: senders then wait, and nothing is lost. What
/// it holds is bounded by the limits: queueBytes in the queue, and lineBytes a sender. take() is for one
/// thread.
class StreamReader {
public:
    /// Errors: NotFound, AccessDenied, Io (the address cannot be had), InvalidArgument.
    static Result<std::unique_ptr<StreamReader>> open(const StreamAddress& address,
                                                      const StreamLimits& limits = {});
    ~StreamReader();
    StreamReader(const StreamReader&) = delete;
    StreamReader& operator=(const StreamReader&) = delete;

    /// All that has come; waits so long for something.
    std::vector<StreamEvent> take(std::chrono::milliseconds wait);

    /// The address with the port that was had.
    const StreamAddress& address() const;
    std::uint64_t bytesRead() const;
    /// Bytes that wait to be taken.
    std::size_t waitingBytes() const;
    /// Bytes of lines that have begun and not ended, of those who are there; of too long ones nothing.
    std::size_t unfinishedBytes() const;

private:
    struct Inside;
    explicit StreamReader(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace skein
