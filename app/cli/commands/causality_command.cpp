// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/var_causality.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/series_input.h"
#include "core/base/parse_number.h"

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

/// The variables of the model: of a wide table its columns, of several metrics the representative series of
/// each, of one metric its entities.
Result<SeriesTable> variablesOf(std::vector<SeriesTable> tables, const Task& task)
{
    if (tables.size() == 1) return std::move(tables.front());
    SeriesTable joined;
    joined.times = tables.front().times;
    std::vector<std::vector<double>> series;
    for (const SeriesTable& table : tables) {
        auto one = representativeSeries(table, task);
        if (!one) return Unexpected(one.error());
        joined.columns.push_back(table.metric);
        series.push_back(std::move(*one));
    }
    for (std::size_t row = 0; row < joined.times.size(); ++row)
        for (const auto& one : series) joined.values.push_back(one[row]);
    tidySeries(joined);
    return joined;
}

/// A model with the lags that were asked for, or those that serve best; never none, which would lead nowhere.
Result<VarModel> modelOf(const SeriesTable& table, const CausalityOptions& options, const Task& task)
{
    VarParams params;
    if (options.lags == "auto") {
        const std::size_t most = options.mostLags > 0 ? options.mostLags : usualMostLags(table);
        const auto orders = compareVarOrders(table, most, params.trend, task);
        if (!orders) return Unexpected(orders.error());
        params.lags = std::max<std::size_t>(1, orders->best(options.criterion));
    } else {
        const auto lags = parseNumber<std::size_t>(options.lags);
        if (!lags || *lags == 0)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--lags takes auto or a number from 1 on, not \"{}\".", options.lags));
        params.lags = *lags;
    }
    return fitVar(table, params, task);
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

/// [from × variables + to] turned around.
std::vector<double> sharesAtEnd(const VarResponse& response, std::size_t variables)
{
    std::vector<double> shares(variables * variables, std::nan(""));
    for (std::size_t to = 0; to < variables && response.steps > 0; ++to)
        for (std::size_t from = 0; from < variables; ++from)
            shares[to * variables + from] =
                response.shares[(to * response.steps + response.steps - 1) * variables + from];
    return shares;
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
    addFindings(object, out, table);
    object.finish();
}

/// The step at which the answer to an orthogonal shock is largest.
std::size_t largestAnswer(const VarResponse& response, std::size_t d, std::size_t to, std::size_t from)
{
    std::size_t best = 0;
    for (std::size_t h = 1; h <= response.steps; ++h)
        if (std::abs(response.orthogonal[(h * d + to) * d + from])
            > std::abs(response.orthogonal[(best * d + to) * d + from]))
            best = h;
    return best;
}

Cell knownCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

void writeCausalityRows(const SeriesTable& table, const VarModel& model, const CausalityOptions& options,
                        Sink& out)
{
    const std::size_t d = model.variables;
    const std::vector<double> pValues = grangerPairs(model);
    const VarResponse response = varResponse(model, options.horizon);
    const std::vector<double> shares = sharesAtEnd(response, d);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t pair = 0; pair < d * d; ++pair)
        if (pair / d != pair % d) order.emplace_back(std::isnan(pValues[pair]) ? 2.0 : pValues[pair], pair);
    std::sort(order.begin(), order.end());
    RecordWriter writer(out, options.format, kCausalityFields);
    for (const auto& [p, pair] : order) {
        const std::size_t to = pair / d, from = pair % d;
        const std::size_t step = largestAnswer(response, d, to, from);
        const double answer = response.orthogonal[(step * d + to) * d + from];
        const std::string told = p > 1.0 ? "not identifiable" : p < options.threshold ? "yes" : "no";
        if (!writer.row({table.columns[from], table.columns[to], knownCell(pValues[pair]), told,
                         knownCell(answer), std::isfinite(answer) ? Cell(std::uint64_t{step}) : Cell(),
                         knownCell(shares[pair])}))
            return;
    }
    writer.finish();
}

/// So many tests at once find something in noise as well.
void tellTests(const VarModel& model, double threshold, Sink& err)
{
    const double tests = static_cast<double>(model.variables) * static_cast<double>(model.variables - 1);
    if (tests * threshold < 1.0) return;
    err.write(
        fmt::format("skein-cli: Of {:.0f} tests {:.1f} are below {} by chance; divide the threshold by their "
                    "number to be sure of all.\n",
                    tests, tests * threshold, threshold));
}

Result<ExitCode> causality(const CausalityOptions& options, const Invocation& invocation)
{
    auto loaded = loadSeries(options.input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    const auto table = variablesOf(std::move(loaded->tables), invocation.task);
    if (!table) return Unexpected(table.error());
    const auto model = modelOf(*table, options, invocation.task);
    if (!model) return Unexpected(model.error());
    invocation.task.report(1.0, "");
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
