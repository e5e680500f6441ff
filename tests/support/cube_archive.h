// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Makes small Cube profiles byte by byte, as the format's description has it.
namespace skein::test {

enum class Endian { Little, Big };

/// The bytes of a number in either order.
template <typename T>
std::string numberBytes(T number, Endian endian)
{
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &number, sizeof(T));
    const bool native = (endian == Endian::Little) == (std::endian::native == std::endian::little);
    return native ? bytes : std::string(bytes.rbegin(), bytes.rend());
}

template <typename T>
std::string numbersBytes(const std::vector<T>& numbers, Endian endian = Endian::Little)
{
    std::string bytes;
    for (const T number : numbers) bytes += numberBytes(number, endian);
    return bytes;
}

/// One member of a tar archive with its header and filling.
std::string tarMember(const std::string& name, std::string_view content);

/// A tar archive of these members, with the two empty blocks at its end.
std::string tarArchive(const std::vector<std::pair<std::string, std::string>>& members);

std::string sparseIndex(const std::vector<std::uint32_t>& numbers, Endian endian = Endian::Little);
std::string denseIndex(Endian endian = Endian::Little);
inline std::string plainData(const std::string& values) { return "CUBEX.DATA" + values; }
/// Every row packed by itself; rows of zeros take no bytes.
std::string packedData(const std::string& values, std::size_t rowBytes, Endian endian = Endian::Little);

std::string gzipped(std::string_view bytes);

/// <metric> with what counts.
std::string metricXml(int id, const std::string& name, const std::string& type, const std::string& stored,
                      const std::string& unit = "occ");

/// An anchor.xml with regions main, a, b; the tree main → (a → b), b; and one process of each rank with
/// `threads` threads.
std::string anchorXml(const std::string& metrics, int ranks = 2, int threads = 1);

/// In preorder: main, a, b below a, b below main. Inclusive metrics number main, a, b below main, b below a.
inline constexpr std::size_t kAnchorNodes = 4;

}  // namespace skein::test
