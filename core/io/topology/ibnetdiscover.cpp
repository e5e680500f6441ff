// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/text.h"
#include "core/io/topology/fabric_builder.h"
#include "core/io/topology/formats.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <unordered_map>

namespace skein::topology {
namespace {

/// A port line of a block, or the head of one.
struct BlockHead {
    FabricKind kind = FabricKind::Router;
    std::string_view id;       ///< "S-f4521403002b8170"
    std::string_view comment;  ///< "node01 HCA-1"
};

/// The n-th text between double quotes, from `at` on.
std::string_view quoted(std::string_view line, std::size_t at = 0)
{
    const std::size_t open = line.find('"', at);
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

std::optional<BlockHead> headOf(std::string_view line)
{
    const auto words = launcher::words(line);
    if (words.size() < 3 || !launcher::number(words[1])) return std::nullopt;
    BlockHead head;
    if (words[0] == "Ca") head.kind = FabricKind::Node;
    else if (words[0] != "Switch" && words[0] != "Rt") return std::nullopt;
    head.id = quoted(line);
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos) head.comment = quoted(line, hash);
    return head.id.empty() ? std::nullopt : std::optional(head);
}

struct Speed {
    std::string_view name;
    float gigabitsPerLane;
};

/// Data rates of a lane, from the InfiniBand trade association's roadmap.
constexpr std::array<Speed, 9> kSpeeds{{{"SDR", 2.0f},
                                        {"DDR", 4.0f},
                                        {"QDR", 8.0f},
                                        {"FDR10", 10.0f},
                                        {"FDR", 13.64f},
                                        {"EDR", 25.0f},
                                        {"HDR", 50.0f},
                                        {"NDR", 100.0f},
                                        {"XDR", 200.0f}}};

/// "4xFDR" at a line's end in Gbit/s; 1 where it is not told.
float portCapacity(std::string_view line)
{
    const auto words = launcher::words(line);
    const std::string_view last = words.empty() ? std::string_view() : words.back();
    const std::size_t x = last.find('x');
    const auto lanes = x == std::string_view::npos ? std::nullopt : launcher::number(last.substr(0, x));
    if (!lanes || *lanes == 0) return 1.0f;
    for (const Speed& speed : kSpeeds)
        if (last.substr(x + 1) == speed.name) return static_cast<float>(*lanes) * speed.gigabitsPerLane;
    return 1.0f;
}

/// Hosts are known by the first word of their adapters' descriptions, so that a host with two adapters is one
/// node.
std::string blockName(const BlockHead& head)
{
    std::string_view text = head.comment;
    if (head.kind == FabricKind::Router) return std::string(head.id);
    while (text.starts_with('\'') || text.starts_with(' ')) text.remove_prefix(1);
    const auto words = launcher::words(text);
    return words.empty() ? std::string(head.id) : std::string(words.front());
}

bool isPortLine(std::string_view line) { return line.starts_with('['); }

Result<Topology> readFabric(std::string_view text, const std::string& spec, const Task& task)
{
    FabricBuilder fabric;
    std::unordered_map<std::string, std::uint32_t> byId;
    // Comments carry the names: the lines are taken whole.
    const auto lines = launcher::split(text, '\n');
    for (const std::string_view line : lines)
        if (const auto head = headOf(line))
            byId[std::string(head->id)] = fabric.vertex(blockName(*head), head->kind);
    std::uint32_t at = kNoVertex;
    for (std::size_t i = 0; i < lines.size() && fabric.withinLimits(); ++i) {
        if (i % 4096 == 0 && task.stopRequested()) return cancelled();
        if (const auto head = headOf(lines[i])) at = byId.at(std::string(head->id));
        if (!isPortLine(lines[i]) || at == kNoVertex) continue;
        const std::string_view peer = quoted(lines[i]);
        if (peer.empty()) return launcher::badLine(i + 1, "the port's other end is expected in quotes");
        // A fabric that was written in part names ends that have no block of their own.
        const auto found = byId.find(std::string(peer));
        const FabricKind kind = peer.starts_with("H-") ? FabricKind::Node : FabricKind::Router;
        const std::uint32_t other = found != byId.end() ? found->second : fabric.vertex(peer, kind);
        fabric.link(at, other, portCapacity(lines[i]));
        if (found == byId.end()) fabric.link(other, at, portCapacity(lines[i]));
    }
    return fabric.finish(spec);
}

bool recognizesFabric(std::string_view text)
{
    for (const std::string_view line : launcher::split(text.substr(0, 1u << 14), '\n'))
        if (headOf(line)) return true;
    return false;
}

}  // namespace

TopologyFormat ibnetdiscoverFormat()
{
    return {"ibnetdiscover", "Output of ibnetdiscover", recognizesFabric, readFabric};
}

}  // namespace skein::topology
