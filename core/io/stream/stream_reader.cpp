// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_reader.h"

#include "core/base/units.h"
#include "core/io/stream/event_queue.h"
#include "core/io/stream/line_splitter.h"
#include "core/io/stream/listening_socket.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>

namespace skein {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::chrono::milliseconds kLookAtFileEvery{50};
/// O_NONBLOCK: a pipe would make the opening wait for who writes into it.
constexpr int kFollowFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

Unexpected cannotFollow(const std::string& path, int error)
{
    const ErrorCode code = error == ENOENT ? ErrorCode::NotFound
        : error == EACCES                  ? ErrorCode::AccessDenied
                                           : ErrorCode::Io;
    return fail(code, fmt::format("{} cannot be followed: {}.", path, std::strerror(error)));
}

}  // namespace

struct StreamReader::Inside {
    /// What has come from one sender.
    struct Sender {
        std::uint32_t number = 0;
        OwnedDescriptor descriptor;
        LineSplitter lines;
        std::uint64_t longLinesTold = 0;
    };

    Inside(StreamAddress where, const StreamLimits& most)
        : address(std::move(where)), limits(most), queue(most.queueBytes), wake(eventfd(0, EFD_CLOEXEC))
    {
    }

    StreamAddress address;
    StreamLimits limits;
    StreamEventQueue queue;
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::size_t> unfinished{0};
    OwnedDescriptor wake;  ///< readable when the thread is to end
    std::optional<ListeningSocket> listener;
    std::vector<Sender> senders;  ///< a file: one
    std::uint32_t sendersSoFar = 0;
    std::uint64_t refused = 0;
    off_t offset = 0;      ///< of a file
    ino_t inode = 0;       ///< of a file
    bool missing = false;  ///< the file is not there any more, which was told
    std::jthread thread;

    void tell(StreamEvent::Kind kind, std::uint32_t sender, std::string text, const std::stop_token& stop)
    {
        queue.push({kind, sender, std::move(text)}, stop);
    }

    void welcome(OwnedDescriptor descriptor, const std::stop_token& stop)
    {
        senders.push_back({++sendersSoFar, std::move(descriptor), LineSplitter(limits.lineBytes), 0});
        tell(StreamEvent::Kind::Began, sendersSoFar, fmt::format("Sender {}", sendersSoFar), stop);
    }

    void countUnfinished()
    {
        std::size_t left = 0;
        for (const Sender& sender : senders)
            if (sender.descriptor) left += sender.lines.rest().size();
        unfinished.store(left, std::memory_order_relaxed);
    }

    void take(Sender& sender, std::string_view piece, const std::stop_token& stop)
    {
        bytes.fetch_add(piece.size(), std::memory_order_relaxed);
        sender.lines.add(piece, [&](std::string_view line) {
            tell(StreamEvent::Kind::Line, sender.number, std::string(line), stop);
        });
        countUnfinished();
        if (sender.lines.tooLong() == sender.longLinesTold) return;
        sender.longLinesTold = sender.lines.tooLong();
        tell(StreamEvent::Kind::Trouble, sender.number,
             fmt::format("Sender {} sent a line of more than {}: it is left out.", sender.number,
                         formatBytes(static_cast<double>(limits.lineBytes))),
             stop);
    }

    /// What a sender that has gone left behind.
    void end(Sender& sender, const std::stop_token& stop)
    {
        std::string left;
        if (sender.lines.inLongLine() || !sender.lines.rest().empty())
            left = fmt::format(
                "Sender {} went in the middle of a line: its last {} are left out.", sender.number,
                sender.lines.inLongLine() ? std::string("bytes")
                                          : fmt::format("{} bytes", sender.lines.rest().size()));
        tell(StreamEvent::Kind::Ended, sender.number, std::move(left), stop);
        sender.descriptor = OwnedDescriptor();
        countUnfinished();
    }

    // Sockets

    void listen(const std::stop_token& stop)
    {
        std::string piece(kPieceBytes, '\0');
        while (!stop.stop_requested()) {
            std::vector<pollfd> waiting{{wake.get(), POLLIN, 0}, {listener->descriptor(), POLLIN, 0}};
            for (const Sender& sender : senders) waiting.push_back({sender.descriptor.get(), POLLIN, 0});
            if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
            for (std::size_t i = 0; i < senders.size(); ++i)
                if (waiting[i + 2].revents != 0) receive(senders[i], piece, stop);
            std::erase_if(senders, [](const Sender& sender) { return !sender.descriptor; });
            if (waiting[1].revents != 0) welcomeWaiting(stop);
        }
    }

    void welcomeWaiting(const std::stop_token& stop)
    {
        while (OwnedDescriptor next = listener->accept()) {
            if (senders.size() < limits.senders) {
                welcome(std::move(next), stop);
                continue;
            }
            if (refused++ == 0)
                tell(StreamEvent::Kind::Trouble, 0,
                     fmt::format("More than {} senders at a time: further ones are refused.", limits.senders),
                     stop);
        }
    }

    void receive(Sender& sender, std::string& piece, const std::stop_token& stop)
    {
        const ssize_t got = recv(sender.descriptor.get(), piece.data(), piece.size(), 0);
        if (got > 0)
            return take(sender, std::string_view(piece).substr(0, static_cast<std::size_t>(got)), stop);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        end(sender, stop);
    }

    // Files

    void follow(const std::stop_token& stop)
    {
        std::string piece(kPieceBytes, '\0');
        pollfd ended{wake.get(), POLLIN, 0};
        while (!stop.stop_requested()) {
            const ssize_t got = pread(senders.front().descriptor.get(), piece.data(), piece.size(), offset);
            if (got > 0) {
                offset += got;
                take(senders.front(), std::string_view(piece).substr(0, static_cast<std::size_t>(got)), stop);
                continue;
            }
            if (lookAgain(stop)) continue;
            poll(&ended, 1, static_cast<int>(kLookAtFileEvery.count()));
        }
    }

    /// Whether the file was cut or replaced: it is read from its begin then.
    bool lookAgain(const std::stop_token& stop)
    {
        struct stat status {};
        if (stat(address.path.c_str(), &status) != 0) {
            if (!std::exchange(missing, true))
                tell(StreamEvent::Kind::Trouble, 1,
                     fmt::format("{} is not there any more; it is waited for.", address.path), stop);
            return false;
        }
        const bool replaced = status.st_ino != inode;
        missing = false;
        if (!replaced && status.st_size >= offset) return false;
        if (replaced) {
            OwnedDescriptor file(::open(address.path.c_str(), kFollowFlags));
            // It may have been replaced once more meanwhile: the inode is that of what is read.
            if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
            senders.front().descriptor = std::move(file);
            inode = status.st_ino;
        }
        offset = 0;
        senders.front().lines.restart();
        countUnfinished();
        tell(StreamEvent::Kind::Began, 1, replaced ? "another file in its place" : "the file was cut", stop);
        return true;
    }
};

StreamReader::StreamReader(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Result<std::unique_ptr<StreamReader>> StreamReader::open(const StreamAddress& address,
                                                         const StreamLimits& limits)
{
    auto inside = std::make_unique<Inside>(address, limits);
    if (!inside->wake) return cannotFollow(address.text(), errno);
    if (address.kind == StreamAddress::Kind::File) {
        OwnedDescriptor file(::open(address.path.c_str(), kFollowFlags));
        struct stat status {};
        if (!file || fstat(file.get(), &status) != 0) return cannotFollow(address.path, errno);
        if (!S_ISREG(status.st_mode))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} is no file that can grow.", address.path));
        inside->inode = status.st_ino;
        inside->sendersSoFar = 1;
        inside->senders.push_back({1, std::move(file), LineSplitter(limits.lineBytes), 0});
        inside->thread = std::jthread([raw = inside.get()](std::stop_token stop) { raw->follow(stop); });
    } else {
        auto listener = ListeningSocket::open(address);
        if (!listener) return Unexpected(listener.error());
        inside->address = listener->address();
        inside->listener.emplace(std::move(*listener));
        inside->thread = std::jthread([raw = inside.get()](std::stop_token stop) { raw->listen(stop); });
    }
    return std::unique_ptr<StreamReader>(new StreamReader(std::move(inside)));
}

StreamReader::~StreamReader()
{
    inside_->thread.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(inside_->wake.get(), &one, sizeof one);
    inside_->thread.join();
}

std::vector<StreamEvent> StreamReader::take(std::chrono::milliseconds wait)
{
    return inside_->queue.take(wait);
}

const StreamAddress& StreamReader::address() const { return inside_->address; }
std::uint64_t StreamReader::bytesRead() const { return inside_->bytes.load(std::memory_order_relaxed); }
std::size_t StreamReader::waitingBytes() const { return inside_->queue.bytes(); }
std::size_t StreamReader::unfinishedBytes() const
{
    return inside_->unfinished.load(std::memory_order_relaxed);
}

}  // namespace skein
