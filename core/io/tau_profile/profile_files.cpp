// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/profile_files.h"

#include "core/base/file_bytes.h"
#include "core/base/utf8.h"
#include "core/io/folder_entries.h"
#include "core/io/gzip/gzip_reader.h"
#include "core/io/tau_profile/packed_profile.h"
#include "core/io/tau_profile/text_profile.h"
#include "core/io/tau_profile/xml_profile.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace skein::tau {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProfileHeadBytes = 4096;
constexpr std::size_t kUnpackedHeadBytes = std::size_t{1} << 16;
constexpr std::string_view kMulti = "MULTI__";

bool isMultiName(const fs::path& folder) { return folder.filename().string().starts_with(kMulti); }

/// The path without a separator at its end, whose filename() is its last part.
fs::path withoutSlash(const fs::path& path)
{
    return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

/// The folder that holds all metrics where this one holds a single of them.
fs::path archiveFolder(const fs::path& folder)
{
    std::error_code ignored;
    const fs::path whole = withoutSlash(fs::absolute(folder, ignored).lexically_normal());
    if (!isMultiName(whole)) return folder;
    return folder.has_parent_path() && withoutSlash(folder).has_parent_path()
        ? withoutSlash(folder).parent_path()
        : whole.parent_path();
}

bool countsInFolder(ProfileKind kind)
{
    return kind == ProfileKind::Text || kind == ProfileKind::Snapshot || kind == ProfileKind::Merged;
}

/// True when the folder itself holds a profile, without looking into folders below.
bool holdsProfile(const fs::path& folder, const Task& task)
{
    std::error_code error;
    std::size_t looked = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && looked < kMaximumSniffed;
         entry.increment(error)) {
        if (task.stopRequested()) return false;
        ++looked;
        if (countsInFolder(profileKindOf(entry->path()))) return true;
    }
    return false;
}

bool holdsMulti(const fs::path& folder, const Task& task)
{
    std::error_code error;
    std::size_t looked = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && looked < kMaximumSniffed;
         entry.increment(error)) {
        if (task.stopRequested()) return false;
        ++looked;
        std::error_code ignored;
        if (isMultiName(entry->path()) && entry->is_directory(ignored) && holdsProfile(entry->path(), task))
            return true;
    }
    return false;
}

struct ProfileListing {
    std::map<ProfileKind, std::vector<fs::path>> byKind;
    std::vector<fs::path> multi;
    std::vector<fs::path> unknown;  ///< named like a text profile of a thread
};

bool isProfileName(const fs::path& file)
{
    const std::string name = file.filename().string();
    return name.starts_with("profile.") && threadKeyOfFileName(name);
}

Result<ProfileListing> listProfiles(const fs::path& folder, const Task& task)
{
    const auto entries = folderEntries(folder, task);
    if (!entries) return tl::make_unexpected(entries.error());
    ProfileListing listing;
    std::error_code error;
    for (const fs::path& entry : *entries) {
        if (task.stopRequested()) return cancelled();
        if (isMultiName(entry) && fs::is_directory(entry, error)) listing.multi.push_back(entry);
        else if (const auto kind = profileKindOf(entry); kind != ProfileKind::None)
            listing.byKind[kind].push_back(entry);
        else if (isProfileName(entry)) listing.unknown.push_back(entry);
    }
    return listing;
}

/// Adds the text profiles of one metric; gives threads without numbers in their names the next free ones.
void addTextFiles(const std::vector<fs::path>& paths, const std::string& prefix, ProfileFiles& files)
{
    std::set<ThreadKey> used;
    std::vector<ProfileFile> unnumbered;
    const std::size_t first = files.files.size();
    for (const fs::path& path : paths) {
        ProfileFile file{path, prefix + toValidUtf8(path.filename().string()), {}, ProfileKind::Text};
        const auto key = threadKeyOfFileName(path.filename().string());
        if (!key) {
            unnumbered.push_back(file);
            continue;
        }
        file.key = *key;
        if (used.insert(*key).second) files.files.push_back(file);
        else
            files.report.add(IssueKind::DuplicateDefinition, file.name, "",
                             "a second profile of the same thread is left aside");
    }
    std::sort(files.files.begin() + static_cast<std::ptrdiff_t>(first), files.files.end(),
              [](const ProfileFile& a, const ProfileFile& b) { return a.key < b.key; });
    std::uint32_t node = used.empty() ? 0 : used.rbegin()->node + 1;
    for (ProfileFile& file : unnumbered) {
        file.key.node = node++;
        files.files.push_back(file);
    }
}

/// Files that are named like profiles and are none.
void reportUnknownProfiles(const std::vector<fs::path>& paths, const std::string& prefix,
                           ImportReport& report)
{
    for (const fs::path& path : paths) {
        const std::string name = prefix + toValidUtf8(path.filename().string());
        const auto bytes = openFileBytes(path);
        if (!bytes) report.add(IssueKind::Unreadable, name, "", bytes.error().message);
        else if (bytes->size() == 0) report.add(IssueKind::Truncated, name, "", "the file is empty");
        else report.add(IssueKind::CorruptRecord, name, "", "the file does not begin as a profile does");
    }
}

/// Threads that one metric has and another lacks.
void reportAbsentThreads(ProfileFiles& files, const std::vector<std::string>& metrics)
{
    std::map<ThreadKey, std::set<std::string>> told;
    for (const ProfileFile& file : files.files)
        told[file.key].insert(file.name.substr(0, file.name.find('/')));
    for (const auto& [key, names] : told)
        for (const std::string& metric : metrics)
            if (!names.contains(metric))
                files.report.add(
                    IssueKind::AbsentFile,
                    fmt::format("{}/profile.{}.{}.{}", metric, key.node, key.context, key.thread), "",
                    "the thread lacks this metric");
}

Result<void> addMulti(const std::vector<fs::path>& folders, ProfileFiles& files, const Task& task)
{
    std::vector<std::string> metrics;
    for (const fs::path& folder : folders) {
        auto listing = listProfiles(folder, task);
        if (!listing && listing.error().cancelled()) return cancelled();
        const std::string name = toValidUtf8(folder.filename().string());
        if (!listing) files.report.add(IssueKind::Unreadable, name, "", listing.error().message);
        else addTextFiles(listing->byKind[ProfileKind::Text], name + "/", files);
        if (listing) reportUnknownProfiles(listing->unknown, name + "/", files.report);
        if (listing && !listing->byKind[ProfileKind::Text].empty()) metrics.push_back(name);
    }
    reportAbsentThreads(files, metrics);
    return {};
}

void leaveAside(const std::vector<fs::path>& paths, std::string_view what, ProfileFiles& files)
{
    if (paths.empty()) return;
    files.report.add(IssueKind::UnsupportedRecord, toValidUtf8(paths.front().filename().string()), "",
                     fmt::format("{} in the same folder; open it by its own path", what), -1, paths.size());
}

void addXml(const std::vector<fs::path>& paths, ProfileKind kind, ProfileFiles& files)
{
    for (const fs::path& path : paths)
        files.files.push_back({path, toValidUtf8(path.filename().string()), {}, kind});
}

Result<ProfileFiles> profilesOfFolder(const fs::path& folder, const Task& task)
{
    auto listing = listProfiles(folder, task);
    if (!listing) return tl::make_unexpected(listing.error());
    ProfileFiles files;
    files.archive = folder;
    auto& text = listing->byKind[ProfileKind::Text];
    auto& snapshots = listing->byKind[ProfileKind::Snapshot];
    auto& merged = listing->byKind[ProfileKind::Merged];
    if (const auto added = addMulti(listing->multi, files, task); !added)
        return tl::make_unexpected(added.error());
    const bool multi = !files.files.empty();
    if (multi) leaveAside(text, "another profile", files);
    else addTextFiles(text, "", files);
    if (!multi && !text.empty()) reportUnknownProfiles(listing->unknown, "", files.report);
    if (!files.files.empty()) leaveAside(snapshots, "snapshots", files);
    else addXml(snapshots, ProfileKind::Snapshot, files);
    if (files.files.empty() && !merged.empty()) {
        addXml({merged.front()}, ProfileKind::Merged, files);
        merged.erase(merged.begin());
    }
    leaveAside(merged, "a merged profile", files);
    leaveAside(listing->byKind[ProfileKind::Packed], "a packed profile", files);
    if (files.files.empty())
        return fail(ErrorCode::NotRecognized, fmt::format("{} holds no TAU profile.", folder.string()));
    return files;
}

}  // namespace

ProfileKind profileKindOf(const fs::path& file)
{
    std::string head = fileHead(file, kProfileHeadBytes);
    if (isTextProfile(head)) return ProfileKind::Text;
    if (isPackedProfile(head)) return ProfileKind::Packed;
    if (isGzip(head)) head = unpackedHead(head, kUnpackedHeadBytes);
    if (!isXmlProfile(head)) return ProfileKind::None;
    return isMergedProfile(head) ? ProfileKind::Merged : ProfileKind::Snapshot;
}

std::optional<fs::path> profileArchiveOf(const fs::path& path, const Task& task)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const fs::path folder = archiveFolder(path);
        if (holdsProfile(path, task) || holdsMulti(path, task)) return folder;
        return std::nullopt;
    }
    switch (profileKindOf(path)) {
    case ProfileKind::None: return std::nullopt;
    case ProfileKind::Merged:
    case ProfileKind::Packed: return path;
    case ProfileKind::Text:
    case ProfileKind::Snapshot: break;
    }
    return archiveFolder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

Result<ProfileFiles> findProfileFiles(const fs::path& archive, const Task& task)
{
    std::error_code error;
    if (fs::is_directory(archive, error)) return profilesOfFolder(archive, task);
    ProfileFiles files;
    files.archive = archive;
    const ProfileKind kind = profileKindOf(archive);
    if (kind == ProfileKind::None)
        return fail(ErrorCode::NotRecognized, fmt::format("{} is no TAU profile.", archive.string()));
    ProfileFile file{archive, toValidUtf8(archive.filename().string()), {}, kind};
    file.key = threadKeyOfFileName(archive.filename().string()).value_or(ThreadKey{});
    files.files.push_back(file);
    return files;
}

}  // namespace skein::tau
