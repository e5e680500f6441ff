// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gzip/gzip_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace skein {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
/// 15 bits of window, and a gzip header.
constexpr int kGzipWindow = 15 + 16;

}  // namespace

bool isGzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

std::uint64_t unpackingLimit(std::size_t packedBytes)
{
    constexpr std::uint64_t free = std::uint64_t{64} << 20;
    constexpr std::uint64_t largestRatio = 64;
    return std::max(free, packedBytes * largestRatio);
}

std::string unpackedHead(std::string_view head, std::size_t most)
{
    GzipReader reader(head, std::numeric_limits<std::uint64_t>::max());
    return reader.readUpTo(most);
}

GzipReader::GzipReader(std::string_view packed, std::uint64_t limit)
    : packed_(packed), limit_(limit), plain_(!isGzip(packed))
{
    if (plain_) return;
    buffer_.resize(kBufferBytes);
    good_ = initialised_ = inflateInit2(&stream_, kGzipWindow) == Z_OK;
}

GzipReader::~GzipReader()
{
    if (initialised_) inflateEnd(&stream_);
}

bool GzipReader::fill()
{
    at_ = filled_ = 0;
    while (good_ && !ended_ && filled_ == 0) {
        if (stream_.avail_in == 0) {
            const std::size_t part = std::min<std::size_t>(packed_.size(), std::numeric_limits<uInt>::max());
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
            stream_.avail_in = static_cast<uInt>(part);
            packed_.remove_prefix(part);
            if (part == 0) break;
        }
        stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
        stream_.avail_out = static_cast<uInt>(buffer_.size());
        const int state = inflate(&stream_, Z_NO_FLUSH);
        ended_ = state == Z_STREAM_END;
        good_ = ended_ || state == Z_OK;
        filled_ = buffer_.size() - stream_.avail_out;
        unpacked_ += filled_;
    }
    overLimit_ = unpacked_ > limit_;
    return filled_ > 0 && !overLimit_;
}

bool GzipReader::takePlain(char* into, std::size_t bytes)
{
    if (bytes > packed_.size()) return good_ = false;
    std::memcpy(into, packed_.data(), bytes);
    packed_.remove_prefix(bytes);
    offset_ += bytes;
    return true;
}

std::string GzipReader::readUpTo(std::size_t most)
{
    std::string text;
    while (text.size() < most && (at_ < filled_ || fill())) {
        const std::size_t part = std::min(most - text.size(), filled_ - at_);
        text.append(buffer_, at_, part);
        at_ += part;
        offset_ += part;
    }
    return text;
}

bool GzipReader::take(char* into, std::size_t bytes)
{
    if (plain_) return takePlain(into, bytes);
    while (bytes > 0) {
        if (at_ == filled_ && !fill()) return good_ = false;
        const std::size_t part = std::min(bytes, filled_ - at_);
        std::memcpy(into, buffer_.data() + at_, part);
        into += part;
        at_ += part;
        offset_ += part;
        bytes -= part;
    }
    return true;
}

std::uint16_t GzipReader::readUint16()
{
    std::array<unsigned char, 2> bytes{};
    if (!take(reinterpret_cast<char*>(bytes.data()), bytes.size())) return 0;
    return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
}

std::int32_t GzipReader::readInt32()
{
    const std::uint32_t high = readUint16();
    return static_cast<std::int32_t>(high << 16 | readUint16());
}

double GzipReader::readDouble()
{
    const auto high = static_cast<std::uint32_t>(readInt32());
    return std::bit_cast<double>(std::uint64_t{high} << 32 | static_cast<std::uint32_t>(readInt32()));
}

std::string GzipReader::readString()
{
    std::string text(readUint16(), '\0');
    if (!take(text.data(), text.size())) return {};
    return text;
}

void GzipReader::skip(std::uint64_t bytes)
{
    if (plain_) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, packed_.size()));
        good_ = good_ && part == bytes;
        packed_.remove_prefix(part);
        offset_ += part;
        return;
    }
    while (bytes > 0) {
        if (at_ == filled_ && !fill()) {
            good_ = false;
            return;
        }
        const std::uint64_t part = std::min<std::uint64_t>(bytes, filled_ - at_);
        at_ += part;
        offset_ += part;
        bytes -= part;
    }
}

}  // namespace skein
