// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace skein::tau {

/// One record of a TAU trace. Time is in microseconds.
struct TraceRecord {
    std::int64_t event = 0;
    std::uint16_t node = 0;
    std::uint16_t thread = 0;
    std::int64_t parameter = 0;
    std::uint64_t time = 0;
};

/// How the records of a file are laid out. TAU writes its C structure as it lies in memory, so that size and
/// byte order are those of the machine that ran the program:
/// * 24 bytes: int32 event, uint16 node, uint16 thread, int64 parameter, uint64 time;
/// * 32 bytes, where a C long was taken for the event: int64 event, uint16 node, uint16 thread, 4 bytes of
///   padding, int64 parameter, uint64 time.
struct RecordLayout {
    bool wide = false;     ///< 32 bytes
    bool swapped = false;  ///< of the other byte order than this machine's
    std::size_t recordBytes() const { return wide ? 32 : 24; }
    bool operator==(const RecordLayout&) const = default;
};

namespace detail {

template <typename Value>
Value load(const char* from, bool swapped)
{
    std::make_unsigned_t<Value> value{};
    std::memcpy(&value, from, sizeof value);
    if (!swapped) return static_cast<Value>(value);
    if constexpr (sizeof value == 2) return static_cast<Value>(__builtin_bswap16(value));
    else if constexpr (sizeof value == 4) return static_cast<Value>(__builtin_bswap32(value));
    else return static_cast<Value>(__builtin_bswap64(value));
}

}  // namespace detail

/// Decodes the record that begins at `bytes`.
inline TraceRecord decodeRecord(const char* bytes, RecordLayout layout)
{
    using detail::load;
    const bool swapped = layout.swapped;
    if (layout.wide)
        return {load<std::int64_t>(bytes, swapped), load<std::uint16_t>(bytes + 8, swapped),
                load<std::uint16_t>(bytes + 10, swapped), load<std::int64_t>(bytes + 16, swapped),
                load<std::uint64_t>(bytes + 24, swapped)};
    return {load<std::int32_t>(bytes, swapped), load<std::uint16_t>(bytes + 4, swapped),
            load<std::uint16_t>(bytes + 6, swapped), load<std::int64_t>(bytes + 8, swapped),
            load<std::uint64_t>(bytes + 16, swapped)};
}

/// The layout of a file that begins like this; nullopt when it is no TAU trace. TAU's first record is an
/// EV_INIT with parameter 3; where that was cut away, several records must make sense. Some damaged ones
/// among them are tolerated.
std::optional<RecordLayout> detectLayout(std::string_view head);

/// True when the first of at least two records is the EV_INIT with which TAU begins.
bool beginsWithInit(std::string_view head, RecordLayout layout);

/// What the parameter of a message's record packs: the partner's world rank in bits 24–31 and 56–63, the tag
/// in 16–23 and 48–55, the length in 0–15 and 32–41, the communicator in 42–47.
struct PackedMessage {
    std::uint32_t partner = 0;
    std::uint32_t tag = 0;
    std::uint32_t bytes = 0;
    std::uint32_t communicator = 0;
};
PackedMessage unpackMessage(std::int64_t parameter);

}  // namespace skein::tau
