// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_density_scene.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <numbers>
#include <stop_token>
#include <unistd.h>

/// Communication of many nodes for benchmarks. SKEIN_BENCH_HOPBYTES names another file on a torus of
/// 8x4x4x16x2.
namespace skein::bench {

inline constexpr const char* kBenchTorus = "torus:8x4x4x16x2";
inline constexpr std::uint32_t kBenchNodes = 4096;

/// 4096 ranks with 16 partners each at all distances: 65 536 communications.
inline std::string hopByteFile()
{
    if (const char* file = std::getenv("SKEIN_BENCH_HOPBYTES")) return file;
    static const std::string path = [] {
        const auto made =
            std::filesystem::temp_directory_path() / fmt::format("skein-hopbytes-{}.txt", getpid());
        std::ofstream out(made);
        for (std::uint32_t rank = 0; rank < kBenchNodes; ++rank)
            for (std::uint32_t i = 0; i < 16; ++i)
                out << fmt::format("{} {} {} 1\n", rank, (rank + (1u << (i % 12)) + i) % kBenchNodes,
                                   1000 + (rank * 7919 + i * 104729) % 900'000);
        return made.string();
    }();
    return path;
}

inline SessionPtr openedFile()
{
    auto session = std::make_shared<Session>();
    session->experiments.push_back(openExperiment(hopByteFile(), Task()).value());
    return session;
}

inline SessionCommunicationPtr onTorus(const SessionPtr& session)
{
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = kBenchTorus;
    return communicationOf(results, session, request, Task()).value();
}

inline GroupedCommunicationPtr nodesOf(const SessionPtr& session,
                                       const SessionCommunicationPtr& communication)
{
    return groupedCommunication(communication, session->experiments[0]->definitions, {}, {}, Task()).value();
}

/// The places of the first picture that a layout gives, after which it is stopped.
inline std::vector<PlanePoint> firstPlaces(const CommGraph& graph)
{
    std::vector<PlanePoint> first;
    std::stop_source stop;
    LayoutParams params;
    params.pictureMs = 0;
    params.picture = [&](std::span<const PlanePoint> points) {
        if (first.empty()) first.assign(points.begin(), points.end());
        stop.request_stop();
    };
    const auto settled = forceLayout(layoutGraph(graph), params, Task(stop.get_token()));
    if (first.empty() && settled) first = *settled;
    return first;
}

inline CommunicationPicture pictureOf(const GroupedCommunication& grouped, std::vector<PlanePoint> points)
{
    CommunicationOptions options;
    options.lines = CommunicationLines::Routes;
    CommunicationPicture picture = communicationPicture(grouped.graph, options, Task());
    placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(std::move(points)));
    return picture;
}

/// A picture and the map of its density.
struct MovedPicture {
    CommunicationPicture picture;
    FlowDensityMapPtr map = flowDensityMap(picture, Task());
};

/// All 65 536 routes, as the layout has them first.
inline const MovedPicture& manyRoutes()
{
    static const MovedPicture made = [] {
        const SessionPtr session = openedFile();
        const auto grouped = nodesOf(session, onTorus(session));
        return MovedPicture{pictureOf(*grouped, firstPlaces(*grouped->graph))};
    }();
    return made;
}

/// A million pairs of 65 536 ranks in a disc, without any order: as dense as it gets.
inline const MovedPicture& manyPairs()
{
    static const MovedPicture made = [] {
        constexpr std::uint32_t kRanks = 65'536, kPartners = 16;
        auto graph = std::make_shared<CommGraph>();
        graph->vertices.resize(kRanks);
        std::vector<PlanePoint> places;
        for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
            const double turn = rank * std::numbers::phi * 2 * std::numbers::pi, away = std::sqrt(rank);
            places.push_back({away * std::cos(turn), away * std::sin(turn)});
            for (std::uint32_t i = 1; i <= kPartners; ++i) {
                CommGraph::Flow flow;
                flow.from = rank;
                flow.to = (rank * 2654435761u + i * 40503u) % kRanks;
                flow.messages = 1;
                flow.bytes = 1 + (rank * 7919 + i * 104729) % 900'000;
                graph->flows.push_back(flow);
                graph->vertices[flow.from].out += 1;
                graph->vertices[flow.to].in += 1;
            }
        }
        MovedPicture moved{communicationPicture(graph, {}, Task()), nullptr};
        placeVertices(moved.picture, std::make_shared<const std::vector<PlanePoint>>(std::move(places)));
        moved.map = flowDensityMap(moved.picture, Task());
        return moved;
    }();
    return made;
}

}  // namespace skein::bench
