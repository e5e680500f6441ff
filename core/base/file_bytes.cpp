// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_bytes.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace skein {
namespace {

/// Up to this size a file is copied: cheaper than a mapping.
constexpr std::size_t kCopyLimit = std::size_t{4} << 20;

class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& path)
        : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
    }
    ~Descriptor()
    {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

Unexpected failed(const std::filesystem::path& path, int error)
{
    const std::string name = path.string();
    if (error == ENOENT || error == ENOTDIR)
        return fail(ErrorCode::NotFound, fmt::format("There is no file {}.", name));
    if (error == EACCES || error == EPERM)
        return fail(ErrorCode::AccessDenied, fmt::format("{} may not be read; check its permissions.", name));
    return fail(ErrorCode::Io, fmt::format("{} cannot be read: {}.", name, std::strerror(error)));
}

bool isRegular(const std::filesystem::path& path, int& error)
{
    struct stat status {};
    error = stat(path.c_str(), &status) == 0 ? 0 : errno;
    return error == 0 && S_ISREG(status.st_mode);
}

/// Reads up to `wanted` bytes; fewer at the end of the file, -1 on failure.
ssize_t readUpTo(int descriptor, char* into, std::size_t wanted)
{
    std::size_t got = 0;
    while (got < wanted) {
        const ssize_t part = read(descriptor, into + got, wanted - got);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -1;
        if (part == 0) break;
        got += static_cast<std::size_t>(part);
    }
    return static_cast<ssize_t>(got);
}

Result<FileBytes> copied(const std::filesystem::path& path, int descriptor, std::size_t size)
{
    const auto held = std::make_shared<std::string>(size, '\0');
    const ssize_t got = readUpTo(descriptor, held->data(), size);
    if (got < 0) return failed(path, errno);
    held->resize(static_cast<std::size_t>(got));
    const std::string_view view = *held;
    if (view.size() < size) return FileBytes::shortened(held, view);
    return FileBytes(held, view);
}

}  // namespace

Result<FileBytes> openFileBytes(const std::filesystem::path& path)
{
    int error = 0;
    if (!isRegular(path, error)) {
        if (error != 0) return failed(path, error);
        return fail(ErrorCode::Unsupported, fmt::format("{} is not a regular file.", path.string()));
    }
    const Descriptor file(path);
    if (file.number() < 0) return failed(path, errno);
    struct stat status {};
    if (fstat(file.number(), &status) != 0) return failed(path, errno);
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return FileBytes();
    if (size > kCopyLimit)
        if (auto mapping = GuardedMapping::map(file.number(), size)) return FileBytes(std::move(mapping));
    return copied(path, file.number(), size);
}

Result<void> stillWhole(const FileBytes& bytes, std::string_view name)
{
    if (!bytes.hasShrunk()) return {};
    return fail(ErrorCode::Io,
                fmt::format("{} became shorter while it was read; open it again when the program that writes "
                            "it has ended.",
                            name));
}

std::string fileHead(const std::filesystem::path& path, std::size_t bytes)
{
    int error = 0;
    if (!isRegular(path, error)) return {};
    const Descriptor file(path);
    if (file.number() < 0) return {};
    std::string head(bytes, '\0');
    const ssize_t got = readUpTo(file.number(), head.data(), bytes);
    head.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return head;
}

}  // namespace skein
