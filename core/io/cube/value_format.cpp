// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/value_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace skein::cube {
namespace {

constexpr std::uint32_t kMostParts = 64;
/// A 32-bit count and four doubles, without a gap.
constexpr std::uint32_t kAtomicBytes = 36;

struct NamedNumber {
    std::string_view name;
    NumberType type;
};

/// With the names of older versions.
constexpr std::array<NamedNumber, 20> kNumbers{{
    {"CHAR", NumberType::Uint8},
    {"DOUBLE", NumberType::Double},
    {"FLOAT", NumberType::Double},
    {"INT", NumberType::Int32},
    {"INT16", NumberType::Int16},
    {"INT32", NumberType::Int32},
    {"INT64", NumberType::Int64},
    {"INT8", NumberType::Int8},
    {"INTEGER", NumberType::Int64},
    {"SHORT INT", NumberType::Int16},
    {"SIGNED INT", NumberType::Int32},
    {"SIGNED INTEGER", NumberType::Int64},
    {"SIGNED SHORT INT", NumberType::Int16},
    {"UINT16", NumberType::Uint16},
    {"UINT32", NumberType::Uint32},
    {"UINT64", NumberType::Uint64},
    {"UINT8", NumberType::Uint8},
    {"UNSIGNED INT", NumberType::Uint32},
    {"UNSIGNED INTEGER", NumberType::Uint64},
    {"UNSIGNED SHORT INT", NumberType::Uint16},
}};

std::uint32_t bytesOf(NumberType type)
{
    switch (type) {
    case NumberType::Int8:
    case NumberType::Uint8: return 1;
    case NumberType::Int16:
    case NumberType::Uint16: return 2;
    case NumberType::Int32:
    case NumberType::Uint32: return 4;
    default: return 8;
    }
}

template <typename T>
T decodedValue(const char* bytes, ByteOrder order)
{
    std::array<char, sizeof(T)> raw;
    if (order == ByteOrder::Native) std::memcpy(raw.data(), bytes, sizeof(T));
    else
        for (std::size_t at = 0; at < sizeof(T); ++at) raw[at] = bytes[sizeof(T) - 1 - at];
    return std::bit_cast<T>(raw);
}

template <typename T>
double restOf(T number)
{
    if constexpr (sizeof(T) < 8 || std::is_floating_point_v<T>) return 0.0;
    else
        return static_cast<double>(static_cast<__int128>(number)
                                   - static_cast<__int128>(static_cast<double>(number)));
}

template <typename T>
void decodeAll(std::string_view bytes, ByteOrder order, std::size_t stride, NumberPart part,
               std::span<double> numbers)
{
    for (std::size_t at = 0; at < numbers.size() && at * stride + sizeof(T) <= bytes.size(); ++at) {
        const T number = decodedValue<T>(bytes.data() + at * stride, order);
        numbers[at] = part == NumberPart::Rounded ? static_cast<double>(number) : restOf(number);
    }
}

/// "NDOUBLES(10)" → 10.
std::optional<std::uint32_t> numberInBrackets(std::string_view text)
{
    const auto from = text.find('(');
    if (from == std::string_view::npos) return std::nullopt;
    text.remove_prefix(from + 1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

ValueFormat ofDoubles(ValueShape shape, std::uint32_t parts)
{
    return {shape, NumberType::Double, parts, 8 * parts};
}

}  // namespace

std::string ValueFormat::suffix(std::uint32_t part) const
{
    switch (shape) {
    case ValueShape::Rate: return part == 0 ? ".amount" : ".divisor";
    case ValueShape::Complex: return part == 0 ? ".real" : ".imaginary";
    case ValueShape::Tuple: return fmt::format("[{}]", part);
    default: return {};
    }
}

std::optional<ValueFormat> valueFormat(std::string_view dtype)
{
    for (const auto& [name, type] : kNumbers)
        if (dtype == name) return ValueFormat{ValueShape::Number, type, 1, bytesOf(type)};
    if (dtype == "MINDOUBLE") return ofDoubles(ValueShape::Minimum, 1);
    if (dtype == "MAXDOUBLE") return ofDoubles(ValueShape::Maximum, 1);
    if (dtype == "RATE") return ofDoubles(ValueShape::Rate, 2);
    if (dtype == "COMPLEX") return ofDoubles(ValueShape::Complex, 2);
    if (dtype == "TAU_ATOMIC") return ValueFormat{ValueShape::Atomic, NumberType::Double, 5, kAtomicBytes};
    if (!dtype.starts_with("NDOUBLES")) return std::nullopt;
    const auto parts = numberInBrackets(dtype);
    if (!parts || *parts == 0 || *parts > kMostParts) return std::nullopt;
    return ofDoubles(ValueShape::Tuple, *parts);
}

void decodeNumbers(std::string_view bytes, NumberType type, ByteOrder order, std::size_t stride,
                   NumberPart part, std::span<double> numbers)
{
    switch (type) {
    case NumberType::Int8: return decodeAll<std::int8_t>(bytes, order, stride, part, numbers);
    case NumberType::Uint8: return decodeAll<std::uint8_t>(bytes, order, stride, part, numbers);
    case NumberType::Int16: return decodeAll<std::int16_t>(bytes, order, stride, part, numbers);
    case NumberType::Uint16: return decodeAll<std::uint16_t>(bytes, order, stride, part, numbers);
    case NumberType::Int32: return decodeAll<std::int32_t>(bytes, order, stride, part, numbers);
    case NumberType::Uint32: return decodeAll<std::uint32_t>(bytes, order, stride, part, numbers);
    case NumberType::Int64: return decodeAll<std::int64_t>(bytes, order, stride, part, numbers);
    case NumberType::Uint64: return decodeAll<std::uint64_t>(bytes, order, stride, part, numbers);
    case NumberType::Double: return decodeAll<double>(bytes, order, stride, part, numbers);
    }
}

std::uint32_t decodeUint32(const char* bytes, ByteOrder order)
{
    return decodedValue<std::uint32_t>(bytes, order);
}

std::int64_t decodeInt64(const char* bytes, ByteOrder order)
{
    return decodedValue<std::int64_t>(bytes, order);
}

}  // namespace skein::cube
