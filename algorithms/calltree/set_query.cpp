// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/set_query.h"

#include "algorithms/calltree/text_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace skein {
namespace {

constexpr std::uint32_t kNoClass = CallTable::kNone;

/// Nodes with the same names from the root on, as a tree of its own: parents before children.
struct PathClasses {
    std::vector<std::uint32_t> classOf;  ///< [node]
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> words;  ///< of the names
    std::vector<std::uint32_t> depths;

    std::size_t size() const { return parents.size(); }
};

PathClasses pathClasses(const CallTable& table)
{
    PathClasses classes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (std::size_t node = 0; node < table.size(); ++node) {
        const std::uint32_t parent =
            table.parent(node) == CallTable::kNone ? kNoClass : classes.classOf[table.parent(node)];
        const std::uint32_t word = table.names().words[node];
        const auto [at, added] =
            known.try_emplace({parent, word}, static_cast<std::uint32_t>(classes.size()));
        if (added) {
            classes.parents.push_back(parent);
            classes.words.push_back(word);
            classes.depths.push_back(table.depth(node));
        }
        classes.classOf.push_back(at->second);
    }
    return classes;
}

/// What is said of a class.
struct ClassState {
    bool selected = false;
    bool kept = false;       ///< selected, or something below is
    bool whole = true;       ///< it and all below it is selected
    bool keptBelow = false;  ///< something below is kept
};

std::vector<ClassState> classStates(const PathClasses& classes, std::span<const std::uint8_t> selected,
                                    bool& exact)
{
    std::vector<ClassState> states(classes.size());
    std::vector<std::uint8_t> seen(classes.size());
    for (std::size_t node = 0; node < selected.size(); ++node) {
        const std::uint32_t one = classes.classOf[node];
        const bool now = selected[node] != 0;
        if (seen[one] != 0 && states[one].selected != now) exact = false;
        states[one].selected = states[one].selected || now;
        seen[one] = 1;
    }
    for (std::size_t i = classes.size(); i-- > 0;) {
        ClassState& state = states[i];
        state.kept = state.kept || state.selected;
        state.whole = state.whole && state.selected;
        if (classes.parents[i] == kNoClass) continue;
        ClassState& above = states[classes.parents[i]];
        above.kept = above.kept || state.kept;
        above.keptBelow = above.keptBelow || state.kept;
        above.whole = above.whole && state.whole;
    }
    return states;
}

std::string variableOf(std::size_t index)
{
    if (index < 26) return std::string(1, static_cast<char>('a' + index));
    return fmt::format("n{}", index);
}

/// Siblings that a path ends at, each with all below it or alone.
using EndGroup = std::pair<std::uint32_t, bool>;  // parent + 1, of roots 0; with all below

/// A name's word and a depth.
using NamePlace = std::pair<std::uint32_t, std::uint32_t>;

class SetQueryWriter {
public:
    SetQueryWriter(const CallTable& table, std::span<const std::uint8_t> selected)
        : table_(table), classes_(pathClasses(table)), selected_(selected)
    {
        states_ = classStates(classes_, selected, out_.exact);
    }

    SetQuery write()
    {
        if (std::find(selected_.begin(), selected_.end(), 1) == selected_.end())
            return all(R"(MATCH (a) WHERE a."depth" < 0)");
        if (std::find(selected_.begin(), selected_.end(), 0) == selected_.end()) return all("MATCH (a)");
        out_.byPath = byPath();
        out_.text = out_.byPath;
        const bool pathsInHatchet = out_.hatchet;
        for (const std::string& shorter : {byNames(), byBeginning()})
            if (!shorter.empty() && shorter.size() < out_.text.size()) out_.text = shorter;
        if (out_.text == out_.byPath) out_.hatchet = pathsInHatchet;
        return out_;
    }

private:
    SetQuery all(const std::string& text)
    {
        out_.text = out_.byPath = text;
        return out_;
    }

    /// `variable."name" = "…"`. What stands behind the variable is worked out once a name.
    void addNameCondition(std::string& text, std::string_view variable, std::uint32_t word)
    {
        if (conditions_.empty()) conditions_.resize(table_.names().vocabulary.size());
        std::string& behind = conditions_[word];
        if (behind.empty())
            behind = textCondition({}, table_.names(), table_.names().vocabulary[word], out_.hatchet);
        text += variable;
        text += behind;
    }

    std::string nameCondition(std::string_view variable, std::uint32_t word)
    {
        std::string text;
        addNameCondition(text, variable, word);
        return text;
    }

    std::vector<std::uint32_t> lineage(std::uint32_t at) const
    {
        std::vector<std::uint32_t> path;
        for (; at != kNoClass; at = classes_.parents[at]) path.push_back(at);
        std::reverse(path.begin(), path.end());
        return path;
    }

    /// MATCH (a)->(b) WHERE a."depth" = 0 AND a."name" = … AND b."name" = … OR b."name" = …
    std::string pathQuery(std::uint32_t parent, const std::vector<std::uint32_t>& ends, bool allBelow)
    {
        std::string nodes, conditions;
        const std::vector<std::uint32_t> above = lineage(parent);
        for (std::size_t i = 0; i < above.size(); ++i) {
            const std::string variable = variableOf(i);
            nodes += i == 0 ? "(" : "->(";
            nodes += variable;
            nodes += ')';
            if (i == 0) conditions += variable + ".\"depth\" = 0 AND ";
            else conditions += " AND ";
            addNameCondition(conditions, variable, classes_.words[above[i]]);
        }
        const std::string last = variableOf(above.size());
        nodes += (above.empty() ? "(" : "->(") + last + ")" + (allBelow ? "->(\"*\")" : "");
        for (std::size_t i = 0; i < ends.size(); ++i) {
            // Or is weaker than And: a root's depth is told with every name.
            const std::string root = above.empty() ? last + ".\"depth\" = 0 AND " : "";
            conditions += (i > 0               ? " OR "
                               : above.empty() ? ""
                                               : " AND ")
                + root + nameCondition(last, classes_.words[ends[i]]);
        }
        return "MATCH " + nodes + " WHERE " + conditions;
    }

    /// The paths that end at what is selected: where one of them is not in another run, the others still are.
    std::vector<std::string> pathQueries()
    {
        std::map<EndGroup, std::vector<std::uint32_t>> groups;
        for (std::uint32_t i = 0; i < classes_.size(); ++i) {
            const std::uint32_t parent = classes_.parents[i];
            if (!states_[i].kept || (parent != kNoClass && states_[parent].whole)) continue;
            if (states_[i].selected)
                groups[{parent + 1, states_[i].whole && states_[i].keptBelow}].push_back(i);
        }
        std::vector<std::string> queries;
        for (const auto& [group, ends] : groups)
            queries.push_back(pathQuery(group.first - 1, ends, group.second));
        return queries;
    }

    static std::string joined(const std::vector<std::string>& queries)
    {
        if (queries.size() == 1) return queries.front();
        std::string text;
        for (const std::string& query : queries) text += (text.empty() ? "{" : " OR {") + query + "}";
        return text;
    }

    std::string byPath()
    {
        const auto queries = pathQueries();
        const auto filters = filtersOfOthers();
        if (!filters) return oneByOne();
        if (filters->empty()) return joined(queries);
        std::string text = queries.size() == 1 ? "{" + queries.front() + "}" : joined(queries);
        for (const std::string& filter : *filters) text += " AND {" + filter + "}";
        return text;
    }

    /// Queries that take what is selected and not what merely stands above it; nullopt where names and depths
    /// do not tell them apart.
    std::optional<std::vector<std::string>> filtersOfOthers()
    {
        std::vector<std::uint32_t> others;
        std::uint32_t deepest = 0, highest = 0xFFFFFFFFu;
        for (std::uint32_t i = 0; i < classes_.size(); ++i) {
            if (!states_[i].kept) continue;
            if (states_[i].selected) highest = std::min(highest, classes_.depths[i]);
            else {
                others.push_back(i);
                deepest = std::max(deepest, classes_.depths[i]);
            }
        }
        if (others.empty()) return std::vector<std::string>{};
        if (deepest < highest) return std::vector{fmt::format("MATCH (a) WHERE a.\"depth\" > {}", deepest)};
        return filtersByName(others);
    }

    /// What is not to be found, one filter each, or all that is, whichever is shorter.
    std::optional<std::vector<std::string>> filtersByName(const std::vector<std::uint32_t>& others)
    {
        std::set<NamePlace> places, taken;
        for (const std::uint32_t one : others) places.insert({classes_.words[one], classes_.depths[one]});
        for (std::uint32_t i = 0; i < classes_.size(); ++i)
            if (states_[i].selected) taken.insert({classes_.words[i], classes_.depths[i]});
        std::vector<std::string> filters;
        std::size_t length = 0;
        for (const NamePlace& place : places) {
            if (taken.count(place) != 0) return std::nullopt;
            filters.push_back(fmt::format("MATCH (a) WHERE NOT {} OR NOT a.\"depth\" = {}",
                                          nameCondition("a", place.first), place.second));
            length += filters.back().size() + std::string_view(" AND {}").size();
        }
        const std::string one = takenFilter(places, taken);
        return one.size() < length ? std::vector{one} : filters;
    }

    /// Names that only selected nodes have, and names at depths.
    std::string takenFilter(const std::set<NamePlace>& others, const std::set<NamePlace>& taken)
    {
        std::set<std::uint32_t> otherWords;
        for (const NamePlace& place : others) otherWords.insert(place.first);
        std::set<std::string> conditions;
        for (const auto& [word, depth] : taken) {
            const std::string named = nameCondition("a", word);
            conditions.insert(
                otherWords.count(word) == 0 ? named : fmt::format("{} AND a.\"depth\" = {}", named, depth));
        }
        std::string text;
        for (const std::string& condition : conditions)
            text += (text.empty() ? "MATCH (a) WHERE " : " OR ") + condition;
        return text;
    }

    /// {{a path} AND {its depth}} OR …: always right, but not read by Hatchet.
    std::string oneByOne()
    {
        out_.hatchet = false;
        std::map<std::uint32_t, std::vector<std::uint32_t>> siblings;
        for (std::uint32_t i = 0; i < classes_.size(); ++i)
            if (states_[i].selected) siblings[classes_.parents[i]].push_back(i);
        std::vector<std::string> queries;
        for (const auto& [parent, ends] : siblings)
            queries.push_back(fmt::format("{{{}}} AND {{MATCH (a) WHERE a.\"depth\" = {}}}",
                                          pathQuery(parent, ends, false), classes_.depths[ends.front()]));
        return joined(queries);
    }

    std::size_t selectedCount() const
    {
        return static_cast<std::size_t>(std::count(selected_.begin(), selected_.end(), 1));
    }

    /// Words of selected nodes, if they are all nodes of these names; otherwise none.
    std::vector<std::uint32_t> wholeNames() const
    {
        std::set<std::uint32_t> chosen, others;
        for (std::size_t node = 0; node < table_.size(); ++node)
            (selected_[node] != 0 ? chosen : others).insert(table_.names().words[node]);
        for (const std::uint32_t word : chosen)
            if (others.count(word) != 0) return {};
        return {chosen.begin(), chosen.end()};
    }

    std::string byNames()
    {
        std::string text;
        bool hatchet = true;
        const std::vector<std::uint32_t> words = wholeNames();
        if (words.size() == selectedCount()) return {};
        for (const std::uint32_t word : words) {
            text += (text.empty() ? "MATCH (a) WHERE " : " OR ");
            text += textCondition("a", table_.names(), table_.names().vocabulary[word], hatchet);
        }
        return hatchet ? text : std::string();
    }

    /// MPI_…, std::…
    std::string byBeginning() const
    {
        const std::vector<std::uint32_t> words = wholeNames();
        const std::vector<std::string>& vocabulary = table_.names().vocabulary;
        if (words.size() < 2) return {};
        std::string begin = vocabulary[words.front()];
        for (const std::uint32_t word : words) {
            const auto differ =
                std::mismatch(begin.begin(), begin.end(), vocabulary[word].begin(), vocabulary[word].end());
            begin.erase(differ.first, begin.end());
        }
        const std::size_t end = begin.find_last_of("_:");
        if (end == std::string::npos || begin.find_first_of("\"\\{}\n") != std::string::npos) return {};
        begin.resize(end + 1);
        const auto beginsSo = [&](const std::string& word) {
            return word.compare(0, begin.size(), begin) == 0;
        };
        const auto many = std::count_if(vocabulary.begin(), vocabulary.end(), beginsSo);
        if (static_cast<std::size_t>(many) != words.size()) return {};
        return fmt::format("MATCH (a) WHERE a.\"name\" STARTS WITH \"{}\"", begin);
    }

    const CallTable& table_;
    PathClasses classes_;
    std::vector<ClassState> states_;
    std::span<const std::uint8_t> selected_;
    SetQuery out_;
    std::vector<std::string> conditions_;  ///< [word of a name]: behind the variable; empty: not asked yet
};

/// The text as a regular expression without backslashes, quotes and braces.
std::string looseExpression(std::string_view word)
{
    std::string out;
    for (const char c : word) {
        if (std::string_view("\"\\{}^\n").find(c) != std::string_view::npos) out += '.';
        else if (std::string_view(".*+?()[]|$").find(c) != std::string_view::npos)
            out += fmt::format("[{}]", c);
        else out += c;
    }
    return out + "$";
}

}  // namespace

std::string textCondition(std::string_view node, const TableColumn& column, std::string_view word,
                          bool& hatchet)
{
    const std::string left = fmt::format("{}.\"{}\"", node, column.name);
    if (word.find_first_of("\"\\{}\n") == std::string_view::npos)
        return fmt::format("{} = \"{}\"", left, word);
    const std::string expression = looseExpression(word);
    const auto pattern = TextPattern::compile(expression, PatternAnchor::Start);
    const auto matches = [&](const std::string& one) {
        return pattern && pattern->matches(one).value_or(true);
    };
    if (word.find('\n') == std::string_view::npos
        && std::count_if(column.vocabulary.begin(), column.vocabulary.end(), matches) == 1)
        return fmt::format("{} =~ \"{}\"", left, expression);
    hatchet = false;
    std::string escaped;
    for (const char c : word) escaped += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return fmt::format("{} = \"{}\"", left, escaped);
}

SetQuery queryOfSet(const CallTable& table, std::span<const std::uint8_t> selected)
{
    return SetQueryWriter(table, selected).write();
}

}  // namespace skein
