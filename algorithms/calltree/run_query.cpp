// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/run_query.h"

#include "algorithms/calltree/query_predicates.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMostStateWords = std::size_t{1} << 27;  // 1 GiB in each of three tables

/// A query as a row of single steps: `.` takes one node, `*` any number. Step s is [s] of `star` and `node`.
struct Steps {
    std::vector<std::uint8_t> star;
    std::vector<std::uint32_t> queryNode;

    std::size_t size() const { return star.size(); }
    bool isStar(std::size_t step) const { return step < size() && star[step] != 0; }
};

/// More single nodes than any path of the tree has need not be told apart.
Steps stepsOf(const std::vector<QueryNode>& path, std::uint64_t longestPath)
{
    Steps steps;
    for (std::uint32_t i = 0; i < path.size(); ++i) {
        const QueryQuantifier& quantifier = path[i].quantifier;
        const std::uint64_t ones = std::min(quantifier.least, longestPath + 1);
        steps.star.insert(steps.star.end(), ones, 0);
        if (quantifier.more) steps.star.push_back(1);
        steps.queryNode.resize(steps.star.size(), i);
    }
    return steps;
}

/// A set of states, each "the steps before s are done", for every node: a row of bits.
class StateTable {
public:
    StateTable(std::size_t nodes, std::size_t states) : words_((states + 63) / 64), bits_(nodes * words_) {}

    std::size_t words() const { return words_; }
    std::uint64_t* row(std::size_t node) { return bits_.data() + node * words_; }
    const std::uint64_t* row(std::size_t node) const { return bits_.data() + node * words_; }
    bool has(std::size_t node, std::size_t state) const
    {
        return (row(node)[state / 64] >> (state % 64) & 1u) != 0;
    }
    void set(std::size_t node, std::size_t state)
    {
        row(node)[state / 64] |= std::uint64_t{1} << (state % 64);
    }

private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

/// Finds the nodes on matching paths: states that a start reaches, and states that reach the end.
class PathSearch {
public:
    PathSearch(Steps steps, const std::vector<NodeMask>& masks, const CallTable& table)
        : steps_(std::move(steps)),
          table_(table),
          takes_(table.size(), steps_.size() + 1),
          reached_(table.size(), steps_.size() + 1),
          leading_(table.size(), steps_.size() + 1),
          ones_(takes_.words())
    {
        for (std::size_t step = 0; step < steps_.size(); ++step)
            (steps_.isStar(step) ? void(stars_.push_back(step))
                                 : void(ones_[step / 64] |= std::uint64_t{1} << (step % 64)));
        for (std::size_t node = 0; node < table.size(); ++node)
            for (std::size_t step = 0; step < steps_.size(); ++step)
                if (masks[steps_.queryNode[step]][node] != 0) takes_.set(node, step);
    }

    /// false: stopped.
    bool run(QuerySemantics semantics, const Task& task, NodeMask& selected)
    {
        const bool hatchet = semantics == QuerySemantics::Hatchet;
        for (std::size_t node = table_.size(); node-- > 0;) {
            if (node % 4096 == 0 && task.stopRequested()) return false;
            hatchet ? leadHatchet(node) : leadDeclarative(node);
        }
        for (std::size_t node = 0; node < table_.size(); ++node) {
            if (node % 4096 == 0 && task.stopRequested()) return false;
            hatchet ? reachHatchet(node) : reachDeclarative(node);
            bool both = false;
            for (std::size_t word = 0; word < takes_.words(); ++word)
                both |= (reached_.row(node)[word] & leading_.row(node)[word]) != 0;
            selected[node] = both ? 1 : 0;
        }
        return true;
    }

    /// The greatest number of steps that any path has done.
    std::size_t furthest() const
    {
        for (std::size_t state = steps_.size(); state > 0; --state)
            for (std::size_t node = 0; node < table_.size(); ++node)
                if (reached_.has(node, state)) return state;
        return 0;
    }

private:
    std::size_t end() const { return steps_.size(); }
    bool isLast(std::size_t step) const { return step + 1 == end(); }

    /// What becomes of `*` at a child of the path's last node.
    enum class AtChild : std::uint8_t { EndsBefore, Takes, TakesLeaf, Fails };
    AtChild starAt(std::size_t step, std::size_t child) const
    {
        if (!isLast(step) && takes_.has(child, step + 1)) return AtChild::EndsBefore;
        if (takes_.has(child, step)) {
            if (!table_.isLeaf(child)) return AtChild::Takes;
            return isLast(step) ? AtChild::TakesLeaf : AtChild::Fails;
        }
        return isLast(step) ? AtChild::EndsBefore : AtChild::Fails;
    }

    /// Single steps at a child: bits of states of the parent from which a step at the child leads on.
    void leadOnes(std::size_t node)
    {
        std::uint64_t* const out = leading_.row(node);
        const std::size_t words = takes_.words();
        for (const std::uint32_t child : table_.children(node)) {
            const std::uint64_t* const next = leading_.row(child);
            const std::uint64_t* const takes = takes_.row(child);
            for (std::size_t word = 0; word < words; ++word) {
                const std::uint64_t carried = word + 1 < words ? next[word + 1] << 63u : 0;
                out[word] |= (next[word] >> 1u | carried) & takes[word] & ones_[word];
            }
        }
    }

    void leadHatchet(std::size_t node)
    {
        leading_.set(node, end());
        leadOnes(node);
        for (std::size_t i = stars_.size(); i-- > 0;)
            if (starLeads(node, stars_[i])) leading_.set(node, stars_[i]);
    }

    bool starLeads(std::size_t node, std::size_t step) const
    {
        if (table_.isLeaf(node)) return leading_.has(node, step + 1);
        for (const std::uint32_t child : table_.children(node)) {
            const AtChild what = starAt(step, child);
            if (what == AtChild::TakesLeaf) return true;
            if (what == AtChild::EndsBefore && leading_.has(node, step + 1)) return true;
            if (what == AtChild::Takes && leading_.has(child, step)) return true;
        }
        return false;
    }

    /// Hatchet starts a path with `*` at a node that its predicate takes, and also at one that the next
    /// takes.
    void startHatchet(std::size_t node)
    {
        const bool star = steps_.isStar(0);
        if (star && end() > 1 && takes_.has(node, 1)) reached_.set(node, steps_.isStar(1) ? 0 : 2);
        if (takes_.has(node, 0)) reached_.set(node, star ? 0 : 1);
    }

    void reachHatchet(std::size_t node)
    {
        startHatchet(node);
        for (const std::size_t step : stars_)
            if (reached_.has(node, step)) reachThroughStar(node, step);
        reachOnes(node, reached_.row(node));
    }

    void reachThroughStar(std::size_t node, std::size_t step)
    {
        if (table_.isLeaf(node)) reached_.set(node, step + 1);
        for (const std::uint32_t child : table_.children(node)) {
            const AtChild what = starAt(step, child);
            if (what == AtChild::EndsBefore) reached_.set(node, step + 1);
            if (what == AtChild::Takes) reached_.set(child, step);
            if (what == AtChild::TakesLeaf) reached_.set(child, end());
        }
    }

    void reachOnes(std::size_t node, const std::uint64_t* from)
    {
        const std::size_t words = takes_.words();
        for (const std::uint32_t child : table_.children(node)) {
            const std::uint64_t* const takes = takes_.row(child);
            std::uint64_t* const out = reached_.row(child);
            std::uint64_t carry = 0;
            for (std::size_t word = 0; word < words; ++word) {
                const std::uint64_t steps = from[word] & takes[word] & ones_[word];
                out[word] |= steps << 1u | carry;
                carry = steps >> 63u;
            }
        }
    }

    void leadDeclarative(std::size_t node)
    {
        leading_.set(node, end());
        leadOnes(node);
        for (std::size_t i = stars_.size(); i-- > 0;) {
            const std::size_t step = stars_[i];
            bool leads = leading_.has(node, step + 1);
            for (const std::uint32_t child : table_.children(node))
                leads = leads || (takes_.has(child, step) && leading_.has(child, step));
            if (leads) leading_.set(node, step);
        }
    }

    void closeOverStars(std::uint64_t* states) const
    {
        for (const std::size_t step : stars_)
            if ((states[step / 64] >> (step % 64) & 1u) != 0)
                states[(step + 1) / 64] |= std::uint64_t{1} << ((step + 1) % 64);
    }

    void reachDeclarative(std::size_t node)
    {
        std::vector<std::uint64_t> before(takes_.words());
        before[0] = 1;
        if (table_.parent(node) != CallTable::kNone)
            for (std::size_t word = 0; word < before.size(); ++word)
                before[word] |= reached_.row(table_.parent(node))[word];
        closeOverStars(before.data());
        std::uint64_t* const out = reached_.row(node);
        std::uint64_t carry = 0;
        for (std::size_t word = 0; word < before.size(); ++word) {
            const std::uint64_t taken = before[word] & takes_.row(node)[word];
            const std::uint64_t ones = taken & ones_[word];
            out[word] |= ones << 1u | carry | (taken & ~ones_[word]);
            carry = ones >> 63u;
        }
        closeOverStars(out);
    }

    Steps steps_;
    const CallTable& table_;
    StateTable takes_, reached_, leading_;
    std::vector<std::uint64_t> ones_;  ///< steps that take one node
    std::vector<std::size_t> stars_;
};

std::string shortText(const QueryNode& node)
{
    if (!node.name.empty()) return node.name;
    return "the next node of the query";
}

/// Where all paths end, if every clause is satisfied somewhere.
void noteDeadEnd(const std::vector<QueryNode>& path, const Steps& steps, std::size_t furthest,
                 std::vector<QueryNote>& notes)
{
    const std::size_t step = std::min(furthest, steps.size() - 1);
    const QueryNode& node = path[steps.queryNode[step]];
    if (furthest == 0) notes.push_back({"No path begins like this.", node.begin, node.end});
    else
        notes.push_back(
            {fmt::format("Some paths match up to here, but none goes on with {}.", shortText(node)),
             node.begin, node.end});
}

QueryOutcome runPath(const std::vector<QueryNode>& path, const CallTable& table, QuerySemantics semantics,
                     const Task& task)
{
    QueryMatch match;
    match.selected.resize(table.size());
    std::vector<NodeMask> masks;
    for (const QueryNode& node : path) {
        if (task.stopRequested()) return tl::make_unexpected(TextProblem{});
        auto mask = nodesThatSatisfy(node, table, match.notes);
        if (!mask) return tl::make_unexpected(std::move(mask.error()));
        masks.push_back(std::move(*mask));
    }
    const std::uint64_t longest = std::uint64_t{table.greatestDepth()} + 1;
    Steps steps = stepsOf(path, longest);
    const auto ones = static_cast<std::uint64_t>(std::count(steps.star.begin(), steps.star.end(), 0));
    if (table.size() == 0 || steps.size() == 0) return match;
    if (ones > longest) {
        match.notes.push_back(
            {"No path of the tree is as long as the query.", path.front().begin, path.back().end});
        return match;
    }
    if (table.size() * (steps.size() / 64 + 1) > kMostStateWords)
        return tl::make_unexpected(TextProblem{"the query is too long for a tree of this size",
                                               path.front().begin, path.back().end});
    PathSearch search(steps, masks, table);
    if (!search.run(semantics, task, match.selected)) return tl::make_unexpected(TextProblem{});
    if (match.notes.empty() && match.count() == 0) noteDeadEnd(path, steps, search.furthest(), match.notes);
    return match;
}

std::uint8_t combinedBit(QuerySet set, std::uint8_t left, std::uint8_t right)
{
    switch (set) {
    case QuerySet::And: return left & right;
    case QuerySet::Or: return left | right;
    case QuerySet::Xor: return left ^ right;
    default: return left;
    }
}

}  // namespace

std::size_t QueryMatch::count() const
{
    return static_cast<std::size_t>(std::count(selected.begin(), selected.end(), 1));
}

QueryOutcome runTreeQuery(const TreeQuery& query, const CallTable& table, QuerySemantics semantics,
                          const Task& task)
{
    if (query.set == QuerySet::Path) return runPath(query.path, table, semantics, task);
    std::optional<QueryMatch> all;
    for (const TreeQuery& part : query.parts) {
        auto match = runTreeQuery(part, table, semantics, task);
        if (!match) return match;
        if (!all) {
            all = std::move(*match);
            continue;
        }
        for (std::size_t node = 0; node < table.size(); ++node)
            all->selected[node] = combinedBit(query.set, all->selected[node], match->selected[node]);
        all->notes.insert(all->notes.end(), match->notes.begin(), match->notes.end());
    }
    if (!all) return QueryMatch{NodeMask(table.size()), {}};
    if (query.set == QuerySet::Not)
        for (std::uint8_t& one : all->selected) one ^= 1u;
    return std::move(*all);
}

Result<QueryMatch> queryTable(std::string_view text, QueryDialect dialect, const CallTable& table,
                              QuerySemantics semantics, const Task& task)
{
    const auto refused = [&](const TextProblem& problem) {
        return fail(ErrorCode::InvalidArgument, sentenceOf(problem, text), pointedAt(problem, text));
    };
    const auto query = parseTreeQuery(text, dialect);
    if (!query) return refused(query.error());
    auto match = runTreeQuery(*query, table, semantics, task);
    if (match) return std::move(*match);
    if (match.error().message.empty()) return cancelled();
    return refused(match.error());
}

}  // namespace skein
