// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/series_input.h"

#include "algorithms/behavior/repeating_regions.h"
#include "app/cli/arguments.h"
#include "app/cli/open_session.h"
#include "app/cli/output/text.h"
#include "core/base/file_bytes.h"
#include "core/select/filters.h"
#include "core/series/ross_statistics.h"
#include "core/series/series_csv.h"
#include "core/series/tau_monitoring.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skein::cli {
namespace {

constexpr std::size_t kUsualBins = 200;

bool isTableOfText(const std::string& path)
{
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& letter : ending) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return ending == ".csv" || ending == ".tsv";
}

Result<std::vector<SeriesTable>> parsedTables(std::string_view bytes, const SeriesInput& input,
                                              const Task& task)
{
    const std::string name = printable(input.path);
    auto where = conditionsOf(input.where);
    if (!where) return Unexpected(where.error());
    if (looksLikeRossStatistics(bytes)) {
        if (input.entity.size() > 1)
            return fail(ErrorCode::InvalidArgument, "Of ROSS's statistics one --entity is taken: pe or kp.");
        return parseRossStatistics(
            bytes,
            {input.entity.empty() ? "" : input.entity.front(), input.time, input.metrics, std::move(*where)},
            name, task);
    }
    if (input.entity.empty() && input.time.empty() && looksLikeTauMonitoring(bytes))
        return parseTauMonitoring(bytes, {input.metrics, std::move(*where)}, name, task);
    return parseSeries(bytes, {input.time, input.entity, input.metrics, std::move(*where)}, name, task);
}

Result<LoadedSeries> readSeriesTable(const SeriesInput& input, const Invocation& invocation)
{
    if (!input.byRegion.empty())
        return fail(ErrorCode::InvalidArgument, "--by-region goes with traces: a table has no regions.");
    if (!input.messages.empty())
        return fail(ErrorCode::InvalidArgument, "--messages goes with traces: a table has no messages.");
    const auto bytes = openFileBytes(input.path);
    if (!bytes) return Unexpected(bytes.error());
    auto tables = parsedTables(bytes->text(), input, invocation.task);
    if (const auto whole = stillWhole(*bytes, input.path); !whole) return Unexpected(whole.error());
    if (!tables) return Unexpected(tables.error());
    if (input.bins > 0)
        for (SeriesTable& table : *tables) {
            const std::size_t bins = std::min<std::size_t>(input.bins, mostSampledBins(table));
            const auto fits = checkSeriesSize(bins, table.columns.size() * tables->size());
            if (!fits) return Unexpected(fits.error());
            table = sumInBins(table, input.bins);
        }
    return LoadedSeries{std::move(*tables), ExitCode::Fine, false};
}

/// The region that is named; for "auto" the likeliest iterations.
Result<std::string> repeatedRegion(const Experiment& experiment, const std::string& named,
                                   const Invocation& invocation)
{
    if (named != "auto") return named;
    const auto proposed = repeatingRegions(experiment, invocation.task);
    if (invocation.task.stopRequested()) return cancelled();
    if (proposed.empty())
        return fail(ErrorCode::NotRecorded,
                    "No region repeats 5 to 5000 times on the first location: name one, or use --bins.");
    invocation.err.write(
        fmt::format("skein-cli: a bin from each call of {} to the next one.\n", printable(proposed.front())));
    return proposed.front();
}

/// Of each location whether it is not as wanted; empty where all are.
Result<std::vector<bool>> hiddenByConditions(const Session& session, const SeriesInput& input)
{
    const auto where = conditionsOf(input.where);
    if (!where) return Unexpected(where.error());
    if (where->empty()) return std::vector<bool>();
    const auto kept = locationsLike(session, *where);
    if (!kept) return Unexpected(kept.error());
    if (kept->empty())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("No location of {} is like {}.", printable(input.path), textOf(*where)));
    std::vector<bool> hidden(session.experiments.front()->definitions.locations.size(), true);
    for (const LocationRef& location : *kept)
        if (location.experiment == 0) hidden[location.id.index()] = false;
    return hidden;
}

Result<LoadedSeries> readTraceSeries(const SeriesInput& input, const Invocation& invocation)
{
    if (!input.entity.empty() || !input.time.empty())
        return fail(ErrorCode::InvalidArgument,
                    "--entity and --time go with tables: a trace has entities and times of its own (--per, "
                    "--bins).");
    const auto opened = openSession({input.path}, invocation);
    if (!opened) return Unexpected(opened.error());
    const Experiment& experiment = *opened->session.experiments.front();
    const auto hidden = hiddenByConditions(opened->session, input);
    if (!hidden) return Unexpected(hidden.error());
    std::vector<TimeNs> edges;
    if (!input.byRegion.empty()) {
        const auto region = repeatedRegion(experiment, input.byRegion, invocation);
        if (!region) return Unexpected(region.error());
        auto found = binsByRegion(experiment, *region);
        if (!found) return Unexpected(found.error());
        edges = std::move(*found);
    } else if (experiment.trace) {
        edges = equalBins(experiment.trace->extent, input.bins > 0 ? input.bins : kUsualBins);
    }
    const auto rules = messageRulesOf(input.messages);
    if (!rules) return Unexpected(rules.error());
    LoadedSeries loaded;
    loaded.exitCode = opened->exitCode();
    loaded.fromTrace = true;
    for (const std::string& metric :
         input.metrics.empty() ? std::vector<std::string>{"exclusive"} : input.metrics) {
        TraceSeriesParams params = seriesQuantity(metric);
        params.per = seriesGrouping(input.per);
        params.edges = edges;
        params.hidden = *hidden;
        params.messages = *rules;
        if (!rules->empty() && !followsMessageRules(params.quantity))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--messages goes with metrics of messages, such as sent-bytes, and with "
                                    "wait: {} is neither.",
                                    metric));
        auto table = traceSeries(experiment, params, invocation.task);
        if (!table) return Unexpected(table.error());
        const auto fit = checkSeriesSize(table->rows(), table->columns.size() * input.metrics.size());
        if (!fit) return Unexpected(fit.error());
        table->metric = metric;
        loaded.tables.push_back(std::move(*table));
    }
    return loaded;
}

void appendNumbers(std::string& text, std::span<const double> numbers)
{
    text += '[';
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) text += ", ";
        if (std::isfinite(numbers[i])) fmt::format_to(std::back_inserter(text), "{}", numbers[i]);
        else text += "null";
    }
    text += ']';
}

/// A text that goes on into the output whenever it has become long: all of it may be longer than memory.
void passOn(std::string& text, Sink& out)
{
    constexpr std::size_t kLongText = std::size_t{64} << 10;
    if (text.size() < kLongText) return;
    out.write(text);
    text.clear();
}

void writeRows(Sink& out, std::span<const double> values, std::size_t width)
{
    std::string text = "[";
    for (std::size_t at = 0; width > 0 && at + width <= values.size() && out.open(); at += width) {
        text += at > 0 ? ",\n    " : "";
        appendNumbers(text, values.subspan(at, width));
        passOn(text, out);
    }
    out.write(text + ']');
}

}  // namespace

void addSeriesInput(CommandLine& line, SeriesInput& input)
{
    line.option("PATH", input.path, "A table of series (.csv, .tsv), statistics of ROSS, or a trace")
        .required()
        .valueName("PATH");
    line.option("--metric", input.metrics,
                "Of a long table the column of values, of a wide one the columns wanted; of a trace "
                "exclusive[:REGION], inclusive[:REGION], calls[:REGION], sent-bytes, sent-messages, "
                "received-bytes, received-messages, wait[:KIND] or the name of a metric; may be repeated")
        .valueName("METRIC")
        .repeatable();
    line.option("--entity", input.entity,
                "Long table, with a line an entity and time: the column that names the entity; may be "
                "repeated")
        .valueName("COLUMN")
        .repeatable();
    line.option("--time", input.time, "Table: the column of times").valueName("COLUMN");
    line.option("--per", input.per,
                "Trace: a series a process, the default, location, node, communicator, component (all of the "
                "archive) or level of the system tree, such as rack")
        .valueName("ENTITY");
    line.option("--where", input.where,
                "Only entities whose attributes are so: kind=io|compute, rack!=r1*, rank<8; of a long table "
                "its columns, of ROSS pe, kp and lp, of a trace name, kind, rank, process, levels of the "
                "system tree and properties; may be repeated, then all have to hold")
        .valueName("CONDITION")
        .repeatable();
    addMessageConditions(line, input.messages);
    line.option("--bins", input.bins,
                "Bins of time of one length: of a trace 200 by default, of a table sums of its values")
        .between(1, 10'000'000);
    line.option("--by-region", input.byRegion,
                "Trace: a bin from each call of this region to the next one; auto: of the one "
                "that is called once in each iteration")
        .valueName("R");
}

namespace {

Result<LoadedSeries> readSeries(const SeriesInput& input, const Invocation& invocation)
{
    const bool isTable = isTableOfText(input.path) || isRossStatisticsFile(input.path);
    return isTable ? readSeriesTable(input, invocation) : readTraceSeries(input, invocation);
}

void tellSeriesNotes(const SeriesInput& input, const LoadedSeries& loaded, MissingValues use,
                     const Invocation& invocation)
{
    for (const SeriesTable& table : loaded.tables)
        for (const std::string& sentence : table.notes.sentences(use))
            invocation.err.write(fmt::format("skein-cli: {}: {}{}\n", printable(input.path),
                                             loaded.tables.size() > 1 ? printable(table.metric) + ": " : "",
                                             sentence));
}

}  // namespace

Result<LoadedSeries> loadSeries(const SeriesInput& input, const Invocation& invocation, MissingValues use)
{
    auto loaded = readSeries(input, invocation);
    if (loaded)
        tellSeriesNotes(input, *loaded, loaded->tables.size() > 1 ? MissingValues::Mean : use, invocation);
    return loaded;
}

Result<LoadedSeries> loadOneSeries(const SeriesInput& input, const Invocation& invocation)
{
    const bool wide = isTableOfText(input.path) && input.entity.empty();
    if (!wide && input.metrics.size() > 1)
        return fail(ErrorCode::InvalidArgument, "This command takes one --metric at a time.");
    auto loaded = readSeries(input, invocation);
    if (!loaded) return loaded;
    if (loaded->tables.size() > 1)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} has {} metrics: name one, such as --metric \"{}\".",
                                printable(input.path), loaded->tables.size(),
                                printable(loaded->tables.front().metric)));
    tellSeriesNotes(input, *loaded, MissingValues::Mean, invocation);
    return loaded;
}

void addTexts(JsonObject& object, Sink& out, std::string_view key, const std::vector<std::string>& texts)
{
    object.begin(key);
    std::string text = "[";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) text += ", ";
        appendJson(text, texts[i]);
        passOn(text, out);
    }
    out.write(text + "]");
}

Cell deviationsCell(const EntityShift& shift) { return shift.deviations ? Cell(*shift.deviations) : Cell(); }

void addFindings(JsonObject& object, Sink& out, const SeriesTable& table, MissingValues use)
{
    addTexts(object, out, "findings", table.notes.sentences(use));
}

void addMatrix(JsonObject& object, Sink& out, std::string_view key, const std::vector<double>& values,
               std::size_t width)
{
    object.begin(key);
    writeRows(out, values, width);
}

void addNumbers(JsonObject& object, Sink& out, std::string_view key, std::span<const double> numbers)
{
    object.begin(key);
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size() && out.open(); ++i) {
        if (i > 0) text += ", ";
        if (std::isfinite(numbers[i])) appendJsonNumber(text, numbers[i]);
        else text += "null";
        passOn(text, out);
    }
    out.write(text + "]");
}

void addMatrices(JsonObject& object, Sink& out, std::string_view key, const std::vector<double>& values,
                 std::size_t rows, std::size_t width)
{
    object.begin(key);
    const std::size_t size = rows * width;
    out.write("[");
    for (std::size_t at = 0; size > 0 && at + size <= values.size(); at += size) {
        out.write(at > 0 ? ",\n   " : "");
        writeRows(out, std::span(values).subspan(at, size), width);
    }
    out.write("]");
}

}  // namespace skein::cli
