// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/picture_buffers.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

namespace skein {
namespace {

constexpr std::size_t kKeptBuffers = 2, kMostKeptBytes = 128u << 20, kLeastKeptBytes = 1u << 20;
constexpr std::size_t kCacheLineBytes = 64;

struct PictureBuffer {
    struct Free {
        void operator()(uchar* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<uchar, Free> bytes;
    std::size_t size = 0;
};

/// What is free, the newest last.
class PictureBuffers {
public:
    std::unique_ptr<PictureBuffer> take(std::size_t size)
    {
        {
            const std::lock_guard lock(mutex_);
            const auto found = std::find_if(free_.rbegin(), free_.rend(),
                                            [size](const auto& buffer) { return buffer->size == size; });
            if (found != free_.rend()) {
                auto buffer = std::move(*found);
                free_.erase(std::next(found).base());
                return buffer;
            }
        }
        auto buffer = std::make_unique<PictureBuffer>();
        buffer->bytes.reset(static_cast<uchar*>(std::aligned_alloc(kCacheLineBytes, size)));
        buffer->size = size;
        return buffer->bytes ? std::move(buffer) : nullptr;
    }

    void giveBack(std::unique_ptr<PictureBuffer> buffer)
    {
        std::vector<std::unique_ptr<PictureBuffer>> dropped;  // freed without the lock
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(buffer));
        while (free_.size() > kKeptBuffers || bytesKept() > kMostKeptBytes) {
            dropped.push_back(std::move(free_.front()));
            free_.erase(free_.begin());
        }
    }

private:
    std::size_t bytesKept() const
    {
        std::size_t bytes = 0;
        for (const auto& buffer : free_) bytes += buffer->size;
        return bytes;
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<PictureBuffer>> free_;
};

/// Never destroyed: pictures may be freed when the program ends.
PictureBuffers& pictureBuffers()
{
    static auto* const buffers = new PictureBuffers;
    return *buffers;
}

void giveBackPicture(void* buffer)
{
    pictureBuffers().giveBack(std::unique_ptr<PictureBuffer>(static_cast<PictureBuffer*>(buffer)));
}

}  // namespace

QImage newPicture(int width, int height)
{
    const auto perLine = static_cast<std::size_t>(std::max(1, width)) * sizeof(QRgb);
    const std::size_t bytes = perLine * static_cast<std::size_t>(std::max(1, height));
    const std::size_t whole = (bytes + kCacheLineBytes - 1) / kCacheLineBytes * kCacheLineBytes;
    auto buffer = whole < kLeastKeptBytes ? nullptr : pictureBuffers().take(whole);
    if (!buffer) return QImage(std::max(1, width), std::max(1, height), QImage::Format_RGB32);
    uchar* const pixels = buffer->bytes.get();
    return QImage(pixels, std::max(1, width), std::max(1, height), static_cast<qsizetype>(perLine),
                  QImage::Format_RGB32, giveBackPicture, buffer.release());
}

}  // namespace skein
