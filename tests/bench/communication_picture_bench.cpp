// SPDX-License-Identifier: GPL-3.0-or-later
// From a hop-byte file of more than 60 000 communications to the first picture, and what a pan or zoom of
// each picture of communication costs.
#include "tests/bench/communication_pictures.h"
#include "tests/support/scenes.h"
#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/machine/machine_scene.h"
#include "views/route_matrix/route_matrix_scene.h"

#include <benchmark/benchmark.h>

namespace skein {
namespace {

using namespace bench;

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
    MachinePicture machine = machinePicture(machinePlan(communication->machine->topology, Task()).value(),
                                            {{"run", communication}}, 0);
    RouteMatrixPicturePtr routes = routeMatrixPicture(communication, {}, {}, Task()).value();
};

const BenchPictures& benchPictures()
{
    static const BenchPictures pictures;
    return pictures;
}

void moveCommunication(benchmark::State& state, const MovedPicture& moved, const FlowDensityMap* map)
{
    const test::PlainCanvas plain(1600, 1000);
    PlaneView view = communicationLayout(moved.picture, {}, plain.canvas).view;
    view.pixels *= static_cast<double>(state.range(0));
    for (auto _ : state) {
        view.center.x += 0.01;
        view.pixels *= 1.0001;
        benchmark::DoNotOptimize(
            movingCommunicationScene(moved.picture, view, plain.canvas, map, Task().withThreads(1)));
    }
}
void MoveCommunication(benchmark::State& state)
{
    moveCommunication(state, manyRoutes(), manyRoutes().map.get());
}
void MoveCommunicationBeforeMap(benchmark::State& state) { moveCommunication(state, manyRoutes(), nullptr); }
void MoveMillionPairs(benchmark::State& state)
{
    moveCommunication(state, manyPairs(), manyPairs().map.get());
}
BENCHMARK(MoveCommunication)->Arg(1)->Arg(4)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK(MoveCommunicationBeforeMap)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(MoveMillionPairs)->Arg(1)->Arg(4)->Arg(32)->Unit(benchmark::kMillisecond);

void communicationAtRest(benchmark::State& state, const MovedPicture& moved)
{
    const test::PlainCanvas plain(1600, 1000);
    for (auto _ : state)
        benchmark::DoNotOptimize(communicationScene(moved.picture, {}, plain.canvas, Task().withThreads(1)));
}
void CommunicationAtRest(benchmark::State& state) { communicationAtRest(state, manyRoutes()); }
void MillionPairsAtRest(benchmark::State& state) { communicationAtRest(state, manyPairs()); }
void DensityMapOfRoutes(benchmark::State& state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(flowDensityMap(manyRoutes().picture, Task().withThreads(1)));
}
BENCHMARK(CommunicationAtRest)->Unit(benchmark::kMillisecond);
BENCHMARK(MillionPairsAtRest)->Unit(benchmark::kMillisecond);
BENCHMARK(DensityMapOfRoutes)->Unit(benchmark::kMillisecond);

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
