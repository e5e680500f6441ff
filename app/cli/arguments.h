// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "app/cli/command_line.h"
#include "app/cli/output/records.h"
#include "core/base/attribute_condition.h"
#include "core/base/parse_time.h"
#include "core/base/result.h"
#include "core/base/time_span.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The options that commands share, so that they are spelled and explained alike.
namespace skein::cli {

/// An option whose value is one of a few words, whatever their case; `take` gets its place among them.
void addWords(CommandLine& line, const std::string& name, const std::vector<std::string>& words,
              const std::function<void(std::size_t)>& take, const std::string& help);

/// The same for words that stand for values; `value` holds the default.
template <typename Value>
void addChoice(CommandLine& line, const std::string& name, Value& value,
               const std::vector<std::pair<std::string, Value>>& choices, const std::string& help)
{
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    addWords(
        line, name, words, [&value, choices](std::size_t index) { value = choices[index].second; }, help);
}

/// An option whose value is an enumerator, by its word or its number; `value` holds the default.
template <typename Enum>
Option addEnumerator(CommandLine& line, const std::string& name, Enum& value,
                     const std::map<std::string, Enum>& words, Spelling spelling, const std::string& help)
{
    std::map<std::string, int> numbers;
    for (const auto& [word, enumerator] : words) numbers.emplace(word, static_cast<int>(enumerator));
    const auto take = [&value](int number) { value = static_cast<Enum>(number); };
    return line.option(name, numbers, spelling, take, help);
}

/// Positional PATH…: archives, opened together as one session.
void addPaths(CommandLine& line, std::vector<std::string>& paths);

/// --format table|csv|json; `format` holds the default.
void addFormat(CommandLine& line, Format& format);

/// How long a command searches. Its seconds count from when the limits were made, so that reading is
/// included.
struct SearchLimits {
    double seconds = 10.0;
    std::uint64_t steps = 0;  ///< 0: by time
    std::uint64_t seed = 1;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    static constexpr double kOutputSeconds = 0.02;  ///< what printing takes, and is not searched

    double elapsedSeconds() const;
    /// Seconds for the search itself where `reserved` is for what comes after it: a twentieth of all at
    /// least.
    double secondsToSearch(double reserved) const;
};

/// --time S, --steps K and --seed N of a search; `whatTakes` and `whatSteps` say what they limit. Refuses
/// what is no number, negative or not finite.
void addSearchLimits(CommandLine& line, SearchLimits& limits, const std::string& whatTakes,
                     const std::string& whatSteps);

/// --window A:B; the text is parsed by parseWindow once the experiment is known.
void addWindow(CommandLine& line, std::string& window);

/// What a list of conditions says together. Errors: those of parseAttributeConditions().
Result<AttributeConditions> conditionsOf(const std::vector<std::string>& texts);

/// --messages CONDITION, which may be repeated: what messages have to be like to count.
void addMessageConditions(CommandLine& line, std::vector<std::string>& conditions);

/// What --messages says. Errors: those of conditionsOf() and of checkMessageConditions().
Result<MessageRules> messageRulesOf(const std::vector<std::string>& conditions);

using skein::parseTime;

/// "A:B", half-open, either end may be left out: "12.5ms:20ms", ":20ms", "1500:". An empty text is `whole`.
/// Errors: InvalidArgument, saying what is wrong with it.
Result<TimeSpan> parseWindow(std::string_view text, TimeSpan whole);

}  // namespace skein::cli
