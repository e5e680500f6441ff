// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// How libotf2 writes event files and local definitions (its otf2_events_int.h, otf2_def_writer.c and
/// OTF2_Buffer.h; none of this ever changes). A file is a row of chunks of one size. Each begins with a
/// header and ends with a mark, behind which nothing counts. A record is, where its time differs from that of
/// the record before, a time stamp; then its type, the length of its fields unless the record is a single
/// number, and its fields. Numbers are written as the count of their bytes, and these.
namespace skein::otf2 {

constexpr std::uint8_t kEndOfChunk = 0, kEndOfFile = 2, kChunkHeader = 3, kTimeStamp = 5, kAttributes = 6;
constexpr std::uint8_t kBigEndian = 0x23, kLittleEndian = 0x42;
constexpr std::size_t kChunkHeaderBytes = 18;  ///< mark, byte order, first and last event
constexpr std::size_t kTimeBytes = 8;
constexpr std::uint8_t kLongRecord = 0xFF;    ///< instead of a length: it follows in eight bytes
constexpr std::uint8_t kUndefined = 0xFF;     ///< instead of a number's count of bytes: all bits are set
constexpr std::size_t kLongestFields = 4096;  ///< bytes that a record's decoder may look at unasked

constexpr std::uint8_t kNativeByteOrder =
    std::endian::native == std::endian::big ? kBigEndian : kLittleEndian;

/// Records without a length.
constexpr bool isSingleNumber(std::uint8_t type)
{
    switch (type) {
    case 12:  // enter
    case 13:  // leave
    case 16:  // MPI: a send completed, a receive requested, a request tested, cancelled
    case 17:
    case 20:
    case 21:
    case 24:  // OpenMP: fork, a task created, switched, completed
    case 28:
    case 29:
    case 30: return true;
    default: return false;
    }
}

/// The fields of a record, one after the other, on machines that are little endian. Reads up to eight bytes
/// past the last one; whoever asks has to see to it that they can be read.
class RecordFields {
public:
    explicit RecordFields(const std::uint8_t* at) : at_(at) {}

    const std::uint8_t* position() const { return at_; }
    /// False once a number had more bytes than its type has room for.
    bool valid() const { return valid_; }

    std::uint8_t byte() { return *at_++; }
    std::uint64_t wholeNumber()
    {
        std::uint64_t value = 0;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    template <typename Number>
    Number number()
    {
        if constexpr (sizeof(Number) == 1) return static_cast<Number>(byte());
        const std::uint8_t bytes = byte();
        if (bytes == kUndefined) return static_cast<Number>(~std::uint64_t{0});
        valid_ = valid_ && bytes <= sizeof(Number);
        std::uint64_t value = 0;
        std::memcpy(&value, at_, sizeof value);
        at_ += bytes;
        return static_cast<Number>(bytes >= sizeof value ? value
                                                         : value & ((std::uint64_t{1} << 8 * bytes) - 1));
    }

private:
    const std::uint8_t* at_;
    bool valid_ = true;
};

/// Where the fields of a record end, which it says before them.
class RecordEnd {
public:
    explicit RecordEnd(RecordFields& fields)
    {
        const std::uint8_t length = fields.byte();
        bytes_ = length == kLongRecord ? fields.wholeNumber() : length;
        begin_ = fields.position();
    }
    /// Whether it lies within what a decoder may look at.
    bool isNear() const { return bytes_ < kLongestFields / 2; }
    /// Between the length and the end, as the record says.
    std::uint64_t bytes() const { return bytes_; }
    bool isAt(const RecordFields& fields) const { return passed(fields) == bytes_; }
    bool isBehind(const RecordFields& fields) const { return passed(fields) < bytes_; }

private:
    std::uint64_t passed(const RecordFields& fields) const
    {
        return static_cast<std::uint64_t>(fields.position() - begin_);
    }
    const std::uint8_t* begin_;
    std::uint64_t bytes_;
};

}  // namespace skein::otf2
