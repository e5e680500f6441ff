// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/compare_runs.h"
#include "tests/support/catch.h"

#include <cmath>

namespace skein::compare_runs_test {
namespace {

/// Rows of (parent, name, inclusive, exclusive); two ranks.
struct Row {
    std::uint32_t parent;
    std::string name;
    double inclusive, exclusive, calls;
};
constexpr std::uint32_t kRoot = CallTable::kNone;

MeasuredTable tableOf(const std::vector<Row>& rows)
{
    MeasuredTable out;
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    MeasuredMetric time;
    time.name = "time";
    time.unit = "s";
    for (const Row& row : rows) {
        parents.push_back(row.parent);
        names.push_back(row.name);
        time.inclusive.push_back(row.inclusive);
        time.exclusive.push_back(row.exclusive);
        out.calls.push_back(row.calls);
    }
    out.table = CallTable(parents, names);
    out.metrics = {time};
    out.ranks = out.locations = 2;
    return out;
}

MeasuredTable runA()
{
    return tableOf({{kRoot, "main", 10, 1, 2}, {0, "init", 2, 2, 2}, {0, "solve", 7, 7, 10}});
}
MeasuredTable runB()
{
    return tableOf({{kRoot, "main", 13, 1, 2}, {0, "solve", 9, 9, 10}, {0, "write", 3, 3, 2}});
}

std::vector<std::string> joinedNames(const JointTree& joint)
{
    std::vector<std::string> names;
    for (std::size_t node = 0; node < joint.table.size(); ++node) names.emplace_back(joint.table.name(node));
    return names;
}

TEST_CASE("trees are joined by the names on call paths")
{
    const MeasuredTable a = runA(), b = runB();
    const JointTree joint = joinTrees({&a.table, &b.table});
    CHECK(joinedNames(joint) == std::vector<std::string>{"main", "init", "solve", "write"});
    CHECK(joint.nodeOf[0] == std::vector<std::uint32_t>{0, 1, 2, kRoot});
    CHECK(joint.nodeOf[1] == std::vector<std::uint32_t>{0, kRoot, 1, 2});
    CHECK(joint.inAll(2));
    CHECK_FALSE(joint.inAll(1));
}

TEST_CASE("positions in the source, as TAU writes them, do not tell runs apart")
{
    const MeasuredTable a = tableOf({{kRoot, "main [{a.c} {1,0}]", 1, 1, 1},
                                     {0, "f [{a.c} {5,0}]", 1, 1, 1},
                                     {0, "f [{b.c} {7,0}]", 1, 1, 1}});
    const MeasuredTable b =
        tableOf({{kRoot, "main [{a.c} {2,0}]", 1, 1, 1}, {0, "f [{a.c} {6,0}]", 1, 1, 1}});
    const JointTree joint = joinTrees({&a.table, &b.table});
    CHECK(joinedNames(joint)
          == std::vector<std::string>{"main [{a.c} {1,0}]", "f [{a.c} {5,0}]", "f [{b.c} {7,0}]"});
    CHECK(joint.nodeOf[1] == std::vector<std::uint32_t>{0, 1, kRoot});
}

TEST_CASE("a comparison has what each run has at every call path")
{
    const MeasuredTable a = runA(), b = runB();
    const auto comparison = compareRuns({{&a}}, {{&b}}, {});
    REQUIRE(comparison.has_value());
    CHECK(comparison->unit == "s");
    CHECK(comparison->changes[2].difference() == 2.0);
    CHECK(comparison->changes[2].ratio() == 9.0 / 7.0);
    CHECK(std::isnan(comparison->changes[3].ratio()));
    CHECK(comparison->verdicts
          == std::vector<ChangeVerdict>{ChangeVerdict::Same, ChangeVerdict::OnlyA, ChangeVerdict::More,
                                        ChangeVerdict::OnlyB});
    CHECK(comparison->byDifference() == std::vector<std::uint32_t>{3, 1, 2, 0});
    const SpeedUp speedUp = speedUpOf(*comparison, 2.0, 4.0);
    CHECK(speedUp.speedUp[2] == 7.0 / 9.0);
    CHECK(speedUp.efficiency[2] == 7.0 / 18.0);
}

TEST_CASE("comparisons can be per rank, call and phase")
{
    const MeasuredTable a = runA(), b = runB();
    const auto solve = [&](ComparePer per) {
        CompareParams params;
        params.per = per;
        params.phaseRegion = "solve";
        return compareRuns({{&a}}, {{&b}}, params)->changes[2].b;
    };
    CHECK(solve(ComparePer::Rank) == 4.5);
    CHECK(solve(ComparePer::Call) == 0.9);
    CHECK(solve(ComparePer::Phase) == 9.0 / 5.0);
}

TEST_CASE("more than two runs stand beside each other")
{
    const MeasuredTable a = runA(), b = runB(), c = tableOf({{kRoot, "main", 4, 4, 2}});
    const auto many = compareMany({{{&a}}, {{&b}}, {{&a, &c}}}, {});
    REQUIRE(many.has_value());
    CHECK(joinedNames(many->joint) == std::vector<std::string>{"main", "init", "solve", "write"});
    CHECK(many->values[0] == std::vector<double>{1, 2, 7, 0});
    CHECK(many->values[1] == std::vector<double>{1, 0, 9, 3});
    CHECK(many->values[2] == std::vector<double>{2.5, 1, 3.5, 0});  // the mean of two runs
    CHECK(many->inAll(2));
    CHECK_FALSE(many->inAll(1));
    CHECK_FALSE(many->inAll(3));
    CHECK(many->byDifference() == std::vector<std::uint32_t>{2, 3, 1, 0});
    // Two sides are what compareRuns() has.
    const auto two = compareMany({{{&a}}, {{&b}}}, {});
    const auto pair = compareRuns({{&a}}, {{&b}}, {});
    for (std::size_t node = 0; node < pair->changes.size(); ++node) {
        CHECK(two->values[0][node] == pair->changes[node].a);
        CHECK(two->values[1][node] == pair->changes[node].b);
    }
    CompareParams wrong;
    wrong.metric = "tim";
    CHECK_FALSE(compareMany({{{&a}}, {{&b}}}, wrong).has_value());
}

TEST_CASE("the interval of a difference is Welch's")
{
    // Means 5.075 and 4.2333, variances 0.0291667 and 0.0233333.
    const ChangeEstimate change = estimateChange({5.1, 4.9, 5.3, 5.0}, {4.2, 4.4, 4.1});
    CHECK(change.interval);
    CHECK(change.difference() == Approx(-0.841667).epsilon(1e-6));
    // Standard error √(0.0291667/4 + 0.0233333/3) = 0.122757, 4.7367 degrees of freedom, t = 2.6151
    CHECK(change.high - change.difference() == Approx(0.3210).epsilon(2e-3));
    CHECK(change.low - change.difference() == Approx(-0.3210).epsilon(2e-3));
    const ChangeEstimate single = estimateChange({5.0}, {4.0});
    CHECK_FALSE(single.interval);
    CHECK(single.low == -1.0);
    // Equal runs have no noise at all.
    CHECK(estimateChange({1.0, 1.0}, {2.0, 2.0}).low == 1.0);
    // The t distribution with one degree of freedom: 12.706.
    const ChangeEstimate one = estimateChange({0.0, 2.0}, {0.0});
    CHECK(one.high - one.difference() == Approx(12.7062 * std::sqrt(3.0)).epsilon(1e-4));
}

TEST_CASE("renamed and moved functions are proposed and can be confirmed")
{
    const MeasuredTable a = tableOf({{kRoot, "main", 9, 1, 1},
                                     {0, "computeForces", 6, 5, 1},
                                     {1, "sqrt", 1, 1, 1},
                                     {0, "output", 2, 2, 1}});
    const MeasuredTable b = tableOf({{kRoot, "main", 9, 1, 1},
                                     {0, "computeForces_v2", 6, 3, 1},
                                     {1, "sqrt", 1, 1, 1},
                                     {1, "output", 2, 2, 1}});
    const auto proposals = proposeMatches(a.table, b.table);
    REQUIRE_FALSE(proposals.empty());
    CHECK(proposals[0].match.first == NamePath{"main", "computeForces"});
    CHECK(proposals[0].match.other == NamePath{"main", "computeForces_v2"});
    CHECK_FALSE(proposals[0].moved);
    const JointTree joint =
        joinTrees({&a.table, &b.table},
                  {proposals[0].match, {{"main", "computeForces_v2", "output"}, {"main", "output"}}});
    CHECK(joinedNames(joint) == std::vector<std::string>{"main", "computeForces", "sqrt", "output"});
    for (std::size_t node = 0; node < joint.table.size(); ++node) CHECK(joint.inAll(node));
    const MeasuredTable same = runA();
    CHECK(proposeMatches(same.table, same.table).empty());
}

TEST_CASE("a function that moved is proposed where it went")
{
    const MeasuredTable a = tableOf({{kRoot, "main", 9, 1, 1}, {0, "x", 6, 5, 1}, {0, "output", 2, 2, 1}});
    const MeasuredTable b = tableOf({{kRoot, "main", 9, 1, 1}, {0, "x", 6, 3, 1}, {1, "output", 2, 2, 1}});
    const auto proposals = proposeMatches(a.table, b.table);
    REQUIRE(proposals.size() == 1);
    CHECK(proposals[0].moved);
    CHECK(proposals[0].match.other == NamePath{"main", "x", "output"});
}

/// A chain so deep that anything that goes up from each node would take hours, with a leaf at its end and
/// another half way down.
CallTable deepChain(std::uint32_t depth, const char* half, const char* leaf)
{
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    for (std::uint32_t node = 0; node < depth; ++node) {
        parents.push_back(node == 0 ? CallTable::kNone : node - 1);
        names.push_back(node % 2 == 0 ? "even" : "odd");
    }
    parents.push_back(depth - 1);
    names.emplace_back(leaf);
    parents.push_back(depth / 2);
    names.emplace_back(half);
    return CallTable(std::move(parents), names);
}

TEST_CASE("trees of 200,000 levels are joined, matched and proposed for")
{
    constexpr std::uint32_t kDepth = 200'000;
    const CallTable a = deepChain(kDepth, "exchangeHalo", "computeForces");
    const CallTable b = deepChain(kDepth, "exchangeHalo_v2", "computeForces_v2");
    const JointTree joint = joinTrees({&a, &b});
    CHECK(joint.table.size() == kDepth + 4);
    const auto proposals = proposeMatches(a, b);
    REQUIRE(proposals.size() == 2);
    std::vector<PathMatch> matches;
    for (const MatchProposal& one : proposals) {
        CHECK_FALSE(one.moved);
        CHECK(one.match.other.back() == one.match.first.back() + "_v2");
        CHECK((one.match.first.size() == kDepth + 1 || one.match.first.size() == kDepth / 2 + 2));
        matches.push_back(one.match);
    }
    const JointTree matched = joinTrees({&a, &b}, matches);
    REQUIRE(matched.table.size() == kDepth + 2);
    for (std::size_t node = 0; node < matched.table.size(); ++node) REQUIRE(matched.inAll(node));
}

RuleOutcome outcomeOf(const std::string& text, const CompareSide& a, const CompareSide& b)
{
    INFO(text);
    const auto rule = parseRegressionRule(text);
    REQUIRE(rule.has_value());
    const auto outcome = checkRule(*rule, {a, b, a, b});
    REQUIRE(outcome.has_value());
    return *outcome;
}

TEST_CASE("rules of regression are broken where the change is beyond their bound")
{
    const MeasuredTable a = tableOf({{kRoot, "solve", 10, 10, 1}, {kRoot, "init", 1, 1, 1}});
    const MeasuredTable b = tableOf({{kRoot, "solve", 10.6, 10.6, 1}, {kRoot, "init", 1, 1, 1}});
    const auto broken = [&](const std::string& text) { return outcomeOf(text, {{&a}}, {{&b}}).broken; };
    CHECK(broken("region(\"solve\").time.inc > +5%"));
    CHECK_FALSE(broken("region(\"solve\").time.inc > +7%"));
    CHECK_FALSE(broken("region(\"init\").time.inc > +5%"));
    CHECK(broken("region(\"init\").time.inc >= +0%"));
    CHECK(broken("region('solve').time > 10s"));
    CHECK(broken("region('solve').time > 10500 ms"));
    CHECK(broken("region('solve').time > +0.5"));
    CHECK_FALSE(broken("region('solve').time > +0.7 s"));
    CHECK(broken("path(\"solve\").time.inc / calls > 10"));
    CHECK(broken("total.time.inc > +5%"));
    CHECK_FALSE(broken("total.time < -5%"));
    const MeasuredTable placed = tableOf({{kRoot, "solve [{s.c} {1,2}]", 10, 10, 1}});
    CHECK(outcomeOf("region(\"solve\").time > 9", {{&placed}}, {{&placed}}).broken);
    CHECK_FALSE(outcomeOf("region(\"nobody\").time > +5%", {{&a}}, {{&b}}).found);
}

TEST_CASE("noisy repetitions break no rule unless all of the interval is beyond its bound")
{
    const auto run = [](double time) { return tableOf({{kRoot, "solve", time, time, 1}}); };
    const MeasuredTable a1 = run(10.0), a2 = run(11.0), a3 = run(9.0), b1 = run(10.0), b2 = run(12.0),
                        b3 = run(11.0);
    const std::string rule = "region(\"solve\").time.inc > +5%";
    CHECK_FALSE(outcomeOf(rule, {{&a1, &a2, &a3}}, {{&b1, &b2, &b3}}).broken);
    CHECK(outcomeOf(rule, {{&a1}}, {{&b2}}).broken);
    const MeasuredTable s1 = run(20.0), s2 = run(21.0), s3 = run(20.5);
    CHECK(outcomeOf(rule, {{&a1, &a2, &a3}}, {{&s1, &s2, &s3}}).broken);
}

TEST_CASE("what is wrong with a rule is told with its character")
{
    const auto problemOf = [](const std::string& text) {
        const auto rule = parseRegressionRule(text);
        REQUIRE_FALSE(rule.has_value());
        return sentenceOf(rule.error(), text);
    };
    CHECK(problemOf("solve.time > 5%")
          == "At character 1: expected region(\"…\"), path(\"…\", \"…\") or total.");
    CHECK(problemOf("region(solve).time > 5%") == "At character 8: expected a name in quotes.");
    CHECK(problemOf("total.time") == "At character 11: expected a comparison and a bound: > +5%.");
    CHECK(problemOf("total.time > +x") == "At character 15: expected a number, such as +5% or 3s.");
    CHECK(problemOf("total.time / > +5%")
          == "At character 14: expected a metric, a number, a function or (.");
    CHECK(problemOf("total.time > 5 kg")
          == "At character 16: expected %, s, ms, us, ns or the end of the rule.");
}

}  // namespace
}  // namespace skein::compare_runs_test
