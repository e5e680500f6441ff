// SPDX-License-Identifier: GPL-3.0-or-later
// Flux `--taskmap=manual:[[nodeid,nnodes,ppn,repeat],…]` (Flux RFC 34): each block puts ppn ranks on each of
// nnodes consecutive nodes, `repeat` times over.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein::launcher {
namespace {

struct Block {
    std::uint32_t node = 0, nodes = 1, perNode = 0, repeat = 1;
};

std::vector<Block> blocksOf(const RankMap& map)
{
    std::vector<Block> blocks;
    for (const HostRun& run : hostRuns(map)) {
        if (!blocks.empty()) {
            Block& last = blocks.back();
            if (last.repeat == 1 && last.perNode == run.ranks && last.node + last.nodes == run.host) {
                ++last.nodes;
                continue;
            }
        }
        blocks.push_back({run.host, 1, run.ranks, 1});
        if (blocks.size() < 2) continue;
        Block& before = blocks[blocks.size() - 2];
        const Block& last = blocks.back();
        if (before.nodes == 1 && before.node == last.node && before.perNode == last.perNode) {
            ++before.repeat;
            blocks.pop_back();
        }
    }
    // Equal blocks of several nodes that follow each other are one that repeats.
    std::vector<Block> merged;
    for (const Block& block : blocks) {
        if (!merged.empty() && merged.back().node == block.node && merged.back().nodes == block.nodes
            && merged.back().perNode == block.perNode)
            merged.back().repeat += block.repeat;
        else merged.push_back(block);
    }
    return merged;
}

Result<std::string> writeTaskMap(const RankMap& map, const MapFileOptions&)
{
    std::string text;
    for (const Block& block : blocksOf(map))
        text += fmt::format("{}[{},{},{},{}]", text.empty() ? "" : ",", block.node, block.nodes,
                            block.perNode, block.repeat);
    return "[" + text + "]\n";
}

Result<void> appendBlock(const nlohmann::json& block, PlaceCollector& collector, std::uint32_t& rank)
{
    std::uint64_t values[4];
    if (!block.is_array() || block.size() != 4)
        return fail(ErrorCode::Malformed, "A task map's block is [node, nodes, ranks, repeat].");
    for (std::size_t i = 0; i < 4; ++i) {
        if (!block[i].is_number_unsigned() || block[i].get<std::uint64_t>() >= kMostRanks)
            return fail(ErrorCode::Malformed, "A task map's block holds four whole numbers.");
        values[i] = block[i].get<std::uint64_t>();
    }
    if (values[2] > kMostRanksOfCount)
        return fail(
            ErrorCode::Malformed,
            fmt::format("A task map's block puts {} ranks on a node: no node holds so many.", values[2]));
    // Each factor is below 2^26, so the first product cannot overflow; the second is checked by division.
    const std::uint64_t once = values[1] * values[2];
    if (once == 0 || values[3] == 0 || once >= kMostRanks || values[3] > kMostRanks / once
        || rank + once * values[3] > kMostRanks)
        return fail(ErrorCode::Malformed, "A task map's block places no rank, or far too many.");
    for (std::uint64_t repeat = 0; repeat < values[3]; ++repeat)
        for (std::uint64_t node = values[0]; node < values[0] + values[1]; ++node) {
            if (node >= collector.hostCount())
                return fail(ErrorCode::Malformed,
                            fmt::format("The task map names node {} of {}.", node, collector.hostCount()));
            collector.placeRunInRankOrder(rank, static_cast<std::uint32_t>(values[2]),
                                          static_cast<std::uint32_t>(node));
            rank += static_cast<std::uint32_t>(values[2]);
        }
    return {};
}

std::string_view listOf(std::string_view text)
{
    text = trimmed(text);
    const auto start = text.find("[[");
    return start == std::string_view::npos ? text : text.substr(start);
}

Result<RankMap> readTaskMap(std::string_view text, const std::vector<MapHost>& hosts, const MapFileOptions&)
{
    if (hosts.empty())
        return fail(ErrorCode::InvalidArgument,
                    "A task map numbers the nodes of the job: say which hosts those are.");
    const auto blocks = nlohmann::json::parse(listOf(text), nullptr, false);
    if (!blocks.is_array())
        return fail(ErrorCode::Malformed,
                    "A task map is a list of blocks, [[node, nodes, ranks, repeat], …].");
    PlaceCollector collector(hosts);
    std::uint32_t rank = 0;
    for (const auto& block : blocks)
        if (auto appended = appendBlock(block, collector, rank); !appended)
            return tl::make_unexpected(appended.error());
    return collector.finish();
}

std::vector<std::string> taskMapWarnings(const RankMap& map, const MapFileOptions&)
{
    return slotsLostWarning(map, "Flux numbers the cores of a node by itself.");
}

LaunchRecipe taskMapRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command = fmt::format("flux run -N {} -n {} --taskmap=manual:\"$(cat {})\" {}",
                                            map.hosts.size(), map.places.size(), file, options.program);
    return {{}, {command}, "#!/bin/sh\n" + command + "\n"};
}

bool recognizesTaskMap(std::string_view text) { return listOf(text).starts_with("[["); }

}  // namespace

LauncherFormat fluxFormat()
{
    return {"flux",          "Flux task map", MapFileKind::Place, MapFileDetail::Host,
            false,           "taskmap",       writeTaskMap,       readTaskMap,
            taskMapWarnings, taskMapRecipe,   recognizesTaskMap};
}

}  // namespace skein::launcher
