// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/prune_rules.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr std::size_t kMostBins = 400;

std::string loweredWords(std::string text)
{
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

bool isCallRow(const CallTreeRow& row) { return !row.callPaths.empty() || !row.regions.empty(); }

class RuleMatcher {
public:
    RuleMatcher(const RegionGroups& groups, const CallTreeRows& rows, const ShownTree& shown,
                const PruneRule& rule)
        : groups_(groups), rows_(rows), shown_(shown), rule_(rule), wanted_(loweredWords(rule.text))
    {
    }

    std::vector<std::uint32_t> match() const
    {
        std::vector<std::uint32_t> found;
        const std::vector<std::uint32_t> depths = depthsOfNodes();
        const std::vector<std::uint8_t> inner = innerNodes();
        for (std::uint32_t node = 0; node < shown_.nodes.size(); ++node) {
            if (shown_.nodes[node].kind == ShownKind::Surrogate) continue;
            const std::uint32_t row = shown_.nodes[node].row;
            if (means(rows_.rows[row], depths[node], inner[node] != 0)) found.push_back(row);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    std::vector<std::uint32_t> depthsOfNodes() const
    {
        std::vector<std::uint32_t> depths(shown_.nodes.size(), 0);
        for (std::size_t node = 0; node < depths.size(); ++node)
            if (shown_.nodes[node].parent != kNoShownNode)
                depths[node] = depths[shown_.nodes[node].parent] + 1;
        return depths;
    }

    std::vector<std::uint8_t> innerNodes() const
    {
        std::vector<std::uint8_t> inner(shown_.nodes.size(), 0);
        for (const ShownNode& node : shown_.nodes)
            if (node.parent != kNoShownNode && node.kind != ShownKind::Surrogate) inner[node.parent] = 1;
        return inner;
    }

    bool has(const std::string& text) const { return loweredWords(text).find(wanted_) != std::string::npos; }

    bool means(const CallTreeRow& row, std::uint32_t depth, bool inner) const
    {
        switch (rule_.kind) {
        case PruneRule::Kind::Name: return !wanted_.empty() && has(row.name);
        case PruneRule::Kind::Match: return rule_.matches && rule_.matches(row.name);
        case PruneRule::Kind::Group: return !wanted_.empty() && inGroup(row);
        case PruneRule::Kind::Source: return !wanted_.empty() && inSource(row);
        case PruneRule::Kind::Depth: return depth > rule_.depth;
        case PruneRule::Kind::Leaves: return !inner;
        }
        return false;
    }

    bool inGroup(const CallTreeRow& row) const
    {
        return std::any_of(row.regions.begin(), row.regions.end(), [&](RegionId id) {
            return loweredWords(groups_.list()[groups_.of({row.experiment, id})].name) == wanted_;
        });
    }

    bool inSource(const CallTreeRow& row) const
    {
        const Definitions& definitions = groups_.session().experiments[row.experiment]->definitions;
        return std::any_of(row.regions.begin(), row.regions.end(), [&](RegionId id) {
            const std::string& file = definitions.region(id).sourceFile;
            return !file.empty() && has(file);
        });
    }

    const RegionGroups& groups_;
    const CallTreeRows& rows_;
    const ShownTree& shown_;
    const PruneRule& rule_;
    std::string wanted_;
};

/// Of each row the greatest value below it.
std::vector<double> greatestBelow(const CallTreeRows& rows, const std::vector<double>& values)
{
    std::vector<double> below(rows.rows.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t row = rows.rows.size(); row-- > 0;) {
        const std::int64_t parent = rows.rows[row].parent;
        if (parent < 0) continue;
        const double own = std::isnan(values[row]) ? below[row] : std::max(below[row], values[row]);
        double& above = below[static_cast<std::size_t>(parent)];
        above = std::max(above, own);
    }
    return below;
}

std::vector<double> linearEdges(double least, double greatest, std::size_t bins)
{
    std::vector<double> edges;
    for (std::size_t edge = 0; edge <= bins; ++edge)
        edges.push_back(least + (greatest - least) * static_cast<double>(edge) / static_cast<double>(bins));
    edges.back() = greatest;
    return edges;
}

std::vector<double> logarithmicEdges(double least, double smallest, double greatest, std::size_t bins)
{
    std::vector<double> edges;
    if (least < smallest) edges.push_back(least);
    const std::size_t rest = std::max<std::size_t>(1, bins - edges.size());
    for (std::size_t edge = 0; edge <= rest; ++edge)
        edges.push_back(
            smallest * std::pow(greatest / smallest, static_cast<double>(edge) / static_cast<double>(rest)));
    edges.back() = greatest;
    return edges;
}

}  // namespace

std::vector<std::uint32_t> rowsThatMatch(const RegionGroups& groups, const CallTreeRows& rows,
                                         const ShownTree& shown, const PruneRule& rule)
{
    return RuleMatcher(groups, rows, shown, rule).match();
}

std::vector<std::uint32_t> rowsOutside(const CallTreeRows& rows, const std::vector<double>& values,
                                       double from, double to)
{
    std::vector<std::uint8_t> stays(rows.rows.size(), 0);
    std::vector<std::uint32_t> outside;
    for (std::size_t row = rows.rows.size(); row-- > 0;) {
        const CallTreeRow& one = rows.rows[row];
        if (values[row] >= from && values[row] <= to) stays[row] = 1;
        if (stays[row] && one.parent >= 0) stays[static_cast<std::size_t>(one.parent)] = 1;
        if (!stays[row] && isCallRow(one)) outside.push_back(static_cast<std::uint32_t>(row));
    }
    std::reverse(outside.begin(), outside.end());
    return outside;
}

PruneHistogram pruneHistogram(const CallTreeRows& rows, const std::vector<double>& values, std::size_t bins,
                              BinScale scale)
{
    PruneHistogram histogram;
    histogram.scale = scale;
    bins = std::clamp<std::size_t>(bins, 1, kMostBins);
    constexpr double kFar = std::numeric_limits<double>::infinity();
    double least = kFar, greatest = -kFar, smallest = kFar;
    for (std::size_t row = 0; row < rows.rows.size(); ++row) {
        if (!isCallRow(rows.rows[row])) continue;
        if (!std::isfinite(values[row])) {
            ++histogram.unknown;
            continue;
        }
        least = std::min(least, values[row]);
        greatest = std::max(greatest, values[row]);
        if (values[row] > 0) smallest = std::min(smallest, values[row]);
    }
    if (least > greatest) return histogram;
    histogram.least = least;
    histogram.greatest = greatest;
    const bool logarithmic = scale == BinScale::Logarithmic && smallest < greatest;
    if (!logarithmic) histogram.scale = BinScale::Linear;
    const double last = greatest > least ? greatest : least + 1;
    histogram.edges =
        logarithmic ? logarithmicEdges(least, smallest, greatest, bins) : linearEdges(least, last, bins);
    histogram.prunable.assign(histogram.edges.size() - 1, 0);
    histogram.internal.assign(histogram.edges.size() - 1, 0);
    const std::vector<double> below = greatestBelow(rows, values);
    for (std::size_t row = 0; row < rows.rows.size(); ++row) {
        if (!isCallRow(rows.rows[row]) || !std::isfinite(values[row])) continue;
        const auto edge = std::upper_bound(histogram.edges.begin(), histogram.edges.end(), values[row]);
        const auto bin =
            std::clamp<std::ptrdiff_t>(edge - histogram.edges.begin() - 1, 0,
                                       static_cast<std::ptrdiff_t>(histogram.prunable.size()) - 1);
        ++(below[row] > values[row] ? histogram.internal : histogram.prunable)[static_cast<std::size_t>(bin)];
    }
    return histogram;
}

}  // namespace skein
