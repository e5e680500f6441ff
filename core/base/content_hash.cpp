// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/content_hash.h"

#include <algorithm>
#include <boost/uuid/detail/sha1.hpp>
#include <fmt/format.h>
#include <fstream>
#include <vector>

namespace skein {
namespace {

namespace fs = std::filesystem;
using Sha1 = boost::uuids::detail::sha1;

std::string textOf(Sha1& hash)
{
    Sha1::digest_type digest;
    hash.get_digest(digest);
    std::string text = "sha1:";
    for (const unsigned int word : digest) text += fmt::format("{:08x}", word);
    return text;
}

Result<void> addFile(const fs::path& file, Sha1& hash, const Task& task)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", file.string()));
    std::vector<char> buffer(1 << 18);
    while (stream) {
        if (task.stopRequested()) return cancelled();
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        hash.process_bytes(buffer.data(), static_cast<std::size_t>(stream.gcount()));
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
    hash.process_bytes(text.data(), text.size());
    return textOf(hash);
}

Result<std::string> contentHash(const fs::path& path, const Task& task)
{
    Sha1 hash;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        if (!fs::exists(path, error))
            return fail(ErrorCode::NotFound, fmt::format("There is no file {}.", path.string()));
        if (auto added = addFile(path, hash, task); !added) return tl::make_unexpected(added.error());
        return textOf(hash);
    }
    const auto files = filesBelow(path);
    if (!files) return tl::make_unexpected(files.error());
    for (const fs::path& file : *files) {
        const std::string name = file.lexically_relative(path).generic_string();
        hash.process_bytes(name.data(), name.size() + 1);
        if (auto added = addFile(file, hash, task); !added) return tl::make_unexpected(added.error());
    }
    return textOf(hash);
}

}  // namespace skein
