// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The types of values that Cube profiles hold.
namespace skein::cube {

enum class NumberType : std::uint8_t { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Double };

enum class ByteOrder : std::uint8_t { Native, Swapped };

enum class ValueShape : std::uint8_t {
    Number,
    Minimum,
    Maximum,
    Rate,     ///< an amount, and what it is divided by
    Complex,  ///< a real and an imaginary part
    Tuple,
    Atomic,  ///< TAU's user events: count, minimum, maximum, sum, sum of squares
};

/// How the values of a metric lie in its file.
struct ValueFormat {
    ValueShape shape = ValueShape::Number;
    NumberType number = NumberType::Double;  ///< of the value or of each of its parts
    std::uint32_t parts = 1;
    std::uint32_t bytes = 8;  ///< of one value with all of its parts

    /// What is added to the metric's name for a part; empty for a value of one.
    std::string suffix(std::uint32_t part) const;
};

/// The format of a <dtype>; nullopt for types that are not shown (histograms, scaling functions) or not
/// known, and for tuples of more than 64 numbers.
std::optional<ValueFormat> valueFormat(std::string_view dtype);

/// Which part of a number is read: what a double can hold of it, or what whole numbers beyond 2^53 have more.
enum class NumberPart : std::uint8_t { Rounded, Rest };

/// Reads one number after the other, `stride` bytes apart, as far as there are both.
void decodeNumbers(std::string_view bytes, NumberType type, ByteOrder order, std::size_t stride,
                   NumberPart part, std::span<double> numbers);

/// The whole number at the beginning of `bytes`, which must be as many.
std::uint32_t decodeUint32(const char* bytes, ByteOrder order);
std::int64_t decodeInt64(const char* bytes, ByteOrder order);

}  // namespace skein::cube
