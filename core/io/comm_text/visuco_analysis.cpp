// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/visuco_analysis.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/comm_text/comm_experiment.h"
#include "core/io/comm_text/text_input.h"
#include "core/io/launcher/text.h"
#include "core/io/topology/topology_file.h"
#include "core/machine/archive_machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skein::comm_text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAnalysisSniffedBytes = 1u << 16;
constexpr std::size_t kMostAnalysisStops = 4096;
constexpr std::size_t kMostAnalysisDimensions = 16;
constexpr std::string_view kVertexFile = "vertices.csv", kRouteFile = "routes.csv";

/// What the program writes into the directory, without the folder of its remapping.
constexpr std::array<std::string_view, 22> kAnalysisFiles{
    "adj.graph",
    "adj_mat.csv",
    "aggregated_adj_mat.csv",
    "aggregated_edges.csv",
    "aggregated_positions_sfdpw.csv",
    "aggregated_route_weight_mat.csv",
    "aggregated_routes.csv",
    "aggregated_summary.csv",
    "aggregated_vertices.csv",
    "child_vertex_indices.csv",
    "dist.graph",
    "dist_mat.csv",
    "edges.csv",
    "mapping.csv",
    "positions_sfdp.csv",
    "positions_sfdpw.csv",
    "route_list.csv",
    "route_weight.graph",
    "route_weight_mat.csv",
    "routes.csv",
    "summary.csv",
    "vertices.csv",
};

/// Whether a file of that name belongs to the directory; METIS adds ".part." and a number.
bool isAnalysisFile(std::string name)
{
    name = name.substr(0, name.find(".part."));
    return std::ranges::find(kAnalysisFiles, name) != kAnalysisFiles.end();
}

using StopList = std::vector<std::uint32_t>;

/// The numbers between blanks; nullopt where one is none or too large, where there is none, or more than
/// `most`.
std::optional<StopList> numbersIn(std::string_view field, std::size_t most)
{
    StopList numbers;
    for (const std::string_view word : launcher::words(field)) {
        const auto number = parseNumber<std::uint32_t>(word);
        if (!number || *number > kMaximumNumber || numbers.size() == most) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers.empty() ? std::nullopt : std::optional(std::move(numbers));
}

struct AnalysisVertex {
    StopList position, ranks;
};

/// `index,coordinates,coordinates of the members,ranks` and ten degrees.
std::optional<std::pair<std::uint32_t, AnalysisVertex>> parseVertex(std::string_view line)
{
    constexpr std::size_t kFields = 14;
    const auto fields = launcher::split(line, ',');
    if (fields.size() != kFields) return std::nullopt;
    const auto index = numbersIn(fields[0], 1);
    auto position = numbersIn(fields[1], kMostAnalysisDimensions),
         ranks = numbersIn(fields[3], kMaximumNumber);
    if (!index || !position || !ranks) return std::nullopt;
    return std::pair(index->front(), AnalysisVertex{std::move(*position), std::move(*ranks)});
}

struct AnalysisRoute {
    StopList way;  ///< vertices
    std::uint64_t messages = 0, bytes = 0;
};

/// `vertices on the way,messages,bytes` and the loads of the most loaded link.
std::optional<AnalysisRoute> parseAnalysisRoute(std::string_view line)
{
    constexpr std::size_t kFields = 5;
    const auto fields = launcher::split(line, ',');
    if (fields.size() != kFields) return std::nullopt;
    auto way = numbersIn(fields[0], kMostAnalysisStops);
    const auto messages = parseAmount(fields[1]), bytes = parseAmount(fields[2]);
    if (!way || way->size() < 2 || !messages || *messages == 0 || !bytes) return std::nullopt;
    return AnalysisRoute{std::move(*way), *messages, *bytes};
}

/// "hamming:12x2x3x16x4"
std::string hammingSpec(const Topology& machine)
{
    std::string spec = "hamming:";
    for (const GridDimension& dimension : machine.numbering())
        spec += fmt::format("{}{}", spec.ends_with(':') ? "" : "x", dimension.size);
    return spec;
}

/// Sums of what goes over a link.
struct LinkSums {
    double messages = 0, bytes = 0;
};
using LinkKey = std::pair<std::uint32_t, std::uint32_t>;
using SenderReceiver = std::pair<std::uint32_t, std::uint32_t>;

class AnalysisReader {
public:
    AnalysisReader(fs::path folder, const Task& task) : folder_(std::move(folder)), task_(task) {}

    Result<Experiment> read()
    {
        for (const auto step :
             {&AnalysisReader::readVertices, &AnalysisReader::readPairs, &AnalysisReader::readRoutes,
              &AnalysisReader::compareLinks, &AnalysisReader::compareSummary})
            if (auto done = (this->*step)(); !done) return Unexpected(done.error());
        RouteSet routes = takeRoutes();
        Experiment experiment =
            makeCommExperiment(folder_, "visuco analysis", matrixOf(routes), {}, std::move(report_));
        experiment.routes = std::make_shared<const RouteSet>(std::move(routes));
        addMachine(experiment.definitions);
        return experiment;
    }

private:
    /// Calls `take` with each line of a file; a line that it refuses is reported. Errors: those of reading;
    /// Cancelled.
    template <typename Take>
    Result<void> forLines(std::string_view file, std::string_view wanted, const Take& take)
    {
        const auto text = readWhole(folder_ / file, task_);
        if (!text) return Unexpected(text.error());
        LineFindings findings(report_, std::string(file));
        Lines lines(*text);
        std::string_view line;
        while (lines.next(line)) {
            if (lines.number() % kLinesBetweenStopChecks == 0 && task_.stopRequested()) return cancelled();
            if (line.empty() || take(line, lines.number(), findings)) continue;
            findings.add(lines.unfinished() ? IssueKind::Truncated : IssueKind::CorruptRecord, lines.number(),
                         fmt::format("no {} in \"{}\"", wanted, toValidUtf8(line.substr(0, 80))));
        }
        return {};
    }

    bool has(std::string_view file) const
    {
        std::error_code ignored;
        return fs::is_regular_file(folder_ / file, ignored);
    }

    Result<void> readVertices()
    {
        auto done = forLines(
            kVertexFile, "vertex", [this](std::string_view line, std::int64_t number, auto& findings) {
                auto vertex = parseVertex(line);
                if (!vertex) return false;
                if (vertices_.empty()) dimensions_ = vertex->second.position.size();
                if (vertex->second.position.size() != dimensions_) return false;
                for (const std::uint32_t rank : vertex->second.ranks)
                    if (!vertexOfRank_.try_emplace(rank, vertex->first).second)
                        findings.add(IssueKind::ContradictoryRecord, number,
                                     fmt::format("rank {} is on two vertices; the first counts", rank));
                if (!vertices_.try_emplace(vertex->first, std::move(vertex->second)).second)
                    findings.add(IssueKind::ContradictoryRecord, number,
                                 "a vertex is there twice; the first counts");
                return true;
            });
        if (done && vertices_.empty())
            return fail(
                ErrorCode::Malformed,
                fmt::format("{} holds no vertex that can be read.", (folder_ / kVertexFile).string()));
        return done;
    }

    /// Which ranks' messages take a way: `sender,receiver,ranks on the way`.
    Result<void> readPairs()
    {
        constexpr std::string_view kFile = "route_list.csv";
        if (!has(kFile)) return {};
        return forLines(kFile, "sender, receiver and way",
                        [this](std::string_view line, std::int64_t, auto&) {
                            const auto fields = launcher::split(line, ',');
                            if (fields.size() != 3) return false;
                            const auto sender = numbersIn(fields[0], 1), receiver = numbersIn(fields[1], 1);
                            auto way = numbersIn(fields[2], kMostAnalysisStops);
                            if (!sender || !receiver || !way) return false;
                            for (std::uint32_t& stop : *way) {
                                const auto vertex = vertexOfRank_.find(stop);
                                if (vertex == vertexOfRank_.end()) return false;
                                stop = vertex->second;
                            }
                            pairsOfWay_[std::move(*way)].emplace_back(sender->front(), receiver->front());
                            return true;
                        });
    }

    Result<void> readRoutes()
    {
        auto done =
            forLines(kRouteFile, "route", [this](std::string_view line, std::int64_t number, auto& findings) {
                auto route = parseAnalysisRoute(line);
                const auto known = [this](std::uint32_t vertex) { return vertices_.contains(vertex); };
                if (!route || !std::ranges::all_of(route->way, known)) return false;
                addRoute(*route, number, findings);
                ++routes_;
                return true;
            });
        if (done && found_.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} holds no route that can be read.", (folder_ / kRouteFile).string()));
        return done;
    }

    /// A way is told once for all pairs of ranks that take it: they share its bytes.
    void addRoute(const AnalysisRoute& route, std::int64_t number, LineFindings& findings)
    {
        for (std::size_t i = 0; i + 1 < route.way.size(); ++i) {
            LinkSums& sums = links_[{route.way[i], route.way[i + 1]}];
            sums.messages += static_cast<double>(route.messages);
            sums.bytes += static_cast<double>(route.bytes);
        }
        const auto listed = pairsOfWay_.find(route.way);
        const std::vector<SenderReceiver> ends{
            {vertices_.at(route.way.front()).ranks.front(), vertices_.at(route.way.back()).ranks.front()}};
        const std::vector<SenderReceiver>& pairs = listed == pairsOfWay_.end() ? ends : listed->second;
        if (pairs.size() > 1)
            findings.add(
                IssueKind::UnsupportedRecord, number,
                fmt::format("{} pairs of ranks take one way; its bytes are divided among them evenly",
                            pairs.size()));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto share = [&](std::uint64_t amount) {
                return amount / pairs.size() + (i < amount % pairs.size() ? 1 : 0);
            };
            addPair(pairs[i], route.way, share(route.messages), share(route.bytes), number, findings);
        }
    }

    void addPair(SenderReceiver pair, const StopList& way, std::uint64_t messages, std::uint64_t bytes,
                 std::int64_t number, LineFindings& findings)
    {
        RouteSet::Route route;
        route.sender = pair.first;
        route.receiver = pair.second;
        route.messages = messages;
        route.bytes = bytes;
        const auto end = vertexOfRank_.find(pair.second);
        route.complete = end != vertexOfRank_.end() && end->second == way.back();
        if (!route.complete)
            findings.add(IssueKind::Truncated, number,
                         fmt::format("the route from {} to {} ends after {} hops before its destination",
                                     pair.first, pair.second, way.size() - 1));
        found_.emplace_back(route, way);
    }

    /// `from,to,messages,bytes`; amounts have six digits.
    Result<void> compareLinks()
    {
        constexpr std::string_view kFile = "edges.csv";
        if (!has(kFile)) return {};
        return forLines(kFile, "link", [this](std::string_view line, std::int64_t number, auto& findings) {
            const auto fields = launcher::split(line, ',');
            if (fields.size() != 4) return false;
            const auto from = numbersIn(fields[0], 1), to = numbersIn(fields[1], 1);
            const auto messages = parseAmount(fields[2]), bytes = parseAmount(fields[3]);
            if (!from || !to || !messages || !bytes) return false;
            ++edges_;
            const auto sums = links_.find({from->front(), to->front()});
            const LinkSums own = sums == links_.end() ? LinkSums() : sums->second;
            if (!agree(own.messages, static_cast<double>(*messages))
                || !agree(own.bytes, static_cast<double>(*bytes)))
                findings.add(
                    IssueKind::ContradictoryRecord, number,
                    fmt::format("the link from {} to {} has other loads than its routes, which count",
                                from->front(), to->front()));
            return true;
        });
    }

    static bool agree(double a, double b)
    {
        constexpr double kSixDigits = 2e-5;  // of the sum and of what it is of
        return std::abs(a - b) <= kSixDigits * std::max(a, b);
    }

    /// How many vertices, edges and routes there are, and statistics of them.
    Result<void> compareSummary()
    {
        constexpr std::string_view kFile = "summary.csv";
        if (!has(kFile)) return {};
        return forLines(
            kFile, "numbers of vertices, edges and routes",
            [this](std::string_view line, std::int64_t number, auto& findings) {
                const auto fields = launcher::split(line, ',');
                if (fields.size() < 3) return false;
                const std::array read{vertices_.size(), has("edges.csv") ? edges_ : links_.size(), routes_};
                constexpr std::array names{"vertices", "edges", "routes"};
                for (std::size_t i = 0; i < read.size(); ++i)
                    if (parseAmount(fields[i]) != read[i])
                        findings.add(
                            IssueKind::ContradictoryRecord, number,
                            fmt::format("{} {} are told, {} were read", fields[i], names[i], read[i]));
                return true;
            });
    }

    RouteSet takeRoutes()
    {
        std::ranges::stable_sort(found_, {}, [](const auto& found) {
            return std::tuple(found.first.sender, found.first.receiver);
        });
        RouteSet routes(static_cast<std::uint32_t>(dimensions_));
        StopList positions;
        for (const auto& [route, way] : found_) {
            positions.clear();
            for (const std::uint32_t vertex : way) {
                const StopList& position = vertices_.at(vertex).position;
                positions.insert(positions.end(), position.begin(), position.end());
            }
            routes.add(route, positions);
        }
        return routes;
    }

    CommMatrix matrixOf(const RouteSet& routes) const
    {
        std::uint32_t ranks = 0;
        for (const auto& [rank, vertex] : vertexOfRank_) ranks = std::max(ranks, rank + 1);
        std::vector<CommMatrix::Entry> entries;
        for (const RouteSet::Route& route : routes.routes()) {
            entries.push_back({route.sender, route.receiver, route.messages, route.bytes});
            ranks = std::max({ranks, route.sender + 1, route.receiver + 1});
        }
        return CommMatrix(ranks, std::move(entries));
    }

    /// An arrangement of processes is made of rings: it cannot say that all of a dimension are joined.
    void addMachine(Definitions& definitions) const
    {
        constexpr std::string_view kFile = "mapping.csv";
        const auto machine = has(kFile) ? readTopologyFile(folder_ / kFile, task_)
                                        : Result<Topology>(fail(ErrorCode::NotFound, std::string()));
        if (!machine || definitions.locations.empty()) return;
        if (std::ranges::all_of(machine->numbering(), [](const GridDimension& dimension) {
                return dimension.shape == DimensionShape::Complete;
            })) {
            definitions.properties.push_back({std::string(kMachineProperty), hammingSpec(*machine)});
            return;
        }
        CartesianTopology topology;
        topology.name = kFile;
        for (const GridDimension& dimension : machine->numbering()) {
            if (dimension.shape != DimensionShape::Ring) return;
            const std::string letter(1, dimensionLetter(topology.dimensions.size()));
            topology.dimensions.push_back({letter, dimension.size, true});
        }
        topology.communicator = CommunicatorId(definitions.communicators.size());
        Communicator all;
        all.name = topology.name;
        for (std::uint32_t rank = 0; rank < definitions.locations.size(); ++rank) {
            all.members.emplace_back(rank);
            if (const auto vertex = vertexOfRank_.find(rank); vertex != vertexOfRank_.end())
                topology.coordinates.push_back({rank, vertices_.at(vertex->second).position});
        }
        definitions.communicators.push_back(std::move(all));
        definitions.topologies.push_back(std::move(topology));
    }

    fs::path folder_;
    const Task& task_;
    ImportReport report_;
    std::size_t dimensions_ = 0, routes_ = 0, edges_ = 0;
    std::unordered_map<std::uint32_t, AnalysisVertex> vertices_;  ///< by index
    std::unordered_map<std::uint32_t, std::uint32_t> vertexOfRank_;
    std::map<StopList, std::vector<SenderReceiver>> pairsOfWay_;
    std::map<LinkKey, LinkSums> links_;
    std::vector<std::pair<RouteSet::Route, StopList>> found_;  ///< with the vertices of their ways
};

/// The first whole line that holds anything; nullopt where there is none.
std::optional<std::string> firstAnalysisLine(const fs::path& file)
{
    const auto start = readStart(file, kAnalysisSniffedBytes);
    if (!start) return std::nullopt;
    const std::size_t end = start->find('\n');
    return end == std::string::npos ? std::nullopt : std::optional(start->substr(0, end));
}

bool isVisucoDirectory(const fs::path& folder)
{
    const auto vertex = firstAnalysisLine(folder / kVertexFile);
    if (!vertex || !parseVertex(launcher::trimmed(*vertex))) return false;
    const auto route = firstAnalysisLine(folder / kRouteFile);
    return route && parseAnalysisRoute(launcher::trimmed(*route));
}

std::optional<fs::path> sniffVisuco(const fs::path& path, const Task&) { return visucoDirectoryOf(path); }

Result<Experiment> readVisucoDirectory(const fs::path& path, const Task& task)
{
    if (task.stopRequested()) return cancelled();
    return AnalysisReader(path, task).read();
}

}  // namespace

std::optional<fs::path> visucoDirectoryOf(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return isVisucoDirectory(path) ? std::optional(path) : std::nullopt;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (isAnalysisFile(path.filename().string()))
        return isVisucoDirectory(folder) ? std::optional(folder) : std::nullopt;
    const fs::path above = fs::absolute(folder, ignored).lexically_normal().parent_path();
    const bool remapping = fs::absolute(folder, ignored).lexically_normal().filename() == "qap_intermed";
    return remapping && isVisucoDirectory(above) ? std::optional(above) : std::nullopt;
}

const Importer kVisucoImporter{"visuco", "Analysis directory of visuco", sniffVisuco, readVisucoDirectory,
                               ArchiveKind::Communication};

}  // namespace skein::comm_text
