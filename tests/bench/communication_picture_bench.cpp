// SPDX-License-Identifier: GPL-3.0-or-later
// From a hop-byte file of more than 60 000 communications to the first picture, and what a pan or zoom of
// each picture of communication costs. SKEIN_BENCH_HOPBYTES names another file on a torus of 8x4x4x16x2.
#include "core/io/importer.h"
#include "tests/support/scenes.h"
#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/communication/communication_data_scene.h"
#include "views/machine/machine_scene.h"
#include "views/route_matrix/route_matrix_scene.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <stop_token>
#include <unistd.h>

namespace skein {
namespace {

constexpr const char* kBenchTorus = "torus:8x4x4x16x2";
constexpr std::uint32_t kBenchNodes = 4096;

/// 4096 ranks with 16 partners each at all distances: 65 536 communications.
std::string hopByteFile()
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

SessionPtr openedFile()
{
    auto session = std::make_shared<Session>();
    session->experiments.push_back(openExperiment(hopByteFile(), Task()).value());
    return session;
}

SessionCommunicationPtr onTorus(const SessionPtr& session)
{
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = kBenchTorus;
    return communicationOf(results, session, request, Task()).value();
}

GroupedCommunicationPtr nodesOf(const SessionPtr& session, const SessionCommunicationPtr& communication)
{
    return groupedCommunication(communication, session->experiments[0]->definitions, {}, {}, Task()).value();
}

/// The places of the first picture that a layout gives, after which it is stopped.
std::vector<PlanePoint> firstPlaces(const CommGraph& graph)
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

CommunicationPicture pictureOf(const GroupedCommunication& grouped, std::vector<PlanePoint> points)
{
    CommunicationOptions options;
    options.lines = CommunicationLines::Routes;
    CommunicationPicture picture = communicationPicture(grouped.graph, options, Task());
    placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(std::move(points)));
    return picture;
}

void FileToFirstPicture(benchmark::State& state)
{
    hopByteFile();
    const test::PlainCanvas plain(1600, 1000);
    for (auto _ : state) {
        const SessionPtr session = openedFile();
        const auto grouped = nodesOf(session, onTorus(session));
        const CommunicationPicture picture = pictureOf(*grouped, firstPlaces(*grouped->graph));
        benchmark::DoNotOptimize(communicationScene(picture, {}, plain.canvas, Task()));
    }
}
BENCHMARK(FileToFirstPicture)->Unit(benchmark::kMillisecond);

/// Everything that moving the pictures needs, made once.
struct BenchPictures {
    SessionPtr session = openedFile();
    SessionCommunicationPtr communication = onTorus(session);
    GroupedCommunicationPtr grouped = nodesOf(session, communication);
    CommunicationPicture flows = pictureOf(*grouped, firstPlaces(*grouped->graph));
    MachinePicture machine = machinePicture(machinePlan(communication->machine->topology, Task()).value(),
                                            {{"run", communication}}, 0);
    RouteMatrixPicturePtr routes = routeMatrixPicture(communication, {}, {}, Task()).value();
};

const BenchPictures& benchPictures()
{
    static const BenchPictures pictures;
    return pictures;
}

void MoveCommunication(benchmark::State& state)
{
    const BenchPictures& pictures = benchPictures();
    const test::PlainCanvas plain(1600, 1000);
    PlaneView view = communicationLayout(pictures.flows, {}, plain.canvas).view;
    for (auto _ : state) {
        view.center.x += 0.01;
        view.pixels *= 1.0001;
        benchmark::DoNotOptimize(communicationScene(pictures.flows, view, plain.canvas, Task()));
    }
}
BENCHMARK(MoveCommunication)->Unit(benchmark::kMillisecond);

void MoveMachinePlan(benchmark::State& state)
{
    const BenchPictures& pictures = benchPictures();
    const test::PlainCanvas plain(1600, 1000);
    PlaneView view = machineLayout(pictures.machine, {}, plain.canvas).view;
    for (auto _ : state) {
        view.center.x += 0.01;
        benchmark::DoNotOptimize(machineScene(pictures.machine, view, plain.canvas, Task()));
    }
}
BENCHMARK(MoveMachinePlan)->Unit(benchmark::kMillisecond);

void MoveRouteMatrix(benchmark::State& state)
{
    const BenchPictures& pictures = benchPictures();
    const test::PlainCanvas plain(1600, 1000);
    PlaneView view = routeMatrixLayout(*pictures.routes, {}, plain.canvas).view;
    for (auto _ : state) {
        view.center.x += 0.1;
        benchmark::DoNotOptimize(routeMatrixScene(*pictures.routes, view, plain.canvas, Task()));
    }
}
BENCHMARK(MoveRouteMatrix)->Unit(benchmark::kMillisecond);

/// 65 536 ranks with 12 partners each.
CommMatrixPicture sparsePicture()
{
    constexpr std::uint32_t kRanks = 65'536;
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t rank = 0; rank < kRanks; ++rank)
        for (std::uint32_t i = 0; i < 12; ++i)
            entries.push_back({rank, (rank + (1u << i) * 5) % kRanks, 1 + i, 1000 + rank % 977});
    auto session = std::make_shared<Session>();
    Experiment experiment;
    experiment.commMatrix = std::make_shared<const CommMatrix>(kRanks, std::move(entries));
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    ResultStore results;
    const auto communication = communicationOf(results, session, {}, Task()).value();
    CommMatrixPicture picture;
    picture.table = makeCommMatrixTable(*session, communication, {}, Task()).value();
    picture.endRow = picture.endColumn = kRanks;
    return picture;
}

void sparseMatrix(benchmark::State& state, double rows)
{
    static const CommMatrixPicture whole = sparsePicture();
    CommMatrixPicture picture = whole;
    const test::PlainCanvas plain(1600, 1000);
    for (auto _ : state) {
        picture.firstRow = picture.firstColumn = picture.firstRow + 1 < 1000 ? picture.firstRow + 1 : 0;
        picture.endRow = picture.endColumn = picture.firstRow + rows;
        benchmark::DoNotOptimize(commMatrixScene(picture, plain.canvas, Task()));
    }
}
void MoveSparseMatrixWhole(benchmark::State& state) { sparseMatrix(state, 65'536); }
void MoveSparseMatrixPart(benchmark::State& state) { sparseMatrix(state, 2000); }
BENCHMARK(MoveSparseMatrixWhole)->Unit(benchmark::kMillisecond);
BENCHMARK(MoveSparseMatrixPart)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
