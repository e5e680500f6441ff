// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/topology/fabric_builder.h"
#include "core/io/topology/formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skein::topology {
namespace {

/// An object of the tree, as far as it matters.
struct HardwareObject {
    std::string type;
    std::size_t parent = 0;
    std::size_t units = 0;     ///< nodes of the machine at or below
    std::size_t branches = 0;  ///< children that hold any
};

/// The value of an attribute of a tag; empty where it has none.
std::string_view tagAttribute(std::string_view tag, std::string_view name)
{
    const std::string wanted = fmt::format(" {}=\"", name);
    const std::size_t begin = tag.find(wanted);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = tag.find('"', begin + wanted.size());
    return end == std::string_view::npos ? std::string_view()
                                         : tag.substr(begin + wanted.size(), end - begin - wanted.size());
}

/// Walks over the tags of the XML; nothing else of it is needed.
Result<std::vector<HardwareObject>> readObjects(std::string_view text, const Task& task)
{
    std::vector<HardwareObject> objects;
    std::vector<std::size_t> open;
    std::size_t at = 0;
    while ((at = text.find('<', at)) != std::string_view::npos) {
        const std::size_t end = text.find('>', at);
        if (end == std::string_view::npos) break;
        const std::string_view tag = text.substr(at + 1, end - at - 1);
        at = end;
        if (tag == "/object" && !open.empty()) open.pop_back();
        if (!tag.starts_with("object ")) continue;
        if (objects.size() % 4096 == 0 && task.stopRequested()) return cancelled();
        if (objects.size() > Topology::kMaximumVertices)
            return fail(ErrorCode::OutOfMemory, "The hardware description has too many objects.");
        objects.push_back({std::string(tagAttribute(tag, "type")), open.empty() ? 0 : open.back(), 0, 0});
        if (!tag.ends_with('/')) open.push_back(objects.size() - 1);
    }
    return objects;
}

/// Counts units upwards; children come after their parents.
void countUnits(std::vector<HardwareObject>& objects, std::string_view unit)
{
    for (std::size_t i = objects.size(); i-- > 0;) {
        if (objects[i].type == unit) objects[i].units = 1;
        if (i == 0 || objects[i].units == 0) continue;
        HardwareObject& parent = objects[objects[i].parent];
        parent.units += objects[i].units;
        ++parent.branches;
    }
}

Result<Topology> readHardware(std::string_view text, const std::string& spec, const Task& task)
{
    auto read = readObjects(text, task);
    if (!read) return Unexpected(read.error());
    auto& objects = *read;
    const auto isCore = [](const HardwareObject& object) { return object.type == "Core"; };
    const std::string_view unit = std::any_of(objects.begin(), objects.end(), isCore) ? "Core" : "PU";
    countUnits(objects, unit);
    FabricBuilder fabric;
    std::vector<std::uint32_t> vertices(objects.size(), kNoVertex);
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const HardwareObject& object = objects[i];
        const bool isUnit = object.type == unit;
        const bool inUnit = i > 0 && objects[object.parent].type == unit;
        if (inUnit || object.units == 0 || (!isUnit && object.branches < 2)) {
            // What does not branch is passed through to what holds it.
            vertices[i] = i == 0 ? kNoVertex : vertices[object.parent];
            continue;
        }
        vertices[i] = fabric.vertex(fmt::format("{} {}", object.type, numbers[object.type]++),
                                    isUnit ? FabricKind::Node : FabricKind::Router);
        if (i > 0 && vertices[object.parent] != kNoVertex)
            fabric.cable(vertices[i], vertices[object.parent], 1.0f);
    }
    return fabric.finish(spec);
}

bool recognizesHardware(std::string_view text)
{
    const std::string_view start = text.substr(0, 1u << 12);
    return start.find("<topology") != std::string_view::npos
        && start.find("<object ") != std::string_view::npos;
}

}  // namespace

TopologyFormat hwlocFormat() { return {"hwloc", "hwloc XML", recognizesHardware, readHardware}; }

}  // namespace skein::topology
