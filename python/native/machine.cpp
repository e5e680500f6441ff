// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_input.h"
#include "core/index/disk/open_archive.h"
#include "python/native/archive.h"
#include "python/native/arrays.h"

namespace skein::python {
namespace {

Result<ExperimentPtr> openIndexed(const std::filesystem::path& path, const Task& task)
{
    auto opened = disk::openArchive(path, disk::settingsFromEnvironment(), task);
    if (!opened) return Unexpected(std::move(opened.error()));
    return std::move(opened->experiment);
}

Result<Topology> topologyOf(const std::string& spec, const Task& task)
{
    std::string text;
    cli::Sink out(text), err(text);
    return cli::topologyOf(spec, {out, err, task, false, openIndexed, disk::settingsFromEnvironment()});
}

py::list dimensionsOf(const Topology& topology)
{
    py::list sizes;
    for (const GridDimension& dimension : topology.numbering()) sizes.append(dimension.size);
    return sizes;
}

/// Links of grids may follow from a rule: they are written out here.
py::dict machine(const std::string& spec, const py::object& progress)
{
    const Topology topology = made({progress, 0}, [&](const Task& task) { return topologyOf(spec, task); });
    std::vector<std::uint32_t> sources(topology.links()), targets(topology.links());
    std::vector<float> capacities(topology.links());
    for (LinkIndex link = 0; link < topology.links(); ++link) {
        sources[link] = topology.source(link);
        targets[link] = topology.target(link);
        capacities[link] = topology.capacity(link);
    }
    py::dict fields;
    fields["spec"] = textOf(topology.spec());
    fields["family"] = std::string(familyName(topology));
    fields["nodes"] = topology.nodes();
    fields["vertices"] = topology.vertices();
    fields["dimensions"] = dimensionsOf(topology);
    fields["source"] = ownArray(std::move(sources));
    fields["target"] = ownArray(std::move(targets));
    fields["capacity"] = ownArray(std::move(capacities));
    return fields;
}

}  // namespace

void defineMachine(py::module_& module)
{
    module.def("machine", &machine, py::arg("spec"), py::arg("progress") = py::none());
}

}  // namespace skein::python
