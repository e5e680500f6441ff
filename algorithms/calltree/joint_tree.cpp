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
constexpr std::size_t kMostNamesOfProposals = 2'000'000;  ///< on the paths of all: trees may be very deep

/// Call paths of one tree that stand for joint nodes. Followed while the tree is gone through, so that a path
/// is compared name by name but once, however deep the tree is.
class MatchedPaths {
public:
    static constexpr std::uint32_t kOff = CallTable::kNone;  ///< on no matched path

    void add(const NamePath& path, std::uint32_t joint)
    {
        std::uint32_t at = kRoot;
        for (const std::string& name : path) {
            const auto [next, isNew] =
                next_.try_emplace({at, name}, static_cast<std::uint32_t>(joint_.size()));
            if (isNew) joint_.push_back(kNoJoint);
            at = next->second;
        }
        if (at != kRoot && joint_[at] == kNoJoint) joint_[at] = joint;
    }

    bool empty() const { return next_.empty(); }
    /// Where one name more leads from the place of a caller, kRoot for those without.
    std::uint32_t step(std::uint32_t at, std::string_view name) const
    {
        const auto found = at == kOff ? next_.end() : next_.find({at, std::string(name)});
        return found == next_.end() ? kOff : found->second;
    }
    std::uint32_t jointAt(std::uint32_t at) const { return at == kOff ? kNoJoint : joint_[at]; }

    static constexpr std::uint32_t kRoot = 0;

private:
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> next_;
    std::vector<std::uint32_t> joint_{kNoJoint};
};

/// Grows the union while trees are added.
class JointTreeBuilder {
public:
    std::uint32_t child(std::uint32_t parent, const std::string& key, const std::string& name)
    {
        const auto [at, added] =
            known_.try_emplace({parent, key}, static_cast<std::uint32_t>(parents_.size()));
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
            auto found = known_.find({node, name});
            if (found == known_.end()) found = known_.find({node, std::string(comparedName(name))});
            if (found == known_.end()) return kNoJoint;
            node = found->second;
        }
        return node;
    }

    /// The joint node of every node of a tree.
    std::vector<std::uint32_t> add(const CallTable& tree, const MatchedPaths& matched)
    {
        std::vector<std::uint32_t> placed(tree.size());
        std::vector<std::uint32_t> followed(matched.empty() ? 0 : tree.size(), MatchedPaths::kOff);
        std::set<std::uint32_t> taken;
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            const std::uint32_t caller = tree.parent(node);
            const bool isRoot = caller == CallTable::kNone;
            if (!followed.empty()) {
                followed[node] =
                    matched.step(isRoot ? MatchedPaths::kRoot : followed[caller], tree.name(node));
                placed[node] = matched.jointAt(followed[node]);
                if (placed[node] != kNoJoint) continue;
            }
            const std::uint32_t parent = isRoot ? kNoJoint : placed[caller];
            const std::string name(tree.name(node));
            placed[node] = child(parent, std::string(comparedName(name)), name);
            if (!taken.insert(placed[node]).second) placed[node] = child(parent, name, name);
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

/// An outermost node of a run that the other one does not have.
struct OwnNode {
    std::uint32_t node = 0;
    std::uint32_t jointParent = kNoJoint;  ///< that both have
    std::string_view name;
    bool isLeaf = false;
    std::set<std::pair<char, char>> letters;
    std::set<std::string_view> called;

    auto place() const { return std::pair(jointParent, name); }
};

std::vector<OwnNode> outermostOwn(const JointTree& joint, std::size_t run, const CallTable& tree)
{
    std::vector<OwnNode> own;
    for (std::uint32_t node = 0; node < joint.table.size() && own.size() < kMostCandidates; ++node) {
        const std::uint32_t parent = joint.table.parent(node);
        if (!joint.has(run, node) || joint.has(1 - run, node)
            || (parent != CallTable::kNone && !joint.has(1 - run, parent)))
            continue;
        const std::uint32_t mine = joint.nodeOf[run][node];
        own.push_back({mine, parent, tree.name(mine), tree.isLeaf(mine), letterPairs(tree.name(mine)),
                       childNames(tree, mine)});
    }
    std::sort(own.begin(), own.end(), [](const OwnNode& a, const OwnNode& b) { return a.node < b.node; });
    return own;
}

/// 0 where neither name nor place is the same.
double similarityOf(const OwnNode& mine, const OwnNode& theirs)
{
    const bool sameName = mine.name == theirs.name;
    if (!sameName && mine.jointParent != theirs.jointParent) return 0;
    const double called = diceOf(mine.called, theirs.called);
    if (sameName) return 0.5 + 0.5 * (mine.isLeaf && theirs.isLeaf ? 1.0 : called);
    return std::max(diceOf(mine.letters, theirs.letters), called);
}

/// Two own nodes that may be the same, by their places among those of their runs.
struct MaybeSame {
    std::uint32_t mine = 0, theirs = 0;
    double similarity = 0;
};

std::vector<MaybeSame> similarPairs(const std::vector<OwnNode>& mine, const std::vector<OwnNode>& theirs)
{
    std::vector<MaybeSame> all;
    for (std::uint32_t i = 0; i < mine.size(); ++i)
        for (std::uint32_t j = 0; j < theirs.size(); ++j)
            if (const double similarity = similarityOf(mine[i], theirs[j]); similarity >= kLeastSimilarity)
                all.push_back({i, j, similarity});
    std::stable_sort(all.begin(), all.end(),
                     [](const MaybeSame& a, const MaybeSame& b) { return a.similarity > b.similarity; });
    return all;
}

}  // namespace

std::string_view comparedName(std::string_view name)
{
    name = name.substr(0, name.find(" [{"));
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    return name;
}

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
        MatchedPaths matched;
        if (run > 0)
            for (const PathMatch& match : matches)
                if (const std::uint32_t node = builder.find(match.first); node != kNoJoint)
                    matched.add(match.other, node);
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
    const auto ownOfFirst = outermostOwn(joint, 0, first), ownOfOther = outermostOwn(joint, 1, other);
    std::set<std::pair<std::uint32_t, std::string_view>> usedFirst, usedOther;
    std::vector<MatchProposal> chosen;
    std::size_t names = 0;
    for (const MaybeSame& one : similarPairs(ownOfFirst, ownOfOther)) {
        const OwnNode &mine = ownOfFirst[one.mine], &theirs = ownOfOther[one.theirs];
        if (usedFirst.contains(mine.place()) || usedOther.contains(theirs.place())) continue;
        usedFirst.insert(mine.place());
        usedOther.insert(theirs.place());
        chosen.push_back(
            {{JointTreeBuilder::pathOf(other, theirs.node), JointTreeBuilder::pathOf(first, mine.node)},
             mine.name == theirs.name,
             one.similarity});
        names += chosen.back().match.first.size() + chosen.back().match.other.size();
        if (names > kMostNamesOfProposals) break;
    }
    return chosen;
}

}  // namespace skein
