// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/machine_check.h"

#include "algorithms/comm/collective_schedule.h"
#include "algorithms/mapping/report/machine_texts.h"
#include "core/base/units.h"
#include "core/io/importer.h"
#include "core/io/launcher/map_files.h"
#include "core/io/topology/topology_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skein {
namespace {

std::string countOf(std::uint64_t count, const char* one, const char* several)
{
    return fmt::format("{} {}", formatGrouped(static_cast<std::int64_t>(count)), count == 1 ? one : several);
}

std::string familyText(const Topology& topology)
{
    std::string family(familyName(topology));
    family[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(family[0])));
    std::string text = fmt::format("{} of {}", family, countOf(topology.nodes(), "node", "nodes"));
    if (topology.vertices() > topology.nodes())
        text += ", " + countOf(topology.vertices() - topology.nodes(), "router", "routers");
    return text + " and " + countOf(topology.links(), "directed link", "directed links");
}

std::string placementText(const PlacedMachine& machine)
{
    if (machine.placement.ranks() == 0) return "Routes are shown as recorded; ranks have no place.";
    std::set<VertexIndex> nodes;
    for (std::uint32_t rank = 0; rank < machine.placement.ranks(); ++rank)
        nodes.insert(machine.placement.nodeOf(rank));
    return fmt::format("{} on {} of {}, at most {} each, placed by {}.",
                       countOf(machine.placement.ranks(), "rank", "ranks"),
                       formatGrouped(static_cast<std::int64_t>(nodes.size())),
                       countOf(machine.placement.nodes(), "node", "nodes"), machine.placement.ranksPerNode(),
                       machine.placementName);
}

/// Whose description of the machine counts, and what of it is not so.
std::string sourceText(const MachineCheck& check, const Experiment& experiment)
{
    std::string text = ".";
    if (check.choice.topology.empty())
        text =
            std::ranges::all_of(experiment.definitions.topologies,
                                [](const CartesianTopology& topology) { return topology.dimensions.empty(); })
            ? fmt::format(", {} as the archive names it.", check.topology->spec())
            : ", from the archive's Cartesian topology.";
    const std::string dragonfly = dragonflyOfCrayXc(*check.topology);
    if (dragonfly.empty()) return text;
    return text
        + fmt::format(" A Cray XC is a dragonfly, which this approximates: {} has the same numbers of nodes.",
                      dragonfly);
}

std::string factsOf(const MachineCheck& check, const Experiment& experiment)
{
    if (!check.topology)
        return "No machine: communication is shown by ranks alone. Describe a machine to see links.";
    std::string facts = familyText(*check.topology);
    facts += sourceText(check, experiment);
    if (!check.machine) return facts;
    facts += " " + placementText(*check.machine);
    if (!check.machine->remark.empty()) facts += " " + check.machine->remark;
    facts += check.machine->recordedOnly ? " Messages go as recorded."
                                         : fmt::format(" Messages go by {}.", name(check.machine->model));
    if (check.machine->measured && !check.machine->recordedOnly)
        facts +=
            fmt::format(" {} win over it.",
                        countOf(check.machine->measured->paths.size(), "recorded route", "recorded routes"));
    if (check.machine->unusable > 0)
        facts += fmt::format(" {} that do not fit the machine are left out.",
                             countOf(check.machine->unusable, "recorded route", "recorded routes"));
    return facts;
}

/// Which part a machine that could not be placed has wrong: the parts are taken away one after the other.
MachinePart wrongPart(const MachineChoice& choice, const Topology& topology, const Experiment& experiment)
{
    if (!parseRoutingModel(choice.routing.empty() ? "auto" : choice.routing, topology))
        return MachinePart::Routing;
    if (!choice.routes.empty() || experiment.routes) return MachinePart::Routes;
    return MachinePart::Placement;
}

std::string oneSentence(const Error& error) { return error.text(); }

/// Whether a file's text is a machine that can be built.
bool describesMachine(const std::filesystem::path& file, const Task& task)
{
    return readTopologyFile(file, task).has_value();
}

}  // namespace

Result<MachineCheck> checkMachine(ResultStore& results, const SessionPtr& session, std::uint32_t experiment,
                                  const MachineChoice& choice, std::uint32_t ranks, const Task& task)
{
    MachineCheck check;
    check.choice = choice;
    const auto stop = [&](MachinePart part, const Error& error) -> Result<MachineCheck> {
        if (error.cancelled()) return cancelled();
        check.wrong = part;
        check.problem = oneSentence(error);
        check.facts = check.topology ? factsOf(check, *session->experiments[experiment]) : std::string();
        return check;
    };
    auto topology = topologyOfChoice(results, session, experiment, choice, task);
    if (!topology) return stop(MachinePart::Topology, topology.error());
    check.topology = std::move(*topology);
    auto machine = placedMachineOf(results, session, experiment, choice, ranks, task);
    if (!machine)
        return stop(check.topology ? wrongPart(choice, *check.topology, *session->experiments[experiment])
                                   : MachinePart::Topology,
                    machine.error());
    check.machine = std::move(*machine);
    if (!choice.collectives.empty() && choice.collectives != "none") {
        const auto algorithm = parseCollectiveAlgorithm(choice.collectives);
        if (!algorithm) return stop(MachinePart::Collectives, algorithm.error());
    }
    check.facts = factsOf(check, *session->experiments[experiment]);
    return check;
}

Result<MachineChoice> choiceWithFile(MachineChoice choice, const std::filesystem::path& file,
                                     const Task& task)
{
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(file, ignored);
    if (!folder && describesMachine(file, task)) {
        choice.topology = "topology:" + file.string();
        return choice;
    }
    if (task.stopRequested()) return cancelled();
    if (!folder && readMapFile(file, nullptr, {}, {})) {
        choice.placement = file.string();
        return choice;
    }
    const auto archive = openExperiment(file, task);
    if (!archive && archive.error().cancelled()) return cancelled();
    if (archive && (*archive)->routes) {
        choice.routes = file.string();
        return choice;
    }
    const bool tells = archive
        && (!machineNamedBy(**archive).empty()
            || std::ranges::any_of((*archive)->definitions.topologies,
                                   [](const CartesianTopology& of) { return !of.dimensions.empty(); }));
    if (!tells)
        return fail(
            ErrorCode::NotRecognized,
            fmt::format("{} describes no machine, no placement and no routes: a topology.conf, the "
                        "output of ibnetdiscover, an edge list, hwloc's XML, a launcher's map, a route "
                        "file or an archive with a Cartesian topology does.",
                        file.filename().string()));
    choice.topology = "topology:" + file.string();
    return choice;
}

std::vector<std::string> routingsOf(const Topology& topology)
{
    std::vector<std::string> texts{"auto"};
    for (const char* text : {"dimension-order", "minimal", "valiant", "d-mod-k", "shortest", "ecmp"}) {
        if (parseRoutingModel(text, topology)) texts.emplace_back(text);
    }
    return texts;
}

std::vector<std::string> collectiveChoices()
{
    std::vector<std::string> texts{"none", "default"};
    for (const CollectiveAlgorithm algorithm :
         {CollectiveAlgorithm::Binomial, CollectiveAlgorithm::Bruck, CollectiveAlgorithm::Dissemination,
          CollectiveAlgorithm::Pairwise, CollectiveAlgorithm::RecursiveDoubling, CollectiveAlgorithm::Ring})
        texts.emplace_back(name(algorithm));
    return texts;
}

}  // namespace skein
