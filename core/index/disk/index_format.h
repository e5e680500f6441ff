// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The layout of an index file; docs/INDEX.md tells it in words.
namespace skein::disk {

inline constexpr std::array<char, 8> kMagic{'S', 'K', 'E', 'I', 'N', 'I', 'D', 'X'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kFormatVersion = 6;
inline constexpr std::size_t kHeaderBytes = 4096;
inline constexpr std::size_t kBlockBytes = std::size_t{1} << 20;  ///< what one checksum of the payload covers
inline constexpr std::size_t kAlignment = 64;                     ///< of every array

/// The first page of the file, followed by the payload (arrays), the catalog (where they lie and everything
/// small) and the checksums of the payload's blocks. The rest of the page is 0.
struct Header {
    std::array<char, 8> magic{};
    std::uint32_t byteOrder = 0;
    std::uint32_t formatVersion = 0;
    std::uint64_t programVersion = 0;  ///< of the sources that read archives, see programVersion()
    std::uint64_t layout = 0;          ///< of the rows of this machine's tables, see layoutOfRows()
    std::uint64_t fileBytes = 0;
    std::uint64_t catalogOffset = 0;  ///< the payload's end
    std::uint64_t catalogBytes = 0;
    std::uint64_t catalogHash = 0;
    std::uint64_t blockHashes = 0;  ///< offset of one checksum a block
    std::uint64_t blockHashesHash = 0;
    std::uint64_t headerHash = 0;  ///< of the whole page with 0 in this place
};
static_assert(sizeof(Header) <= kHeaderBytes);

/// A checksum of the sources that decide what an import yields: an index of another program is not believed.
std::uint64_t programVersion();

/// A checksum of the sizes of everything that lies in columns.
std::uint64_t layoutOfRows();

}  // namespace skein::disk
