// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace skein::cli {
namespace {

OptionText textOf(const CLI::Option& option)
{
    OptionText text;
    text.positional = option.get_positional() && option.get_lnames().empty();
    text.name = text.positional ? option.get_name(true) : "--" + option.get_lnames().front();
    text.flag = option.get_items_expected_max() == 0;
    const std::string& named = option.get_option_text();
    if (!text.flag) text.value = named.empty() ? option.get_type_name() : named;
    text.help = option.get_description();
    text.required = option.get_required();
    text.repeatable = option.get_items_expected_max() > 1
        || (!text.flag && option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
    return text;
}

/// CLI11 takes "-1" for the largest number without a sign.
std::string belowZero(std::string& text)
{
    return text.find('-') == std::string::npos ? std::string() : "\"" + text + "\" is below 0";
}

/// Letters that are to be put in, taken out or exchanged to make one word of another. O(letters of both).
std::size_t lettersApart(const std::string& from, const std::string& to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t exchanged = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
        }
    }
    return row.back();
}

}  // namespace

Option& Option::valueName(const std::string& text)
{
    option_->option_text(text);
    return *this;
}

Option& Option::required()
{
    option_->required();
    return *this;
}

Option& Option::repeatable()
{
    option_->expected(1)->take_all()->allow_extra_args(false);
    return *this;
}

Option& Option::environment(const std::string& variable)
{
    option_->envname(variable);
    return *this;
}

Option& Option::between(int least, int most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Option& Option::between(double least, double most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Option& Option::aboveZero()
{
    const auto complaint = [](std::string& text) {
        double number = 0.0;
        const bool good = CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0.0;
        return good ? std::string() : "\"" + text + "\" is no number above 0";
    };
    option_->check(CLI::Validator(complaint, "POSITIVE", ""));
    return *this;
}

Option& Option::oneOf(const std::vector<std::string>& words)
{
    option_->check(CLI::IsMember(words));
    return *this;
}

Option& Option::check(const TakeText& problem)
{
    const auto complaint = [problem](std::string& text) { return problem(text).value_or(std::string()); };
    option_->check(CLI::Validator(complaint, "", ""));
    return *this;
}

Option& Option::needs(const std::string& name)
{
    option_->needs(name);
    return *this;
}

Option& Option::excludes(const std::string& name)
{
    option_->excludes(name);
    return *this;
}

CommandLine::CommandLine(const std::string& program, const std::string& description)
    : program_(std::make_unique<CLI::App>(description, program)), app_(*program_)
{
}

CommandLine::CommandLine(CLI::App& app) : app_(app) {}

CommandLine::~CommandLine() = default;

Option CommandLine::option(const std::string& names, std::string& value, const std::string& help)
{
    return Option(*app_.add_option(names, value, help));
}

Option CommandLine::option(const std::string& names, std::vector<std::string>& values,
                           const std::string& help)
{
    return Option(*app_.add_option(names, values, help));
}

Option CommandLine::option(const std::string& names, int& value, const std::string& help)
{
    return Option(*app_.add_option(names, value, help));
}

Option CommandLine::option(const std::string& names, std::uint32_t& value, const std::string& help)
{
    return Option(*app_.add_option(names, value, help)->check(CLI::Validator(belowZero, "", "")));
}

Option CommandLine::option(const std::string& names, std::uint64_t& value, const std::string& help)
{
    return Option(*app_.add_option(names, value, help)->check(CLI::Validator(belowZero, "", "")));
}

Option CommandLine::option(const std::string& names, double& value, const std::string& help)
{
    return Option(*app_.add_option(names, value, help));
}

Option CommandLine::option(const std::string& names, std::optional<std::int64_t>& value,
                           const std::string& help)
{
    return Option(*app_.add_option(names, value, help));
}

Option CommandLine::option(const std::string& names, const TakeText& take, const std::string& help)
{
    const std::string shown = names.substr(names.rfind(',') + 1);
    const auto takeOrThrow = [take, shown](const std::string& text) {
        if (const auto problem = take(text)) throw CLI::ValidationError(shown, *problem);
    };
    return Option(*app_.add_option_function<std::string>(names, takeOrThrow, help));
}

Option CommandLine::option(const std::string& names, const std::map<std::string, int>& words,
                           Spelling spelling, const std::function<void(int)>& take, const std::string& help)
{
    const auto takeKnown = [words, take](const CLI::results_t& texts) {
        int number = 0;
        if (!CLI::detail::lexical_conversion<int, int>(texts, number)) return false;
        if (std::ranges::none_of(words, [&](const auto& word) { return word.second == number; }))
            return false;
        take(number);
        return true;
    };
    CLI::Option* const option =
        app_.add_option(names, takeKnown, help)->type_name("ENUM")->type_size(1)->expected(1);
    if (spelling == Spelling::AnyCase) option->transform(CLI::CheckedTransformer(words, CLI::ignore_case));
    else option->transform(CLI::Transformer(words));
    return Option(*option);
}

Option CommandLine::flag(const std::string& names, bool& value, const std::string& help)
{
    return Option(*app_.add_flag(names, value, help));
}

Option CommandLine::flag(const std::string& names, const std::function<void()>& whenGiven,
                         const std::string& help)
{
    return Option(*app_.add_flag_callback(names, whenGiven, help));
}

void CommandLine::version(const std::string& text) { app_.set_version_flag("--version", text); }

void CommandLine::footer(const std::string& text) { app_.footer(text); }

CommandLine& CommandLine::command(const std::string& name, const std::string& summary)
{
    CLI::App& app = *app_.add_subcommand(name, summary);
    commands_.push_back(std::unique_ptr<CommandLine>(new CommandLine(app)));
    return *commands_.back();
}

void CommandLine::requireCommand() { app_.require_subcommand(1); }

void CommandLine::inheritOptions() { app_.fallthrough(); }

void CommandLine::whenChosen(const std::function<void()>& callback) { app_.callback(callback); }

CommandLine::Parsed CommandLine::parse(const std::vector<std::string>& arguments)
{
    try {
        // CLI11 takes the arguments from the end of the vector.
        app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return {};
    } catch (const CLI::ParseError& error) {
        std::ostringstream text, complaint;
        if (app_.exit(error, text, complaint) == 0) return {Parsed::End::Told, text.str()};
        const std::string unknown = unknownCommand();
        return {Parsed::End::Wrong, unknown.empty() ? error.what() : unknown};
    }
}

std::string CommandLine::unknownCommand() const
{
    if (commands_.empty() || !chosenCommand().empty()) return {};
    const auto left = app_.remaining();
    const auto word = std::find_if(left.begin(), left.end(),
                                   [](const std::string& text) { return !text.starts_with('-'); });
    if (word == left.end() || word->empty()) return {};
    const std::string sentence = "There is no command " + *word;
    std::string nearest;
    std::size_t least = std::max<std::size_t>(1, word->size() / 3) + 1;
    for (const auto& command : commands_) {
        const std::size_t apart = lettersApart(*word, command->name());
        if (apart >= least) continue;
        least = apart;
        nearest = command->name();
    }
    return nearest.empty() ? sentence + "." : sentence + "; did you mean " + nearest + "?";
}

std::vector<OptionText> CommandLine::options() const
{
    std::vector<OptionText> texts;
    const CLI::App& app = app_;
    for (const CLI::Option* option : app.get_options())
        if (option != app.get_help_ptr() && option != app.get_version_ptr()) texts.push_back(textOf(*option));
    return texts;
}

std::string CommandLine::name() const { return app_.get_name(); }

std::string CommandLine::summary() const { return app_.get_description(); }

std::string CommandLine::footer() const { return app_.get_footer(); }

std::string CommandLine::chosenCommand() const
{
    const auto chosen = app_.get_subcommands();
    return chosen.empty() ? std::string() : chosen.front()->get_name();
}

}  // namespace skein::cli
