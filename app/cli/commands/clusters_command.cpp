// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/series_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace skein::cli {
namespace {

constexpr std::uint32_t kMostProposed = 8;
constexpr std::size_t kClusterSample = 1000;

struct ClustersOptions {
    SeriesInput input;
    std::optional<std::int64_t> clusters;
    double budgetMs = -1.0;  ///< below 0: exact
    std::uint64_t seed = 1;
    Format format = Format::Table;
};

/// A clustering and what it is of.
struct ClusteredSeries {
    const SeriesTable& table;
    PointRows points;
    Clustering found;
};

Result<std::uint32_t> clusterCount(PointRows points, const ClustersOptions& options,
                                   const Invocation& invocation)
{
    if (options.clusters) {
        if (*options.clusters < 1 || *options.clusters > 1024)
            return fail(ErrorCode::InvalidArgument, "The number of clusters must lie between 1 and 1024.");
        return static_cast<std::uint32_t>(*options.clusters);
    }
    const auto proposed = proposeClusters(points, kMostProposed, options.seed, invocation.task);
    if (proposed)
        invocation.err.write(
            fmt::format("skein-cli: {} {} proposed by the silhouette; --k N sets the number.\n", *proposed,
                        *proposed == 1 ? "cluster is" : "clusters are"));
    return proposed;
}

std::vector<double> sizesOf(const Clustering& found)
{
    std::vector<double> sizes(found.clusters, 0.0);
    for (const std::uint32_t label : found.labels) ++sizes[label];
    return sizes;
}

void tellEmptyClusters(const Clustering& found, Sink& err)
{
    const std::vector<double> sizes = sizesOf(found);
    const auto empty = std::count(sizes.begin(), sizes.end(), 0.0);
    if (empty > 0)
        err.write(fmt::format("skein-cli: {} of the {} clusters {} empty: no more series differ.\n", empty,
                              found.clusters, empty == 1 ? "is" : "are"));
}

void writeClustersJson(const ClusteredSeries& clustered, std::uint64_t seed, Sink& out)
{
    const Clustering& found = clustered.found;
    JsonObject object(out);
    object.add("k", std::uint64_t{found.clusters});
    object.add("inertia", found.inertia);
    object.add("silhouette", meanSilhouette(clustered.points, found.labels, kClusterSample, seed));
    object.add("processed", static_cast<double>(found.processed) / static_cast<double>(found.labels.size()));
    object.add("labels", listCell(found.labels));
    object.add("sizes", sizesOf(found));
    addMatrix(object, out, "centers", found.centers, clustered.points.dimensions);
    addTexts(object, out, "entities", clustered.table.columns);
    addFindings(object, out, clustered.table);
    object.finish();
}

void writeClusterRows(const ClusteredSeries& clustered, Format format, Sink& out)
{
    RecordWriter writer(out, format,
                        {{"entity", "Entity", FieldKind::Text}, {"cluster", "Cluster", FieldKind::Id}});
    for (std::size_t i = 0; i < clustered.found.labels.size(); ++i)
        if (!writer.row({clustered.table.columns[i], std::uint64_t{clustered.found.labels[i]}})) return;
    writer.finish();
}

Result<ExitCode> clusters(const ClustersOptions& options, const Invocation& invocation)
{
    const auto loaded = loadOneSeries(options.input, invocation);
    if (!loaded) return Unexpected(loaded.error());
    const SeriesTable& table = loaded->tables.front();
    const std::vector<double> values = entityMajor(table);
    const PointRows points{values, table.rows()};
    KMeansParams params;
    params.seed = options.seed;
    const auto count = clusterCount(points, options, invocation);
    if (!count) return Unexpected(count.error());
    params.clusters = *count;
    LatencyBudget budget(options.budgetMs / 1e3);
    auto found = options.budgetMs < 0.0 ? clusterExactly(points, params, invocation.task)
                                        : clusterProgressively(points, params, budget, invocation.task);
    if (!found) return Unexpected(found.error());
    if (!std::isfinite(found->inertia))
        return fail(ErrorCode::InvalidArgument, "The values are too large to be clustered.");
    invocation.task.report(1.0, "");
    tellEmptyClusters(*found, invocation.err);
    const ClusteredSeries clustered{table, points, std::move(*found)};
    if (options.format == Format::Json) writeClustersJson(clustered, options.seed, invocation.out);
    else writeClusterRows(clustered, options.format, invocation.out);
    return loaded->exitCode;
}

Action defineClusters(CommandLine& line)
{
    auto options = std::make_shared<ClustersOptions>();
    addSeriesInput(line, options->input);
    line.option("--k", options->clusters, "Number of clusters; proposed by the silhouette where not given")
        .valueName("K");
    line.option("--budget", options->budgetMs,
                "Milliseconds for mini-batches, at least one; without, the best clustering that is found")
        .valueName("MS")
        .between(0.0, 1e9);
    line.option("--seed", options->seed, "Of the order and of the first centres").valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return clusters(*options, invocation); };
}

}  // namespace

Command clustersCommand()
{
    return {"clusters", "Which entities behave alike over time",
            "  skein-cli clusters series.csv --k 3                  a cluster for each column\n"
            "  skein-cli clusters series.csv --format json          as many as the series make\n"
            "  skein-cli clusters series.csv --k 8 --budget 50      what 50 ms find\n"
            "  skein-cli clusters trace.otf2 --metric wait --bins 100\n",
            defineClusters};
}

}  // namespace skein::cli
