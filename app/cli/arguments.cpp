// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace skein::cli {
namespace {

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Unexpected badWindow(std::string_view text, std::string_view why)
{
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("The window \"{}\" {}; write it as A:B, for example 12.5ms:20ms, :20ms or 1500000:.",
                    text, why));
}

std::string lowerCase(std::string text)
{
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

std::optional<std::string> problemIf(bool wrong, const std::string& text, std::string_view problem)
{
    return wrong ? std::optional(fmt::format("\"{}\" {}", text, problem)) : std::nullopt;
}

}  // namespace

void addWords(CommandLine& line, const std::string& name, const std::vector<std::string>& words,
              const std::function<void(std::size_t)>& take, const std::string& help)
{
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : "|") + word;
    const auto takeKnown = [words, all, take](const std::string& text) -> std::optional<std::string> {
        const auto found = std::ranges::find(words, lowerCase(text));
        if (found == words.end()) return "\"" + text + "\" is none of " + all;
        take(static_cast<std::size_t>(found - words.begin()));
        return std::nullopt;
    };
    line.option(name, takeKnown, help).valueName(all);
}

void addPaths(CommandLine& line, std::vector<std::string>& paths)
{
    line.option("PATH", paths, "Archives: a file, a folder or any member of one; several open as one session")
        .required();
}

void addFormat(CommandLine& line, Format& format)
{
    addChoice<Format>(line, "--format", format,
                      {{"table", Format::Table}, {"csv", Format::Csv}, {"json", Format::Json}},
                      "How to print: table (readable units), csv or json (plain values, times in ns)");
}

double SearchLimits::elapsedSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double SearchLimits::secondsToSearch(double reserved) const
{
    return std::max(0.05 * seconds, seconds - elapsedSeconds() - reserved);
}

void addSearchLimits(CommandLine& line, SearchLimits& limits, const std::string& whatTakes,
                     const std::string& whatSteps)
{
    // CLI11 takes "nan" for a number of any range, and "-1" for the largest unsigned one.
    const auto notFinite = [](const std::string& text) {
        return problemIf(text.find_first_of("nN") != std::string::npos, text, "is no time");
    };
    const auto negative = [](const std::string& text) {
        return problemIf(text.find('-') != std::string::npos, text, "is below 0");
    };
    line.option("--time", limits.seconds, fmt::format("{} (default: {:g})", whatTakes, limits.seconds))
        .check(notFinite)
        .between(0.01, 1e6)
        .valueName("S");
    line.option("--steps", limits.steps, whatSteps).check(negative).aboveZero().valueName("K");
    line.option("--seed", limits.seed, fmt::format("Seed of the search (default: {})", limits.seed))
        .check(negative)
        .valueName("N");
}

void addWindow(CommandLine& line, std::string& window)
{
    line.option("--window", window,
                "Only the time from A up to, not including, B since the start; ns, or with a unit: "
                "12.5ms:20ms, :20ms")
        .valueName("A:B");
}

Result<AttributeConditions> conditionsOf(const std::vector<std::string>& texts)
{
    AttributeConditions all;
    for (const std::string& text : texts) {
        auto some = parseAttributeConditions(text);
        if (!some) return some;
        all.insert(all.end(), some->begin(), some->end());
    }
    return all;
}

void addMessageConditions(CommandLine& line, std::vector<std::string>& conditions)
{
    line.option(
            "--messages", conditions,
            "Of a trace: only messages that are so: tag=100|101, bytes>4096, within=exchange*; attributes "
            "are "
                + messageAttributesText() + "; may be repeated, then all have to hold")
        .valueName("CONDITION")
        .repeatable();
}

Result<MessageRules> messageRulesOf(const std::vector<std::string>& conditions)
{
    auto all = conditionsOf(conditions);
    if (!all) return Unexpected(all.error());
    if (const auto known = checkMessageConditions(*all); !known) return Unexpected(known.error());
    if (all->empty()) return MessageRules();
    return MessageRules{{MessageRuleEffect::Keep, std::move(*all)}};
}

Result<TimeSpan> parseWindow(std::string_view text, TimeSpan whole)
{
    if (text.empty()) return whole;
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return badWindow(text, "has no colon");
    const std::string_view from = trimmed(text.substr(0, colon));
    const std::string_view to = trimmed(text.substr(colon + 1));
    const auto begin = from.empty() ? std::optional(whole.begin) : parseTime(from);
    const auto end = to.empty() ? std::optional(whole.end) : parseTime(to);
    if (!begin) return badWindow(text, fmt::format("has a begin that is no time: \"{}\"", from));
    if (!end) return badWindow(text, fmt::format("has an end that is no time: \"{}\"", to));
    if (*end < *begin) return badWindow(text, "ends before it begins");
    return TimeSpan{*begin, *end};
}

}  // namespace skein::cli
