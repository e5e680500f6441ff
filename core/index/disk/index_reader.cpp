// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_reader.h"

#include "core/base/fast_hash.h"
#include "core/index/disk/catalog_fields.h"
#include "core/index/disk/index_check.h"
#include "core/index/disk/index_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostIndexedRanks = 1u << 24;

Unexpected damaged(const fs::path& index, std::string_view what)
{
    return fail(ErrorCode::Malformed, fmt::format("The index {} is not used: {}.", index.string(), what));
}

Unexpected unopened(const fs::path& index, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return fail(ErrorCode::NotFound, fmt::format("There is no index {}.", index.string()));
    return fail(error == EACCES ? ErrorCode::AccessDenied : ErrorCode::Io,
                fmt::format("The index {} cannot be read: {}.", index.string(), std::strerror(error)));
}

/// A mapped file of which the header and the table of checksums have been found right.
struct Opened {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> file;
    struct stat status {};
    Header header;

    std::span<const std::byte> catalog() const
    {
        return file.subspan(header.catalogOffset, header.catalogBytes);
    }
    std::span<const std::byte> hashes() const { return file.subspan(header.blockHashes); }
};

Result<Opened> map(const fs::path& index)
{
    const int descriptor = open(index.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return unopened(index, errno);
    Opened opened;
    struct stat& status = opened.status;
    const bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = static_cast<std::size_t>(regular ? status.st_size : 0);
    void* begin =
        size < kHeaderBytes ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (begin == MAP_FAILED) return damaged(index, "it is cut short");
    opened.owner = std::shared_ptr<const void>(
        begin, [size](const void* memory) { munmap(const_cast<void*>(memory), size); });
    opened.file = {static_cast<const std::byte*>(begin), size};
    return opened;
}

/// What is wrong with the header; empty where nothing is.
std::string_view wrongHeader(const Header& header, std::size_t fileBytes)
{
    if (header.magic != kMagic) return "it is no index";
    if (header.byteOrder != kByteOrder) return "it comes from a machine of the other byte order";
    if (header.formatVersion != kFormatVersion || header.programVersion != programVersion()
        || header.layout != layoutOfRows())
        return "it was written by another version of the program";
    if (header.fileBytes != fileBytes) return "it is cut short";
    const std::uint64_t end = header.catalogOffset;
    if (end < kHeaderBytes || end > fileBytes || header.catalogBytes > fileBytes - end)
        return "its header is damaged";
    if (header.blockHashes != end + header.catalogBytes || header.blockHashes % 8 != 0)
        return "its header is damaged";
    const std::uint64_t blocks = (end - kHeaderBytes + kBlockBytes - 1) / kBlockBytes;
    if ((fileBytes - header.blockHashes) != blocks * sizeof(std::uint64_t)) return "its header is damaged";
    return {};
}

Result<Opened> openChecked(const fs::path& index)
{
    auto opened = map(index);
    if (!opened) return opened;
    std::array<std::byte, kHeaderBytes> page;
    std::memcpy(page.data(), opened->file.data(), page.size());
    Header& header = opened->header;
    std::memcpy(&header, page.data(), sizeof header);
    if (const auto wrong = wrongHeader(header, opened->file.size()); !wrong.empty())
        return damaged(index, wrong);
    Header without = header;
    without.headerHash = 0;
    std::memcpy(page.data(), &without, sizeof without);
    if (fastHash(page) != header.headerHash) return damaged(index, "its header is damaged");
    if (fastHash(opened->catalog()) != header.catalogHash) return damaged(index, "its catalog is damaged");
    if (fastHash(opened->hashes()) != header.blockHashesHash)
        return damaged(index, "its checksums are damaged");
    return opened;
}

Result<std::vector<std::size_t>> compare(const Opened& opened, const Task& task)
{
    const auto found = hashBlocks(opened.file, opened.header.catalogOffset, task);
    if (!found) return Unexpected(found.error());
    std::vector<std::size_t> different;
    const auto* expected = reinterpret_cast<const std::uint64_t*>(opened.hashes().data());
    for (std::size_t block = 0; block < found->size(); ++block)
        if ((*found)[block] != expected[block]) different.push_back(block);
    return different;
}

/// Null where none was recorded; fails where the entries contradict the number of ranks.
Result<std::shared_ptr<const CommMatrix>> matrixIn(CatalogReader& catalog)
{
    bool hasMatrix = false;
    std::uint32_t ranks = 0;
    Column<CommMatrix::Entry> entries;
    catalog(hasMatrix);
    if (!hasMatrix) return nullptr;
    catalog(ranks, entries);
    const bool hold = !catalog.failed() && ranks <= kMostIndexedRanks
        && std::all_of(entries.begin(), entries.end(), [&](const CommMatrix::Entry& entry) {
               return std::max(entry.sender, entry.receiver) < ranks;
           });
    if (!hold) return fail(ErrorCode::Malformed, "its catalog contradicts itself");
    return std::make_shared<const CommMatrix>(ranks,
                                              std::vector<CommMatrix::Entry>(entries.begin(), entries.end()));
}

/// Null where the catalog contradicts itself.
ExperimentPtr experimentIn(CatalogReader& catalog, IndexSummary& summary)
{
    auto experiment = std::make_shared<Experiment>();
    Column<std::uint32_t> parents, regions, callSites;
    bool hasTrace = false;
    bool hasTimeline = false;
    bool hasSummary = false;
    bool hasProfile = false;
    catalog(summary, experiment->name, experiment->format, experiment->importer, experiment->definitions,
            experiment->report, parents, regions, callSites, hasTrace, hasTimeline, hasSummary, hasProfile);
    auto trace = std::make_shared<Trace>();
    auto timeline = std::make_shared<TimelineIndex>();
    auto traceSummary = std::make_shared<TraceSummary>();
    auto profile = std::make_shared<Profile>();
    if (hasTrace) catalog(*trace);
    if (hasTimeline) catalog(*timeline);
    if (hasSummary) catalog(*traceSummary);
    if (hasProfile) catalog(*profile);
    auto matrix = matrixIn(catalog);
    if (!matrix || catalog.failed() || !formsTree(parents, regions, callSites, experiment->definitions))
        return nullptr;
    experiment->callTree =
        std::make_shared<const CallTree>(std::move(parents), std::move(regions), std::move(callSites));
    if (hasTrace) experiment->trace = std::move(trace);
    if (hasTimeline) experiment->timelineIndex = std::move(timeline);
    if (hasSummary) experiment->summary = std::move(traceSummary);
    if (hasProfile) experiment->profile = std::move(profile);
    experiment->commMatrix = std::move(*matrix);
    return isConsistent(*experiment) ? experiment : nullptr;
}

/// The file as the stamp names it.
std::string stampText(const struct stat& file, std::int64_t checkedNs)
{
    const auto ns = [](const timespec& time) { return time.tv_sec * 1'000'000'000ll + time.tv_nsec; };
    return fmt::format("skein-stamp 1\n{} {} {} {} {}\n{}\n", file.st_dev, file.st_ino, file.st_size,
                       ns(file.st_mtim), ns(file.st_ctim),
                       checkedNs > ns(file.st_ctim) + 20'000'000 ? "settled" : "recent");
}

std::int64_t nowNs()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

std::string contentOf(const fs::path& file)
{
    std::string text(512, '\0');
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return {};
    const ssize_t got = read(descriptor, text.data(), text.size());
    close(descriptor);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
}

bool isStamped(const fs::path& index, const struct stat& status)
{
    const bool same =
        contentOf(stampOf(index)) == stampText(status, std::numeric_limits<std::int64_t>::max());
    if (same) utimensat(AT_FDCWD, stampOf(index).c_str(), nullptr, 0);
    return same;
}

}  // namespace

fs::path stampOf(const fs::path& index) { return fs::path(index).replace_extension(".skein-stamp"); }

void stampIndex(const fs::path& index)
{
    struct stat before {
    }, after{};
    if (stat(index.c_str(), &before) != 0) return;
    const auto changed = before.st_ctim.tv_sec * 1'000'000'000ll + before.st_ctim.tv_nsec;
    for (int wait = 0; wait < 10 && nowNs() <= changed + 25'000'000; ++wait) usleep(5000);
    if (stat(index.c_str(), &after) != 0 || stampText(after, 0) != stampText(before, 0)) return;
    // Written in place: a stamp of which only a part was written says nothing, and no temporary file can
    // stay.
    const std::string text = stampText(after, nowNs());
    const int descriptor = open(stampOf(index).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return;
    const bool wrote = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(descriptor);
    if (!wrote) unlink(stampOf(index).c_str());
}

Result<IndexContents> openIndex(const fs::path& index, Verify verify, const Task& task)
{
    const auto opened = openChecked(index);
    if (!opened) return Unexpected(opened.error());
    if (!isStamped(index, opened->status) || verify == Verify::Always) {
        const auto different = compare(*opened, task);
        if (!different) return Unexpected(different.error());
        if (!different->empty()) return damaged(index, "its contents are damaged");
        stampIndex(index);
    }
    CatalogReader catalog(opened->catalog(), opened->owner, opened->file, opened->header.catalogOffset);
    IndexContents contents;
    contents.experiment = experimentIn(catalog, contents.summary);
    if (!contents.experiment) return damaged(index, "its catalog contradicts itself");
    return contents;
}

Result<IndexSummary> readSummary(const fs::path& index)
{
    const auto opened = openChecked(index);
    if (!opened) return Unexpected(opened.error());
    CatalogReader catalog(opened->catalog(), opened->owner, opened->file, opened->header.catalogOffset);
    IndexSummary summary;
    catalog(summary);
    if (catalog.failed()) return damaged(index, "its catalog contradicts itself");
    return summary;
}

Result<std::vector<std::size_t>> damagedBlocks(const fs::path& index, const Task& task)
{
    const auto opened = openChecked(index);
    if (!opened) return Unexpected(opened.error());
    return compare(*opened, task);
}

}  // namespace skein::disk
