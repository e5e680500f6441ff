// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/output/text.h"
#include "app/cli/series_input.h"
#include "core/base/csv.h"

#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

enum class SeriesShape : std::uint8_t { Wide, Long };

struct SeriesOptions {
    SeriesInput input;
    SeriesShape shape = SeriesShape::Wide;
    Format format = Format::Csv;
};

/// What the column of times is called, so that it is known again when the table is read.
std::string_view timeKey(const LoadedSeries& loaded) { return loaded.fromTrace ? "time_ns" : "time"; }

void appendValue(std::string& text, double value)
{
    if (std::isfinite(value)) text += fmt::format("{}", value);
}

/// Times of traces are whole numbers, however large.
void appendTimeOfRow(std::string& text, const LoadedSeries& loaded, double time)
{
    if (loaded.fromTrace) text += fmt::format("{}", static_cast<std::int64_t>(time));
    else appendValue(text, time);
}

void writeWideCsv(const LoadedSeries& loaded, Sink& out)
{
    const SeriesTable& table = loaded.tables.front();
    std::string text(timeKey(loaded));
    for (const std::string& column : table.columns) {
        text += ',';
        appendCsv(text, column);
    }
    for (std::size_t row = 0; row < table.rows() && out.open(); ++row) {
        text += '\n';
        appendTimeOfRow(text, loaded, table.times[row]);
        for (const double value : table.row(row)) {
            text += ',';
            appendValue(text, value);
        }
        out.write(text);
        text.clear();
    }
    out.write(text + "\n");
    out.flush();
}

Cell valueCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

Cell timeOfRow(const LoadedSeries& loaded, double time)
{
    return loaded.fromTrace ? Cell(static_cast<std::int64_t>(time)) : Cell(time);
}

/// A row an entity and time point, a column a metric.
void writeLongSeries(const LoadedSeries& loaded, Format format, Sink& out)
{
    std::vector<Field> fields{
        {std::string(timeKey(loaded)), "Time", loaded.fromTrace ? FieldKind::Time : FieldKind::Number},
        {"entity", "Entity", FieldKind::Text}};
    for (const SeriesTable& table : loaded.tables) {
        const std::string metric = table.metric.empty() ? "value" : table.metric;
        fields.push_back({metric, printable(metric), FieldKind::Number});
    }
    RecordWriter writer(out, format, fields);
    const SeriesTable& first = loaded.tables.front();
    for (std::size_t row = 0; row < first.rows(); ++row)
        for (std::size_t entity = 0; entity < first.columns.size(); ++entity) {
            std::vector<Cell> cells{timeOfRow(loaded, first.times[row]), first.columns[entity]};
            for (const SeriesTable& table : loaded.tables) cells.push_back(valueCell(table.at(row, entity)));
            if (!writer.row(cells)) return;
        }
    writer.finish();
}

void writeSeriesJson(const LoadedSeries& loaded, Sink& out)
{
    const SeriesTable& first = loaded.tables.front();
    JsonObject object(out);
    addTexts(object, out, "entities", first.columns);
    addNumbers(object, out, timeKey(loaded), first.times);
    for (const SeriesTable& table : loaded.tables)
        addMatrix(object, out, table.metric.empty() ? "value" : table.metric, table.values,
                  table.columns.size());
    addFindings(object, out, first);
    object.finish();
}

Result<ExitCode> series(const SeriesOptions& options, const Invocation& invocation)
{
    const auto loaded = loadSeries(options.input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    if (options.shape == SeriesShape::Wide && options.format != Format::Json && loaded->tables.size() > 1)
        return fail(ErrorCode::InvalidArgument, "Several metrics make a long table: --shape long.");
    invocation.task.report(1.0, "");
    if (options.format == Format::Json) writeSeriesJson(*loaded, invocation.out);
    else if (options.shape == SeriesShape::Wide && options.format == Format::Csv)
        writeWideCsv(*loaded, invocation.out);
    else writeLongSeries(*loaded, options.format, invocation.out);
    return loaded->exitCode;
}

Action defineSeries(CommandLine& line)
{
    auto options = std::make_shared<SeriesOptions>();
    addSeriesInput(line, options->input);
    addChoice<SeriesShape>(
        line, "--shape", options->shape, {{"wide", SeriesShape::Wide}, {"long", SeriesShape::Long}},
        "CSV: a line a time point and a column an entity, the default, or a line for each of both");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return series(*options, invocation); };
}

}  // namespace

Command seriesCommand()
{
    return {
        "series", "What a trace did over time, a series a process: times, calls, messages, waits, metrics",
        "  skein-cli series trace.otf2 --metric exclusive:MPI_Wait --bins 500      ns in each of 500 bins\n"
        "  skein-cli series trace.otf2 --metric calls:step --by-region step       a bin an iteration\n"
        "  skein-cli series trace.otf2 --metric sent-bytes --per node\n"
        "  skein-cli series trace.otf2 --metric wait --metric PAPI_TOT_INS --shape long\n"
        "  skein-cli series pe.csv --entity pe --time virtual_time --metric network_sends    long to wide\n",
        defineSeries};
}

}  // namespace skein::cli
