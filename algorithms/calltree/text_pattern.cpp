// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/text_pattern.h"

#include "core/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <pcre2.h>

namespace skein {
namespace {

constexpr std::uint32_t kMatchSteps = 200'000;
constexpr std::uint32_t kBacktrackKilobytes = 4096;
constexpr std::size_t kLongestPattern = 1 << 16;

/// Continuation bytes of UTF-8 begin no character.
std::size_t charactersBefore(std::string_view text, std::size_t offset)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u) ++count;
    return count;
}

using PatternPart = tl::expected<std::string, TextProblem>;

tl::unexpected<TextProblem> patternProblem(std::string message, std::size_t begin, std::size_t end)
{
    return tl::make_unexpected(TextProblem{std::move(message), begin, end});
}

bool isHexDigit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// \u and \U of Python: \x{…} here.
PatternPart codePoint(std::string_view pattern, std::size_t at, std::size_t digits)
{
    const std::string_view hex = pattern.substr(std::min(at + 2, pattern.size()), digits);
    if (hex.size() < digits || !std::all_of(hex.begin(), hex.end(), isHexDigit))
        return patternProblem(fmt::format("\\{} wants {} hexadecimal digits", pattern[at + 1], digits), at,
                              at + 2 + hex.size());
    return fmt::format("\\x{{{}}}", hex);
}

/// The escape at `at`, translated; `length` is what it takes of the pattern.
PatternPart translatedEscape(std::string_view pattern, std::size_t at, bool inClass, std::size_t& length)
{
    if (at + 1 >= pattern.size()) return patternProblem("a backslash at the end escapes nothing", at, at + 1);
    const char c = pattern[at + 1];
    length = 2;
    if (c == 'u' || c == 'U') {
        length = c == 'u' ? 6 : 10;
        return codePoint(pattern, at, length - 2);
    }
    if (c == 'v') return std::string("\\x0b");
    if (c == 'Z' && !inClass) return std::string("\\z");
    if (c == 'a') return std::string("\\x07");
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    const std::string_view known = inClass ? "bdDfnrsStwWx" : "AbBdDfnrsStwWx";
    if (letter && known.find(c) == std::string_view::npos)
        return patternProblem(fmt::format("\\{} is no escape of Python's regular expressions", c), at,
                              at + 2);
    return std::string(pattern.substr(at, 2));
}

/// True for what may follow "(?" in Python.
bool isPythonGroup(std::string_view after)
{
    static constexpr std::array<std::string_view, 8> kKnown{":", "=", "!", "<=", "<!", "#", "P<", "P="};
    for (const std::string_view known : kKnown)
        if (after.substr(0, known.size()) == known) return true;
    if (!after.empty() && after[0] == '(') return true;
    std::size_t flags = 0;
    while (flags < after.size() && std::string_view("aiLmsux-").find(after[flags]) != std::string_view::npos)
        ++flags;
    return flags > 0 && flags < after.size() && (after[flags] == ')' || after[flags] == ':');
}

/// Flags that every pattern here has anyway: (?u).
std::string withoutUnicodeFlag(std::string_view pattern, std::size_t at, std::size_t& length)
{
    std::string out = "(?";
    std::size_t i = at + 2;
    for (; i < pattern.size() && pattern[i] != ')' && pattern[i] != ':'; ++i)
        if (pattern[i] != 'u') out += pattern[i];
    length = i + 1 - at;
    return out + (i < pattern.size() ? pattern[i] : ')');
}

PatternPart translatedGroup(std::string_view pattern, std::size_t at, std::size_t& length)
{
    length = 1;
    const std::string_view after = pattern.substr(at + 1);
    if (!after.empty() && after[0] == '*')
        return patternProblem("there is nothing that * could repeat", at + 1, at + 2);
    if (after.empty() || after[0] != '?') return std::string("(");
    if (!isPythonGroup(after.substr(1)))
        return patternProblem("Python's regular expressions have no such group", at, at + 3);
    const char kind = after[1];
    if (std::isalpha(static_cast<unsigned char>(kind)) != 0 && kind != 'P')
        return withoutUnicodeFlag(pattern, at, length);
    length = 2;
    return std::string("(?");
}

bool isQuantifierEnd(std::string_view pattern, std::size_t at)
{
    return pattern[at] == '*' || pattern[at] == '+' || pattern[at] == '?' || pattern[at] == '}';
}

/// The length of a class that begins at `at`, up to behind its bracket; npos where it does not end.
std::size_t classEnd(std::string_view pattern, std::size_t at)
{
    std::size_t i = at + 1;
    if (i < pattern.size() && pattern[i] == '^') ++i;
    if (i < pattern.size() && pattern[i] == ']') ++i;
    for (; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') ++i;
        else if (pattern[i] == ']') return i + 1;
    }
    return std::string_view::npos;
}

/// A class: brackets inside are plain characters in Python.
PatternPart translatedClass(std::string_view pattern, std::size_t at, std::size_t end)
{
    std::string out = "[";
    for (std::size_t i = at + 1; i + 1 < end;) {
        if (pattern[i] == '\\') {
            std::size_t length = 0;
            auto escape = translatedEscape(pattern, i, true, length);
            if (!escape) return escape;
            out += *escape;
            i += length;
        } else {
            if (pattern[i] == '[' || (pattern[i] == ']')) out += '\\';
            out += pattern[i++];
        }
    }
    return out + "]";
}

/// One piece of a pattern in the words of PCRE2; `length` is what it takes of the pattern.
PatternPart translatedPiece(std::string_view pattern, std::size_t at, std::size_t& length)
{
    length = 1;
    const char c = pattern[at];
    if (c == '\\') return translatedEscape(pattern, at, false, length);
    if (c == '(') return translatedGroup(pattern, at, length);
    if (c == '[') {
        const std::size_t end = classEnd(pattern, at);
        if (end == std::string_view::npos) return patternProblem("this [ has no ]", at, at + 1);
        length = end - at;
        return translatedClass(pattern, at, end);
    }
    if (c == '{' && pattern.substr(at, 2) == "{,") {
        const std::size_t end = pattern.find_first_not_of("0123456789", at + 2);
        if (end != std::string_view::npos && end > at + 2 && pattern[end] == '}') {
            length = 2;
            return std::string("{0,");
        }
    }
    if (c == '+' && at > 0 && isQuantifierEnd(pattern, at - 1) && (at < 2 || pattern[at - 2] != '\\'))
        return patternProblem("Python's regular expressions repeat nothing twice", at, at + 1);
    return std::string(1, c);
}

PatternPart translatedPattern(std::string_view pattern)
{
    std::string out;
    for (std::size_t at = 0; at < pattern.size();) {
        std::size_t length = 1;
        auto piece = translatedPiece(pattern, at, length);
        if (!piece) return piece;
        out += *piece;
        at += length;
    }
    return out;
}

std::string pcreMessage(int code)
{
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

}  // namespace

std::string sentenceOf(const TextProblem& problem, std::string_view text)
{
    return fmt::format("At character {}: {}.", charactersBefore(text, problem.begin) + 1, problem.message);
}

std::string pointedAt(const TextProblem& problem, std::string_view text)
{
    const std::size_t at = std::min(problem.begin, text.size());
    const std::size_t lineBegin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::string_view line = text.substr(lineBegin, text.find('\n', lineBegin) - lineBegin);
    const std::size_t from = charactersBefore(line, at - lineBegin);
    const std::size_t to = charactersBefore(line, std::max(problem.end, at + 1) - lineBegin);
    return fmt::format("{}\n{}{}", line, std::string(from, ' '),
                       std::string(std::max<std::size_t>(to - from, 1), '^'));
}

struct TextPattern::Compiled {
    pcre2_code* code = nullptr;
    std::uint32_t options = 0;

    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() { pcre2_code_free(code); }
};

tl::expected<TextPattern, TextProblem> TextPattern::compile(std::string_view pattern, PatternAnchor anchor)
{
    if (pattern.size() > kLongestPattern)
        return patternProblem("a regular expression of more than 65,536 bytes is not tried", 0,
                              pattern.size());
    if (!isValidUtf8(pattern))
        return patternProblem("the regular expression is not UTF-8", 0, pattern.size());
    auto translated = translatedPattern(pattern);
    if (!translated) return tl::make_unexpected(translated.error());
    if (anchor == PatternAnchor::Both) *translated += "\\z";
    auto compiled = std::make_shared<Compiled>();
    const std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE offset = 0;
    compiled->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(),
                                   options, &error, &offset, nullptr);
    if (compiled->code == nullptr) {
        const std::size_t at = std::min<std::size_t>(offset, pattern.size());
        return patternProblem("the regular expression is wrong: " + pcreMessage(error), at, at + 1);
    }
    compiled->options = anchor == PatternAnchor::Anywhere ? 0u : std::uint32_t{PCRE2_ANCHORED};
    TextPattern out;
    out.compiled_ = std::move(compiled);
    return out;
}

std::optional<bool> TextPattern::matches(std::string_view text) const
{
    const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context(
        pcre2_match_context_create(nullptr), pcre2_match_context_free);
    const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
        pcre2_match_data_create(1, nullptr), pcre2_match_data_free);
    if (!context || !data) return std::nullopt;
    pcre2_set_match_limit(context.get(), kMatchSteps);
    pcre2_set_heap_limit(context.get(), kBacktrackKilobytes);
    const std::string clean = isValidUtf8(text) ? std::string() : toValidUtf8(text);
    const std::string_view subject = clean.empty() ? text : std::string_view(clean);
    const int found = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(subject.data()),
                                  subject.size(), 0, compiled_->options, data.get(), context.get());
    if (found >= 0) return true;
    if (found == PCRE2_ERROR_NOMATCH) return false;
    return std::nullopt;
}

}  // namespace skein
