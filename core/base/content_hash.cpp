// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/content_hash.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nettle/sha1.h>
#include <nettle/version.h>
#include <vector>

namespace skein {
namespace {

namespace fs = std::filesystem;
class Sha1 {
public:
    Sha1() { sha1_init(&state_); }

    void add(const char* bytes, std::size_t count)
    {
        sha1_update(&state_, count, reinterpret_cast<const std::uint8_t*>(bytes));
    }
    /// "sha1:" and 40 digits; at most once.
    std::string text()
    {
        std::array<std::uint8_t, SHA1_DIGEST_SIZE> digest{};
#if NETTLE_VERSION_MAJOR < 4
        sha1_digest(&state_, digest.size(), digest.data());
#else
        sha1_digest(&state_, digest.data());
#endif
        return fmt::format("sha1:{:02x}", fmt::join(digest, ""));
    }

private:
    sha1_ctx state_;
};

Result<void> addFile(const fs::path& file, Sha1& hash, const Task& task)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", file.string()));
    std::vector<char> buffer(1 << 18);
    while (stream) {
        if (task.stopRequested()) return cancelled();
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        hash.add(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) return fail(ErrorCode::Io, fmt::format("{} cannot be read to its end.", file.string()));
    return {};
}

Result<std::vector<fs::path>> filesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->is_regular_file(error)) files.push_back(entry->path());
    if (error)
        return fail(ErrorCode::Io, fmt::format("{} cannot be listed: {}.", folder.string(), error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::string contentHash(std::string_view text)
{
    Sha1 hash;
    hash.add(text.data(), text.size());
    return hash.text();
}

Result<std::string> contentHash(const fs::path& path, const Task& task)
{
    Sha1 hash;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        if (!fs::exists(path, error))
            return fail(ErrorCode::NotFound, fmt::format("There is no file {}.", path.string()));
        if (auto added = addFile(path, hash, task); !added) return tl::make_unexpected(added.error());
        return hash.text();
    }
    const auto files = filesBelow(path);
    if (!files) return tl::make_unexpected(files.error());
    for (const fs::path& file : *files) {
        const std::string name = file.lexically_relative(path).generic_string();
        hash.add(name.data(), name.size() + 1);
        if (auto added = addFile(file, hash, task); !added) return tl::make_unexpected(added.error());
    }
    return hash.text();
}

}  // namespace skein
