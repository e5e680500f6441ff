// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_bytes.h"
#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// The tar archive that a Cube profile is.
namespace skein::cube {

/// Bytes that may have been packed with gzip.
struct PlainBytes {
    std::shared_ptr<const void> owner;  ///< null where they were not packed
    std::string_view bytes;
    bool whole = true;       ///< false: the packed data ends early or is damaged
    bool overLimit = false;  ///< they unpack to more than was allowed; the rest is left out
};

/// What packed bytes unpack to, at most max(64 MiB, 64 times them); others as they are. nullopt after a stop
/// request. Throws std::bad_alloc.
std::optional<PlainBytes> unpackedWherePacked(std::string_view bytes, const Task& task);

struct TarMember {
    std::string_view bytes;      ///< what there is of it
    std::uint64_t declared = 0;  ///< bytes that its header announces
    bool cut() const { return bytes.size() < declared; }
};

/// A tar archive that looks at the file's bytes. Immutable; reading from several threads is safe.
class TarArchive {
public:
    /// Reads the headers; checksums are not looked at, as Cube 4.8 writes wrong ones. Members are known by
    /// the last part of their names; of several of one name the last counts. Findings go into the report: a
    /// file that ends early, what is no header, packed data that is damaged. Errors: those of
    /// openFileBytes(); Cancelled. O(members); where the whole file is packed O(its bytes).
    static Result<TarArchive> open(const std::filesystem::path& path, ImportReport& report, const Task& task);

    /// nullopt where there is none of the name.
    std::optional<TarMember> member(std::string_view name) const;
    const std::map<std::string, TarMember, std::less<>>& members() const { return members_; }
    /// Whether the file became shorter since it was opened; see FileBytes.
    bool hasShrunk() const { return file_.hasShrunk(); }

private:
    void readHeaders(std::string_view bytes, ImportReport& report);

    FileBytes file_;
    PlainBytes plain_;
    std::string name_;
    std::map<std::string, TarMember, std::less<>> members_;
};

/// Whether the file begins like a tar archive, packed or not, that holds a Cube profile. Looks at little of
/// it.
bool isCubeFile(const std::filesystem::path& file);

/// Whether the file was to become a Cube profile, by its name or by that of its first member, and ends within
/// the 512 bytes that tell what it holds.
bool isCubeStub(const std::filesystem::path& file);

}  // namespace skein::cube
