// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace skein::checks {

/// One file of the project's own code, with `path` relative to the root and "/" between the parts.
struct SourceFile {
    std::string path;
    std::string text;
};

/// Every .cpp and .h file of core, algorithms, views, app, tests and examples, ordered by path.
std::vector<SourceFile> sourceFiles(const std::filesystem::path& root);

/// The text with comments, string and character literals blanked; lines and columns stay where they are.
std::string withoutCommentsAndLiterals(std::string_view text);

/// What the file includes with quotes, in their order.
std::vector<std::string> quotedIncludes(std::string_view text);

/// What the file includes with angle brackets, in their order.
std::vector<std::string> systemIncludes(std::string_view text);

/// Number of lines; a last line without an end counts.
std::size_t lineCount(std::string_view text);

/// The body of one function: where it opens and how many lines it has from its opening to its closing brace.
struct FunctionBody {
    std::size_t firstLine = 0;
    std::size_t lines = 0;
};

/// The function bodies of a source text, outermost only (a lambda belongs to its function). A brace at
/// namespace or class scope opens a function when a parameter list stands before it.
std::vector<FunctionBody> functionBodies(std::string_view text);

/// The first string literal of every line that begins with a brace and a literal: the ids of a registry's
/// table.
std::vector<std::string> registryIds(std::string_view text);

}  // namespace skein::checks
