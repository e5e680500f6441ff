// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/tree_export.h"

#include "algorithms/profile/restrict.h"

#include "core/base/csv.h"
#include "core/base/shown_path.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace skein {
namespace {

/// A node with everything that formats want to know of it.
struct ExportNode {
    std::string name, file;
    std::uint32_t line = 0, depth = 0;
    std::ptrdiff_t parent = -1;
    RegionRole role = RegionRole::Unknown;
    double calls = 0.0, inclusive = 0.0, exclusive = 0.0;
};

struct ExportTree {
    std::string metric;
    bool time = false;
    std::vector<ExportNode> nodes;  ///< preorder
};

void appendQuoted(std::string& out, std::string_view raw)
{
    const std::string text = toValidUtf8(raw);
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else out += c;
    }
    out += '"';
}

std::string exportNumber(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

ExportNode nodeOf(const Experiment& experiment, const std::string& name, const RegionId* region,
                  const ProfileValues& values)
{
    ExportNode node;
    node.name = name;
    if (region != nullptr) {
        const Region& told = experiment.definitions.region(*region);
        node.file = told.sourceFile;
        node.line = told.beginLine;
        node.role = told.role;
    }
    node.calls = values.calls;
    node.inclusive = values.inclusive;
    node.exclusive = values.exclusive;
    return node;
}

ExportTree exportTreeOf(const Experiment& experiment, const Profile& profile, std::size_t column)
{
    ExportTree tree;
    const MetricCube& cube = profile.callPaths.rows() > 0 ? profile.callPaths : profile.regions;
    tree.time = isTime(experiment, cube, column);
    tree.metric = tree.time && metricName(experiment, cube, column) == "TIME"
        ? "time"
        : metricName(experiment, cube, column);
    if (profile.callPaths.rows() == 0) {
        for (const RegionRow& row : profileByRegion(experiment, profile, column))
            tree.nodes.push_back(nodeOf(experiment, row.name, &row.regions.front(), row.values));
        return tree;
    }
    for (const CallPathRow& row : profileByCallPath(experiment, profile, column)) {
        const RegionId region =
            row.callPaths.empty() ? RegionId() : experiment.callTree->region(row.callPaths.front());
        ExportNode node = nodeOf(experiment, row.name, region.valid() ? &region : nullptr, row.values);
        node.parent = row.parent;
        node.depth = row.depth;
        tree.nodes.push_back(std::move(node));
    }
    return tree;
}

std::string_view hatchetType(RegionRole role)
{
    return role == RegionRole::Loop ? "loop" : role == RegionRole::Code ? "statement" : "function";
}

/// Nested by what is open, without recursion: trees may be deep.
std::string asHatchet(const ExportTree& tree)
{
    constexpr double kSecondsOfNs = 1e-9;
    const double scale = tree.time ? kSecondsOfNs : 1.0;
    std::string out = "[";
    std::size_t open = 0;
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const ExportNode& node = tree.nodes[at];
        const bool first = at == 0 || node.depth == tree.nodes[at - 1].depth + 1;
        for (; open > node.depth; --open) out += "]}";
        if (!first) out += ",";
        out += "\n{\"frame\": {\"name\": ";
        appendQuoted(out, node.name);
        out += fmt::format(", \"type\": \"{}\"}}, \"metrics\": {{", hatchetType(node.role));
        appendQuoted(out, tree.metric);
        out += ": " + exportNumber(node.exclusive * scale) + ", ";
        appendQuoted(out, tree.metric + " (inc)");
        out += fmt::format(": {}, \"calls\": {}}}, \"children\": [", exportNumber(node.inclusive * scale),
                           exportNumber(node.calls));
        ++open;
    }
    for (; open > 0; --open) out += "]}";
    return out + "\n]\n";
}

std::string asCsv(const ExportTree& tree)
{
    OpenPath path;
    std::string out = "id,parent,depth,name,path,file,line,calls,inclusive,exclusive,metric\n";
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const ExportNode& node = tree.nodes[at];
        out += fmt::format("{},{},{},", at, node.parent < 0 ? std::string() : fmt::format("{}", node.parent),
                           node.depth);
        path.enter(node.depth, node.name);
        for (const std::string& text : {node.name, path.joined(" => "), node.file}) {
            appendCsv(out, text);
            out += ',';
        }
        out += fmt::format("{},{},{},{},", node.line, node.calls, node.inclusive, node.exclusive);
        appendCsv(out, tree.metric);
        out += '\n';
    }
    return out;
}

std::string asJson(const ExportTree& tree)
{
    OpenPath open;
    std::string out = "[";
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const ExportNode& node = tree.nodes[at];
        out +=
            fmt::format("{}\n{{\"id\": {}, \"parent\": {}, \"depth\": {}", at == 0 ? "" : ",", at,
                        node.parent < 0 ? std::string("null") : fmt::format("{}", node.parent), node.depth);
        open.enter(node.depth, node.name);
        const std::string path = open.joined(" => ");
        for (const auto& [key, text] :
             {std::pair("name", &node.name), std::pair("path", &path), std::pair("file", &node.file)}) {
            out += fmt::format(", \"{}\": ", key);
            appendQuoted(out, *text);
        }
        out += fmt::format(
            ", \"line\": {}, \"calls\": {}, \"inclusive\": {}, \"exclusive\": {}, \"metric\": ", node.line,
            exportNumber(node.calls), exportNumber(node.inclusive), exportNumber(node.exclusive));
        appendQuoted(out, tree.metric);
        out += '}';
    }
    return out + "\n]\n";
}

/// A name as a frame of a folded stack: no separator, no end of line.
std::string frameText(std::string name)
{
    std::replace(name.begin(), name.end(), ';', ':');
    std::replace(name.begin(), name.end(), '\n', ' ');
    std::replace(name.begin(), name.end(), '\r', ' ');
    return name;
}

std::string asFolded(const ExportTree& tree)
{
    OpenPath stack;
    std::string out;
    for (const ExportNode& node : tree.nodes) {
        stack.enter(node.depth, frameText(node.name));
        const double value = std::round(node.exclusive);
        if (value > 0.0) out += fmt::format("{} {:.0f}\n", stack.joined(";"), value);
    }
    return out;
}

/// Of a long stack the outermost and the innermost frames.
std::vector<std::size_t> shownFrames(const std::vector<std::size_t>& stack)
{
    if (stack.size() <= kMostShownNames) return stack;
    std::vector<std::size_t> shown(stack.begin(), stack.begin() + kShownAtAnEnd);
    shown.insert(shown.end(), stack.end() - kShownAtAnEnd, stack.end());
    return shown;
}

std::string asSpeedscope(const Experiment& experiment, const ExportTree& tree)
{
    std::map<std::string, std::size_t> frames;
    std::string shared, samples, weights;
    std::vector<std::size_t> stack;
    double whole = 0.0;
    for (const ExportNode& node : tree.nodes) {
        std::string frame = "{\"name\": ";
        appendQuoted(frame, node.name);
        if (!node.file.empty()) {
            frame += ", \"file\": ";
            appendQuoted(frame, node.file);
        }
        frame += node.line > 0 ? fmt::format(", \"line\": {}}}", node.line) : "}";
        const auto [found, isNew] = frames.emplace(frame, frames.size());
        if (isNew) shared += (frames.size() == 1 ? "" : ",\n") + frame;
        stack.resize(node.depth);
        stack.push_back(found->second);
        if (!(node.exclusive > 0.0)) continue;
        samples += fmt::format("{}[{}]", samples.empty() ? "" : ",\n", fmt::join(shownFrames(stack), ","));
        weights += fmt::format("{}{}", weights.empty() ? "" : ",", node.exclusive);
        whole += node.exclusive;
    }
    std::string name;
    appendQuoted(name, experiment.name);
    std::string metric;
    appendQuoted(metric, tree.metric);
    return fmt::format(
        "{{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n\"name\": {}, "
        "\"exporter\": \"skein\", \"activeProfileIndex\": 0,\n\"shared\": {{\"frames\": [\n{}]}},\n"
        "\"profiles\": [{{\"type\": \"sampled\", \"name\": {}, \"unit\": \"{}\", \"startValue\": 0, "
        "\"endValue\": {},\n\"samples\": [\n{}],\n\"weights\": [{}]}}]}}\n",
        name, shared, metric, tree.time ? "nanoseconds" : "none", whole, samples, weights);
}

}  // namespace

Result<std::string> exportTree(const Experiment& experiment, const Profile& profile, std::size_t metricColumn,
                               TreeFormat format, const Task& task)
{
    const ExportTree tree = exportTreeOf(experiment, profile, metricColumn);
    if (task.stopRequested()) return cancelled();
    if (tree.nodes.empty())
        return fail(
            ErrorCode::NotRecorded,
            fmt::format("{} holds no call path: there is nothing to export.", experiment.path.string()));
    switch (format) {
    case TreeFormat::Hatchet: return asHatchet(tree);
    case TreeFormat::Csv: return asCsv(tree);
    case TreeFormat::Json: return asJson(tree);
    case TreeFormat::Folded: return asFolded(tree);
    case TreeFormat::Speedscope: break;
    }
    return asSpeedscope(experiment, tree);
}

Result<std::string> exportPart(const Experiment& experiment, const ProfilePart& part, std::string_view metric,
                               TreeFormat format, const Task& task)
{
    ProfilePart of = part;
    of.metric = metric;
    const auto profile = profileOfPart(experiment, of, task);
    if (!profile) return Unexpected(profile.error());
    const auto column = metricColumn(experiment, **profile, metric);
    if (!column) return Unexpected(column.error());
    return exportTree(experiment, **profile, *column, format, task);
}

}  // namespace skein
