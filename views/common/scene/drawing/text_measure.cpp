// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/text_measure.h"

#include "core/base/presentation.h"

#include <algorithm>
#include <vector>

namespace skein {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kNameless = "(anonymous namespace)";
constexpr std::size_t kFewestLetters = 5;

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Byte offsets at which characters begin, and the end.
std::vector<std::size_t> characterOffsets(std::string_view text)
{
    std::vector<std::size_t> offsets;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (!continuesCharacter(text[at])) offsets.push_back(at);
    offsets.push_back(text.size());
    return offsets;
}

std::string withLetters(std::string_view text, const std::vector<std::size_t>& offsets, std::size_t letters)
{
    const std::size_t characters = offsets.size() - 1;
    const std::size_t head = (letters + 1) / 2;
    const std::size_t tail = letters - head;
    std::string result(text.substr(0, offsets[head]));
    result += kEllipsis;
    return result += text.substr(offsets[characters - tail]);
}

/// Whether a bracket begins a word of its own.
bool belongsToNothing(std::string_view text, std::size_t bracket)
{
    if (bracket == 0) return true;
    const char before = text[bracket - 1];
    return text[bracket] == '<' && (before == ' ' || before == ':')
        && !text.substr(0, bracket).ends_with("::");
}

/// Replaces what stands between the outermost pair of brackets, at every place, by "…". The brackets of
/// operator names ("operator()", "operator<<") have no partner around text and stay, and so do those that
/// belong to no name before them ("<program root>", "845:<unknown procedure>", "(no name)").
std::string foldedBrackets(std::string_view text, char open, char close)
{
    std::string result;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (depth == 0 && text.substr(at).starts_with(kNameless)) {
            result += kNameless;
            at += kNameless.size() - 1;
            continue;
        }
        if (text[at] == close && depth > 0 && --depth == 0) result += text[at];
        else if (depth == 0) result += text[at];
        if (text[at] != open) continue;
        if (depth == 0 && belongsToNothing(text, at)) continue;
        if (depth++ == 0 && at + 1 < text.size() && text[at + 1] != close) result += kEllipsis;
    }
    return depth == 0 ? result : std::string(text);
}

/// Where scopes end: offsets just after each "::" that is not inside brackets.
std::vector<std::size_t> scopeEnds(std::string_view name)
{
    std::vector<std::size_t> ends;
    int depth = 0;
    for (std::size_t at = 0; at + 1 < name.size(); ++at) {
        if (name[at] == '<' || name[at] == '(') ++depth;
        if (name[at] == '>' || name[at] == ')') --depth;
        if (depth <= 0 && name[at] == ':' && name[at + 1] == ':') ends.push_back(at + 2);
    }
    return ends;
}

/// "MPI_Init()" says no more than "MPI_Init"; "operator()" does.
std::string withoutEmptyCall(std::string_view name)
{
    const bool call = name.size() > 2 && name.ends_with("()") && !name.ends_with("operator()");
    return std::string(call ? name.substr(0, name.size() - 2) : name);
}

std::vector<std::string> shorterNames(std::string_view name)
{
    std::vector<std::string> candidates{withoutEmptyCall(name)};
    candidates.push_back(foldedBrackets(candidates.back(), '(', ')'));
    candidates.push_back(foldedBrackets(candidates.back(), '<', '>'));
    const std::string plain = candidates.back();
    const auto ends = scopeEnds(plain);
    if (ends.size() > 1)
        candidates.push_back(plain.substr(0, ends.front()).append("…::").append(plain, ends.back()));
    if (!ends.empty()) candidates.push_back(plain.substr(ends.back()));
    const std::string& unscoped = candidates.back();
    if (const auto arguments = unscoped.find("(…)"); arguments != std::string::npos && arguments > 0)
        candidates.push_back(unscoped.substr(0, arguments));
    // An ellipsis inside of another one says nothing.
    constexpr std::string_view kFolded = "<…>";
    if (candidates.back().ends_with(kFolded) && candidates.back().size() > kFolded.size())
        candidates.push_back(candidates.back().substr(0, candidates.back().size() - kFolded.size()));
    return candidates;
}

}  // namespace

double ApproximateTextMeasure::width(std::string_view text, FontStyle style) const
{
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char byte) { return !continuesCharacter(byte); });
    return static_cast<double>(characters) * 0.5 * lineHeight(style);
}

double ApproximateTextMeasure::lineHeight(FontStyle style) const
{
    const double factor = style == FontStyle::Small ? 0.85 : style == FontStyle::Title ? 1.25 : 1.0;
    return pixelSize_ * 1.2 * factor;
}

std::string elideMiddle(std::string_view text, double maximumWidth, FontStyle style,
                        const TextMeasure& measure)
{
    if (measure.width(text, style) <= maximumWidth) return std::string(text);
    const auto offsets = characterOffsets(text);
    std::size_t fits = 0;
    for (std::size_t low = kFewestLetters, high = offsets.size() - 1; low < high;) {
        const std::size_t middle = (low + high) / 2;
        const bool wide = measure.width(withLetters(text, offsets, middle), style) > maximumWidth;
        if (!wide) fits = middle;
        wide ? high = middle : low = middle + 1;
    }
    return fits == 0 ? std::string() : withLetters(text, offsets, fits);
}

std::string foldedName(std::string_view name)
{
    return foldedBrackets(foldedBrackets(withoutEmptyCall(name), '(', ')'), '<', '>');
}

std::string elideName(std::string_view name, double maximumWidth, FontStyle style, const TextMeasure& measure)
{
    if (longNames() == LongNames::Folded && measure.width(foldedName(name), style) <= maximumWidth)
        return foldedName(name);
    if (longNames() == LongNames::Whole && measure.width(name, style) <= maximumWidth)
        return std::string(name);
    if (measure.width("iii", style) > maximumWidth) return {};
    const auto candidates = shorterNames(name);
    for (const std::string& candidate : candidates)
        if (measure.width(candidate, style) <= maximumWidth) return candidate;
    return elideMiddle(candidates.back(), maximumWidth, style, measure);
}

}  // namespace skein
