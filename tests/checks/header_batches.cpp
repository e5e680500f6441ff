// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks/header_batches.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace skein::checks {

namespace {

using Names = std::set<std::string, std::less<>>;
using Headers = std::vector<bool>;  ///< by number

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool isIdentifier(std::string_view token)
{
    return isWordCharacter(token[0]) && std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

/// Words and numbers, arrows, double colons, three dots, and every other character by itself.
std::vector<std::string_view> tokensOf(std::string_view code)
{
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < code.size();) {
        std::size_t length = 1;
        if (isWordCharacter(code[at]))
            while (at + length < code.size() && isWordCharacter(code[at + length])) ++length;
        else if (code.substr(at, 2) == "->" || code.substr(at, 2) == "::") length = 2;
        else if (code.substr(at, 3) == "...") length = 3;
        if (std::isspace(static_cast<unsigned char>(code[at])) == 0) out.push_back(code.substr(at, length));
        at += length;
    }
    return out;
}

bool isKeyword(std::string_view word)
{
    static const Names words{"alignas", "auto",   "bool",     "class",    "const",    "constexpr", "decltype",
                             "default", "delete", "double",   "enum",     "explicit", "extern",    "float",
                             "if",      "inline", "int",      "noexcept", "operator", "requires",  "sizeof",
                             "static",  "struct", "template", "typename", "union",    "using",     "void"};
    return words.contains(word);
}

bool opensType(std::string_view word)
{
    return word == "class" || word == "struct" || word == "enum" || word == "union";
}

/// Follows the tokens of a header through its namespaces; what is inside of other braces it passes over, but
/// for the names of an enumeration that has no scope of its own.
class ScopeReader {
public:
    void read(std::string_view token)
    {
        if (inside_ > 0) passOver(token);
        else if (isNamespace_) readNamespace(token);
        else if (isTemplate_) readParameters(token);
        else readDeclaration(token);
        beforeLast_ = last_;
        last_ = token;
    }

    Names defined, declared;

private:
    void passOver(std::string_view token)
    {
        if (token == "{") ++inside_;
        if (token == "}") --inside_;
        if (isOpenEnum_ && inside_ == 1 && (last_ == "{" || last_ == ",") && isIdentifier(token))
            defined.emplace(token);
    }

    /// Its name declares nothing, and its braces hide nothing.
    void readNamespace(std::string_view token)
    {
        isNamespace_ = token != "{" && token != ";" && token != "=";
    }

    void readParameters(std::string_view token)
    {
        if (token == "<") ++angles_;
        if (token == ">" && --angles_ == 0) isTemplate_ = false;
    }

    void readDeclaration(std::string_view token)
    {
        if (token == "namespace") isNamespace_ = last_ != "using";
        if (token == "template") isTemplate_ = true;
        if (token == "enum") isOpenEnum_ = true;
        if (last_ == "enum" && (token == "class" || token == "struct")) isOpenEnum_ = false;
        if (token == "(" && brackets_++ == 0) noteDefined();
        if (token == ")" && brackets_ > 0) --brackets_;
        if (brackets_ > 0) return;
        if (token == ";" && opensType(beforeLast_) && isIdentifier(last_)) declared.emplace(last_);
        else if (token == "{" || token == "=" || token == ":" || token == ";" || token == "[") noteDefined();
        if (token == "{") inside_ = 1;
        // Behind these there are bases and values.
        if (token == "=" || token == ":") isNamed_ = true;
        if (token == "{" || token == ";") isNamed_ = false;
        if (token == ";") isOpenEnum_ = false;
    }

    void noteDefined()
    {
        if (isNamed_ || last_.empty() || !isIdentifier(last_)) return;
        const std::string_view name = last_ == "final" ? beforeLast_ : last_;
        if (!isKeyword(name)) defined.emplace(name);
    }

    std::string_view last_, beforeLast_;
    int inside_ = 0;    ///< braces that are not of a namespace
    int brackets_ = 0;  ///< round ones
    int angles_ = 0;    ///< of a template's parameters
    bool isNamespace_ = false, isTemplate_ = false;
    bool isOpenEnum_ = false;
    bool isNamed_ = false;  ///< what is being declared has been noted
};

std::vector<std::string> inOrder(const Names& names) { return {names.begin(), names.end()}; }

struct Header {
    std::string path;
    std::vector<std::size_t> includes;
    HeaderNames names;
    Headers closure;    ///< the header itself, and what it includes, directly or through others
    Headers conflicts;  ///< headers that may not be there before it
    std::size_t closureSize = 0;
};

using HeaderNumbers = std::map<std::string, std::vector<std::size_t>, std::less<>>;

/// All headers of a tree, with what has to be known of each.
class HeaderTree {
public:
    explicit HeaderTree(std::span<const SourceFile> files)
    {
        for (const SourceFile& file : files)
            if (file.path.ends_with(".h")) add(file.path, namesOfHeader(file.text));
        for (const SourceFile& file : files)
            if (file.path.ends_with(".h")) addClassesOfQt(file);
        for (const SourceFile& file : files) addIncludes(file);
        for (std::size_t number = 0; number < headers_.size(); ++number) {
            Header& header = headers_[number];
            header.closure.resize(headers_.size());
            close(number, header.closure);
            header.closureSize =
                static_cast<std::size_t>(std::count(header.closure.begin(), header.closure.end(), true));
        }
        for (Header& header : headers_) findConflicts(header);
    }

    const std::vector<Header>& headers() const { return headers_; }
    /// Not one of Qt's.
    bool isOfProject(std::size_t number) const { return headers_[number].path.ends_with(".h"); }

private:
    void add(const std::string& path, HeaderNames names)
    {
        const std::size_t number = headers_.size();
        if (!numbers_.emplace(path, number).second) return;
        headers_.push_back({path, {}, std::move(names), {}, {}});
        for (const std::string& name : headers_.back().names.defined) defining_[name].push_back(number);
        for (const std::string& name : headers_.back().names.declared) declaring_[name].push_back(number);
    }

    /// Qt's headers are called by the class that each defines.
    void addClassesOfQt(const SourceFile& file)
    {
        for (const std::string& include : systemIncludes(file.text))
            if (include.find('.') == std::string::npos && include[0] == 'Q')
                add(include, {{}, {include}, {}});
    }

    void addIncludes(const SourceFile& file)
    {
        const auto header = numbers_.find(file.path);
        if (header == numbers_.end()) return;
        const auto addThose = [&](const std::vector<std::string>& includes) {
            for (const std::string& include : includes)
                if (const auto found = numbers_.find(include); found != numbers_.end())
                    headers_[header->second].includes.push_back(found->second);
        };
        addThose(quotedIncludes(file.text));
        addThose(systemIncludes(file.text));
    }

    void close(std::size_t number, Headers& closure) const
    {
        if (closure[number]) return;
        closure[number] = true;
        for (const std::size_t include : headers_[number].includes) close(include, closure);
    }

    void findConflicts(Header& header) const
    {
        header.conflicts.resize(headers_.size());
        Names names(header.names.used.begin(), header.names.used.end());
        // A type may be needed whole without being named.
        for (std::size_t other = 0; other < headers_.size(); ++other)
            if (header.closure[other])
                names.insert(headers_[other].names.declared.begin(), headers_[other].names.declared.end());
        for (const std::string& name : names) {
            const auto& defining = headersWith(defining_, name);
            const auto& declaring = headersWith(declaring_, name);
            addConflicts(header, defining);
            if (!holdsOneOf(header, defining) && !holdsOneOf(header, declaring))
                addConflicts(header, declaring);
        }
    }

    static void addConflicts(Header& header, const std::vector<std::size_t>& others)
    {
        for (const std::size_t other : others)
            if (!header.closure[other]) header.conflicts[other] = true;
    }

    static const std::vector<std::size_t>& headersWith(const HeaderNumbers& headers, const std::string& name)
    {
        static const std::vector<std::size_t> none;
        const auto found = headers.find(name);
        return found == headers.end() ? none : found->second;
    }

    static bool holdsOneOf(const Header& header, const std::vector<std::size_t>& others)
    {
        return std::any_of(others.begin(), others.end(),
                           [&](std::size_t other) { return header.closure[other]; });
    }

    std::vector<Header> headers_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
    HeaderNumbers defining_, declaring_;
};

struct Batch {
    std::vector<std::string> paths;
    Headers seen;

    bool takes(std::size_t number, const Header& header) const
    {
        if (seen[number]) return false;
        for (std::size_t other = 0; other < seen.size(); ++other)
            if (seen[other] && header.conflicts[other]) return false;
        return true;
    }
    void add(const Header& header)
    {
        paths.push_back(header.path);
        for (std::size_t other = 0; other < seen.size(); ++other)
            if (header.closure[other]) seen[other] = true;
    }
};

}  // namespace

HeaderNames namesOfHeader(std::string_view text)
{
    const std::string code = withoutCommentsAndLiterals(text);
    Names used;
    ScopeReader scopes;
    std::string_view last;
    for (const std::string_view token : tokensOf(code)) {
        if (isIdentifier(token) && last != "." && last != "->") used.emplace(token);
        scopes.read(token);
        last = token;
    }
    return {inOrder(used), inOrder(scopes.defined), inOrder(scopes.declared)};
}

std::vector<std::vector<std::string>> headerBatches(std::span<const SourceFile> files,
                                                    const std::function<bool(std::string_view)>& wanted)
{
    const HeaderTree tree(files);
    std::vector<std::size_t> order;
    for (std::size_t number = 0; number < tree.headers().size(); ++number)
        if (tree.isOfProject(number) && wanted(tree.headers()[number].path)) order.push_back(number);
    // What is included comes before what includes it.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return tree.headers()[a].closureSize < tree.headers()[b].closureSize;
    });
    std::vector<Batch> batches;
    for (const std::size_t number : order) {
        const Header& header = tree.headers()[number];
        auto batch = std::find_if(batches.begin(), batches.end(),
                                  [&](const Batch& one) { return one.takes(number, header); });
        if (batch == batches.end())
            batch = batches.insert(batches.end(), Batch{{}, Headers(tree.headers().size())});
        batch->add(header);
    }
    std::vector<std::vector<std::string>> out;
    for (Batch& batch : batches) out.push_back(std::move(batch.paths));
    return out;
}

}  // namespace skein::checks
