// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/definitions.h"
#include "core/machine/placement.h"
#include "python/native/archive.h"
#include "python/native/arrays.h"

#include <functional>

namespace skein::python {
namespace {

/// One list a field of the rows.
template <typename Row, typename Text>
py::list texts(const std::vector<Row>& rows, const Text& text)
{
    py::list list;
    for (const Row& row : rows) list.append(textOf(std::string(text(row))));
    return list;
}

template <typename Number, typename Row, typename Take>
py::array numbers(const std::vector<Row>& rows, const Take& take)
{
    std::vector<Number> values;
    values.reserve(rows.size());
    for (const Row& row : rows) values.push_back(static_cast<Number>(take(row)));
    return ownArray(std::move(values));
}

/// Ids that name nothing are -1.
template <typename IdType>
std::int64_t numberOf(IdType id)
{
    return id.valid() ? static_cast<std::int64_t>(id.value()) : -1;
}

py::dict locations(const Archive& archive)
{
    const Definitions& definitions = archive.experiment->definitions;
    const auto& rows = definitions.locations;
    py::list shown;
    for (std::uint32_t id = 0; id < rows.size(); ++id)
        shown.append(textOf(displayName(definitions, LocationId(id))));
    py::dict fields;
    fields["name"] = shown;
    fields["rank"] = numbers<std::int64_t>(rows, [](const Location& row) { return row.rank; });
    fields["thread"] = numbers<std::int32_t>(rows, [](const Location& row) { return row.thread; });
    fields["kind"] = texts(rows, [](const Location& row) { return name(row.kind); });
    fields["group"] = numbers<std::int64_t>(rows, [](const Location& row) { return numberOf(row.group); });
    fields["recorded_name"] = texts(rows, [](const Location& row) { return row.name; });
    fields["recorded_id"] = numbers<std::uint64_t>(rows, [](const Location& row) { return row.originalId; });
    return fields;
}

py::dict regions(const Archive& archive)
{
    const auto& rows = archive.experiment->definitions.regions;
    py::dict fields;
    fields["name"] = texts(rows, [](const Region& row) { return row.name; });
    fields["short_name"] = texts(rows, [](const Region& row) { return displayName(row); });
    fields["role"] = texts(rows, [](const Region& row) { return name(row.role); });
    fields["paradigm"] = texts(rows, [](const Region& row) { return name(row.paradigm); });
    fields["file"] = texts(rows, [](const Region& row) { return row.sourceFile; });
    fields["line"] = numbers<std::uint32_t>(rows, [](const Region& row) { return row.beginLine; });
    return fields;
}

py::dict metrics(const Archive& archive)
{
    const auto& rows = archive.experiment->definitions.metrics;
    py::dict fields;
    fields["name"] = texts(rows, [](const Metric& row) { return row.name; });
    fields["unit"] = texts(rows, [](const Metric& row) { return row.unit; });
    fields["kind"] = texts(rows, [](const Metric& row) { return name(row.kind); });
    fields["mode"] = texts(rows, [](const Metric& row) { return name(row.mode); });
    fields["description"] = texts(rows, [](const Metric& row) { return row.description; });
    return fields;
}

py::dict communicators(const Archive& archive)
{
    const auto& rows = archive.experiment->definitions.communicators;
    py::list members;
    for (const Communicator& row : rows) {
        std::vector<std::int64_t> ids;
        for (const LocationId member : row.members) ids.push_back(numberOf(member));
        members.append(ownArray(std::move(ids)));
    }
    py::dict fields;
    fields["name"] = texts(rows, [](const Communicator& row) { return row.name; });
    fields["parent"] =
        numbers<std::int64_t>(rows, [](const Communicator& row) { return numberOf(row.parent); });
    fields["members"] = members;
    return fields;
}

py::dict systemTree(const Archive& archive)
{
    const auto& rows = archive.experiment->definitions.systemTree;
    py::dict fields;
    fields["name"] = texts(rows, [](const SystemTreeNode& row) { return row.name; });
    fields["class_name"] = texts(rows, [](const SystemTreeNode& row) { return row.className; });
    fields["parent"] =
        numbers<std::int64_t>(rows, [](const SystemTreeNode& row) { return numberOf(row.parent); });
    return fields;
}

py::dict locationGroups(const Archive& archive)
{
    const auto& rows = archive.experiment->definitions.locationGroups;
    py::dict fields;
    fields["name"] = texts(rows, [](const LocationGroup& row) { return row.name; });
    fields["kind"] = texts(rows, [](const LocationGroup& row) { return name(row.kind); });
    fields["rank"] = numbers<std::int64_t>(rows, [](const LocationGroup& row) { return row.rank; });
    fields["node"] = numbers<std::int64_t>(rows, [](const LocationGroup& row) { return numberOf(row.node); });
    return fields;
}

py::dict callTree(const Archive& archive)
{
    const CallTree& tree = *archive.experiment->callTree;
    std::vector<std::uint32_t> depths;
    depths.reserve(tree.size());
    for (std::uint32_t node = 0; node < tree.size(); ++node) depths.push_back(tree.depth(CallPathId(node)));
    py::dict fields;
    fields["parent"] = columnArray(tree.parents());
    fields["region"] = columnArray(tree.regions());
    fields["call_site"] = columnArray(tree.callSites());
    fields["depth"] = ownArray(std::move(depths));
    return fields;
}

py::list hosts(const Archive& archive)
{
    py::list names;
    for (const std::string& host : hostsOfRanks(archive.experiment->definitions)) names.append(textOf(host));
    return names;
}

}  // namespace

void defineDefinitions(py::module_& module)
{
    module.def("locations", &locations);
    module.def("location_groups", &locationGroups);
    module.def("regions", &regions);
    module.def("metrics", &metrics);
    module.def("communicators", &communicators);
    module.def("system_tree", &systemTree);
    module.def("call_tree", &callTree);
    module.def("hosts", &hosts);
}

}  // namespace skein::python
