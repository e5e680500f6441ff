// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"

#include <array>
#include <cstdint>
#include <vector>

namespace skein {

/// The numbers 0 … size-1 written as digits of several bases, the first digit slowest. Immutable after
/// building.
class MixedRadix {
public:
    static constexpr std::uint32_t kMaxBase = 31;

    struct Digit {
        std::uint32_t base = 2;
        std::uint32_t stride = 1;
        std::vector<std::uint8_t> value;  ///< of every number
    };

    MixedRadix() = default;
    /// Every base is 2 … kMaxBase. O(size × digits).
    explicit MixedRadix(const std::vector<std::uint32_t>& bases);

    std::uint32_t size() const { return size_; }
    const std::vector<Digit>& digits() const { return digits_; }

private:
    std::uint32_t size_ = 1;
    std::vector<Digit> digits_;
};

/// The prime factors of a number, ascending; empty for 1.
std::vector<std::uint32_t> primeFactors(std::uint32_t number);

/// An elementary permutation of the numbers of a MixedRadix: adds a multiple of one digit to another, mirrors
/// a digit or a run of digits where another is odd, or exchanges two digits. In base 2 these generate all
/// invertible linear maps of the bits. Points into the radix, which must outlive it.
class DigitMove {
public:
    /// A random one, which mirrors a run of digits with the probability `runs`. The radix has at least two
    /// digits.
    DigitMove(const MixedRadix& radix, double runs, Random& random);
    std::uint32_t of(std::uint32_t number) const
    {
        if (range_ == 0)
            return number
                + static_cast<std::uint32_t>(delta_[first_[number] * secondBase_ + second_[number]]);
        if (second_[number] % 2 == 0) return number;
        const std::uint32_t value = number / stride_ % range_;
        return number + (range_ - 1 - value) * stride_ - value * stride_;
    }

private:
    void mirrorRun(const MixedRadix& radix, std::uint32_t begin, std::uint32_t end);

    std::uint32_t range_ = 0;   ///< values of the run that is mirrored; 0 where no run is
    std::uint32_t stride_ = 1;  ///< of the run
    const std::uint8_t* first_ = nullptr;
    const std::uint8_t* second_ = nullptr;
    std::uint32_t secondBase_ = 2;
    std::array<std::int32_t, std::size_t{MixedRadix::kMaxBase} * MixedRadix::kMaxBase> delta_;
};

}  // namespace skein
