// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/anchor_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string_view>

namespace skein::otf2 {
namespace {

constexpr std::uintmax_t kLargestAnchor = std::uintmax_t{64} << 20;
constexpr char kLittleEndianMark = 'B';
constexpr char kBigEndianMark = '#';

/// Takes fields off the front of the file's bytes.
class AnchorFields {
public:
    explicit AnchorFields(std::string_view bytes) : rest_(bytes) {}

    bool skip(std::size_t count)
    {
        if (count > rest_.size()) return false;
        rest_.remove_prefix(count);
        return true;
    }
    bool skipString()
    {
        const auto end = rest_.find('\0');
        return end != std::string_view::npos && skip(end + 1);
    }
    template <typename T>
    std::optional<T> number(bool littleEndian)
    {
        if (rest_.size() < sizeof(T)) return std::nullopt;
        T value = 0;
        for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
            const std::size_t shift = 8 * (littleEndian ? byte : sizeof(T) - 1 - byte);
            value = static_cast<T>(value | static_cast<T>(static_cast<unsigned char>(rest_[byte])) << shift);
        }
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    std::size_t left() const { return rest_.size(); }

private:
    std::string_view rest_;
};

bool isChunkSize(std::optional<std::uint64_t> size)
{
    return size && *size >= OTF2_CHUNK_SIZE_MIN && *size <= OTF2_CHUNK_SIZE_MAX;
}

/// Layout: header (2 bytes), "OTF2", formats and version (5), chunk sizes, substrate and compression (2),
/// numbers of locations and definitions, machine, creator, description, then the number of properties and
/// those as strings.
std::optional<std::string> defectOf(std::string_view bytes)
{
    if (bytes.size() < 7 || bytes[0] != 3 || std::memcmp(bytes.data() + 2, "OTF2", 5) != 0)
        return "it is no anchor file";
    if (bytes[1] != kLittleEndianMark && bytes[1] != kBigEndianMark) return "its byte order is unknown";
    const bool littleEndian = bytes[1] == kLittleEndianMark;
    AnchorFields fields(bytes.substr(7));
    if (!fields.skip(5)) return "it ends early";
    if (!isChunkSize(fields.number<std::uint64_t>(littleEndian))
        || !isChunkSize(fields.number<std::uint64_t>(littleEndian)))
        return "it names chunk sizes that are not allowed";
    if (!fields.skip(2 + 2 * sizeof(std::uint64_t))) return "it ends early";
    for (int text = 0; text < 3; ++text)
        if (!fields.skipString()) return "it ends early";
    const auto properties = fields.number<std::uint32_t>(littleEndian);
    if (!properties) return "it ends early";
    if (*properties > fields.left() / 2) return "it names more properties than it has";
    for (std::uint32_t text = 0; text < 2 * *properties; ++text)
        if (!fields.skipString()) return "it ends early";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> anchorDefect(const std::filesystem::path& anchor)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(anchor, error);
    if (error) return "it cannot be opened";
    if (size > kLargestAnchor) return "it is larger than any anchor file";
    std::ifstream file(anchor, std::ios::binary);
    if (!file) return "it cannot be opened";
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty()) return "it is empty";
    return defectOf(bytes);
}

}  // namespace skein::otf2
