// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace skein {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  ///< as many as Linux follows
constexpr mode_t kNewFile = 0666;

Unexpected cannotWrite(const fs::path& file, int error)
{
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    return fail(denied ? ErrorCode::AccessDenied : ErrorCode::Io,
                fmt::format("{} cannot be written: {}.", file.string(), std::strerror(error)));
}

/// The folder that a file is in, by its own name.
Result<fs::path> folderFor(const fs::path& file)
{
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code error;
    fs::path found = fs::canonical(folder, error);
    if (!error && fs::is_directory(found, error)) return found;
    return fail(ErrorCode::NotFound,
                fmt::format("There is no folder {} for {}.", folder.string(), file.filename().string()));
}

std::string_view kindName(fs::file_type type)
{
    switch (type) {
    case fs::file_type::directory: return "a folder";
    case fs::file_type::fifo: return "a pipe";
    case fs::file_type::socket: return "a socket";
    default: return "a device";
    }
}

Unexpected noRegularFile(const fs::path& file, std::string_view kind)
{
    return fail(ErrorCode::Unsupported, fmt::format("{} is {}; name a file to write.", file.string(), kind));
}

/// Links below /proc stand for what a process has open, whatever path they tell.
bool isOfProcess(const fs::path& folder) { return folder.native().starts_with("/proc/"); }

Result<fs::path> checkedPlace(const fs::path& file, fs::path place)
{
    std::error_code error;
    const fs::file_status status = fs::symlink_status(place, error);
    if (status.type() == fs::file_type::not_found) return place;
    if (error) return cannotWrite(file, error.value());
    if (status.type() != fs::file_type::regular) return noRegularFile(file, kindName(status.type()));
    if (access(place.c_str(), W_OK) != 0) return cannotWrite(file, errno);
    return place;
}

bool writeAt(int descriptor, std::string_view bytes, off_t offset)
{
    while (!bytes.empty()) {
        const ssize_t wrote = pwrite(descriptor, bytes.data(), bytes.size(), offset);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        offset += wrote;
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
}

bool readsBack(int descriptor, std::string_view bytes, off_t offset)
{
    std::array<char, 1 << 16> buffer{};
    while (!bytes.empty()) {
        const ssize_t got = pread(descriptor, buffer.data(), std::min(buffer.size(), bytes.size()), offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        const auto part = static_cast<std::size_t>(got);
        if (bytes.substr(0, part) != std::string_view(buffer.data(), part)) return false;
        offset += got;
        bytes.remove_prefix(part);
    }
    return true;
}

/// A name beside the place that nobody else of this machine takes.
fs::path temporaryFor(const fs::path& place)
{
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.part-{}-{}", place.string(), getpid(), count++);
}

}  // namespace

Result<fs::path> outputPlace(const fs::path& file)
{
    fs::path place = file;
    for (int links = 0; links <= kMostLinks; ++links) {
        if (place.filename().empty()) return noRegularFile(file, "a folder");
        const auto folder = folderFor(place);
        if (!folder) return folder;
        place = *folder / place.filename();
        std::error_code error;
        if (fs::symlink_status(place, error).type() != fs::file_type::symlink)
            return checkedPlace(file, place);
        if (isOfProcess(*folder)) return noRegularFile(file, "a stream of a process");
        const fs::path target = fs::read_symlink(place, error);
        if (error) return cannotWrite(file, error.value());
        place = *folder / target;
    }
    return cannotWrite(file, ELOOP);
}

OutputFile::OutputFile(fs::path place, fs::path temporary, int descriptor)
    : place_(std::move(place)), temporary_(std::move(temporary)), descriptor_(descriptor)
{
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : place_(std::move(other.place_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      end_(other.end_)
{
}

OutputFile::~OutputFile()
{
    if (!temporary_.empty()) unlink(temporary_.c_str());
    if (descriptor_ >= 0) close(descriptor_);
}

Result<OutputFile> OutputFile::create(const fs::path& file)
{
    auto place = outputPlace(file);
    if (!place) return tl::make_unexpected(std::move(place.error()));
    fs::path temporary;
    int descriptor = open(place->parent_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kNewFile);
    if (descriptor < 0) {
        temporary = temporaryFor(*place);
        descriptor = open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile);
    }
    if (descriptor < 0) return cannotWrite(file, errno);
    OutputFile output(std::move(*place), std::move(temporary), descriptor);
    output.takePermissions();
    return output;
}

void OutputFile::takePermissions()
{
    struct stat old {};
    if (stat(place_.c_str(), &old) != 0) return;
    // Who may not give files away keeps the new one, as an editor would.
    [[maybe_unused]] const int ignored = fchown(descriptor_, old.st_uid, old.st_gid);
    fchmod(descriptor_, old.st_mode & 07777);
}

Result<void> OutputFile::write(std::string_view bytes)
{
    if (!writeAt(descriptor_, bytes, end_)) return cannotWrite(place_, errno);
    if (!readsBack(descriptor_, bytes, end_))
        return fail(ErrorCode::Io, fmt::format("{} was not written as it should.", place_.string()));
    end_ += static_cast<off_t>(bytes.size());
    return {};
}

/// A nameless file can be put where there is none, but cannot take the place of another.
bool OutputFile::giveName()
{
    if (!temporary_.empty()) return true;
    fs::path name = temporaryFor(place_);
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return false;
    temporary_ = std::move(name);
    return true;
}

Result<void> OutputFile::commit()
{
    if (fsync(descriptor_) != 0 || !giveName() || rename(temporary_.c_str(), place_.c_str()) != 0)
        return cannotWrite(place_, errno);
    temporary_.clear();
    return {};
}

Result<void> writeFile(const fs::path& file, std::string_view bytes)
{
    auto output = OutputFile::create(file);
    if (!output) return tl::make_unexpected(std::move(output.error()));
    if (auto written = output->write(bytes); !written) return written;
    return output->commit();
}

}  // namespace skein
