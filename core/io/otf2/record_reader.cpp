// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/record_reader.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace skein::otf2 {
namespace {

/// Chunks of an event file, one after the other in one room.
class EventChunks {
public:
    explicit EventChunks(const EventFile& file)
        : descriptor_(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC)),
          room_(static_cast<std::size_t>(std::min(file.bytes, file.chunkBytes))),
          bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(room_ + kLongestFields))
    {
    }
    ~EventChunks()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    EventChunks(const EventChunks&) = delete;
    EventChunks& operator=(const EventChunks&) = delete;

    /// Reads the next chunk and puts zeros behind it; false where there is none.
    bool next()
    {
        size_ = 0;
        while (descriptor_ >= 0 && size_ < room_) {
            const ssize_t got = ::read(descriptor_, bytes_.get() + size_, room_ - size_);
            if (got <= 0) break;
            size_ += static_cast<std::size_t>(got);
        }
        std::memset(bytes_.get() + size_, 0, kLongestFields);
        return size_ > kChunkHeaderBytes && bytes_[0] == kChunkHeader && bytes_[1] == kNativeByteOrder;
    }
    const std::uint8_t* records() const { return bytes_.get() + kChunkHeaderBytes; }
    const std::uint8_t* end() const { return bytes_.get() + size_; }
    std::size_t size() const { return size_; }

private:
    int descriptor_;
    std::size_t room_;
    std::size_t size_ = 0;
    std::unique_ptr<std::uint8_t[]> bytes_;
};

class RecordReader {
public:
    RecordReader(const EventHandlers& handlers, LocationReading& reading, const Task& task)
        : decoders_(handlers.decoders), reading_(reading), task_(task)
    {
    }

    RecordsRead run(EventChunks& chunks, const std::function<void(std::uint64_t)>& progress)
    {
        for (;;) {
            if (!chunks.next()) return RecordsRead::Refused;
            const std::uint8_t mark = decode(chunks.records(), chunks.end());
            if (mark == kStop) return RecordsRead::Stopped;
            if (mark == kEndOfFile) return RecordsRead::All;
            if (mark != kEndOfChunk) return RecordsRead::Refused;
            if (progress) progress(chunks.size());
        }
    }

private:
    static constexpr std::uint8_t kStop = 0xFE, kRefuse = 0xFF;          ///< marks of no file
    static constexpr std::uint32_t kRecordsBetweenQuestions = 1u << 15;  ///< less than a millisecond

    /// The mark that a chunk's records end with.
    std::uint8_t decode(const std::uint8_t* at, const std::uint8_t* end)
    {
        for (std::uint32_t count = 1; at < end; ++count) {
            if (*at == kTimeStamp) {
                std::memcpy(&time_, at + 1, kTimeBytes);
                at += 1 + kTimeBytes;
            }
            const std::uint8_t type = *at++;
            if (at > end) return kRefuse;
            if (type == kEndOfChunk || type == kEndOfFile) return type;
            const RecordDecoder decoder = decoders_[type];
            if (!decoder) return kRefuse;
            at = decoder(at, reading_, reading_.clock.empty() ? time_ : reading_.clock.corrected(time_));
            if (!at || at > end) return kRefuse;
            if (count % kRecordsBetweenQuestions == 0 && task_.stopRequested()) return kStop;
        }
        return kRefuse;
    }

    const std::array<RecordDecoder, 256>& decoders_;
    LocationReading& reading_;
    const Task& task_;
    Tick time_ = 0;
};

}  // namespace

RecordsRead readRecords(const EventFile& file, const EventHandlers& handlers, LocationReading& reading,
                        const Task& task, const std::function<void(std::uint64_t)>& progress)
{
    if (std::endian::native != std::endian::little || file.chunkBytes <= kChunkHeaderBytes)
        return RecordsRead::Refused;
    try {
        EventChunks chunks(file);
        return RecordReader(handlers, reading, task).run(chunks, progress);
    } catch (const std::exception&) {
        reading.events.outOfMemory = true;
        return RecordsRead::All;
    }
}

}  // namespace skein::otf2
