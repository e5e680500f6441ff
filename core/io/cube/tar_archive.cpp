// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/tar_archive.h"

#include "core/base/utf8.h"
#include "core/io/gzip/gzip_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::cube {
namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kUnpackedPiece = std::size_t{1} << 20;
/// So many bytes of a packed file are looked at to tell what it is, and so many members of a plain one.
constexpr std::size_t kPackedHead = std::size_t{64} << 10;
constexpr std::size_t kMembersLookedAt = 16;

struct TarHeader {
    std::string_view name;
    std::uint64_t size = 0;
    char type = '0';

    bool isFile() const { return type == '0' || type == '\0' || type == '7'; }
};

/// A number in octal digits between blanks, or, with the highest bit set, the bytes of the number itself.
std::optional<std::uint64_t> tarNumber(std::string_view field)
{
    std::uint64_t value = 0;
    if (static_cast<unsigned char>(field.front()) & 0x80) {
        for (std::size_t at = 1; at < field.size(); ++at) {
            if (value >> 56) return std::nullopt;
            value = value << 8 | static_cast<unsigned char>(field[at]);
        }
        return value;
    }
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    const std::string_view digits = field.substr(0, field.find_first_of(std::string_view(" \0", 2)));
    if (digits.empty()) return std::nullopt;
    for (const char digit : digits) {
        if (digit < '0' || digit > '7' || value >> 60) return std::nullopt;
        value = value << 3 | static_cast<std::uint64_t>(digit - '0');
    }
    return value;
}

/// nullopt where the block is no header.
std::optional<TarHeader> tarHeader(std::string_view block)
{
    if (block.size() < kTarBlock) return std::nullopt;
    TarHeader header;
    header.name = block.substr(0, 100);
    header.name = header.name.substr(0, header.name.find('\0'));
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 32; };
    if (header.name.empty() || std::any_of(header.name.begin(), header.name.end(), isControl))
        return std::nullopt;
    const auto size = tarNumber(block.substr(124, 12));
    if (!size) return std::nullopt;
    header.size = *size;
    header.type = block[156];
    const bool known = header.type == '\0' || (header.type >= '0' && header.type <= '7')
        || (header.type >= 'A' && header.type <= 'z');
    return known ? std::optional(header) : std::nullopt;
}

std::string_view lastPart(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool isNumbered(std::string_view name, std::string_view extension)
{
    if (!name.ends_with(extension) || name.size() == extension.size()) return false;
    name.remove_suffix(extension.size());
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Also where the file was cut off within the beginning.
bool beginsAs(std::string_view content, std::string_view beginning)
{
    return content.substr(0, beginning.size()) == beginning.substr(0, content.size());
}

/// Whether a member is one that only Cube writes, as far as the file has it. Score-P's remapping.spec stands
/// before all values, so that a file that was cut off may hold nothing else.
bool tellsCube(const TarHeader& header, std::string_view content)
{
    const std::string_view name = lastPart(header.name);
    if (name == "remapping.spec") return beginsAs(content, "<doc>") || beginsAs(content, "<?xml");
    if (name == "anchor.xml")
        return content.empty() || isGzip(content)
            || content.substr(0, 512).find("<cube") != std::string_view::npos;
    if (isNumbered(name, ".index")) return beginsAs(content, "CUBEX.INDEX");
    return isNumbered(name, ".data") && (beginsAs(content, "CUBEX.DATA") || beginsAs(content, "ZCUBEX.DATA"));
}

bool holdsCube(std::string_view bytes, std::size_t members)
{
    for (std::size_t number = 0; number < members; ++number) {
        const auto header = tarHeader(bytes.substr(0, kTarBlock));
        if (!header) return false;
        bytes.remove_prefix(kTarBlock);
        if (header->isFile() && tellsCube(*header, bytes)) return true;
        if (header->size >= bytes.size()) return false;
        bytes.remove_prefix(
            std::min<std::uint64_t>(bytes.size(), (header->size + kTarBlock - 1) / kTarBlock * kTarBlock));
    }
    return false;
}

}  // namespace

std::optional<PlainBytes> unpackedWherePacked(std::string_view bytes, const Task& task)
{
    if (!isGzip(bytes)) return PlainBytes{nullptr, bytes, true, false};
    GzipReader reader(bytes, unpackingLimit(bytes.size()));
    auto text = std::make_shared<std::string>();
    for (;;) {
        if (task.stopRequested()) return std::nullopt;
        const std::string piece = reader.readUpTo(kUnpackedPiece);
        *text += piece;
        if (piece.size() < kUnpackedPiece) break;
    }
    return PlainBytes{text, *text, reader.complete(), reader.overLimit()};
}

Result<TarArchive> TarArchive::open(const std::filesystem::path& path, ImportReport& report, const Task& task)
{
    auto file = openFileBytes(path);
    if (!file) return Unexpected(std::move(file.error()));
    TarArchive archive;
    archive.file_ = std::move(*file);
    archive.name_ = toValidUtf8(path.filename().string());
    auto plain = unpackedWherePacked(archive.file_.text(), task);
    if (!plain) return cancelled();
    archive.plain_ = std::move(*plain);
    if (!archive.plain_.whole)
        report.add(
            archive.plain_.overLimit ? IssueKind::CorruptRecord : IssueKind::Truncated, archive.name_, "",
            archive.plain_.overLimit ? "unpacks to far more than a profile can hold; the rest is left out"
                                     : "the packed data ends or is damaged here",
            static_cast<std::int64_t>(archive.plain_.bytes.size()));
    archive.readHeaders(archive.plain_.bytes, report);
    return archive;
}

void TarArchive::readHeaders(std::string_view bytes, ImportReport& report)
{
    std::uint64_t at = 0;
    while (at < bytes.size() && bytes[at] != '\0') {
        const auto header = tarHeader(bytes.substr(at, kTarBlock));
        if (!header) {
            const bool cut = bytes.size() - at < kTarBlock;
            report.add(cut ? IssueKind::Truncated : IssueKind::CorruptRecord, name_, "",
                       cut ? "the archive ends within the header of a member"
                           : "what follows is no member of an archive and is not read",
                       static_cast<std::int64_t>(at));
            return;
        }
        at += kTarBlock;
        TarMember member{bytes.substr(at, header->size), header->size};
        const std::string name = toValidUtf8(lastPart(header->name));
        if (member.cut())
            report.add(
                IssueKind::Truncated, name_, "",
                fmt::format("{} of {} bytes of the member {}", member.bytes.size(), member.declared, name),
                static_cast<std::int64_t>(bytes.size()));
        if (header->isFile()) members_[name] = member;
        if (member.cut()) return;
        at += (header->size + kTarBlock - 1) / kTarBlock * kTarBlock;
    }
}

std::optional<TarMember> TarArchive::member(std::string_view name) const
{
    const auto found = members_.find(name);
    return found == members_.end() ? std::nullopt : std::optional(found->second);
}

bool isCubeStub(const std::filesystem::path& file)
{
    std::string head = fileHead(file, kTarBlock);
    if (isGzip(head)) head = unpackedHead(fileHead(file, kPackedHead), kUnpackedPiece);
    if (head.size() >= kTarBlock) return false;
    const std::string name = file.filename().string();
    if (name.ends_with(".cubex") || name.ends_with(".cubex.gz")) return true;
    const std::string member(lastPart(std::string_view(head).substr(0, head.find('\0'))));
    return head.size() > member.size()
        && (member == "remapping.spec" || member == "anchor.xml" || isNumbered(member, ".index")
            || isNumbered(member, ".data"));
}

bool isCubeFile(const std::filesystem::path& file)
{
    const std::string head = fileHead(file, kTarBlock);
    if (isGzip(head))
        return holdsCube(unpackedHead(fileHead(file, kPackedHead), kUnpackedPiece), kMembersLookedAt);
    if (!tarHeader(head)) return false;
    const auto bytes = openFileBytes(file);
    return bytes && holdsCube(bytes->text(), kMembersLookedAt);
}

}  // namespace skein::cube
