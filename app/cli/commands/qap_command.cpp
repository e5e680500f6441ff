// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap_search.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "core/base/file_bytes.h"

#include <fmt/format.h>

#include <optional>

namespace skein::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::string file;
    SearchLimits limits;
    std::optional<std::int64_t> target;
    Format format = Format::Table;
    Clock::time_point begin = Clock::now();
};

constexpr double kReservedSeconds = 0.02;

void writeJson(const QapInstance& instance, const QapResult& result, double seconds, Sink& out)
{
    std::string text = fmt::format(
        "{{\n  \"n\": {},\n  \"cost\": {},\n  \"lower_bound\": {},\n  \"optimal\": {},\n  \"method\": "
        "\"{}\",\n  \"steps\": {},\n  \"seconds\": {:.3f},\n  \"permutation\": [",
        instance.size, result.cost, result.lowerBound, result.optimal, result.method, result.steps, seconds);
    for (std::size_t i = 0; i < result.permutation.size(); ++i)
        text += fmt::format("{}{}", i > 0 ? "," : "", result.permutation[i]);
    out.write(text + "]\n}\n");
}

void writeTable(const QapInstance& instance, const QapResult& result, double seconds, Format format,
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

Result<ExitCode> run(const Options& options, const Invocation& invocation)
{
    const auto text = openFileBytes(options.file);
    if (!text) return Unexpected(text.error());
    const auto instance = parseQaplib(text->text());
    if (!instance)
        return fail(instance.error().code, fmt::format("{}: {}", options.file, instance.error().message));
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - options.begin).count(); };
    QapParams params;
    params.seed = options.limits.seed;
    params.enough = options.target;
    params.budget.steps = options.limits.steps;
    params.budget.seconds =
        std::max(0.05 * options.limits.seconds, options.limits.seconds - elapsed() - kReservedSeconds);
    const auto result = solveQap(*instance, params, invocation.task);
    if (!result) return Unexpected(result.error());
    invocation.task.report(1.0, "");
    if (options.format == Format::Json) writeJson(*instance, *result, elapsed(), invocation.out);
    else writeTable(*instance, *result, elapsed(), options.format, invocation.out);
    return ExitCode::Fine;
}

Action define(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    app.add_option("FILE", options->file, "Quadratic assignment problem as in QAPLIB: n, then both matrices")
        ->required()
        ->option_text("FILE");
    addSearchLimits(app, options->limits, "Seconds that the command may take in all",
                    "Tabu steps to do instead of a time: the same result on any machine");
    app.add_option("--target", options->target,
                   "Cost that is good enough, such as the best known: the search ends there")
        ->option_text("COST");
    addFormat(app, options->format);
    return [options](const Invocation& invocation) { return run(*options, invocation); };
}

}  // namespace

Command qapCommand()
{
    return {"qap", "Solve a quadratic assignment problem of QAPLIB: cost and permutation",
            "  skein-cli qap nug30.dat --time 2                   place of each item, counted from 0\n"
            "  skein-cli qap tai100a.dat --time 60 --format json\n"
            "  skein-cli qap sko42.dat --steps 100000 --seed 3    the same on any machine\n"
            "  skein-cli qap sko42.dat --target 15812             how long to the best known cost\n",
            define};
}

}  // namespace skein::cli
