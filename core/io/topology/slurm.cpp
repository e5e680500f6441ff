// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/hosts.h"
#include "core/io/launcher/text.h"
#include "core/io/topology/fabric_builder.h"
#include "core/io/topology/formats.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::topology {
namespace {

/// The value of `Key=value` when the word has that key; keys are not case-sensitive.
std::optional<std::string_view> valueOfKey(std::string_view word, std::string_view key)
{
    if (word.size() <= key.size() || word[key.size()] != '=') return std::nullopt;
    const bool same = std::equal(key.begin(), key.end(), word.begin(), [](char a, char b) {
        return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
    });
    return same ? std::optional(word.substr(key.size() + 1)) : std::nullopt;
}

Unexpected tooManyRangedNames(std::size_t line)
{
    const RangeLimits all;
    return launcher::badLine(line,
                             fmt::format("the ranges of names up to here stand for more than {} names or {} "
                                         "MiB of text, which is more than any machine has",
                                         all.names, all.bytes >> 20));
}

Result<void> attachNamed(FabricBuilder& fabric, std::uint32_t above, std::string_view names, FabricKind kind,
                         RangeLimits& limits, std::size_t line)
{
    const auto hosts = parseHosts(names, 1, limits);
    if (limits.passed) return tooManyRangedNames(line);
    if (!hosts) return launcher::badLine(line, fmt::format("\"{}\" is no list of names", names));
    for (const MapHost& host : *hosts) {
        fabric.cable(above, fabric.vertex(host.name, kind), 1.0f);
        if (!fabric.withinLimits()) break;
    }
    return {};
}

Result<void> readSwitch(FabricBuilder& fabric, const launcher::Line& line, RangeLimits& limits)
{
    const auto words = launcher::words(line.text);
    std::optional<std::uint32_t> router;
    for (const std::string_view word : words)
        if (const auto name = valueOfKey(word, "switchname"))
            router = fabric.vertex(*name, FabricKind::Router);
    if (!router) return launcher::badLine(line.number, "SwitchName=… is expected");
    for (const std::string_view word : words) {
        Result<void> attached;
        if (const auto nodes = valueOfKey(word, "nodes"))
            attached = attachNamed(fabric, *router, *nodes, FabricKind::Node, limits, line.number);
        else if (const auto switches = valueOfKey(word, "switches"))
            attached = attachNamed(fabric, *router, *switches, FabricKind::Router, limits, line.number);
        if (!attached) return attached;
    }
    return {};
}

Result<Topology> readSlurm(std::string_view text, const std::string& spec, const Task& task)
{
    // A backslash at a line's end joins it with the next.
    std::string joined(text);
    for (std::size_t at = 0; (at = joined.find("\\\n", at)) != std::string::npos;)
        joined[at] = joined[at + 1] = ' ';
    FabricBuilder fabric;
    RangeLimits limits;
    for (const launcher::Line& line : launcher::contentLines(joined)) {
        if (task.stopRequested()) return cancelled();
        if (auto read = readSwitch(fabric, line, limits); !read) return Unexpected(read.error());
        if (!fabric.withinLimits()) break;
    }
    return fabric.finish(spec);
}

bool recognizesSlurm(std::string_view text)
{
    const auto lines = launcher::contentLines(text.substr(0, 1u << 16));
    return !lines.empty()
        && std::ranges::any_of(launcher::words(lines.front().text), [](std::string_view word) {
               return valueOfKey(word, "switchname").has_value();
           });
}

}  // namespace

TopologyFormat slurmFormat() { return {"slurm", "Slurm topology.conf", recognizesSlurm, readSlurm}; }

}  // namespace skein::topology
