// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/records.h"
#include "core/base/result.h"
#include "core/base/time_span.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The options that commands share, so that they are spelled and explained alike.
namespace skein::cli {

/// An option whose value is one of a few words, whatever their case; `value` holds the default.
template <typename Value>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Value& value,
                       const std::vector<std::pair<std::string, Value>>& choices, const std::string& help)
{
    std::string words;
    for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
    const auto take = [&value, choices, name, words](const std::string& text) {
        for (const auto& [word, meaning] : choices) {
            if (CLI::detail::to_lower(text) != word) continue;
            value = meaning;
            return;
        }
        throw CLI::ValidationError(name, "\"" + text + "\" is none of " + words);
    };
    return app.add_option_function<std::string>(name, take, help)->option_text(words);
}

/// Positional PATH…: archives, opened together as one session.
void addPaths(CLI::App& app, std::vector<std::string>& paths);

/// --format table|csv|json; `format` holds the default.
void addFormat(CLI::App& app, Format& format);

/// --time S, --steps K and --seed N of a search; `whatTakes` and `whatSteps` say what they limit. Refuses
/// what is no number, negative or not finite.
struct SearchLimits {
    double seconds = 10.0;
    std::uint64_t steps = 0;  ///< 0: by time
    std::uint64_t seed = 1;
};
void addSearchLimits(CLI::App& app, SearchLimits& limits, const std::string& whatTakes,
                     const std::string& whatSteps);

/// --window A:B; the text is parsed by parseWindow once the experiment is known.
void addWindow(CLI::App& app, std::string& window);

/// A time as users write it: "1500" (ns), "12.5ms", "3us", "2 s". nullopt when it is none.
std::optional<TimeNs> parseTime(std::string_view text);

/// "A:B", half-open, either end may be left out: "12.5ms:20ms", ":20ms", "1500:". An empty text is `whole`.
/// Errors: InvalidArgument, saying what is wrong with it.
Result<TimeSpan> parseWindow(std::string_view text, TimeSpan whole);

}  // namespace skein::cli
