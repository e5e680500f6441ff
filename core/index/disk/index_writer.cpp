// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_writer.h"

#include "core/base/fast_hash.h"
#include "core/base/memory_limit.h"
#include "core/base/parallel_for.h"
#include "core/index/disk/catalog_fields.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr std::size_t kWriteStep = std::size_t{8} << 20;  ///< bytes between two questions whether to stop

Unexpected ioFailure(const fs::path& file, int error)
{
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    return fail(denied ? ErrorCode::AccessDenied : ErrorCode::Io,
                fmt::format("The index {} cannot be written: {}.", file.string(), std::strerror(error)));
}

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

bool writeAll(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset)
{
    while (!bytes.empty()) {
        const ssize_t wrote = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        offset += static_cast<std::uint64_t>(wrote);
        bytes = bytes.subspan(static_cast<std::size_t>(wrote));
    }
    return true;
}

/// Has the disk take the file in steps, so that the flush of commit() has little left and the program can be
/// stopped.
bool flushInSteps(int descriptor, std::uint64_t bytes, const Task& task)
{
    constexpr unsigned kWait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    for (std::uint64_t at = 0; at < bytes; at += kWriteStep) {
        if (task.stopRequested()) return false;
        sync_file_range(descriptor, static_cast<off_t>(at), kWriteStep, kWait);
    }
    return true;
}

/// Appends columns to the file.
class Payload : public ColumnSink {
public:
    Payload(int descriptor, std::uint64_t begin, const Task& task)
        : descriptor_(descriptor), end_(begin), task_(task)
    {
    }

    std::uint64_t put(std::span<const std::byte> bytes) override
    {
        const std::uint64_t offset = aligned(end_);
        for (std::size_t at = 0; at < bytes.size() && error_ == 0 && !task_.stopRequested(); at += kWriteStep)
            if (!writeAll(descriptor_, bytes.subspan(at, std::min(kWriteStep, bytes.size() - at)),
                          offset + at))
                error_ = errno;
        end_ = offset + bytes.size();
        leaveMemory(bytes);
        return offset;
    }
    std::uint64_t end() const { return end_; }
    int error() const { return error_; }

private:
    int descriptor_;
    std::uint64_t end_;
    const Task& task_;
    int error_ = 0;
};

std::string catalogOf(const IndexContents& contents, ColumnSink& columns)
{
    CatalogWriter catalog(columns);
    const Experiment& experiment = *contents.experiment;
    const CallTree& tree = *experiment.callTree;
    catalog(contents.summary, experiment.name, experiment.format, experiment.importer, experiment.definitions,
            experiment.report, tree.parents(), tree.regions(), tree.callSites());
    catalog(experiment.trace != nullptr, experiment.timelineIndex != nullptr, experiment.summary != nullptr,
            experiment.profile != nullptr);
    if (experiment.trace) catalog(*experiment.trace);
    if (experiment.timelineIndex) catalog(*experiment.timelineIndex);
    if (experiment.summary) catalog(*experiment.summary);
    if (experiment.profile) catalog(*experiment.profile);
    catalog(experiment.commMatrix != nullptr);
    if (experiment.commMatrix)
        catalog(experiment.commMatrix->ranks(),
                Column<CommMatrix::Entry>(experiment.commMatrix, experiment.commMatrix->entries()));
    std::string bytes = catalog.bytes();
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

/// A file seen as bytes while its payload is hashed.
class Mapping {
public:
    Mapping(int descriptor, std::size_t bytes)
        : bytes_(bytes), begin_(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0))
    {
    }
    ~Mapping()
    {
        if (good()) munmap(begin_, bytes_);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    bool good() const { return begin_ != MAP_FAILED; }
    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(begin_), bytes_}; }

private:
    std::size_t bytes_;
    void* begin_;
};

std::array<std::byte, kHeaderBytes> pageOf(Header header)
{
    std::array<std::byte, kHeaderBytes> page{};
    std::memcpy(page.data(), &header, sizeof header);
    header.headerHash = fastHash(page);
    std::memcpy(page.data(), &header, sizeof header);
    return page;
}

/// A file that is locked and stands under its name; -1 when somebody took it away in between.
int openLocked(fs::path& pattern)
{
    std::string name = pattern.string();
    const int descriptor = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) return -1;
    pattern = name;
    struct stat opened {
    }, named{};
    const bool own = flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0
        && stat(name.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
    if (own) return descriptor;
    close(descriptor);
    errno = EAGAIN;
    return -1;
}

}  // namespace

IndexWriter::IndexWriter(fs::path file, fs::path temporary, int descriptor)
    : file_(std::move(file)), temporary_(std::move(temporary)), descriptor_(descriptor)
{
}

IndexWriter::IndexWriter(IndexWriter&& other) noexcept
    : file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1))
{
}

IndexWriter::~IndexWriter()
{
    if (!temporary_.empty()) unlink(temporary_.c_str());
    if (descriptor_ >= 0) close(descriptor_);
}

Result<IndexWriter> IndexWriter::create(const fs::path& file)
{
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    if (failure) return ioFailure(file, failure.value());
    for (int attempt = 0; attempt < 3; ++attempt) {
        fs::path temporary = file.string() + std::string(kTemporaryMark) + std::string(6, 'X');
        const int descriptor = openLocked(temporary);
        if (descriptor >= 0) return IndexWriter(file, std::move(temporary), descriptor);
    }
    return ioFailure(file, errno);
}

Result<void> IndexWriter::write(const IndexContents& contents, const Task& task)
{
    task.report(0.0, "Saving the index");
    Payload payload(descriptor_, kHeaderBytes, task);
    const std::string catalog = catalogOf(contents, payload);
    if (task.stopRequested()) return cancelled();
    if (payload.error() != 0) return ioFailure(file_, payload.error());
    task.report(0.5, "Saving the index");
    Header header{kMagic,
                  kByteOrder,
                  kFormatVersion,
                  programVersion(),
                  layoutOfRows(),
                  0,
                  aligned(payload.end()),
                  catalog.size(),
                  0,
                  0,
                  0,
                  0};
    header.catalogHash = fastHash(std::as_bytes(std::span(catalog)));
    header.blockHashes = header.catalogOffset + header.catalogBytes;
    if (ftruncate(descriptor_, static_cast<off_t>(header.blockHashes)) != 0
        || !writeAll(descriptor_, std::as_bytes(std::span(catalog)), header.catalogOffset))
        return ioFailure(file_, errno);
    const Mapping mapping(descriptor_, header.blockHashes);
    if (!mapping.good()) return ioFailure(file_, errno);
    const auto hashes = hashBlocks(mapping.bytes(), header.catalogOffset, task);
    if (!hashes) return Unexpected(hashes.error());
    header.blockHashesHash = fastHash(std::as_bytes(std::span(*hashes)));
    header.fileBytes = header.blockHashes + hashes->size() * sizeof(std::uint64_t);
    if (!writeAll(descriptor_, std::as_bytes(std::span(*hashes)), header.blockHashes)
        || !writeAll(descriptor_, pageOf(header), 0))
        return ioFailure(file_, errno);
    task.report(0.8, "Saving the index");
    if (!flushInSteps(descriptor_, header.fileBytes, task)) return cancelled();
    task.report(0.95, "Saving the index");
    return {};
}

std::uint64_t IndexWriter::bytes() const
{
    struct stat status {};
    return fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Result<void> IndexWriter::commit()
{
    if (fsync(descriptor_) != 0 || rename(temporary_.c_str(), file_.c_str()) != 0)
        return ioFailure(file_, errno);
    temporary_.clear();
    const int folder = open(file_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return {};
    fsync(folder);
    close(folder);
    return {};
}

bool isTemporaryIndex(const fs::path& file)
{
    return file.filename().string().find(kTemporaryMark) != std::string::npos;
}

bool removeAbandoned(const fs::path& temporary)
{
    const int descriptor = open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return errno == ENOENT;
    const bool abandoned = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool gone = abandoned && unlink(temporary.c_str()) == 0;
    close(descriptor);
    return gone;
}

Result<std::vector<std::uint64_t>> hashBlocks(std::span<const std::byte> file, std::uint64_t end,
                                              const Task& task)
{
    const std::size_t bytes = end - kHeaderBytes;
    std::vector<std::uint64_t> hashes((bytes + kBlockBytes - 1) / kBlockBytes);
    constexpr std::size_t kBlocksAtOnce = 8;
    const bool whole =
        parallelFor((hashes.size() + kBlocksAtOnce - 1) / kBlocksAtOnce, task, [&](std::size_t part) {
            for (std::size_t block = part * kBlocksAtOnce;
                 block < std::min(hashes.size(), (part + 1) * kBlocksAtOnce); ++block) {
                const std::size_t from = kHeaderBytes + block * kBlockBytes;
                hashes[block] = fastHash(file.subspan(from, std::min(kBlockBytes, end - from)));
            }
            // What has been looked at may leave memory: the whole file may not fit.
            const std::size_t from = kHeaderBytes + part * kBlocksAtOnce * kBlockBytes;
            madvise(const_cast<std::byte*>(file.data() + from),
                    std::min(kBlocksAtOnce * kBlockBytes, end - from), MADV_DONTNEED);
        });
    if (!whole) return cancelled();
    return hashes;
}

}  // namespace skein::disk
