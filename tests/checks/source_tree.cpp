// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks/source_tree.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace skein::checks {

namespace {

std::string readAll(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// Walks over C++ text and blanks what is not code.
class Blanker {
public:
    explicit Blanker(std::string_view text) : text_(text), out_(text) {}

    std::string run()
    {
        while (at_ < text_.size()) step();
        return out_;
    }

private:
    bool startsWith(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void blankUntil(std::size_t end)
    {
        end = std::min(end, text_.size());
        for (; at_ < end; ++at_)
            if (out_[at_] != '\n') out_[at_] = ' ';
    }

    void step()
    {
        if (startsWith("//")) return blankUntil(text_.find('\n', at_));
        if (startsWith("/*")) return blankUntil(after(text_.find("*/", at_ + 2), 2));
        if (startsWith("R\"")) return blankRawString();
        if (text_[at_] == '"') return blankLiteral('"');
        if (text_[at_] == '\'' && !isDigitSeparator()) return blankLiteral('\'');
        ++at_;
    }

    static std::size_t after(std::size_t found, std::size_t length)
    {
        return found == std::string_view::npos ? found : found + length;
    }

    bool isDigitSeparator() const
    {
        return at_ > 0 && std::isxdigit(static_cast<unsigned char>(text_[at_ - 1])) != 0;
    }

    void blankRawString()
    {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) return blankUntil(text_.size());
        const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
        blankUntil(after(text_.find(close, open), close.size()));
    }

    void blankLiteral(char quote)
    {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        blankUntil(end + 1);
    }

    std::string_view text_;
    std::string out_;
    std::size_t at_ = 0;
};

std::vector<std::string> firstGroups(std::string_view text, const std::regex& pattern)
{
    std::vector<std::string> out;
    using Iterator = std::regex_iterator<std::string_view::const_iterator>;
    for (Iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) out.push_back((*it)[1].str());
    return out;
}

bool containsWord(std::string_view text, std::string_view word)
{
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) return true;
    }
    return false;
}

/// Whether the braces after this declaration hold further declarations (a namespace, a class …).
bool opensScope(std::string_view declaration)
{
    if (containsWord(declaration, "namespace") || containsWord(declaration, "extern")) return true;
    if (declaration.find('(') != std::string_view::npos) return false;
    return containsWord(declaration, "class") || containsWord(declaration, "struct")
        || containsWord(declaration, "union");
}

bool opensFunction(std::string_view declaration)
{
    return declaration.find(')') != std::string_view::npos && !containsWord(declaration, "enum");
}

void blankPreprocessor(std::string& code)
{
    bool directive = false;
    bool lineStart = true;
    for (char& c : code) {
        if (lineStart && c == '#') directive = true;
        if (c == '\n') {
            const bool continued = directive && &c != code.data() && *(&c - 1) == '\\';
            directive = continued;
            lineStart = true;
            continue;
        }
        if (c != ' ' && c != '\t') lineStart = false;
        if (directive && c != '\\') c = ' ';
    }
}

std::size_t closingBrace(std::string_view code, std::size_t open)
{
    std::size_t depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        if (code[at] == '{') ++depth;
        if (code[at] == '}' && --depth == 0) return at;
    }
    return code.size();
}

FunctionBody measured(std::string_view code, std::size_t open, std::size_t close)
{
    const auto newlines = [&](std::size_t from, std::size_t to) {
        return static_cast<std::size_t>(std::ranges::count(code.substr(from, to - from), '\n'));
    };
    return {newlines(0, open) + 1, newlines(open, close) + 1};
}

}  // namespace

std::vector<SourceFile> sourceFiles(const std::filesystem::path& root)
{
    std::vector<SourceFile> out;
    for (const char* folder : {"algorithms", "app", "core", "examples", "tests", "views"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const auto extension = entry.path().extension();
            if (!entry.is_regular_file() || (extension != ".cpp" && extension != ".h")) continue;
            out.push_back({entry.path().lexically_relative(root).generic_string(), readAll(entry.path())});
        }
    }
    std::ranges::sort(out, {}, &SourceFile::path);
    return out;
}

std::string withoutCommentsAndLiterals(std::string_view text) { return Blanker(text).run(); }

std::vector<std::string> quotedIncludes(std::string_view text)
{
    static const std::regex pattern(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"]+)")re");
    return firstGroups(text, pattern);
}

std::vector<std::string> systemIncludes(std::string_view text)
{
    static const std::regex pattern(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*<([^>]+)>)re");
    return firstGroups(text, pattern);
}

std::size_t lineCount(std::string_view text)
{
    const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return ends + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

std::vector<FunctionBody> functionBodies(std::string_view text)
{
    std::string code = withoutCommentsAndLiterals(text);
    blankPreprocessor(code);
    const std::string_view view = code;
    std::vector<FunctionBody> out;
    std::size_t declaration = 0;
    for (std::size_t at = 0; at < view.size(); ++at) {
        if (view[at] == ';' || view[at] == '}') declaration = at + 1;
        if (view[at] != '{') continue;
        const std::string_view before = view.substr(declaration, at - declaration);
        if (opensScope(before)) {
            declaration = at + 1;
            continue;
        }
        const std::size_t close = closingBrace(view, at);
        // A brace in a constructor's initialiser list is followed by more of the same declaration.
        const std::size_t next = view.find_first_not_of(" \t\n", close + 1);
        const bool endsHere = next == std::string_view::npos || (view[next] != ',' && view[next] != '{');
        if (endsHere && opensFunction(before)) out.push_back(measured(view, at, close));
        at = close;
        if (endsHere) declaration = close + 1;
    }
    return out;
}

std::vector<std::string> registryIds(std::string_view text)
{
    static const std::regex pattern(R"re(\n[ \t]*\{[ \t]*(?:\.[a-z]+[ \t]*=[ \t]*)?"([^"]+)")re");
    return firstGroups(text, pattern);
}

}  // namespace skein::checks
