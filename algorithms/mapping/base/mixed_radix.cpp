// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/base/mixed_radix.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

enum class Kind : std::uint8_t { Add, Mirror, Exchange };

/// Mirroring and adding are one in base 2; digits of different bases can't be exchanged.
Kind randomKind(bool same, std::uint32_t base, Random& random)
{
    if (base == 2) return same && random.below(3) == 0 ? Kind::Exchange : Kind::Add;
    return static_cast<Kind>(random.below(same ? 3 : 2));
}

/// One digit of all numbers below `size`: runs of `stride` equal values, one for each value, again and again.
std::vector<std::uint8_t> digitOfAll(std::uint32_t base, std::uint32_t stride, std::uint32_t size)
{
    std::vector<std::uint8_t> digits(size);
    for (std::uint32_t value = 0; value < base; ++value)
        std::fill_n(digits.begin() + value * stride, stride, static_cast<std::uint8_t>(value));
    for (std::uint32_t filled = base * stride; filled < size;) {
        const std::uint32_t more = std::min(filled, size - filled);
        std::copy_n(digits.begin(), more, digits.begin() + filled);
        filled += more;
    }
    return digits;
}

}  // namespace

MixedRadix::MixedRadix(const std::vector<std::uint32_t>& bases)
{
    for (const std::uint32_t base : bases) size_ *= base;
    std::uint32_t stride = size_;
    for (const std::uint32_t base : bases) {
        stride /= base;
        digits_.push_back({base, stride, digitOfAll(base, stride, size_)});
    }
}

std::vector<std::uint32_t> primeFactors(std::uint32_t number)
{
    std::vector<std::uint32_t> factors;
    for (std::uint32_t prime = 2; std::uint64_t{prime} * prime <= number; ++prime) {
        for (; number % prime == 0; number /= prime) factors.push_back(prime);
    }
    if (number > 1) factors.push_back(number);
    return factors;
}

DigitMove::DigitMove(const MixedRadix& radix, double runs, Random& random)
{
    const auto count = static_cast<std::uint32_t>(radix.digits().size());
    const std::uint32_t i = random.below(count);
    const std::uint32_t k = (i + 1 + random.below(count - 1)) % count;
    const MixedRadix::Digit& first = radix.digits()[i];
    const MixedRadix::Digit& second = radix.digits()[k];
    if (random.unit() < runs) {
        // From digit i on as far as chance will have it, up to the digit that decides or the last.
        const std::uint32_t end = k > i ? k : count;
        second_ = second.value.data();
        mirrorRun(radix, i, i + 1 + random.below(end - i));
        return;
    }
    const Kind kind = randomKind(first.base == second.base, first.base, random);
    const std::uint32_t multiple = 1 + random.below(first.base - 1);
    first_ = first.value.data();
    second_ = second.value.data();
    secondBase_ = second.base;
    for (std::uint32_t x = 0; x < first.base; ++x) {
        for (std::uint32_t y = 0; y < second.base; ++y) {
            std::uint32_t nextX = x, nextY = y;
            if (kind == Kind::Add) nextX = (x + multiple * y) % first.base;
            if (kind == Kind::Mirror && y % 2 == 1) nextX = first.base - 1 - x;
            if (kind == Kind::Exchange) std::swap(nextX, nextY);
            const std::int64_t change =
                (std::int64_t{nextX} - x) * first.stride + (std::int64_t{nextY} - y) * second.stride;
            delta_[x * second.base + y] = static_cast<std::int32_t>(change);
        }
    }
}

void DigitMove::mirrorRun(const MixedRadix& radix, std::uint32_t begin, std::uint32_t end)
{
    range_ = 1;
    for (std::uint32_t digit = begin; digit < end; ++digit) range_ *= radix.digits()[digit].base;
    stride_ = radix.digits()[end - 1].stride;
}

}  // namespace skein
