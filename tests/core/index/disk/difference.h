// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstring>
#include <fmt/format.h>
#include <string>
#include <tuple>
#include <type_traits>

/// Where two values differ, found without the description that the index is written by: members of structs
/// are counted by the compiler, so that one that the index forgets is noticed.
namespace skein::test {

struct Anything {
    template <typename T>
    operator T() const;
};

template <typename T, std::size_t... Is>
constexpr bool takesMembers(std::index_sequence<Is...>)
{
    return requires { T{(static_cast<void>(Is), Anything{})...}; };
}

template <typename T, std::size_t Most = 20>
constexpr std::size_t memberCount()
{
    if constexpr (takesMembers<T>(std::make_index_sequence<Most>())) return Most;
    else return memberCount<T, Most - 1>();
}

#define SKEIN_MEMBERS(count, ...)                                                                            \
    if constexpr (memberCount<T>() == count) {                                                               \
        const auto& [__VA_ARGS__] = value;                                                                   \
        return std::tie(__VA_ARGS__);                                                                        \
    } else
template <typename T>
auto members(const T& value)
{
    SKEIN_MEMBERS(1, a)
    SKEIN_MEMBERS(2, a, b)
    SKEIN_MEMBERS(3, a, b, c)
    SKEIN_MEMBERS(4, a, b, c, d)
    SKEIN_MEMBERS(5, a, b, c, d, e)
    SKEIN_MEMBERS(6, a, b, c, d, e, f)
    SKEIN_MEMBERS(7, a, b, c, d, e, f, g)
    SKEIN_MEMBERS(8, a, b, c, d, e, f, g, h)
    SKEIN_MEMBERS(9, a, b, c, d, e, f, g, h, i)
    SKEIN_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
    SKEIN_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
    SKEIN_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
    SKEIN_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    SKEIN_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
    SKEIN_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
    static_assert(!sizeof(T), "give this number of members a line");
}
#undef SKEIN_MEMBERS

template <typename T>
std::string difference(const T& a, const T& b);

template <typename T>
std::string differenceOfLists(const T& a, const T& b)
{
    if (a.size() != b.size()) return fmt::format("{} entries and {}", a.size(), b.size());
    using Value = std::remove_cvref_t<decltype(a[0])>;
    if constexpr (std::is_arithmetic_v<Value>)
        if (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0) return {};
    for (std::size_t i = 0; i < a.size(); ++i)
        if (auto found = difference(a[i], b[i]); !found.empty()) return fmt::format("[{}]{}", i, found);
    return {};
}

/// Empty where they are the same bit for bit; otherwise the way to the first difference: ".3[17].0 differs".
template <typename T>
std::string difference(const T& a, const T& b)
{
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        return std::memcmp(&a, &b, sizeof a) == 0 ? "" : " differs";
    } else if constexpr (requires {
                             a.value();
                             a.valid();
                         }) {
        return difference(a.value(), b.value());
    } else if constexpr (requires {
                             a.size();
                             a[0];
                             a.data();
                         }) {
        return differenceOfLists(a, b);
    } else {
        const auto left = members(a), right = members(b);
        std::string result;
        [&]<std::size_t... Is>(std::index_sequence<Is...>)
        {
            const auto one = [&](std::size_t index, const std::string& found) {
                if (!found.empty()) result = fmt::format(".{}{}", index, found);
                return found.empty();
            };
            static_cast<void>((one(Is, difference(std::get<Is>(left), std::get<Is>(right))) && ...));
        }
        (std::make_index_sequence<std::tuple_size_v<decltype(left)>>());
        return result;
    }
}

/// Everything that an import yields; the index of the timeline is compared apart.
std::string differenceOf(const Experiment& a, const Experiment& b);

}  // namespace skein::test
