// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hatchet/hatchet_importer.h"

#include "core/base/file_bytes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

namespace skein::hatchet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 4096;
constexpr double kNsPerSecond = 1e9;
constexpr std::string_view kInclusive = " (inc)";
constexpr double kNoAmount = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

std::optional<fs::path> sniffHatchet(const fs::path& path, const Task&)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    return looksLikeHatchet(fileHead(path, kHeadBytes)) ? std::optional(path) : std::nullopt;
}

RegionRole roleOf(std::string_view type)
{
    if (type == "function") return RegionRole::Function;
    if (type == "loop") return RegionRole::Loop;
    return RegionRole::Unknown;
}

/// A metric of the graph: its columns by place among the attributes; -1 where there is none.
struct GraphMetric {
    std::string name;
    std::ptrdiff_t inclusive = -1;
    std::ptrdiff_t exclusive = -1;
};

class ExperimentMaker {
public:
    ExperimentMaker(const Graph& graph, Experiment& out) : graph_(graph), out_(out) {}

    void make()
    {
        defineLocations();
        defineRegions();
        collectMetrics();
        fillProfile();
    }

private:
    const Attribute* attribute(std::string_view name) const
    {
        for (const Attribute& one : graph_.attributes)
            if (one.name == name) return &one;
        return nullptr;
    }

    void defineLocations()
    {
        std::map<std::pair<std::int64_t, std::int32_t>, std::uint32_t> known;
        for (std::size_t row = 0; row < graph_.rowRanks.size(); ++row)
            known.try_emplace({graph_.rowRanks[row], graph_.rowThreads[row]}, 0);
        if (known.empty()) known.try_emplace({-1, 0}, 0);
        const bool threads =
            std::any_of(known.begin(), known.end(), [](const auto& one) { return one.first.second != 0; });
        Definitions& definitions = out_.definitions;
        for (auto& [place, location] : known) {
            const auto [rank, thread] = place;
            location = static_cast<std::uint32_t>(definitions.locations.size());
            const std::string process = rank < 0 ? "All ranks" : fmt::format("Rank {}", rank);
            if (definitions.locationGroups.empty() || definitions.locationGroups.back().rank != rank) {
                LocationGroup group;
                group.name = process;
                group.kind = LocationGroupKind::Process;
                group.rank = rank;
                definitions.locationGroups.push_back(std::move(group));
            }
            Location made;
            made.name = threads ? fmt::format("{} Thread {}", process, thread) : process;
            made.kind = LocationKind::CpuThread;
            made.group = LocationGroupId(definitions.locationGroups.size() - 1);
            made.rank = rank;
            made.thread = thread;
            made.originalId = location;
            definitions.locations.push_back(std::move(made));
        }
        for (std::size_t row = 0; row < graph_.rowRanks.size(); ++row)
            locationOfRow_.push_back(known.at({graph_.rowRanks[row], graph_.rowThreads[row]}));
    }

    /// The rows' first one tells what the node's frame says.
    void defineRegions()
    {
        std::vector<std::size_t> firstRow(graph_.names.size(), graph_.rowNodes.size());
        for (std::size_t row = graph_.rowNodes.size(); row-- > 0;) firstRow[graph_.rowNodes[row]] = row;
        const auto wordOf = [&](const char* name, std::size_t row) {
            const Attribute* const found = attribute(name);
            return found != nullptr && found->text && row < found->words.size() ? found->words[row]
                                                                                : std::string();
        };
        std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> known;
        std::vector<std::uint32_t> regions;
        for (std::size_t node = 0; node < graph_.names.size(); ++node) {
            const std::string type = wordOf("type", firstRow[node]), file = wordOf("file", firstRow[node]);
            const auto [at, added] =
                known.try_emplace({graph_.names[node], type, file}, static_cast<std::uint32_t>(known.size()));
            regions.push_back(at->second);
            if (!added) continue;
            Region region;
            region.name = graph_.names[node];
            region.role = roleOf(type);
            region.sourceFile = file;
            region.beginLine = lineOf(firstRow[node]);
            if (region.name.compare(0, 4, "MPI_") == 0) region.paradigm = Paradigm::Mpi;
            out_.definitions.regions.push_back(std::move(region));
        }
        std::vector<std::uint32_t> sites(regions.size(), CallSiteId::kNone);
        out_.callTree = std::make_shared<const CallTree>(Column<std::uint32_t>(graph_.parents),
                                                         Column<std::uint32_t>(regions),
                                                         Column<std::uint32_t>(std::move(sites)));
        regions_ = std::move(regions);
    }

    std::uint32_t lineOf(std::size_t row) const
    {
        const Attribute* const line = attribute("line");
        if (line == nullptr || line->text || row >= line->numbers.size()) return 0;
        const double value = line->numbers[row];
        return value >= 0.0 && value < 4e9 ? static_cast<std::uint32_t>(value) : 0;
    }

    static bool isAmount(const Attribute& one)
    {
        return !one.text && one.name != "line" && one.name != "calls" && one.name != "nid"
            && one.name != "thread";
    }

    void collectMetrics()
    {
        std::map<std::string, GraphMetric> byName;
        for (std::size_t i = 0; i < graph_.attributes.size(); ++i) {
            const Attribute& one = graph_.attributes[i];
            if (!isAmount(one)) continue;
            const bool inclusive = std::string_view(one.name).ends_with(kInclusive);
            const std::string name =
                inclusive ? one.name.substr(0, one.name.size() - kInclusive.size()) : one.name;
            GraphMetric& metric = byName[name];
            metric.name = name;
            (inclusive ? metric.inclusive : metric.exclusive) = static_cast<std::ptrdiff_t>(i);
        }
        // The time first: it is what is shown without being asked for.
        for (auto& [name, metric] : byName)
            if (name == "time") metrics_.insert(metrics_.begin(), std::move(metric));
            else metrics_.push_back(std::move(metric));
        for (const GraphMetric& metric : metrics_) {
            Metric defined;
            defined.name = metric.name;
            defined.unit = metric.name == "time" ? "ns" : "";
            out_.definitions.metrics.push_back(std::move(defined));
        }
    }

    /// A column of rows in the unit of the metric, NaN where there is no finite number.
    std::vector<double> amounts(const GraphMetric& metric, std::ptrdiff_t attribute) const
    {
        if (attribute < 0) return std::vector<double>(graph_.rowNodes.size(), kNoAmount);
        std::vector<double> values = graph_.attributes[static_cast<std::size_t>(attribute)].numbers;
        for (double& value : values) {
            if (!std::isfinite(value)) value = kNoAmount;
            if (metric.name == "time") value *= kNsPerSecond;
        }
        return values;
    }

    /// For each row that of its node's parent on the same location, or none.
    std::vector<std::size_t> rowsOfParents() const
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> rowOf;
        for (std::size_t row = 0; row < graph_.rowNodes.size(); ++row)
            rowOf[{graph_.rowNodes[row], locationOfRow_[row]}] = row;
        std::vector<std::size_t> parents(graph_.rowNodes.size(), kNoRow);
        for (std::size_t row = 0; row < parents.size(); ++row) {
            const std::uint32_t parent = graph_.parents[graph_.rowNodes[row]];
            if (parent == Graph::kNone) continue;
            const auto found = rowOf.find({parent, locationOfRow_[row]});
            if (found != rowOf.end()) parents[row] = found->second;
        }
        return parents;
    }

    /// What only one of the two columns tells of a row, or neither does, is worked out from the rows below.
    static void complete(std::vector<double>& inclusive, std::vector<double>& exclusive,
                         const std::vector<std::size_t>& parents)
    {
        std::vector<double> below(parents.size(), 0.0);
        for (std::size_t row = parents.size(); row-- > 0;) {
            double& whole = inclusive[row];
            double& own = exclusive[row];
            if (std::isnan(own)) own = std::isnan(whole) ? 0.0 : whole - below[row];
            if (std::isnan(whole)) whole = own + below[row];
            if (parents[row] != kNoRow) below[parents[row]] += whole;
        }
    }

    void fillProfile()
    {
        auto profile = std::make_shared<Profile>();
        profile->artificial = ArtificialRegions::Measured;
        std::vector<std::size_t> order(graph_.rowNodes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(locationOfRow_[a], graph_.rowNodes[a])
                < std::pair(locationOfRow_[b], graph_.rowNodes[b]);
        });
        order.erase(std::unique(order.begin(), order.end(),
                                [&](std::size_t a, std::size_t b) {
                                    return locationOfRow_[a] == locationOfRow_[b]
                                        && graph_.rowNodes[a] == graph_.rowNodes[b];
                                }),
                    order.end());
        fillCube(profile->callPaths, order);
        profile->regions = regionsOf(profile->callPaths);
        out_.profile = std::move(profile);
    }

    static Column<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& order)
    {
        std::vector<double> out;
        out.reserve(order.size());
        for (const std::size_t row : order) out.push_back(values[row]);
        return Column<double>(std::move(out));
    }

    void fillCube(MetricCube& cube, const std::vector<std::size_t>& order)
    {
        std::vector<std::uint64_t> offsets(out_.definitions.locations.size() + 1);
        std::vector<std::uint32_t> items;
        for (const std::size_t row : order) {
            ++offsets[locationOfRow_[row] + 1];
            items.push_back(graph_.rowNodes[row]);
        }
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        cube.locationOffsets = Column<std::uint64_t>(std::move(offsets));
        cube.items = Column<std::uint32_t>(std::move(items));
        std::vector<double> calls(graph_.rowNodes.size());
        if (const Attribute* const counted = attribute("calls"); counted != nullptr && !counted->text)
            std::transform(counted->numbers.begin(), counted->numbers.end(), calls.begin(),
                           [](double value) { return std::isfinite(value) ? value : 0.0; });
        cube.calls = picked(calls, order);
        const std::vector<std::size_t> parents = rowsOfParents();
        for (std::size_t i = 0; i < metrics_.size(); ++i) {
            std::vector<double> inclusive = amounts(metrics_[i], metrics_[i].inclusive);
            std::vector<double> exclusive = amounts(metrics_[i], metrics_[i].exclusive);
            complete(inclusive, exclusive, parents);
            cube.metrics.push_back(MetricId(i));
            cube.inclusive.push_back(picked(inclusive, order));
            cube.exclusive.push_back(picked(exclusive, order));
        }
    }

    /// By region; the inclusive amount counts outermost calls only.
    MetricCube regionsOf(const MetricCube& paths) const
    {
        MetricCube cube;
        cube.metrics = paths.metrics;
        std::vector<std::uint64_t> offsets{0};
        std::vector<std::uint32_t> items;
        std::vector<double> calls;
        std::vector<std::vector<double>> inclusive(paths.metrics.size()), exclusive(paths.metrics.size());
        for (std::size_t location = 0; location < paths.locations(); ++location) {
            std::map<std::uint32_t, std::size_t> rowOf;
            const std::uint64_t begin = paths.locationOffsets[location],
                                end = paths.locationOffsets[location + 1];
            for (std::uint64_t row = begin; row < end; ++row)
                rowOf.try_emplace(regions_[paths.items[row]], 0);
            for (auto& [region, row] : rowOf) {
                row = items.size();
                items.push_back(region);
            }
            calls.resize(items.size());
            for (std::size_t metric = 0; metric < paths.metrics.size(); ++metric) {
                inclusive[metric].resize(items.size());
                exclusive[metric].resize(items.size());
            }
            for (std::uint64_t row = begin; row < end; ++row) {
                const std::size_t to = rowOf.at(regions_[paths.items[row]]);
                const bool outermost = !out_.callTree->isRecursive(CallPathId(paths.items[row]));
                calls[to] += paths.calls[row];
                for (std::size_t metric = 0; metric < paths.metrics.size(); ++metric) {
                    exclusive[metric][to] += paths.exclusive[metric][row];
                    if (outermost) inclusive[metric][to] += paths.inclusive[metric][row];
                }
            }
            offsets.push_back(items.size());
        }
        cube.locationOffsets = Column<std::uint64_t>(std::move(offsets));
        cube.items = Column<std::uint32_t>(std::move(items));
        cube.calls = Column<double>(std::move(calls));
        for (auto& values : inclusive) cube.inclusive.emplace_back(std::move(values));
        for (auto& values : exclusive) cube.exclusive.emplace_back(std::move(values));
        return cube;
    }

    const Graph& graph_;
    Experiment& out_;
    std::vector<std::uint32_t> locationOfRow_, regions_;
    std::vector<GraphMetric> metrics_;
};

Result<Experiment> readHatchet(const fs::path& path, const Task& task)
{
    ImportReport report;
    auto graph = readGraph(path, report, task);
    if (!graph) return tl::make_unexpected(std::move(graph.error()));
    return experimentOf(*graph, path, std::move(report));
}

}  // namespace

Experiment experimentOf(const Graph& graph, const fs::path& path, ImportReport report)
{
    Experiment experiment;
    experiment.name = path.filename().string();
    experiment.path = path;
    experiment.format = "Hatchet JSON";
    experiment.importer = kHatchetImporter.id;
    experiment.report = std::move(report);
    ExperimentMaker(graph, experiment).make();
    return experiment;
}

const Importer kHatchetImporter{
    "hatchet", "Hatchet JSON", sniffHatchet, readHatchet, ArchiveKind::Profile, nullptr, false, false,
};

}  // namespace skein::hatchet
