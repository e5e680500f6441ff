// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/qap_instance.h"

#include "algorithms/mapping/qap/linear_assignment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace skein {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// The numbers of a file, and how many of them stand in its first line that has any.
struct Numbers {
    std::vector<std::int64_t> values;
    std::size_t inFirstLine = 0;
};

/// A whole number, written as such or as a real one (3.0, 1e3); nullopt for anything else.
std::optional<std::int64_t> wholeNumber(std::string_view word)
{
    constexpr double kExact = 0x1.0p53;
    std::int64_t value = 0;
    const char* const end = word.data() + word.size();
    if (const auto [rest, error] = std::from_chars(word.data(), end, value);
        error == std::errc() && rest == end)
        return value;
    double real = 0.0;
    const auto [rest, error] = std::from_chars(word.data(), end, real);
    if (error != std::errc() || rest != end || !(std::abs(real) <= kExact) || real != std::floor(real))
        return std::nullopt;
    return static_cast<std::int64_t>(real);
}

Result<Numbers> parseNumbers(std::string_view text)
{
    const std::size_t limit = 2 * std::size_t{kMaximumQapSize} * kMaximumQapSize + 2;
    Numbers numbers;
    bool firstLine = true;
    for (std::size_t at = 0; at < text.size();) {
        if (isBlank(text[at])) {
            firstLine = firstLine && (text[at] != '\n' || numbers.values.empty());
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !isBlank(text[end])) ++end;
        const auto value = wholeNumber(text.substr(at, end - at));
        if (!value)
            return fail(ErrorCode::Malformed,
                        fmt::format("This is no QAPLIB file: at byte {} there is no whole number.", at));
        if (numbers.values.size() == limit)
            return fail(ErrorCode::Unsupported,
                        fmt::format("QAPLIB problems over n = {} are not treated.", kMaximumQapSize));
        numbers.values.push_back(*value);
        numbers.inFirstLine += firstLine ? 1 : 0;
        at = end;
    }
    return numbers;
}

Result<void> checkMagnitude(const QapInstance& instance)
{
    const auto sumOf = [](const std::vector<std::int64_t>& values) {
        long double sum = 0;
        for (const std::int64_t value : values)
            sum += value < 0 ? -static_cast<long double>(value) : static_cast<long double>(value);
        return sum;
    };
    const auto largestOf = [](const std::vector<std::int64_t>& values) {
        long double largest = 0;
        for (const std::int64_t value : values)
            largest = std::max(
                largest, value < 0 ? -static_cast<long double>(value) : static_cast<long double>(value));
        return largest;
    };
    const long double bound = std::min(sumOf(instance.flow) * largestOf(instance.distance),
                                       sumOf(instance.distance) * largestOf(instance.flow));
    if (bound * 4 <= 0x1.0p62L) return {};
    return fail(ErrorCode::Unsupported, "The numbers are too large: costs could pass 2^60.");
}

/// The smallest Σ x·y over all pairings: the largest of one with the smallest of the other.
std::int64_t minimalProduct(const std::vector<std::int64_t>& ascending,
                            const std::vector<std::int64_t>& descending)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i) sum += ascending[i] * descending[i];
    return sum;
}

/// The entries of each row without its diagonal, sorted.
template <typename Order>
std::vector<std::vector<std::int64_t>> sortedRows(const std::vector<std::int64_t>& matrix, std::uint32_t size,
                                                  Order order)
{
    std::vector<std::vector<std::int64_t>> rows(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        for (std::uint32_t j = 0; j < size; ++j) {
            if (i != j) rows[i].push_back(matrix[std::size_t{i} * size + j]);
        }
        std::sort(rows[i].begin(), rows[i].end(), order);
    }
    return rows;
}

}  // namespace

Result<QapInstance> parseQaplib(std::string_view text)
{
    const auto numbers = parseNumbers(text);
    if (!numbers) return Unexpected(numbers.error());
    const std::vector<std::int64_t>& values = numbers->values;
    if (values.empty() || values[0] < 1)
        return fail(ErrorCode::Malformed, "This is no QAPLIB file: it does not begin with the size.");
    if (values[0] > kMaximumQapSize)
        return fail(ErrorCode::Unsupported,
                    fmt::format("QAPLIB problems over n = {} are not treated.", kMaximumQapSize));
    const auto size = static_cast<std::uint32_t>(values[0]);
    const std::size_t cells = std::size_t{size} * size;
    // Some files tell the best known cost beside n.
    const bool tellsCost = values.size() == 2 * cells + 2 && numbers->inFirstLine == 2;
    if (values.size() != 2 * cells + 1 && !tellsCost) {
        return fail(ErrorCode::Malformed,
                    fmt::format("A QAPLIB file of n = {} holds {} numbers after n; this one holds {}.", size,
                                2 * cells, values.size() - 1));
    }
    const auto first = values.end() - static_cast<std::ptrdiff_t>(2 * cells);
    QapInstance instance;
    instance.size = size;
    instance.flow.assign(first, first + static_cast<std::ptrdiff_t>(cells));
    instance.distance.assign(first + static_cast<std::ptrdiff_t>(cells), values.end());
    if (const auto fine = checkMagnitude(instance); !fine) return Unexpected(fine.error());
    return instance;
}

std::int64_t qapCost(const QapInstance& instance, std::span<const std::uint32_t> permutation)
{
    std::int64_t cost = 0;
    for (std::uint32_t i = 0; i < instance.size; ++i) {
        for (std::uint32_t j = 0; j < instance.size; ++j)
            cost += instance.flowAt(i, j) * instance.distanceAt(permutation[i], permutation[j]);
    }
    return cost;
}

std::int64_t qapSwapChange(const QapInstance& instance, std::span<const std::uint32_t> p, std::uint32_t u,
                           std::uint32_t v)
{
    const auto a = [&](std::uint32_t i, std::uint32_t j) { return instance.flowAt(i, j); };
    const auto b = [&](std::uint32_t i, std::uint32_t j) { return instance.distanceAt(p[i], p[j]); };
    std::int64_t change =
        (a(u, u) - a(v, v)) * (b(v, v) - b(u, u)) + (a(u, v) - a(v, u)) * (b(v, u) - b(u, v));
    for (std::uint32_t k = 0; k < instance.size; ++k) {
        if (k == u || k == v) continue;
        change += (a(k, u) - a(k, v)) * (b(k, v) - b(k, u)) + (a(u, k) - a(v, k)) * (b(v, k) - b(u, k));
    }
    return change;
}

std::int64_t gilmoreLawlerBound(const QapInstance& instance)
{
    const auto flows = sortedRows(instance.flow, instance.size, std::less<>());
    const auto distances = sortedRows(instance.distance, instance.size, std::greater<>());
    std::vector<std::int64_t> cost(std::size_t{instance.size} * instance.size);
    for (std::uint32_t i = 0; i < instance.size; ++i) {
        for (std::uint32_t k = 0; k < instance.size; ++k) {
            cost[std::size_t{i} * instance.size + k] =
                instance.flowAt(i, i) * instance.distanceAt(k, k) + minimalProduct(flows[i], distances[k]);
        }
    }
    return solveLinearAssignment(cost, instance.size).cost;
}

}  // namespace skein
