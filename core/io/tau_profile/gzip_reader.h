// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <zlib.h>

namespace skein::tau {

/// Unpacks a gzip stream piece by piece and hands out big-endian values. After the end, an error in the
/// stream or the limit everything reads as 0 and good() is false.
class GzipReader {
public:
    /// Looks at `packed`, which must outlive the reader; unpacks at most `limit` bytes.
    GzipReader(std::string_view packed, std::uint64_t limit);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    bool good() const { return good_; }
    bool overLimit() const { return overLimit_; }
    /// Bytes handed out so far.
    std::uint64_t offset() const { return offset_; }

    std::uint16_t readUint16();
    std::int32_t readInt32();
    double readDouble();
    /// A 16-bit length and that many bytes.
    std::string readString();
    void skip(std::uint64_t bytes);

private:
    bool fill();
    bool take(char* into, std::size_t bytes);

    z_stream stream_{};
    std::string_view packed_;
    std::string buffer_;
    std::size_t at_ = 0, filled_ = 0;
    std::uint64_t limit_ = 0, unpacked_ = 0, offset_ = 0;
    bool initialised_ = false, ended_ = false, good_ = true, overLimit_ = false;
};

}  // namespace skein::tau
