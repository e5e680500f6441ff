// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_file.h"

#include "core/io/otf2/record_format.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace skein::otf2 {
namespace {

/// Steps over the records of a chunk.
class RecordWalk {
public:
    explicit RecordWalk(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    ChunkContent run()
    {
        if (bytes_.size() < kChunkHeaderBytes) return {};
        swapped_ = bytes_[1] != kNativeByteOrder;
        if (bytes_[0] != kChunkHeader || (bytes_[1] != kBigEndian && bytes_[1] != kLittleEndian))
            return {0, ChunkEnd::Damaged};
        at_ = kChunkHeaderBytes;
        ChunkContent content;
        for (;;) {
            if (left() > 0 && bytes_[at_] == kTimeStamp && !skip(1 + kTimeBytes)) return content;
            if (left() == 0) return content;
            const std::uint8_t type = bytes_[at_++];
            if (type == kEndOfChunk || type == kEndOfFile) {
                content.end = type == kEndOfFile ? ChunkEnd::FileEnd : ChunkEnd::NextChunk;
                return content;
            }
            if (!(isSingleNumber(type) ? skipNumber() : skipRecord())) return content;
            content.events += type != kAttributes;
        }
    }

private:
    std::size_t left() const { return bytes_.size() - at_; }

    bool skip(std::uint64_t bytes)
    {
        if (bytes > left()) return false;
        at_ += static_cast<std::size_t>(bytes);
        return true;
    }

    bool skipNumber()
    {
        if (left() == 0) return false;
        const std::uint8_t length = bytes_[at_];
        return skip(1 + std::uint64_t{length == kLongRecord ? std::uint8_t{0} : length});
    }

    bool skipRecord()
    {
        if (left() == 0) return false;
        const std::uint8_t length = bytes_[at_++];
        if (length != kLongRecord) return skip(length);
        std::uint64_t longLength = 0;
        if (left() < sizeof longLength) return false;
        std::copy_n(bytes_.data() + at_, sizeof longLength, reinterpret_cast<std::uint8_t*>(&longLength));
        at_ += sizeof longLength;
        return skip(swapped_ ? __builtin_bswap64(longLength) : longLength);
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    bool swapped_ = false;  ///< of the other byte order than this machine's
};

/// Reads chunks of an event file, into one room.
class ChunkReader {
public:
    ChunkReader(const std::filesystem::path& file, std::uint64_t bytes, std::uint64_t chunkBytes)
        : in_(file, std::ios::binary), bytes_(bytes), chunkBytes_(chunkBytes)
    {
    }

    /// Fewer bytes than asked for, where the file has become shorter, are a cut.
    std::optional<ChunkContent> read(std::uint64_t chunk)
    {
        const std::uint64_t offset = chunk * chunkBytes_;
        room_.resize(static_cast<std::size_t>(std::min(chunkBytes_, bytes_ - offset)));
        in_.clear();
        if (!in_.seekg(static_cast<std::streamoff>(offset))) return std::nullopt;
        in_.read(reinterpret_cast<char*>(room_.data()), static_cast<std::streamsize>(room_.size()));
        if (in_.bad()) return std::nullopt;
        return contentOfChunk(std::span(room_).first(static_cast<std::size_t>(in_.gcount())));
    }

private:
    std::ifstream in_;
    std::uint64_t bytes_;
    std::uint64_t chunkBytes_;
    std::vector<std::uint8_t> room_;
};

}  // namespace

ChunkContent contentOfChunk(std::span<const std::uint8_t> bytes) { return RecordWalk(bytes).run(); }

std::optional<std::uint64_t> eventsBeforeCut(const std::filesystem::path& file, std::uint64_t bytes,
                                             std::uint64_t chunkBytes, const Task& task)
{
    if (bytes == 0 || chunkBytes == 0) return std::nullopt;
    ChunkReader reader(file, bytes, chunkBytes);
    const std::uint64_t chunks = (bytes + chunkBytes - 1) / chunkBytes;
    const auto last = reader.read(chunks - 1);
    if (!last || last->end == ChunkEnd::FileEnd || last->end == ChunkEnd::Damaged) return std::nullopt;
    std::uint64_t events = 0;
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
        if (task.stopRequested()) return std::nullopt;
        const auto content = reader.read(chunk);
        if (!content || content->end == ChunkEnd::FileEnd || content->end == ChunkEnd::Damaged)
            return std::nullopt;
        events += content->events;
        if (content->end == ChunkEnd::Cut) break;
    }
    return events;
}

}  // namespace skein::otf2
