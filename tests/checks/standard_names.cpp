// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks/standard_names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

namespace skein::checks {

namespace {

using Names = std::set<std::string, std::less<>>;

/// Header → what it alone declares of the names that headers use.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> kNamesOfHeaders{{
    {"algorithm",
     "all_of any_of clamp copy count_if equal find find_if inplace_merge is_sorted lower_bound max "
     "max_element "
     "min min_element minmax nth_element partial_sort remove_if reverse sort stable_sort transform unique "
     "upper_bound"},
    {"array", "array"},
    {"atomic", "atomic atomic_ref"},
    {"bit", "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero has_single_bit popcount"},
    {"charconv", "from_chars to_chars"},
    {"chrono", "chrono"},
    {"cmath", "abs ceil exp fabs floor hypot isfinite isnan llround log log10 log2 lround pow round sqrt"},
    {"condition_variable", "condition_variable condition_variable_any"},
    {"cstdint", "int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintptr_t"},
    {"cstring", "memchr memcmp memcpy memset strlen"},
    {"deque", "deque"},
    {"filesystem", "filesystem"},
    {"fmt/format.h", "fmt"},
    {"fstream", "fstream ifstream ofstream"},
    {"functional", "equal_to function hash invoke reference_wrapper"},
    {"limits", "numeric_limits"},
    {"list", "list"},
    {"map", "map multimap"},
    {"memory", "enable_shared_from_this make_shared make_unique shared_ptr unique_ptr weak_ptr"},
    {"mutex", "call_once lock_guard mutex once_flag recursive_mutex scoped_lock timed_mutex unique_lock"},
    {"numeric",
     "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce"},
    {"optional", "make_optional nullopt optional"},
    {"random", "mt19937 mt19937_64 normal_distribution uniform_int_distribution uniform_real_distribution"},
    {"set", "multiset set"},
    {"span", "as_bytes span"},
    {"sstream", "istringstream ostringstream stringstream"},
    {"stop_token", "stop_callback stop_source stop_token"},
    {"string", "getline string to_string"},
    {"string_view", "string_view"},
    {"thread", "jthread this_thread thread"},
    {"tl/expected.hpp", "tl"},
    {"tuple", "forward_as_tuple make_tuple tie tuple"},
    {"unordered_map", "unordered_map unordered_multimap"},
    {"utility", "as_const declval exchange forward index_sequence make_pair move pair swap"},
    {"variant", "get_if holds_alternative monostate variant visit"},
    {"vector", "vector"},
}};

std::map<std::string, std::string, std::less<>> headersOfNames()
{
    std::map<std::string, std::string, std::less<>> out;
    const auto add = [&](std::string_view header, std::string_view names) {
        for (std::size_t at = 0; at < names.size();) {
            const std::size_t end = std::min(names.find(' ', at), names.size());
            out.emplace(names.substr(at, end - at), header);
            at = end + 1;
        }
    };
    for (const auto& [header, names] : kNamesOfHeaders) add(header, names);
    return out;
}

bool givesUtility(std::string_view header)
{
    static const Names headers{"algorithm", "array",         "filesystem",  "functional",
                               "map",       "memory",        "mutex",       "optional",
                               "set",       "string",        "string_view", "tl/expected.hpp",
                               "tuple",     "unordered_map", "variant",     "vector"};
    return headers.contains(header);
}

/// What a header and the project's headers that it includes ask for.
class AskedFor {
public:
    explicit AskedFor(std::span<const SourceFile> files)
    {
        for (const SourceFile& file : files) texts_.emplace(file.path, file.text);
    }

    Names of(std::string_view path) const
    {
        Names seen;
        Names out;
        add(path, seen, out);
        for (const std::string& header : Names(out)) {
            if (givesUtility(header)) out.insert("utility");
            if (header == "string") out.insert("string_view");
        }
        return out;
    }

private:
    void add(std::string_view path, Names& seen, Names& out) const
    {
        const auto found = texts_.find(path);
        if (found == texts_.end() || !seen.emplace(path).second) return;
        for (const std::string& header : systemIncludes(found->second)) out.insert(header);
        for (const std::string& header : quotedIncludes(found->second)) add(header, seen, out);
    }

    std::map<std::string_view, std::string_view, std::less<>> texts_;
};

/// "std::vector" → {"vector", "std::vector"}; "fmt::format" → {"fmt", "fmt::format"}.
std::map<std::string, std::string, std::less<>> namesUsed(std::string_view text)
{
    static const std::regex pattern(R"re(\b(std|fmt|tl)::(\w+))re");
    const std::string code = withoutCommentsAndLiterals(text);
    std::map<std::string, std::string, std::less<>> out;
    for (std::sregex_iterator it(code.begin(), code.end(), pattern), end; it != end; ++it)
        out.emplace((*it)[1] == "std" ? (*it)[2].str() : (*it)[1].str(), it->str());
    return out;
}

}  // namespace

std::vector<MissingInclude> missingStandardIncludes(std::span<const SourceFile> files)
{
    static const auto headers = headersOfNames();
    const AskedFor askedFor(files);
    std::vector<MissingInclude> out;
    for (const SourceFile& file : files) {
        if (!file.path.ends_with(".h")) continue;
        const Names asked = askedFor.of(file.path);
        for (const auto& [name, spelled] : namesUsed(file.text)) {
            const auto header = headers.find(name);
            if (header != headers.end() && !asked.contains(header->second))
                out.push_back({file.path, spelled, header->second});
        }
    }
    return out;
}

}  // namespace skein::checks
