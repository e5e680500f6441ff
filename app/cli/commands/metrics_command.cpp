// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/metric_statistics.h"
#include "algorithms/profile/trace_metrics.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"

#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct MetricOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::string window;
    std::string metric;
    bool samples = false;
};

const std::vector<Field> kMetricFields{
    {"name", "Metric", FieldKind::Text},       {"unit", "Unit", FieldKind::Text},
    {"kind", "Kind", FieldKind::Text},         {"mode", "Mode", FieldKind::Text},
    {"source", "Source", FieldKind::Text},     {"locations", "Locations", FieldKind::Count},
    {"samples", "Samples", FieldKind::Count},  {"minimum", "Minimum", FieldKind::Number},
    {"maximum", "Maximum", FieldKind::Number}, {"mean", "Mean", FieldKind::Number},
    {"stddev", "σ", FieldKind::Number},        {"by_call", "By call", FieldKind::Text},
    {"part_of", "Part of", FieldKind::Text},   {"aggregation", "Together", FieldKind::Text},
};

const std::vector<Field> kSampleFields{
    {"metric", "Metric", FieldKind::Text},
    {"recorder", "Recorded by", FieldKind::Text},
    {"time_ns", "Time", FieldKind::Time},
    {"value", "Value", FieldKind::Number},
};

std::string_view sourceName(MetricSource source)
{
    switch (source) {
    case MetricSource::Samples: return "samples";
    case MetricSource::CallPathSums: return "profile";
    case MetricSource::UserEvents: return "user events";
    case MetricSource::Unused: return "unused";
    }
    return "unused";
}

/// The metrics of a trace that skein-cli profile --metric can tell by call.
std::vector<bool> perCall(const Experiment& experiment)
{
    std::vector<bool> told(experiment.definitions.metrics.size(), false);
    for (const TraceMetric& each : traceMetrics(experiment))
        if (each.attribution == Attribution::PerCall) told[each.metric.index()] = true;
    return told;
}

/// What amounts of several calls are together; in tables only where they do not add up.
Cell aggregationCell(const Metric& metric, const MetricRow& row, Format format)
{
    const bool expected = metric.aggregation == MetricAggregation::Sum;
    if (row.source != MetricSource::CallPathSums || (expected && format == Format::Table)) return {};
    return std::string(name(metric.aggregation));
}

std::vector<Cell> metricCells(const Experiment& experiment, const MetricRow& row, bool byCall, Format format)
{
    const Metric& metric = experiment.definitions.metric(row.metric);
    const bool known = row.values.count > 0.0;
    return {metric.name,
            metric.unit,
            std::string(name(metric.kind)),
            row.source == MetricSource::Samples ? Cell(std::string(name(metric.mode))) : Cell(),
            std::string(sourceName(row.source)),
            static_cast<std::uint64_t>(row.locations),
            row.source == MetricSource::CallPathSums ? Cell() : Cell(row.values.count),
            known ? Cell(row.values.minimum) : Cell(),
            known ? Cell(row.values.maximum) : Cell(),
            known ? Cell(row.values.mean()) : Cell(),
            known ? Cell(row.values.standardDeviation()) : Cell(),
            std::string(byCall || row.source == MetricSource::CallPathSums ? "yes" : "no"),
            metric.parent.valid() ? Cell(experiment.definitions.metric(metric.parent).name) : Cell(),
            aggregationCell(metric, row, format)};
}

bool wanted(const Experiment& experiment, MetricId metric, const MetricOptions& options)
{
    return options.metric.empty() || experiment.definitions.metric(metric).name == options.metric;
}

/// Prints the samples of one stream; false when the reader has gone or the user interrupted.
bool printSamples(const Experiment& experiment, const MetricStream& stream, const MetricOptions& options,
                  const std::optional<TimeSpan>& window, const Task& task, const Emit& emit)
{
    const std::string recorder = displayName(experiment.definitions, stream.recorder);
    const std::size_t columns = stream.metrics.size();
    for (std::size_t sample = 0; sample < stream.samples(); ++sample) {
        if (task.stopRequested()) return false;
        if (window && !window->contains(stream.times[sample])) continue;
        for (std::size_t column = 0; column < columns; ++column) {
            if (!wanted(experiment, stream.metrics[column], options)) continue;
            const Metric& metric = experiment.definitions.metric(stream.metrics[column]);
            const double value = metricValue(stream.values[sample * columns + column], metric.valueType);
            if (!emit({metric.name, recorder, timeCell(stream.times[sample]), value})) return false;
        }
    }
    return true;
}

Result<ExitCode> checkKnown(const OpenSession& opened, const MetricOptions& options)
{
    if (options.metric.empty()) return ExitCode::Fine;
    for (const ExperimentPtr& experiment : opened.session.experiments)
        for (const Metric& metric : experiment->definitions.metrics)
            if (metric.name == options.metric) return ExitCode::Fine;
    return fail(
        ErrorCode::NotRecorded,
        fmt::format("There is no metric \"{}\"; skein-cli metrics without --metric lists those there are.",
                    options.metric));
}

bool printMetrics(const Experiment& experiment, const MetricOptions& options, const Emit& emit)
{
    const std::vector<bool> told = perCall(experiment);
    for (const MetricRow& row : metricStatistics(experiment))
        if (wanted(experiment, row.metric, options)
            && !emit(metricCells(experiment, row, told[row.metric.index()], options.format)))
            return false;
    return true;
}

Result<bool> printAll(const OpenSession& opened, std::size_t index, const MetricOptions& options,
                      const Task& task, const Emit& emit)
{
    const Experiment& experiment = *opened.session.experiments[index];
    if (!options.samples) return printMetrics(experiment, options, emit);
    const auto window = windowOf(opened, index, options.window);
    if (!window) return tl::make_unexpected(window.error());
    const auto trace = traceOf(experiment, "metric samples");
    if (!trace) return tl::make_unexpected(trace.error());
    for (const MetricStream& stream : (*trace)->metricStreams)
        if (!printSamples(experiment, stream, options, *window, task, emit)) return false;
    return true;
}

Result<ExitCode> metrics(const MetricOptions& options, const Invocation& invocation)
{
    if (!options.window.empty() && !options.samples)
        return fail(ErrorCode::InvalidArgument,
                    "--window goes with --samples: the table of metrics is of the whole run.");
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (const auto known = checkKnown(*opened, options); !known) return known;
    return printRows(*opened, options.format, options.samples ? kSampleFields : kMetricFields, invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return printAll(*opened, index, options, invocation.task, emit);
                     });
}

Action defineMetrics(CommandLine& line)
{
    auto options = std::make_shared<MetricOptions>();
    addPaths(line, options->paths);
    line.flag("--samples", options->samples, "Every sample of a trace instead of a row a metric");
    line.option("--metric", options->metric, "Only the metric of this name").valueName("M");
    addWindow(line, options->window);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return metrics(*options, invocation); };
}

}  // namespace

Command metricsCommand()
{
    return {
        "metrics", "Counters and user events: what there is, and every sample",
        "  skein-cli metrics trace.otf2                                     a row a metric\n"
        "  skein-cli metrics profiles/                                      with TAU's user events\n"
        "  skein-cli metrics trace.otf2 --samples --metric PAPI_TOT_CYC     its samples with their times\n"
        "  skein-cli metrics trace.otf2 --samples --window 1s:2s            all samples of one second\n"
        "Those with \"yes\" under \"By call\" are what skein-cli profile --metric takes.\n",
        defineMetrics};
}

}  // namespace skein::cli
