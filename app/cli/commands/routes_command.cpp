// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "app/cli/route_cells.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

struct RouteOptions {
    MachineOptions machine;
    RoutingOptions routing;
    std::vector<std::string> pairs;
    Format format = Format::Table;
};

const std::vector<Field> kRouteFields{
    {"source", "From", FieldKind::Text},        {"target", "To", FieldKind::Text},
    {"messages", "Messages", FieldKind::Count}, {"bytes", "Bytes", FieldKind::Bytes},
    {"hops", "Hops", FieldKind::Count},         {"highest_load", "Highest load", FieldKind::Bytes},
    {"path", "Path", FieldKind::Text},
};

Result<ExitCode> routes(const RouteOptions& options, const Invocation& invocation)
{
    const auto input = openRouted(options.machine, options.routing, invocation);
    if (!input) return Unexpected(input.error());
    const Traffic& traffic = input->traffic;
    const Topology& topology = input->machine.topology;
    if (traffic.paths.size() != traffic.pairs.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("By {} a message takes several ways at once and has no single route.",
                                name(input->model)));
    const auto chosen = chosenRoutes(*input, options.pairs);
    if (!chosen) return Unexpected(chosen.error());
    invocation.task.report(1.0, "");
    auto fields = kRouteFields;
    if (traffic.unit == LoadUnit::Messages) fields[5].kind = FieldKind::Count;
    RecordWriter writer(invocation.out, options.format, fields);
    for (const std::uint32_t route : *chosen) {
        if (invocation.task.stopRequested()) return cancelled();
        const NodePair& pair = traffic.pairs[route];
        const auto path = traffic.paths[route];
        const Cell messages = pair.messages > 0 || pair.bytes == 0 ? Cell(pair.messages) : Cell();
        if (!writer.row({topology.vertexName(pair.from), topology.vertexName(pair.to), messages, pair.bytes,
                         std::uint64_t{path.size()}, highestLoad(path, traffic.loads),
                         pathText(topology, path)}))
            return input->machine.session.exitCode();
    }
    writer.finish();
    return input->machine.session.exitCode();
}

Action defineRoutes(CommandLine& line)
{
    auto options = std::make_shared<RouteOptions>();
    addMachineOptions(line, options->machine);
    addRoutingOptions(line, options->routing);
    addPairs(line, options->pairs);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return routes(*options, invocation); };
}

}  // namespace

Command routesCommand()
{
    return {
        "routes", "The ways that messages take through a machine, a line a pair of nodes",
        "  skein-cli routes comm.txt --topology torus:4x4x4x16x2 --pair 3:17\n"
        "  skein-cli routes comm.txt --topology torus:4x4x4 --routing dimension-order:CBA,tie=positive\n"
        "  skein-cli routes route.txt --topology torus:2x2x4x4x2 --format csv     as they were recorded\n",
        defineRoutes};
}

}  // namespace skein::cli
