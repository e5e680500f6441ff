// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/compare_runs.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"
#include "app/cli/output/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace skein::cli {
namespace {

/// Which rows are told.
enum class ComparedSet : std::uint8_t { Union, Intersection, Changed, Missing };

struct CompareOptions {
    std::string a, b;
    std::vector<std::string> others;  ///< further runs, each beside A and B
    std::vector<std::string> moreA, moreB;
    ComparedSet set = ComparedSet::Union;
    std::vector<std::string> rules, matches;
    std::string window, windowA, windowB;
    CompareParams params;
    bool byRegion = false;
    bool propose = false;
    std::size_t top = 0;
    Format format = Format::Table;
};

/// The tables of the runs of both sides.
struct ComparedTables {
    std::vector<MeasuredTable> a, b;

    static CompareSide sideOf(const std::vector<MeasuredTable>& tables)
    {
        CompareSide side;
        for (const MeasuredTable& table : tables) side.runs.push_back(&table);
        return side;
    }
    CompareSide sideA() const { return sideOf(a); }
    CompareSide sideB() const { return sideOf(b); }
    /// A, B and the other runs, each alone.
    std::vector<CompareSide> sides() const
    {
        std::vector<CompareSide> all{sideA()};
        for (const MeasuredTable& table : b) all.push_back({{&table}});
        return all;
    }
};

std::string mentionedMetrics(const CompareOptions& options)
{
    std::string text = options.params.metric;
    for (const std::string& rule : options.rules) text += " " + rule;
    return text;
}

Result<ComparedTables> comparedTables(const OpenSession& opened, const CompareOptions& options, bool byRegion,
                                      const Task& task)
{
    ComparedTables tables;
    const std::string names = mentionedMetrics(options);
    for (std::size_t index = 0; index < opened.session.experiments.size(); ++index) {
        const bool first = index < 1 + options.moreA.size();
        const std::string& own = first ? options.windowA : options.windowB;
        const auto window = windowOf(opened, index, own.empty() ? options.window : own);
        if (!window) return tl::make_unexpected(window.error());
        auto table =
            measuredTable(*opened.session.experiments[index], {*window, {}}, {names, false, byRegion}, task);
        if (!table) return tl::make_unexpected(std::move(table.error()));
        (first ? tables.a : tables.b).push_back(std::move(*table));
    }
    return tables;
}

Unexpected refusedText(const TextProblem& problem, const std::string& text, Sink& err)
{
    err.write(pointedAt(problem, text) + "\n");
    return fail(ErrorCode::InvalidArgument, sentenceOf(problem, text));
}

NamePath namesOf(const std::string& text)
{
    static constexpr std::string_view kArrow = " => ";
    NamePath names;
    std::size_t begin = 0;
    for (std::size_t at; (at = text.find(kArrow, begin)) != std::string::npos; begin = at + kArrow.size())
        names.push_back(text.substr(begin, at - begin));
    names.push_back(text.substr(begin));
    return names;
}

std::string joinedNames(const NamePath& names)
{
    std::string text;
    for (const std::string& one : names) text += (text.empty() ? "" : " => ") + one;
    return text;
}

Result<std::vector<PathMatch>> matchesOf(const std::vector<std::string>& texts)
{
    std::vector<PathMatch> matches;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find(" = ");
        if (equals == std::string::npos)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--match wants 'PATH IN B = PATH IN A', not '{}'.", printable(text)));
        matches.push_back({namesOf(text.substr(0, equals)), namesOf(text.substr(equals + 3))});
    }
    return matches;
}

std::string amountText(double value, const std::string& unit)
{
    return unit == "s" ? formatDuration(value * 1e9) : formatNumber(value) + (unit.empty() ? "" : " " + unit);
}

/// Fields of times are nanoseconds, as everywhere on the command line.
std::vector<Field> compareFields(const CompareOptions& options, const std::string& unit)
{
    const bool time = unit == "s";
    const std::string end = time ? "_ns" : "";
    const FieldKind kind = time ? FieldKind::Duration : FieldKind::Number;
    std::vector<Field> fields{{"a" + end, "A", kind},
                              {"b" + end, "B", kind},
                              {"difference" + end, "B − A", kind},
                              {"ratio", "B / A", FieldKind::Number},
                              {"low" + end, "From", kind},
                              {"high" + end, "To", kind},
                              {"verdict", "Verdict", FieldKind::Text}};
    if (options.format != Format::Table) {
        fields.push_back({"speed_up", "A / B", FieldKind::Number});
        fields.push_back({"efficiency", "Efficiency", FieldKind::Number});
        fields.push_back({"depth", "Depth", FieldKind::Count});
        fields.push_back({"name", "Name", FieldKind::Text});
        fields.push_back({"unit", "Unit", FieldKind::Text});
    }
    fields.push_back({"path", options.byRegion ? "Region" : "Call path", FieldKind::Text});
    return fields;
}

Cell knownAmount(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

/// In tables names are spelled as in other tables, without positions in the source.
std::string comparedPathText(const CallTable& table, std::size_t node, Format format)
{
    NamePath names;
    for (const std::string& name : table.shownPath(node))
        names.emplace_back(format == Format::Table ? comparedName(name) : name);
    return joinedNames(names);
}

bool isInSet(ComparedSet set, ChangeVerdict verdict)
{
    const bool missing = verdict == ChangeVerdict::OnlyA || verdict == ChangeVerdict::OnlyB;
    switch (set) {
    case ComparedSet::Intersection: return !missing;
    case ComparedSet::Changed: return verdict != ChangeVerdict::Same;
    case ComparedSet::Missing: return missing;
    case ComparedSet::Union: break;
    }
    return true;
}

/// "a", "b", … "z", "run27" …: what a run is called in fields.
std::string runLetter(std::size_t run)
{
    return run < 26 ? std::string(1, static_cast<char>('a' + run)) : fmt::format("run{}", run + 1);
}

std::string runTitle(std::size_t run)
{
    return run < 26 ? std::string(1, static_cast<char>('A' + run)) : fmt::format("Run {}", run + 1);
}

std::vector<Field> manyFields(const CompareOptions& options, const std::string& unit, std::size_t runs)
{
    const std::string end = unit == "s" ? "_ns" : "";
    const FieldKind kind = unit == "s" ? FieldKind::Duration : FieldKind::Number;
    std::vector<Field> fields;
    for (std::size_t run = 0; run < runs; ++run)
        fields.push_back({runLetter(run) + end, runTitle(run), kind});
    for (std::size_t run = 1; run < runs; ++run) {
        const std::string letter = runLetter(run);
        fields.push_back({"ratio_" + letter, runTitle(run) + " / A", FieldKind::Number});
        if (options.format == Format::Table) continue;
        fields.push_back({"difference_" + letter + end, runTitle(run) + " − A", kind});
        fields.push_back({"speed_up_" + letter, "A / " + runTitle(run), FieldKind::Number});
        fields.push_back({"efficiency_" + letter, "Efficiency", FieldKind::Number});
    }
    fields.push_back({"runs", "In", FieldKind::Text});
    if (options.format != Format::Table) {
        fields.push_back({"depth", "Depth", FieldKind::Count});
        fields.push_back({"name", "Name", FieldKind::Text});
        fields.push_back({"unit", "Unit", FieldKind::Text});
    }
    fields.push_back({"path", options.byRegion ? "Region" : "Call path", FieldKind::Text});
    return fields;
}

/// True where a run differs from A by more than noise.
bool anyChanged(const ManyComparison& many, std::size_t node, double noise)
{
    for (std::size_t run = 1; run < many.values.size(); ++run) {
        const double a = many.values[0][node], b = many.values[run][node];
        if (std::fabs(b - a) > noise * std::max(std::fabs(a), std::fabs(b))) return true;
    }
    return false;
}

bool isTold(const ManyComparison& many, std::size_t node, const CompareOptions& options)
{
    switch (options.set) {
    case ComparedSet::Intersection: return many.inAll(node);
    case ComparedSet::Changed: return !many.inAll(node) || anyChanged(many, node, options.params.noise);
    case ComparedSet::Missing: return !many.inAll(node);
    case ComparedSet::Union: break;
    }
    return true;
}

std::string runsWith(const ManyComparison& many, std::size_t node)
{
    std::string text;
    for (std::size_t run = 0; run < many.present.size(); ++run)
        if (many.present[run][node]) text += (text.empty() ? "" : " ") + runLetter(run);
    return text;
}

std::vector<Cell> manyCells(const ManyComparison& many, const std::vector<CompareSide>& sides,
                            std::size_t node, const CompareOptions& options)
{
    const bool time = many.unit == "s";
    const auto amount = [&](double value) { return knownAmount(time ? cleanNs(value * 1e9) : value); };
    const double a = many.values[0][node];
    const auto ranksA = static_cast<double>(sides[0].runs.front()->ranks);
    std::vector<Cell> cells;
    for (const auto& values : many.values) cells.push_back(amount(values[node]));
    for (std::size_t run = 1; run < many.values.size(); ++run) {
        const double b = many.values[run][node];
        cells.push_back(knownAmount(a == 0.0 ? NAN : b / a));
        if (options.format == Format::Table) continue;
        const auto ranks = static_cast<double>(sides[run].runs.front()->ranks);
        cells.push_back(amount(b - a));
        cells.push_back(knownAmount(b == 0.0 ? NAN : a / b));
        cells.push_back(knownAmount(b == 0.0 || ranks == 0.0 ? NAN : a / b * ranksA / ranks));
    }
    cells.emplace_back(runsWith(many, node));
    if (options.format != Format::Table) {
        cells.emplace_back(std::uint64_t{many.joint.table.depth(node)});
        cells.emplace_back(std::string(many.joint.table.name(node)));
        cells.emplace_back(many.unit);
    }
    cells.emplace_back(comparedPathText(many.joint.table, node, options.format));
    return cells;
}

void writeMany(const ManyComparison& many, const std::vector<CompareSide>& sides,
               const CompareOptions& options, Sink& out)
{
    RecordWriter writer(out, options.format, manyFields(options, many.unit, many.values.size()));
    std::size_t rows = 0;
    for (const std::uint32_t node : many.byDifference()) {
        if (!isTold(many, node, options)) continue;
        if (options.top > 0 && rows++ >= options.top) break;
        if (!writer.row(manyCells(many, sides, node, options))) return;
    }
    writer.finish();
}

void writeAcrossRuns(const DerivedMetric& metric, const ManyComparison& many, const CompareOptions& options,
                     Sink& out)
{
    const bool table = options.format == Format::Table;
    RecordWriter writer(out, options.format,
                        {{"value", table ? printable(options.params.metric) : "Value", FieldKind::Number},
                         {"unit", "Unit", FieldKind::Text},
                         {"runs", "In", FieldKind::Text},
                         {"depth", "Depth", FieldKind::Count},
                         {"path", options.byRegion ? "Region" : "Call path", FieldKind::Text}});
    std::vector<std::uint32_t> order(metric.values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t node) {
        return std::isnan(metric.values[node]) ? -HUGE_VAL : metric.values[node];
    });
    std::size_t rows = 0;
    for (const std::uint32_t node : order) {
        if (!isTold(many, node, options)) continue;
        if (options.top > 0 && rows++ >= options.top) break;
        if (!writer.row({knownAmount(metric.values[node]), metric.unit, runsWith(many, node),
                         std::uint64_t{many.joint.table.depth(node)},
                         comparedPathText(many.joint.table, node, options.format)}))
            return;
    }
    writer.finish();
}

void writeComparison(const Comparison& comparison, const CompareOptions& options,
                     const ComparedTables& tables, Sink& out)
{
    const bool time = comparison.unit == "s";
    const double scale = time ? 1e9 : 1.0;
    const auto cell = [&](double value) {
        return time ? knownAmount(cleanNs(value * scale)) : knownAmount(value);
    };
    const SpeedUp speedUp = speedUpOf(comparison, static_cast<double>(tables.a.front().ranks),
                                      static_cast<double>(tables.b.front().ranks));
    RecordWriter writer(out, options.format, compareFields(options, comparison.unit));
    std::size_t rows = 0;
    for (const std::uint32_t node : comparison.byDifference()) {
        if (!isInSet(options.set, comparison.verdicts[node])) continue;
        if (options.top > 0 && rows++ >= options.top) break;
        const ChangeEstimate& change = comparison.changes[node];
        std::vector<Cell> cells{cell(change.a),
                                cell(change.b),
                                cell(change.difference()),
                                knownAmount(change.ratio()),
                                change.interval ? cell(change.low) : Cell(),
                                change.interval ? cell(change.high) : Cell(),
                                std::string(name(comparison.verdicts[node]))};
        if (options.format != Format::Table) {
            cells.push_back(knownAmount(speedUp.speedUp[node]));
            cells.push_back(knownAmount(speedUp.efficiency[node]));
            cells.emplace_back(std::uint64_t{comparison.joint.table.depth(node)});
            cells.emplace_back(std::string(comparison.joint.table.name(node)));
            cells.emplace_back(comparison.unit);
        }
        cells.emplace_back(comparedPathText(comparison.joint.table, node, options.format));
        if (!writer.row(cells)) return;
    }
    writer.finish();
}

void tellProposals(const std::vector<MatchProposal>& proposals, const CompareOptions& options, Sink& out,
                   Sink& err)
{
    RecordWriter writer(out, options.format,
                        {{"similarity", "Similarity", FieldKind::Number},
                         {"kind", "Kind", FieldKind::Text},
                         {"b", "In B", FieldKind::Text},
                         {"a", "In A", FieldKind::Text}});
    for (const MatchProposal& one : proposals)
        writer.row({one.similarity, std::string(one.moved ? "moved" : "renamed"),
                    joinedNames(one.match.other), joinedNames(one.match.first)});
    writer.finish();
    err.write("skein-cli: --match 'PATH IN B = PATH IN A' confirms one.\n");
}

std::string percentText(double part, double whole)
{
    return whole == 0.0 ? "" : fmt::format(", {:+.1f} %", part / std::fabs(whole) * 100.0);
}

void tellRule(const RegressionRule& rule, const RuleOutcome& outcome, Sink& err)
{
    const ChangeEstimate& change = outcome.change;
    std::string interval;
    if (change.interval && change.a != 0.0)
        interval = fmt::format(" (95 %: {:+.1f} to {:+.1f} %)", change.low / std::fabs(change.a) * 100.0,
                               change.high / std::fabs(change.a) * 100.0);
    err.write(fmt::format("skein-cli: {}: {}: {} in A, {} in B{}{}\n", outcome.broken ? "FAILED" : "passed",
                          printable(rule.text), amountText(change.a, outcome.unit),
                          amountText(change.b, outcome.unit), percentText(change.difference(), change.a),
                          interval));
}

/// What becomes of each rule. Errors: InvalidArgument for one that no run can keep or break.
Result<std::vector<RuleOutcome>> checkRules(const std::vector<RegressionRule>& rules,
                                            const ComparedTables& paths, const ComparedTables& regions,
                                            Sink& err)
{
    std::vector<RuleOutcome> outcomes;
    const RuleTables tables{paths.sideA(), paths.sideB(), regions.sideA(), regions.sideB()};
    for (const RegressionRule& rule : rules) {
        const auto outcome = checkRule(rule, tables);
        if (!outcome) return refusedText(outcome.error(), rule.text, err);
        if (!outcome->found)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("No run has {}, of which a rule of --fail-if is.",
                                    printable(joinedNames(rule.names))));
        outcomes.push_back(*outcome);
    }
    return outcomes;
}

/// Rules are checked before anything is printed: one that is wrong shall not end a long table.
Result<std::vector<RuleOutcome>> outcomesOf(const std::vector<RegressionRule>& rules,
                                            const OpenSession& opened, const ComparedTables& tables,
                                            const CompareOptions& options, const Invocation& invocation)
{
    if (rules.empty()) return std::vector<RuleOutcome>();
    const auto others = comparedTables(opened, options, !options.byRegion, invocation.task);
    if (!others) return tl::make_unexpected(others.error());
    return options.byRegion ? checkRules(rules, *others, tables, invocation.err)
                            : checkRules(rules, tables, *others, invocation.err);
}

Result<std::vector<RegressionRule>> rulesOf(const CompareOptions& options, Sink& err)
{
    std::vector<RegressionRule> rules;
    for (const std::string& text : options.rules) {
        const auto rule = parseRegressionRule(text);
        if (!rule) return refusedText(rule.error(), text, err);
        rules.push_back(*rule);
    }
    return rules;
}

/// Three runs or more, each against A.
Result<ExitCode> compareManyOpened(const OpenSession& opened, const CompareOptions& options,
                                   const Invocation& invocation)
{
    const auto tables = comparedTables(opened, options, options.byRegion, invocation.task);
    if (!tables) return tl::make_unexpected(tables.error());
    const std::vector<CompareSide> sides = tables->sides();
    const auto many = compareMany(sides, options.params);
    if (!many) return refusedText(many.error(), options.params.metric, invocation.err);
    invocation.task.report(1.0, "");
    writeMany(*many, sides, options, invocation.out);
    return opened.exitCode();
}

/// True of `b.time / a.time`: one value of all runs instead of one of each. Printed with the greatest first.
bool namesRuns(const std::string& metric, std::size_t runs)
{
    const auto expression = MetricExpression::parse(metric);
    for (std::size_t run = 0; expression && run < runs; ++run)
        if (expression->namesRun(runLetter(run))) return true;
    return false;
}

Result<void> checkAcross(const CompareOptions& options)
{
    const bool one = options.rules.empty() && !options.propose && options.moreA.empty()
        && options.moreB.empty() && options.params.per == ComparePer::Total
        && options.set != ComparedSet::Changed;
    if (one || !namesRuns(options.params.metric, 2 + options.others.size())) return {};
    return fail(
        ErrorCode::InvalidArgument,
        "An expression that names runs stands without --fail-if, --propose-matches, --also-a, --also-b, "
        "--per, --per-phase and --only changed.");
}

Result<ExitCode> compareAcrossOpened(const OpenSession& opened, const CompareOptions& options,
                                     const Invocation& invocation)
{
    const auto tables = comparedTables(opened, options, options.byRegion, invocation.task);
    if (!tables) return tl::make_unexpected(tables.error());
    const std::vector<CompareSide> sides = tables->sides();
    std::vector<std::string> names;
    for (std::size_t run = 0; run < sides.size(); ++run) names.push_back(runLetter(run));
    const auto across = compareAcross(sides, names, options.params);
    if (!across) return refusedText(across.error(), options.params.metric, invocation.err);
    invocation.task.report(1.0, "");
    writeAcrossRuns(across->value, across->sides, options, invocation.out);
    return opened.exitCode();
}

Result<void> checkMany(const CompareOptions& options)
{
    const char* const wrong = !options.rules.empty() ? "--fail-if"
        : options.propose                            ? "--propose-matches"
        : !options.moreA.empty()                     ? "--also-a"
        : !options.moreB.empty()                     ? "--also-b"
                                                     : nullptr;
    if (options.others.empty() || wrong == nullptr) return {};
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} compares two runs; here are {}.", wrong, 2 + options.others.size()));
}

Result<ExitCode> compareOpened(const OpenSession& opened, const CompareOptions& options,
                               const std::vector<RegressionRule>& rules, const Invocation& invocation)
{
    const auto tables = comparedTables(opened, options, options.byRegion, invocation.task);
    if (!tables) return tl::make_unexpected(tables.error());
    if (options.propose) {
        tellProposals(proposeMatches(tables->a.front().table, tables->b.front().table), options,
                      invocation.out, invocation.err);
        return opened.exitCode();
    }
    const auto outcomes = outcomesOf(rules, opened, *tables, options, invocation);
    if (!outcomes) return tl::make_unexpected(outcomes.error());
    const auto comparison = compareRuns(tables->sideA(), tables->sideB(), options.params);
    if (!comparison) return refusedText(comparison.error(), options.params.metric, invocation.err);
    invocation.task.report(1.0, "");
    writeComparison(*comparison, options, *tables, invocation.out);
    bool broken = false;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        tellRule(rules[rule], (*outcomes)[rule], invocation.err);
        broken = broken || (*outcomes)[rule].broken;
    }
    return broken ? ExitCode::Regressed : opened.exitCode();
}

Result<ExitCode> compare(CompareOptions options, const Invocation& invocation)
{
    if (auto checked = checkMany(options); !checked) return tl::make_unexpected(checked.error());
    const auto rules = rulesOf(options, invocation.err);
    if (!rules) return tl::make_unexpected(rules.error());
    auto matches = matchesOf(options.matches);
    if (!matches) return tl::make_unexpected(matches.error());
    options.params.matches = std::move(*matches);
    if (!options.params.phaseRegion.empty()) options.params.per = ComparePer::Phase;
    if (auto checked = checkAcross(options); !checked) return tl::make_unexpected(checked.error());
    std::vector<std::string> paths{options.a};
    paths.insert(paths.end(), options.moreA.begin(), options.moreA.end());
    paths.push_back(options.b);
    paths.insert(paths.end(), options.moreB.begin(), options.moreB.end());
    paths.insert(paths.end(), options.others.begin(), options.others.end());
    const auto opened = openSession(paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (namesRuns(options.params.metric, 2 + options.others.size()))
        return compareAcrossOpened(*opened, options, invocation);
    if (!options.others.empty()) return compareManyOpened(*opened, options, invocation);
    return compareOpened(*opened, options, *rules, invocation);
}

Action defineCompare(CommandLine& line)
{
    auto options = std::make_shared<CompareOptions>();
    line.option("A", options->a, "The run that is compared with").required();
    line.option("B", options->b, "The run that is looked at").required();
    line.option("MORE", options->others, "Further runs, each beside A and B").valueName("MORE");
    line.option("--also-a", options->moreA, "Another run of A: repeated runs give an interval")
        .repeatable()
        .valueName("PATH");
    line.option("--also-b", options->moreB, "Another run of B").repeatable().valueName("PATH");
    line.option("--metric", options->params.metric,
                "A metric or an expression: time, time.inc / calls; of all runs: b.time / a.time")
        .valueName("M");
    addChoice<bool>(line, "--by", options->byRegion, {{"callpath", false}, {"region", true}},
                    "What a row is; call paths, the default");
    addChoice<ComparePer>(line, "--per", options->params.per,
                          {{"total", ComparePer::Total},
                           {"rank", ComparePer::Rank},
                           {"location", ComparePer::Location},
                           {"call", ComparePer::Call}},
                          "What amounts are divided by; nothing, the default");
    line.option("--per-phase", options->params.phaseRegion,
                "Divide by how often each rank called this region")
        .valueName("REGION");
    line.option("--fail-if", options->rules,
                "End with 4 where this holds: 'region(\"solve\").time.inc > +5%'")
        .repeatable()
        .valueName("RULE");
    addChoice<ComparedSet>(line, "--only", options->set,
                           {{"union", ComparedSet::Union},
                            {"intersection", ComparedSet::Intersection},
                            {"changed", ComparedSet::Changed},
                            {"missing", ComparedSet::Missing}},
                           "Rows: all, the default; in every run; different; not in every run");
    line.option("--match", options->matches,
                "A call path of B that is one of A under another name: 'PATH IN B = PATH IN A'")
        .repeatable()
        .valueName("PAIR");
    line.flag("--propose-matches", options->propose,
              "Print call paths that may have been renamed or moved, and nothing else");
    line.option("--noise", options->params.noise,
                "Relative change that means nothing where no run is repeated")
        .between(0.0, 1.0)
        .valueName("SHARE");
    addWindow(line, options->window);
    line.option("--window-a", options->windowA, "The window of A alone: one phase against another")
        .valueName("A:B");
    line.option("--window-b", options->windowB, "The window of B alone").valueName("A:B");
    line.option("--top", options->top, "Only the first N rows").valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return compare(*options, invocation); };
}

}  // namespace

Command compareCommand()
{
    return {
        "compare",
        "What changed between two runs, by call path or region; a check for continuous integration",
        "  skein-cli compare old/ new/ --top 20                              what changed most\n"
        "  skein-cli compare old/ new/ --fail-if 'region(\"solve\").time.inc > +5%'\n"
        "  skein-cli compare a1/ b1/ --also-a a2/ --also-b b2/               repeated runs: an interval\n"
        "  skein-cli compare p8/ p64/ --metric time.inc --per rank           another number of ranks\n"
        "  skein-cli compare run/ run/ --window-a 0:1s --window-b 1s:2s      one part against another\n"
        "  skein-cli compare p8/ p64/ p512/ --only intersection              more than two runs\n"
        "  skein-cli compare old/ new/ --propose-matches                     renamed or moved functions\n"
        "\n"
        "Call paths are compared by the names on them; what a run does not have counts as 0. A rule of\n"
        "--fail-if is region(\"…\"), path(\"…\", \"…\") or total, a metric, < or >, and a number: with % or "
        "a\n"
        "sign a change against A, else a value of B. With repeated runs it is broken only where all of the\n"
        "95 % interval is beyond the number. docs/COMPARING.md tells more.\n",
        defineCompare};
}

}  // namespace skein::cli
