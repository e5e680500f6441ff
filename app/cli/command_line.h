// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What the programs want of CLI11, which is slow to compile: only command_line.cpp includes it.
namespace skein::cli {

/// Takes what the user wrote; gives what is wrong with it, or nothing.
using TakeText = std::function<std::optional<std::string>(const std::string&)>;

/// An option that was declared, to say more about it. A handle to copy, good as long as its CommandLine. What
/// is checked is checked in the order of the calls, and refused as wrong usage.
class Option {
public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    /// What stands for the value in the help, instead of its type and limits.
    Option& valueName(const std::string& text);
    Option& required();
    /// Every occurrence takes one value and adds to a list.
    Option& repeatable();
    /// Read from this environment variable where the option is not given.
    Option& environment(const std::string& variable);
    Option& between(int least, int most);
    Option& between(double least, double most);
    Option& aboveZero();
    /// One of the words as they are written here.
    Option& oneOf(const std::vector<std::string>& words);
    /// Refuses what `problem` finds something wrong with; for texts that a number's conversion would let
    /// pass.
    Option& check(const TakeText& problem);
    /// Only together with another option of the same CommandLine, or never; `names` is one name of it.
    Option& needs(const std::string& name);
    Option& excludes(const std::string& name);

private:
    CLI::Option* option_;
};

/// How an option's words are compared, and what is said about another text.
enum class Spelling : std::uint8_t {
    AsIs,     ///< that it cannot be converted
    AnyCase,  ///< which words and numbers there are
};

/// What can be written for an option, to tell people and other programs.
struct OptionText {
    std::string name;   ///< "--top", "PATH"; of several names the longest
    std::string value;  ///< what stands for the value in the help: "N", "UINT"; empty for flags
    std::string help;
    bool positional = false;
    bool flag = false;
    bool required = false;
    bool repeatable = false;  ///< takes any number of values
};

/// Everything that can be written on the command line of a program or of one of its commands, and --help
/// about it. `names` are such as "--top", "-o,--output", or "PATH" for what has a place instead of a name.
/// Variables that options are declared with hold the default, outlive parse() and have the value after it.
/// Declaring one name twice is a mistake of the program and throws. Not thread-safe.
class CommandLine {
public:
    CommandLine(const std::string& program, const std::string& description);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    Option option(const std::string& names, std::string& value, const std::string& help);
    Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
    Option option(const std::string& names, int& value, const std::string& help);
    Option option(const std::string& names, std::uint32_t& value, const std::string& help);
    Option option(const std::string& names, std::uint64_t& value, const std::string& help);
    Option option(const std::string& names, double& value, const std::string& help);
    Option option(const std::string& names, std::optional<std::int64_t>& value, const std::string& help);
    /// An option whose text the program understands itself.
    Option option(const std::string& names, const TakeText& take, const std::string& help);
    /// An option that takes a word for a number, or one of these numbers itself.
    Option option(const std::string& names, const std::map<std::string, int>& words, Spelling spelling,
                  const std::function<void(int)>& take, const std::string& help);
    Option flag(const std::string& names, bool& value, const std::string& help);
    Option flag(const std::string& names, const std::function<void()>& whenGiven, const std::string& help);
    /// --version, which prints `text`.
    void version(const std::string& text);
    /// The end of the help.
    void footer(const std::string& text);

    /// A command of this one, with options of its own; lives as long as this.
    CommandLine& command(const std::string& name, const std::string& summary);
    /// One of the commands has to be named, and no more.
    void requireCommand();
    /// Options of the command above are understood behind this command's name as well.
    void inheritOptions();
    /// Called at the end of parse() where this command was named.
    void whenChosen(const std::function<void()>& callback);

    /// How parsing ended, and the text to print in that case.
    struct Parsed {
        enum class End : std::uint8_t {
            Ready,  ///< go on; no text
            Told,   ///< the user wanted help or the version: `text` is for stdout as it is
            Wrong,  ///< wrong usage: `text` says what is wrong, without an end of line
        };
        End end = End::Ready;
        std::string text;
    };
    /// Parses what follows the program's name, for the outermost CommandLine. Throws only what callbacks
    /// throw.
    Parsed parse(const std::vector<std::string>& arguments);
    /// The command that parse() found; empty where there was none.
    std::string chosenCommand() const;

    /// All that was declared, without --help and --version.
    std::vector<OptionText> options() const;
    std::string name() const;
    std::string summary() const;
    std::string footer() const;
    const std::vector<std::unique_ptr<CommandLine>>& commands() const { return commands_; }

private:
    explicit CommandLine(CLI::App& app);
    /// After parse() failed: what is said of a word that stands where a command should; empty where none
    /// does.
    std::string unknownCommand() const;

    std::unique_ptr<CLI::App> program_;  ///< null for a command, whose App is owned by the one above
    CLI::App& app_;
    std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace skein::cli
