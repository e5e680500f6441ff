// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fast_hash.h"

#include <array>
#include <bit>
#include <cstring>

namespace skein {
namespace {

constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15ull;  ///< odd: multiplication can be undone
constexpr std::size_t kLanes = 8;
constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);

std::uint64_t step(std::uint64_t lane, std::uint64_t word) { return std::rotl((lane ^ word) * kSpread, 27); }

std::uint64_t wordAt(const std::byte* from, std::size_t bytes)
{
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

}  // namespace

std::uint64_t fastHash(std::span<const std::byte> bytes)
{
    std::array<std::uint64_t, kLanes> lanes{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = (lane + 1) * kSpread;
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    // Independent lanes hide the time that a multiplication takes.
    for (; left >= kStripe; left -= kStripe, at += kStripe)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = step(lanes[lane], wordAt(at + lane * 8, 8));
    std::uint64_t hash = bytes.size() * kSpread;
    for (const std::uint64_t lane : lanes) hash = step(hash, lane);
    for (; left >= 8; left -= 8, at += 8) hash = step(hash, wordAt(at, 8));
    if (left > 0) hash = step(hash, wordAt(at, left));
    hash = (hash ^ hash >> 32) * kSpread;
    return hash ^ hash >> 29;
}

}  // namespace skein
