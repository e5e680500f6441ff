// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace skein {

/// What is wrong with a text that a user wrote, and where: bytes [begin, end) of it.
struct TextProblem {
    std::string message;  ///< a sentence without its end: "expected a name"
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The sentence with the place of the problem: "At character 7: expected a name." Characters are counted from
/// 1, as code points.
std::string sentenceOf(const TextProblem& problem, std::string_view text);

/// The line of the text with the problem, and below it one that points at the problem.
std::string pointedAt(const TextProblem& problem, std::string_view text);

/// Where a match has to begin and to end.
enum class PatternAnchor { Start, Both, Anywhere };

/// A regular expression as Python's `re` understands it for texts: \d, \w and \s know Unicode, \Z is the very
/// end, \v is a vertical tab, {,n} begins at 0. What Python does not know is a problem (possessive
/// quantifiers, recursion, verbs, unknown escapes of letters). PatternAnchor::Both is what Hatchet makes of
/// it: `\Z` behind the pattern, so that of alternatives only the last one is anchored at its end. Matching
/// ends after a bounded number of steps. Immutable; matching from several threads is safe.
class TextPattern {
public:
    static tl::expected<TextPattern, TextProblem> compile(std::string_view pattern, PatternAnchor anchor);

    /// nullopt where the number of steps was exceeded: a hostile pattern for this text.
    std::optional<bool> matches(std::string_view text) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace skein
