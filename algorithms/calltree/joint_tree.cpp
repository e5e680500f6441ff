// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/joint_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kNoJoint = CallTable::kNone;
constexpr double kLeastSimilarity = 0.5;
constexpr std::size_t kMostCandidates = 2000;

/// Grows the union while trees are added.
class JointTreeBuilder {
public:
    std::uint32_t child(std::uint32_t parent, const std::string& name)
    {
        const auto [at, added] =
            known_.try_emplace({parent, name}, static_cast<std::uint32_t>(parents_.size()));
        if (added) {
            parents_.push_back(parent);
            names_.push_back(name);
        }
        return at->second;
    }

    std::uint32_t find(const NamePath& path) const
    {
        std::uint32_t node = kNoJoint;
        for (const std::string& name : path) {
            const auto found = known_.find({node, name});
            if (found == known_.end()) return kNoJoint;
            node = found->second;
        }
        return node;
    }

    /// The joint node of every node of a tree.
    std::vector<std::uint32_t> add(const CallTable& tree, const std::map<NamePath, std::uint32_t>& matched)
    {
        std::vector<std::uint32_t> placed(tree.size());
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            const std::uint32_t parent =
                tree.parent(node) == CallTable::kNone ? kNoJoint : placed[tree.parent(node)];
            const auto found = matched.empty() ? matched.end() : matched.find(pathOf(tree, node));
            placed[node] =
                found != matched.end() ? found->second : child(parent, std::string(tree.name(node)));
        }
        return placed;
    }

    static NamePath pathOf(const CallTable& tree, std::size_t node)
    {
        const auto views = tree.path(node);
        return {views.begin(), views.end()};
    }

    std::vector<std::uint32_t> parents_;
    std::vector<std::string> names_;

private:
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known_;
};

/// The new number of each node when they stand in preorder, children in the order of their old numbers.
std::vector<std::uint32_t> preorderNumbers(const std::vector<std::uint32_t>& parents)
{
    const CallTable shape(parents, std::vector<std::string>(parents.size()));
    std::vector<std::uint32_t> open, numbers(parents.size());
    for (std::uint32_t node = static_cast<std::uint32_t>(parents.size()); node-- > 0;)
        if (parents[node] == kNoJoint) open.push_back(node);
    for (std::uint32_t next = 0; !open.empty(); ++next) {
        const std::uint32_t node = open.back();
        open.pop_back();
        numbers[node] = next;
        const auto children = shape.children(node);
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    return numbers;
}

std::set<std::pair<char, char>> letterPairs(std::string_view name)
{
    std::set<std::pair<char, char>> pairs;
    for (std::size_t i = 0; i + 1 < name.size(); ++i) pairs.insert({name[i], name[i + 1]});
    return pairs;
}

template <typename Set>
double diceOf(const Set& left, const Set& right)
{
    if (left.empty() && right.empty()) return 0.0;
    std::size_t both = 0;
    for (const auto& one : left) both += right.count(one);
    return 2.0 * static_cast<double>(both) / static_cast<double>(left.size() + right.size());
}

std::set<std::string_view> childNames(const CallTable& tree, std::uint32_t node)
{
    std::set<std::string_view> names;
    for (const std::uint32_t child : tree.children(node)) names.insert(tree.name(child));
    return names;
}

/// The outermost nodes of a run that the other one does not have.
std::vector<std::uint32_t> outermostOwn(const JointTree& joint, std::size_t run)
{
    std::vector<std::uint32_t> own;
    for (std::uint32_t node = 0; node < joint.table.size() && own.size() < kMostCandidates; ++node) {
        const std::uint32_t parent = joint.table.parent(node);
        if (joint.has(run, node) && !joint.has(1 - run, node)
            && (parent == CallTable::kNone || joint.has(1 - run, parent)))
            own.push_back(joint.nodeOf[run][node]);
    }
    std::sort(own.begin(), own.end());
    return own;
}

NamePath parentPath(const CallTable& tree, std::uint32_t node)
{
    NamePath path = JointTreeBuilder::pathOf(tree, node);
    path.pop_back();
    return path;
}

}  // namespace

bool JointTree::inAll(std::size_t node) const
{
    return std::all_of(nodeOf.begin(), nodeOf.end(),
                       [&](const auto& run) { return run[node] != CallTable::kNone; });
}

JointTree joinTrees(const std::vector<const CallTable*>& trees, const std::vector<PathMatch>& matches)
{
    JointTreeBuilder builder;
    std::vector<std::vector<std::uint32_t>> placed;
    for (std::size_t run = 0; run < trees.size(); ++run) {
        std::map<NamePath, std::uint32_t> matched;
        if (run > 0)
            for (const PathMatch& match : matches)
                if (const std::uint32_t node = builder.find(match.first); node != kNoJoint)
                    matched.emplace(match.other, node);
        placed.push_back(builder.add(*trees[run], matched));
    }
    const std::vector<std::uint32_t> numbers = preorderNumbers(builder.parents_);
    std::vector<std::uint32_t> parents(numbers.size());
    std::vector<std::string> names(numbers.size());
    for (std::uint32_t node = 0; node < numbers.size(); ++node) {
        parents[numbers[node]] =
            builder.parents_[node] == kNoJoint ? CallTable::kNone : numbers[builder.parents_[node]];
        names[numbers[node]] = std::move(builder.names_[node]);
    }
    JointTree joint{CallTable(std::move(parents), names), {}};
    for (const auto& run : placed) {
        joint.nodeOf.emplace_back(numbers.size(), CallTable::kNone);
        for (std::uint32_t node = static_cast<std::uint32_t>(run.size()); node-- > 0;)
            joint.nodeOf.back()[numbers[run[node]]] = node;
    }
    return joint;
}

std::vector<MatchProposal> proposeMatches(const CallTable& first, const CallTable& other)
{
    const JointTree joint = joinTrees({&first, &other});
    std::vector<MatchProposal> all;
    const auto ownOfOther = outermostOwn(joint, 1);
    for (const std::uint32_t mine : outermostOwn(joint, 0))
        for (const std::uint32_t theirs : ownOfOther) {
            const bool sameName = first.name(mine) == other.name(theirs);
            const bool sameParent = parentPath(first, mine) == parentPath(other, theirs);
            if (!sameName && !sameParent) continue;
            const double called = diceOf(childNames(first, mine), childNames(other, theirs));
            const double named = diceOf(letterPairs(first.name(mine)), letterPairs(other.name(theirs)));
            const double similarity = sameName
                ? 0.5 + 0.5 * (first.isLeaf(mine) && other.isLeaf(theirs) ? 1.0 : called)
                : std::max(named, called);
            if (similarity >= kLeastSimilarity)
                all.push_back(
                    {{JointTreeBuilder::pathOf(other, theirs), JointTreeBuilder::pathOf(first, mine)},
                     sameName,
                     similarity});
        }
    std::stable_sort(all.begin(), all.end(), [](const MatchProposal& a, const MatchProposal& b) {
        return a.similarity > b.similarity;
    });
    std::set<NamePath> usedFirst, usedOther;
    std::vector<MatchProposal> chosen;
    for (MatchProposal& one : all)
        if (usedFirst.insert(one.match.first).second) {
            if (usedOther.insert(one.match.other).second) chosen.push_back(std::move(one));
            else usedFirst.erase(one.match.first);
        }
    return chosen;
}

}  // namespace skein
