// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/causality.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/series_input.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct CausalityOptions {
    SeriesInput input;
    std::string lags = "auto";
    std::uint32_t horizon = 10;
    std::uint32_t mostLags = 0;  ///< 0: as usual for so many time points
    VarCriterion criterion = VarCriterion::Bic;
    double threshold = 0.05;
    Format format = Format::Table;
};

const std::vector<Field> kCausalityFields{
    {"from", "From", FieldKind::Text},
    {"to", "To", FieldKind::Text},
    {"p_value", "p", FieldKind::Number},
    {"significant", "Significant", FieldKind::Text},
    {"response", "Response", FieldKind::Number},
    {"at_step", "At step", FieldKind::Count},
    {"share", "Share of variance", FieldKind::Number},
};

/// "auto" or a number of lags.
Result<LagChoice> lagsAsked(const CausalityOptions& options)
{
    LagChoice choice{0, options.mostLags, options.criterion};
    if (options.lags == "auto") return choice;
    const auto lags = parseNumber<std::size_t>(options.lags);
    if (!lags || *lags == 0)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--lags takes auto or a number from 1 on, not \"{}\".", options.lags));
    choice.lags = *lags;
    return choice;
}

void tellIdentities(const SeriesTable& table, const VarModel& model, Sink& err)
{
    for (std::size_t i = 0; i < model.variables; ++i)
        if (model.identity[i] != VarIdentity::Told)
            err.write(fmt::format("skein-cli: {} {}: nothing can be told of it.\n", table.columns[i],
                                  model.identity[i] == VarIdentity::Entangled
                                      ? "cannot be told from another series"
                                      : "is constant or made of other series"));
}

/// Time points that are left out of a regression are told, however it was asked for.
void tellRows(const SeriesTable& table, const VarModel& model, Sink& err)
{
    const std::size_t most = table.rows() - std::min(table.rows(), model.lags);
    if (model.rows >= most) return;
    err.write(
        fmt::format("skein-cli: {} of {} time points have all values, at themselves and at the {} before: "
                    "the model is made of these.\n",
                    model.rows, table.rows(), model.lags == 1 ? "one" : std::to_string(model.lags)));
}

void writeCausalityJson(const SeriesTable& table, const VarModel& model, const CausalityOptions& options,
                        Sink& out)
{
    const std::size_t d = model.variables;
    const VarResponse response = varResponse(model, options.horizon);
    std::vector<std::string> identity;
    for (const VarIdentity one : model.identity)
        identity.emplace_back(one == VarIdentity::Told            ? "told"
                                  : one == VarIdentity::Entangled ? "entangled"
                                                                  : "dropped");
    JsonObject object(out);
    addTexts(object, out, "variables", table.columns);
    addTexts(object, out, "identity", identity);
    object.add("order", std::uint64_t{model.lags});
    object.add("rows", std::uint64_t{model.rows});
    object.add("aic", model.aic());
    object.add("bic", model.bic());
    object.add("hqic", model.hqic());
    object.add("intercept", model.intercept);
    addMatrices(object, out, "coefficients", model.coefficients, d, d);
    addMatrix(object, out, "sigma_u", model.covariance, d);
    addMatrix(object, out, "granger", grangerPairs(model), d);
    addMatrices(object, out, "irf", response.plain, d, d);
    addMatrices(object, out, "orth_irf", response.orthogonal, d, d);
    addMatrices(object, out, "fevd", response.shares, response.steps, d);
    addFindings(object, out, table, MissingValues::LeftOut);
    object.finish();
}

Cell knownCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

void writeCausalityRows(const SeriesTable& table, const VarModel& model, const CausalityOptions& options,
                        Sink& out)
{
    RecordWriter writer(out, options.format, kCausalityFields);
    for (const CausalLink& link : causalLinks(model, varResponse(model, options.horizon))) {
        const std::string told = std::isnan(link.pValue) ? "not identifiable"
            : link.pValue < options.threshold            ? "yes"
                                                         : "no";
        if (!writer.row({table.columns[link.from], table.columns[link.to], knownCell(link.pValue), told,
                         knownCell(link.response),
                         std::isfinite(link.response) ? Cell(std::uint64_t{link.step}) : Cell(),
                         knownCell(link.share)}))
            return;
    }
    writer.finish();
}

/// So many tests at once find something in noise as well.
void tellTests(const VarModel& model, double threshold, Sink& err)
{
    const double byChance = chanceFindings(model, threshold);
    if (byChance < 1.0) return;
    err.write(
        fmt::format("skein-cli: Of {:.0f} tests {:.1f} are below {} by chance; divide the threshold by their "
                    "number to be sure of all.\n",
                    byChance / threshold, byChance, threshold));
}

Result<ExitCode> causality(const CausalityOptions& options, const Invocation& invocation)
{
    const auto lags = lagsAsked(options);
    if (!lags) return Unexpected(lags.error());
    auto loaded = loadSeries(options.input, invocation, MissingValues::LeftOut);
    if (!loaded) return Unexpected(loaded.error());
    const auto table = causalVariables(std::move(loaded->tables), invocation.task);
    if (!table) return Unexpected(table.error());
    const auto model = fitWithLags(*table, *lags, invocation.task);
    if (!model) return Unexpected(model.error());
    invocation.task.report(1.0, "");
    tellRows(*table, *model, invocation.err);
    tellIdentities(*table, *model, invocation.err);
    if (options.format == Format::Table) tellTests(*model, options.threshold, invocation.err);
    if (options.format == Format::Json) writeCausalityJson(*table, *model, options, invocation.out);
    else writeCausalityRows(*table, *model, options, invocation.out);
    return loaded->exitCode;
}

Action defineCausality(CommandLine& line)
{
    auto options = std::make_shared<CausalityOptions>();
    addSeriesInput(line, options->input);
    line.option("--lags", options->lags, "Time points of the past that count, or auto").valueName("auto|P");
    line.option("--max-lags", options->mostLags, "The most that auto tries").between(1, 1000);
    addChoice<VarCriterion>(
        line, "--criterion", options->criterion,
        {{"aic", VarCriterion::Aic}, {"bic", VarCriterion::Bic}, {"hqic", VarCriterion::Hqic}},
        "By what auto chooses: bic by default");
    line.option("--horizon", options->horizon, "Steps that responses are told for; 10 by default")
        .between(1, 10000);
    line.option("--threshold", options->threshold, "p below which a cause is significant; 0.05 by default")
        .between(0.0, 1.0);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return causality(*options, invocation); };
}

}  // namespace

Command causalityCommand()
{
    return {
        "causality", "Which metric leads which: Granger tests, responses, shares of variance",
        "  skein-cli causality series.csv                        columns are variables, rows time points\n"
        "  skein-cli causality series.csv --lags 2 --horizon 20 --format json\n"
        "  skein-cli causality pe.csv --entity pe --time t --metric sends --metric rollbacks\n"
        "  skein-cli causality trace.otf2 --metric wait --metric sent-bytes --bins 300\n",
        defineCausality};
}

}  // namespace skein::cli
