// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/model_rows.h"
#include "algorithms/scaling/study_of_runs.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"
#include "app/cli/output/text.h"
#include "core/base/file_bytes.h"
#include "core/io/importer.h"
#include "core/series/extrap_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

/// So much of a file is looked at to see what it is.
constexpr std::size_t kHeadBytes = 4096;

struct ModelOptions {
    std::vector<std::string> paths, metrics, parameters;
    std::string at;
    bool inclusive = false;
    std::size_t top = 0;  ///< 0: all
    Format format = Format::Table;
};

/// A study with what was told of the runs besides.
struct LoadedStudy {
    ScalingStudy study;
    RunParameters fixed;
    ExitCode exitCode = ExitCode::Fine;
};

bool isExtrapText(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && looksLikeExtrapText(fileHead(path, kHeadBytes));
}

Result<LoadedStudy> loadText(const ModelOptions& options, const Invocation& invocation)
{
    if (options.paths.size() > 1 || !options.parameters.empty())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} tells all points itself: it stands alone, without --parameter.",
                                options.paths.front()));
    auto study = readExtrapText(options.paths.front(), invocation.task);
    if (!study) return Unexpected(std::move(study.error()));
    if (auto selected = keepMetrics(*study, options.metrics); !selected)
        return Unexpected(std::move(selected.error()));
    writeWarnings(study->notes, invocation.err);
    return LoadedStudy{std::move(*study), {}, ExitCode::Fine};
}

/// The runs that are named, or those in the one folder that is.
std::vector<std::string> runsOf(const ModelOptions& options)
{
    if (options.paths.size() != 1) return options.paths;
    std::vector<std::string> runs;
    for (const auto& run : runsIn(options.paths.front())) runs.push_back(run.string());
    return runs.empty() ? options.paths : runs;
}

/// What is no file at all tells no parameter either: the reason comes first.
std::optional<Error> refusedRun(const std::vector<std::string>& runs,
                                const std::vector<RunParameters>& parameters)
{
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (!parameters[run].empty()) continue;
        if (auto refused = refusalOf(runs[run])) return refused;
    }
    return std::nullopt;
}

Result<LoadedStudy> loadRuns(const ModelOptions& options, const Invocation& invocation)
{
    const std::vector<std::string> runs = runsOf(options);
    const auto parameters = parametersOfRuns(runs, options.parameters);
    if (!parameters) return Unexpected(parameters.error());
    if (auto refused = refusedRun(runs, *parameters)) return Unexpected(std::move(*refused));
    auto points = pointsOfRuns(*parameters, runs);
    if (!points) return Unexpected(std::move(points.error()));
    const bool usual = options.metrics.empty();
    StudyOfRuns making(points->parameters,
                       usual ? std::vector<std::string>{"time", "visits"} : options.metrics,
                       options.inclusive ? ScalingAmount::Inclusive : ScalingAmount::Exclusive);
    LoadedStudy loaded;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        invocation.task.report(static_cast<double>(run) / static_cast<double>(runs.size()), "Reading runs");
        const auto opened = openSession({runs[run]}, invocation);
        if (!opened) return Unexpected(opened.error());
        loaded.exitCode = std::max(loaded.exitCode, opened->exitCode());
        const auto added =
            making.add(*opened->session.experiments.front(), points->points[run], invocation.task);
        if (!added) return Unexpected(added.error());
    }
    loaded.study = std::move(making).take();
    loaded.fixed = std::move(points->fixed);
    return loaded;
}

Cell finiteCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

std::vector<Field> modelFields(Format format)
{
    if (format == Format::Table)
        return {{"metric", "Metric", FieldKind::Text},
                {"predicted", "Predicted", FieldKind::Number},
                {"predicted_low", "At least", FieldKind::Number},
                {"predicted_high", "At most", FieldKind::Number},
                {"predicted_percent", "Share", FieldKind::Percent},
                {"smape", "Error %", FieldKind::Number},
                {"function", "Model", FieldKind::Text},
                {"jump", "Jump", FieldKind::Text},
                {"path", "Call path", FieldKind::Text}};
    return {{"path", "", FieldKind::Text},
            {"metric", "", FieldKind::Text},
            {"unit", "", FieldKind::Text},
            {"function", "", FieldKind::Text},
            {"smape", "", FieldKind::Number},
            {"smape_left_out", "", FieldKind::Number},
            {"predicted", "", FieldKind::Number},
            {"predicted_low", "", FieldKind::Number},
            {"predicted_high", "", FieldKind::Number},
            {"predicted_percent", "", FieldKind::Number},
            {"jump", "", FieldKind::Text},
            {"before_jump", "", FieldKind::Text},
            {"confidence_set", "", FieldKind::Text}};
}

std::vector<Cell> tableCells(const ModelRow& row, const std::vector<std::string>& parameters)
{
    constexpr int kDigits = 4;
    const ScalingPrediction& told = row.model->predictions.front();
    const std::string jump = jumpText(*row.model, parameters);
    return {row.series->metric + (row.series->unit.empty() ? "" : " (" + row.series->unit + ")"),
            finiteCell(told.value),
            finiteCell(told.low),
            finiteCell(told.high),
            row.percent,
            row.model->smape,
            row.model->function.text(parameters, kDigits),
            jump.empty() ? Cell() : Cell(jump),
            row.series->path};
}

std::vector<Cell> csvCells(const ModelRow& row, const std::vector<std::string>& parameters)
{
    const ScalingModel& model = *row.model;
    const ScalingPrediction& told = model.predictions.front();
    const std::string jump = jumpText(model, parameters);
    std::string set;
    for (const ScalingAlternative& one : model.alternatives)
        set += (set.empty() ? "" : "; ") + one.function.text(parameters);
    return {row.series->path,
            row.series->metric,
            row.series->unit,
            model.function.text(parameters),
            model.smape,
            model.leftOutSmape,
            finiteCell(told.value),
            finiteCell(told.low),
            finiteCell(told.high),
            row.percent,
            jump.empty() ? Cell() : Cell(jump),
            model.jump ? Cell(model.jump->before.text(parameters)) : Cell(),
            set};
}

std::string numberText(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string textMember(std::string_view key, std::string_view text)
{
    std::string out = fmt::format("\"{}\": ", key);
    appendJson(out, text);
    return out;
}

std::string jumpMember(const ScalingModel& model, const std::vector<std::string>& parameters)
{
    if (!model.jump) return "\"jump\": null";
    const ScalingJump& jump = *model.jump;
    return fmt::format("\"jump\": {{{}, \"below\": {}, \"above\": {}, \"factor\": {}, {}}}",
                       textMember("parameter", parameters[jump.parameter]), numberText(jump.below),
                       numberText(jump.above), numberText(jump.factor),
                       textMember("before", jump.before.text(parameters)));
}

std::string setMember(const ScalingModel& model, const std::vector<std::string>& parameters)
{
    std::string out = "\"confidence_set\": [";
    for (const ScalingAlternative& one : model.alternatives)
        out += fmt::format("{}{{{}, \"weight\": {}}}", out.back() == '[' ? "" : ", ",
                           textMember("function", one.function.text(parameters)), numberText(one.weight));
    return out + "]";
}

std::string atMember(const std::vector<double>& target, const std::vector<std::string>& parameters)
{
    std::string out = "\"at\": {";
    for (std::size_t at = 0; at < target.size(); ++at) {
        if (at > 0) out += ", ";
        appendJson(out, parameters[at]);
        out += ": " + numberText(target[at]);
    }
    return out + "}";
}

void writeModelsJson(const std::vector<ModelRow>& rows, const std::vector<double>& target,
                     const std::vector<std::string>& parameters, Sink& out)
{
    const std::string at = atMember(target, parameters);
    std::string before = "[\n";
    for (const ModelRow& row : rows) {
        if (!out.open()) return;
        const ScalingModel& model = *row.model;
        const ScalingPrediction& told = model.predictions.front();
        out.write(before + "  {" + textMember("path", row.series->path) + ", "
                  + textMember("metric", row.series->metric) + ", " + textMember("unit", row.series->unit)
                  + ", " + textMember("function", model.function.text(parameters))
                  + fmt::format(", \"smape\": {}, \"smape_left_out\": {}, {}, \"predicted\": {}, "
                                "\"predicted_low\": {}, \"predicted_high\": {}, \"predicted_percent\": {}, ",
                                numberText(model.smape), numberText(model.leftOutSmape), at,
                                numberText(told.value), numberText(told.low), numberText(told.high),
                                numberText(row.percent))
                  + jumpMember(model, parameters) + ", " + setMember(model, parameters) + "}");
        before = ",\n";
    }
    out.write(rows.empty() ? "[]\n" : "\n]\n");
    out.flush();
}

void writeModels(const ModelOptions& options, const std::vector<ModelRow>& rows,
                 const std::vector<double>& target, const std::vector<std::string>& parameters, Sink& out)
{
    if (options.format == Format::Json) return writeModelsJson(rows, target, parameters, out);
    RecordWriter writer(out, options.format, modelFields(options.format));
    for (const ModelRow& row : rows) {
        const auto cells =
            options.format == Format::Table ? tableCells(row, parameters) : csvCells(row, parameters);
        if (!writer.row(cells)) return;
    }
    writer.finish();
}

/// What the reader of the table has to know besides.
void tellTarget(const LoadedStudy& loaded, const std::vector<double>& target, std::size_t left, Sink& err)
{
    const std::string text = pointText(target, loaded.study.parameters);
    err.write(fmt::format("skein-cli: predicted for {}; intervals of 95 %.\n", printable(text)));
    for (std::size_t at = 0; at < target.size(); ++at) {
        const std::size_t count = levelsOf(loaded.study, at);
        if (count < kSoundLevels)
            err.write(fmt::format("skein-cli: {} has {} only; with five or more models are sounder.\n",
                                  printable(loaded.study.parameters[at]),
                                  count == 1 ? "1 value" : fmt::format("{} values", count)));
    }
    if (left > 0)
        err.write(fmt::format("skein-cli: {} series {} measured at fewer than three points and {} no "
                              "model.\n",
                              left, left == 1 ? "was" : "were", left == 1 ? "has" : "have"));
}

Result<ExitCode> model(const ModelOptions& options, const Invocation& invocation)
{
    const bool text = std::any_of(options.paths.begin(), options.paths.end(), isExtrapText);
    const auto loaded = text ? loadText(options, invocation) : loadRuns(options, invocation);
    if (!loaded) return Unexpected(loaded.error());
    const auto target = targetPoint(loaded->study, loaded->fixed, options.at);
    if (!target) return Unexpected(target.error());
    const auto models = modelScaling(loaded->study, {{*target}}, invocation.task);
    if (!models) return Unexpected(models.error());
    std::vector<ModelRow> rows = modelRows(loaded->study, *models);
    const std::size_t left = models->size() - rows.size();
    if (options.top > 0 && rows.size() > options.top) rows.resize(options.top);
    invocation.task.report(1.0, "");
    tellTarget(*loaded, *target, left, invocation.err);
    writeModels(options, rows, *target, loaded->study.parameters, invocation.out);
    return loaded->exitCode;
}

Action defineModel(CommandLine& line)
{
    auto options = std::make_shared<ModelOptions>();
    line.option("PATH", options->paths, "Runs, a folder of runs, or a text in Extra-P's form")
        .valueName("RUN…|FILE.txt")
        .required();
    line.option("--metric", options->metrics,
                "Only this metric, or one by expression such as time.inc / calls; may be repeated. Of runs "
                "time and "
                "visits")
        .valueName("M")
        .repeatable();
    line.option("--parameter", options->parameters,
                "Values of a parameter, one a run, instead of those that folders' names tell")
        .valueName("p=27,64,…")
        .repeatable();
    line.option("--at", options->at, "What to predict for; else the next step of each parameter")
        .check([](const std::string& text) {
            return text.empty() ? std::optional<std::string>("names no value, such as p=4096") : std::nullopt;
        })
        .valueName("p=4096,…");
    line.flag("--inclusive", options->inclusive, "Inclusive instead of exclusive amounts of runs");
    line.option("--top", options->top, "Only the first N rows").valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return model(*options, invocation); };
}

}  // namespace

Command modelCommand()
{
    return {"model", "How call paths scale: models of several runs, and what they predict",
            "  skein-cli model lulesh.p27.r1 lulesh.p64.r1 lulesh.p125.r1 lulesh.p216.r1 lulesh.p343.r1\n"
            "  skein-cli model runs/ --at p=4096,size=30       every run in the folder, two parameters\n"
            "  skein-cli model a/ b/ c/ d/ e/ --parameter p=8,16,32,64,128 --metric time\n"
            "  skein-cli model experiment.txt --at p=1024      Extra-P's text input\n"
            "\n"
            "Values are means over all locations, times in seconds. Rows stand in the order of what is\n"
            "predicted: what dominates at the next scale comes first. See docs/SCALING.md.\n",
            defineModel};
}

}  // namespace skein::cli
