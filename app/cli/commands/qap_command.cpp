// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/qap_search.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/result_after_stop.h"
#include "core/base/file_bytes.h"

#include <cmath>
#include <fmt/format.h>

#include <optional>

namespace skein::cli {
namespace {

struct QapOptions {
    std::string file;
    SearchLimits limits;
    std::optional<std::int64_t> target;
    Format format = Format::Table;
};

void writeSolutionJson(const QapInstance& instance, const QapResult& result, double seconds, Sink& out)
{
    JsonObject object(out);
    object.add("n", std::uint64_t{instance.size});
    object.add("cost", result.cost);
    object.add("lower_bound", result.lowerBound);
    object.add("optimal", result.optimal);
    object.add("method", std::string(result.method));
    object.add("steps", result.steps);
    object.add("seconds", std::round(seconds * 1e3) / 1e3);
    object.add("permutation", listCell(result.permutation));
    object.finish();
}

void writeSolution(const QapInstance& instance, const QapResult& result, double seconds, Format format,
                   Sink& out)
{
    const std::vector<Field> fields{{"n", "Size", FieldKind::Id},
                                    {"cost", "Cost", FieldKind::Count},
                                    {"lower_bound", "No cost is below", FieldKind::Count},
                                    {"optimal", "Optimal", FieldKind::Text},
                                    {"method", "Method", FieldKind::Text},
                                    {"seconds", "Seconds", FieldKind::Number},
                                    {"permutation", "Permutation", FieldKind::Text}};
    std::string permutation;
    for (const std::uint32_t place : result.permutation)
        permutation += fmt::format("{}{}", permutation.empty() ? "" : " ", place);
    const std::vector<Cell> cells{std::uint64_t{instance.size},
                                  result.cost,
                                  result.lowerBound,
                                  std::string(result.optimal ? "proven" : "not proven"),
                                  result.method,
                                  seconds,
                                  permutation};
    writeRecord(out, format, fields, cells);
}

Result<ExitCode> solve(const QapOptions& options, const Invocation& invocation)
{
    const auto text = openFileBytes(options.file);
    if (!text) return Unexpected(text.error());
    const auto instance = parseQaplib(text->text());
    if (const auto whole = stillWhole(*text, options.file); !whole) return Unexpected(whole.error());
    if (!instance)
        return fail(instance.error().code, fmt::format("{}: {}", options.file, instance.error().message));
    QapParams params;
    params.seed = options.limits.seed;
    params.enough = options.target;
    params.lowerBound = gilmoreLawlerBound(*instance);
    params.budget.steps = options.limits.steps;
    params.budget.seconds = options.limits.secondsToSearch(SearchLimits::kOutputSeconds);
    expectResultAfterStop();
    const auto result = solveQap(*instance, params, invocation.task);
    if (!result) return Unexpected(result.error());
    invocation.task.report(1.0, "");
    const double seconds = options.limits.elapsedSeconds();
    if (options.format == Format::Json) writeSolutionJson(*instance, *result, seconds, invocation.out);
    else writeSolution(*instance, *result, seconds, options.format, invocation.out);
    return ExitCode::Fine;
}

Action defineQap(CommandLine& line)
{
    auto options = std::make_shared<QapOptions>();
    line.option("FILE", options->file, "Quadratic assignment problem as in QAPLIB: n, then both matrices")
        .required()
        .valueName("FILE");
    addSearchLimits(line, options->limits, "Seconds that the command may take in all",
                    "Tabu steps to do instead of a time: the same result on any machine");
    line.option("--target", options->target,
                "Cost that is good enough, such as the best known: the search ends there")
        .valueName("COST");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return solve(*options, invocation); };
}

}  // namespace

Command qapCommand()
{
    return {"qap", "Solve a quadratic assignment problem of QAPLIB: cost and permutation",
            "  skein-cli qap nug30.dat --time 2                   place of each item, counted from 0\n"
            "  skein-cli qap tai100a.dat --time 60 --format json\n"
            "  skein-cli qap sko42.dat --steps 100000 --seed 3    the same on any machine\n"
            "  skein-cli qap sko42.dat --target 15812             how long to the best known cost\n",
            defineQap};
}

}  // namespace skein::cli
