// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/progressive_projection.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/series_input.h"

namespace skein::cli {
namespace {

struct ProjectOptions {
    SeriesInput input;
    double budgetMs = -1.0;  ///< below 0: all entities
    std::uint64_t seed = 1;
    std::uint64_t until = 0;
    Format format = Format::Table;
};

/// Where entities lay when the series ended earlier, for the places to stay near.
Result<std::vector<double>> earlierPlaces(const std::vector<double>& values, std::size_t rows,
                                          const ProjectOptions& options, const Task& task)
{
    if (options.until == 0) return std::vector<double>();
    if (options.until > rows)
        return fail(ErrorCode::InvalidArgument, "--align names a time point behind the last one.");
    std::vector<double> part;
    for (std::size_t at = 0; at < values.size(); at += rows)
        part.insert(part.end(), values.begin() + static_cast<std::ptrdiff_t>(at),
                    values.begin() + static_cast<std::ptrdiff_t>(at + options.until));
    ProjectionParams params;
    params.seed = options.seed;
    auto found = projectExactly({part, static_cast<std::size_t>(options.until)}, params, task);
    if (!found) return Unexpected(found.error());
    return std::move(found->places);
}

void writeProjectionJson(const SeriesTable& table, const Projection& found, Sink& out)
{
    JsonObject object(out);
    addTexts(object, out, "entities", table.columns);
    addMatrix(object, out, "places", found.places, 2);
    object.add("explained", std::vector<double>{found.explained[0], found.explained[1]});
    object.add("processed", static_cast<double>(found.processed) / static_cast<double>(table.columns.size()));
    addFindings(object, out, table);
    object.finish();
}

void writePlaces(const SeriesTable& table, const Projection& found, Format format, Sink& out)
{
    RecordWriter writer(out, format,
                        {{"entity", "Entity", FieldKind::Text},
                         {"x", "x", FieldKind::Number},
                         {"y", "y", FieldKind::Number}});
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (!writer.row({table.columns[i], found.places[2 * i], found.places[2 * i + 1]})) return;
    writer.finish();
}

Result<ExitCode> project(const ProjectOptions& options, const Invocation& invocation)
{
    const auto loaded = loadOneSeries(options.input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    const SeriesTable& table = loaded->tables.front();
    const std::vector<double> values = entityMajor(table);
    auto earlier = earlierPlaces(values, table.rows(), options, invocation.task);
    if (!earlier) return Unexpected(earlier.error());
    ProjectionParams params;
    params.seed = options.seed;
    params.previous = std::move(*earlier);
    LatencyBudget budget(options.budgetMs / 1e3);
    const PointRows points{values, table.rows()};
    const auto found = options.budgetMs < 0.0 ? projectExactly(points, params, invocation.task)
                                              : projectProgressively(points, params, budget, invocation.task);
    if (!found) return Unexpected(found.error());
    invocation.task.report(1.0, "");
    if (options.format == Format::Json) writeProjectionJson(table, *found, invocation.out);
    else writePlaces(table, *found, options.format, invocation.out);
    return loaded->exitCode;
}

Action defineProject(CommandLine& line)
{
    auto options = std::make_shared<ProjectOptions>();
    addSeriesInput(line, options->input);
    line.option("--budget", options->budgetMs,
                "Milliseconds to learn the plane from batches of entities, at least one; without, exactly, "
                "from all")
        .valueName("MS")
        .between(0.0, 1e9);
    line.option("--align", options->until, "Turn the places towards those of the first N time points")
        .valueName("N");
    line.option("--seed", options->seed, "Of the order of the entities, with --budget").valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return project(*options, invocation); };
}

}  // namespace

Command projectCommand()
{
    return {"project", "Entities as points of a plane: the nearer, the more alike",
            "  skein-cli project series.csv\n"
            "  skein-cli project series.csv --align 100        as it looked after 100 time points, then "
            "moved on\n"
            "  skein-cli project trace.otf2 --metric inclusive:main --bins 100 --format csv\n",
            defineProject};
}

}  // namespace skein::cli
