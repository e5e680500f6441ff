// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <zlib.h>

namespace skein {

/// True for the first bytes of a gzip stream.
bool isGzip(std::string_view head);

/// No more than this is unpacked of a file of so many bytes.
std::uint64_t unpackingLimit(std::size_t packedBytes);

/// The first bytes, at most `most`, that the beginning of a gzip stream unpacks to.
std::string unpackedHead(std::string_view head, std::size_t most);

/// Unpacks a gzip stream piece by piece and hands out big-endian values; what is no gzip stream is handed out
/// as it is. After the end, an error in the stream or the limit everything reads as 0 and good() is false.
class GzipReader {
public:
    /// Looks at `packed`, which must outlive the reader; unpacks at most `limit` bytes.
    GzipReader(std::string_view packed, std::uint64_t limit);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    bool good() const { return good_; }
    bool overLimit() const { return overLimit_; }
    /// True when a packed stream was unpacked to its end, and for what is not packed.
    bool complete() const { return good_ && !overLimit_ && (plain_ || ended_); }
    /// Bytes handed out so far.
    std::uint64_t offset() const { return offset_; }

    std::uint16_t readUint16();
    std::int32_t readInt32();
    double readDouble();
    /// A 16-bit length and that many bytes.
    std::string readString();
    void skip(std::uint64_t bytes);
    /// What there is of a packed stream, at most `most` bytes.
    std::string readUpTo(std::size_t most);

private:
    bool fill();
    bool take(char* into, std::size_t bytes);
    bool takePlain(char* into, std::size_t bytes);

    z_stream stream_{};
    std::string_view packed_;
    std::string buffer_;
    std::size_t at_ = 0, filled_ = 0;
    std::uint64_t limit_ = 0, unpacked_ = 0, offset_ = 0;
    bool plain_ = false;
    bool initialised_ = false, ended_ = false, good_ = true, overLimit_ = false;
};

}  // namespace skein
