// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/synthetic_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <string>

namespace skein::bench {
namespace {

struct Names {
    CallTreeBuilder tree;
    Definitions definitions;

    CallPathId path(CallPathId parent, const std::string& name, Paradigm paradigm)
    {
        auto& regions = definitions.regions;
        auto found =
            std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.name == name; });
        if (found == regions.end()) {
            regions.emplace_back();
            regions.back().name = name;
            regions.back().paradigm = paradigm;
            found = regions.end() - 1;
        }
        return tree.child(parent, RegionId(static_cast<std::size_t>(found - regions.begin())));
    }
};

struct Paths {
    CallPathId main, step, compute, cell, flux, exchange, isend, irecv, wait, reduce, allreduce;
};

Paths definePaths(Names& names)
{
    Paths p;
    p.main = names.path({}, "main", Paradigm::User);
    p.step = names.path(p.main, "Domain::timeStep(double)", Paradigm::User);
    p.compute = names.path(p.step, "Domain::compute(std::vector<double> const&)", Paradigm::User);
    p.cell = names.path(p.compute, "updateCell", Paradigm::User);
    p.flux = names.path(p.cell, "flux", Paradigm::User);
    p.exchange = names.path(p.step, "exchangeHalo", Paradigm::User);
    p.isend = names.path(p.exchange, "MPI_Isend", Paradigm::Mpi);
    p.irecv = names.path(p.exchange, "MPI_Irecv", Paradigm::Mpi);
    p.wait = names.path(p.exchange, "MPI_Waitall", Paradigm::Mpi);
    p.reduce = names.path(p.step, "residual", Paradigm::User);
    p.allreduce = names.path(p.reduce, "MPI_Allreduce", Paradigm::Mpi);
    return p;
}

/// Writes the calls of one location.
class Writer {
public:
    explicit Writer(std::uint32_t seed) : random_(seed) {}

    TimeNs now = 0;

    std::size_t enter(CallPathId path)
    {
        begins_.push(now);
        ends_.push(now);
        paths_.push(path.value());
        depths_.push(depth_++);
        return begins_.size() - 1;
    }
    void leave(std::size_t call)
    {
        ends_[call] = now;
        --depth_;
    }
    void spend(int aboutNs)
    {
        now += aboutNs / 2 + static_cast<int>(random_() % static_cast<unsigned>(aboutNs));
    }
    void call(CallPathId path, int aboutNs)
    {
        const std::size_t index = enter(path);
        spend(aboutNs);
        leave(index);
    }
    std::size_t size() const { return begins_.size(); }
    CallIntervals finish() { return {begins_.finish(), ends_.finish(), paths_.finish(), depths_.finish()}; }

private:
    std::minstd_rand random_;
    ColumnBuilder<TimeNs> begins_, ends_;
    ColumnBuilder<std::uint32_t> paths_;
    ColumnBuilder<std::uint16_t> depths_;
    std::uint16_t depth_ = 0;
};

void writeStep(Writer& writer, const Paths& p)
{
    const std::size_t step = writer.enter(p.step);
    const std::size_t compute = writer.enter(p.compute);
    for (int cell = 0; cell < 20; ++cell) {
        const std::size_t update = writer.enter(p.cell);
        writer.spend(300);
        writer.call(p.flux, 500);
        writer.leave(update);
    }
    writer.leave(compute);
    const std::size_t exchange = writer.enter(p.exchange);
    for (int neighbour = 0; neighbour < 4; ++neighbour) writer.call(p.irecv, 80);
    for (int neighbour = 0; neighbour < 4; ++neighbour) writer.call(p.isend, 200);
    writer.call(p.wait, 6000);
    writer.leave(exchange);
    const std::size_t reduce = writer.enter(p.reduce);
    writer.call(p.allreduce, 4000);
    writer.leave(reduce);
    writer.leave(step);
}

LocationTrace writeLocation(std::uint32_t location, std::uint64_t calls, const Paths& paths)
{
    Writer writer(location + 1);
    const std::size_t main = writer.enter(paths.main);
    while (writer.size() < calls) writeStep(writer, paths);
    writer.leave(main);
    LocationTrace trace;
    trace.events = writer.size() * 2;
    trace.extent = {0, writer.now};
    trace.intervals = writer.finish();
    return trace;
}

Column<Message> ringMessages(const Trace& trace, std::uint64_t count)
{
    std::vector<Message> messages;
    const auto locations = static_cast<std::uint64_t>(trace.locations.size());
    for (std::uint64_t i = 0; i < count; ++i) {
        Message message;
        message.sender = LocationId(static_cast<std::size_t>(i % locations));
        message.receiver = LocationId(static_cast<std::size_t>((i + 1) % locations));
        message.sendTime = static_cast<TimeNs>(static_cast<double>(trace.extent.end) * static_cast<double>(i)
                                               / static_cast<double>(count));
        message.receiveTime = message.sendTime + 5000;
        message.bytes = 8192;
        messages.push_back(message);
    }
    return Column<Message>(std::move(messages));
}

}  // namespace

ExperimentPtr syntheticExperiment(std::uint32_t locations, std::uint64_t events, std::uint32_t perNode)
{
    Names names;
    const Paths paths = definePaths(names);
    Trace trace;
    for (std::uint32_t location = 0; location < locations; ++location) {
        trace.locations.push_back(writeLocation(location, events / 2 / locations, paths));
        trace.extent = trace.extent.united(trace.locations.back().extent);
        LocationGroup group;
        group.name = fmt::format("MPI Rank {}", location);
        group.kind = LocationGroupKind::Process;
        group.rank = location;
        group.node = SystemTreeNodeId(location / perNode);
        names.definitions.locationGroups.push_back(group);
        Location definition;
        definition.kind = LocationKind::CpuThread;
        definition.name = "Master thread";
        definition.group = LocationGroupId(location);
        definition.rank = location;
        names.definitions.locations.push_back(definition);
    }
    for (std::uint32_t node = 0; node * perNode < locations; ++node)
        names.definitions.systemTree.push_back({fmt::format("node{:03}", node), "node", {}, {}});
    trace.messages = ringMessages(trace, events / 60);
    auto experiment = std::make_shared<Experiment>();
    experiment->name = "synthetic";
    experiment->format = "synthetic";
    experiment->definitions = std::move(names.definitions);
    experiment->callTree = std::make_shared<const CallTree>(std::move(names.tree).finish());
    experiment->trace = std::make_shared<const Trace>(std::move(trace));
    return experiment;
}

}  // namespace skein::bench
