// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/share_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kRegionsOfGroup = 1u << 24;
constexpr std::size_t kMostCalm = 3;  ///< columns
constexpr double kCalmPx = 6;   ///< logical pixels that have the same bands: single columns would be a comb
constexpr int kMostSteps = 16;  ///< of a row's height
constexpr float kMostBackground = 0.7F;  ///< so that what is rare is seen

ViewState byGroup(ViewState state)
{
    state.colors = ColorMode::Group;
    return state;
}

/// Call paths by the group and the region that are shown for them: where a region is hidden, its caller's.
std::vector<std::uint32_t> ranksOf(const CallTree& tree, std::uint32_t number, const ViewState& state,
                                   const RegionPalette& palette)
{
    std::vector<std::uint32_t> ranks(tree.size());
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const CallPathId parent = tree.parent(CallPathId(node));
        const RegionId region = tree.region(CallPathId(node));
        ranks[node] = parent.valid() ? ranks[parent.index()] : 0;
        if (region.valid() && passes(state.filters, RegionRef{number, region}))
            ranks[node] = palette.groups[region.index()] * kRegionsOfGroup
                + std::min(region.value(), kRegionsOfGroup - 2);
    }
    return ranks;
}

/// Runs of `value` that are no longer than `most` and lie between others become the other value.
void dropShortRuns(std::vector<std::uint8_t>& flags, std::uint8_t value, std::size_t most)
{
    for (std::size_t first = 0; first < flags.size();) {
        std::size_t end = first + 1;
        while (end < flags.size() && flags[end] == flags[first]) ++end;
        const bool isBetween = first > 0 && end < flags.size();
        if (flags[first] == value && isBetween && end - first <= most)
            std::fill(flags.begin() + static_cast<std::ptrdiff_t>(first),
                      flags.begin() + static_cast<std::ptrdiff_t>(end), static_cast<std::uint8_t>(1 - value));
        first = end;
    }
}

double linearOf(int value)
{
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

int gammaOf(double light)
{
    const double part = light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

/// sRGB and light, by tables: there is a mixture a column.
struct Light {
    static constexpr int kSteps = 4096;
    std::array<float, 256> linear;
    std::array<std::uint8_t, kSteps + 1> gamma;

    Light()
    {
        for (int value = 0; value < 256; ++value)
            linear[static_cast<std::size_t>(value)] = static_cast<float>(linearOf(value));
        for (int step = 0; step <= kSteps; ++step)
            gamma[static_cast<std::size_t>(step)] =
                static_cast<std::uint8_t>(gammaOf(static_cast<double>(step) / kSteps));
    }
};

/// A scanline, or one of several that it is cut into.
struct LinePart {
    std::size_t line;
    int height;
};

/// Scanlines are cut so that none is higher than a step.
std::vector<LinePart> cutLines(std::span<const int> heights, int step)
{
    std::vector<LinePart> cut;
    for (std::size_t line = 0; line < heights.size(); ++line) {
        const int parts = std::max(1, (heights[line] + step - 1) / step);
        for (int part = 0; part < parts; ++part)
            cut.push_back({line, heights[line] * (part + 1) / parts - heights[line] * part / parts});
    }
    return cut;
}

void repeatLines(PixelItem& pixels, std::span<const LinePart> cut)
{
    const auto columns = static_cast<std::size_t>(pixels.columns);
    std::vector<std::uint32_t> argb;
    argb.reserve(cut.size() * columns);
    for (const LinePart& part : cut) {
        const auto from = pixels.argb.begin() + static_cast<std::ptrdiff_t>(part.line * columns);
        argb.insert(argb.end(), from, from + static_cast<std::ptrdiff_t>(columns));
    }
    pixels.argb = std::move(argb);
}

/// Of each scanline, as a part of 255 of the height of all.
std::vector<int> middlesOf(std::span<const int> heights)
{
    const int height = std::accumulate(heights.begin(), heights.end(), 0);
    std::vector<int> middles;
    int top = 0;
    for (const int line : heights) {
        middles.push_back(static_cast<int>((top + line / 2.0) / height * 255));
        top += line;
    }
    return middles;
}

/// Calls show(column, times) for each different one: columns beside each other may show the same sample.
template <typename Show>
void visitSamples(std::span<const ColumnSample> columns, Show show)
{
    for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
        for (end = first + 1; end < columns.size() && columns[end] == columns[first];) ++end;
        show(columns[first], static_cast<float>(end - first));
    }
}

/// Colours by the time that they stand for, in linear light.
class Mixture {
public:
    void add(std::uint32_t argb, float ns)
    {
        for (std::size_t part = 0; part < light_.size(); ++part)
            light_[part] += ns * tables().linear[argb >> 8 * part & 0xFF];
        ns_ += ns;
    }
    float ns() const { return ns_; }
    /// What is added makes up `share` of the mixture, and `argb` the rest.
    std::uint32_t over(std::uint32_t argb, float share) const
    {
        std::uint32_t mixed = 0xFF000000u;
        for (std::size_t part = 0; part < light_.size(); ++part) {
            const float light =
                share * light_[part] / ns_ + (1 - share) * tables().linear[argb >> 8 * part & 0xFF];
            mixed |=
                std::uint32_t{tables().gamma[static_cast<std::size_t>(std::min(1.0F, light) * Light::kSteps)]}
                << 8 * part;
        }
        return mixed;
    }

private:
    static const Light& tables()
    {
        static const Light light;
        return light;
    }

    std::array<float, 3> light_{};  ///< blue, green, red
    float ns_ = 0;
};

}  // namespace

ShareBands::ShareBands(const Experiment& experiment, std::uint32_t number, const ViewState& state,
                       const RegionPalette& palette, Color background, const LaneTable& table)
    : table_(table),
      groupTable_(experiment, number, byGroup(state), palette, background, 1),
      rank_(ranksOf(*experiment.callTree, number, state, palette)),
      background_(background)
{
}

std::vector<std::uint8_t> ShareBands::crowded(std::span<const ColumnSample> columns)
{
    std::vector<std::uint8_t> divided(columns.size());
    for (std::size_t column = 0; column < columns.size(); ++column)
        divided[column] = columns[column].holdsMany;
    dropShortRuns(divided, 0, kMostCalm);
    dropShortRuns(divided, 1, kMostCalm);
    return divided;
}

/// What takes time in columns beside each other: regions by their rank, with one of their call paths. More
/// than there is room for are left free, which is less than 1 % where columns are few.
class ShareBands::Sum {
public:
    explicit Sum(std::size_t most) : most_(most) {}

    void add(std::uint32_t rank, std::uint32_t callPath, float ns)
    {
        for (std::size_t entry = 0; entry < count_; ++entry)
            if (entries_[entry].rank == rank) {
                entries_[entry].ns += ns;
                return;
            }
        if (count_ < most_) entries_[count_++] = {rank, callPath, ns};
    }
    /// There are few.
    template <typename Less>
    std::span<const Entry> sorted(Less less)
    {
        for (std::size_t next = 1; next < count_; ++next)
            for (std::size_t at = next; at > 0 && less(entries_[at], entries_[at - 1]); --at)
                std::swap(entries_[at], entries_[at - 1]);
        return std::span(entries_).first(count_);
    }

private:
    std::array<Entry, 32> entries_;
    std::size_t count_ = 0;
    std::size_t most_;
};

ShareBands::Bands ShareBands::oneBand(std::uint32_t argb)
{
    Bands bands{};
    bands.color[0] = argb;
    std::fill(std::begin(bands.end), std::end(bands.end), std::uint8_t{255});
    return bands;
}

/// Of columns beside each other: their two largest regions, and the rest by group.
ShareBands::Bands ShareBands::bandsOf(std::span<const ColumnSample> columns) const
{
    Sum regions(32), shown(kBands);
    float whole = 0;
    const auto addRest = [&](std::uint32_t callPath, float ns) {
        shown.add(rank_[callPath] / kRegionsOfGroup * kRegionsOfGroup + kRegionsOfGroup - 1, callPath, ns);
    };
    visitSamples(columns, [&](const ColumnSample& column, float times) {
        whole += column.wholeNs * times;
        if (column.callPath != CallPathId::kNone)
            regions.add(rank_[column.callPath], column.callPath, column.timeNs * times);
        if (column.secondNs > 0) regions.add(rank_[column.second], column.second, column.secondNs * times);
    });
    const auto largest = regions.sorted([](const Entry& a, const Entry& b) { return a.ns > b.ns; });
    for (std::size_t region = 0; region < largest.size(); ++region) {
        if (region < 2) shown.add(largest[region].rank, largest[region].callPath, largest[region].ns);
        else addRest(largest[region].callPath, largest[region].ns);
    }
    visitSamples(columns, [&](const ColumnSample& column, float times) {
        if (column.restNs > 0) addRest(column.rest, column.restNs * times);
    });
    Bands bands{};
    float end = 0;
    std::size_t band = 0;
    for (const Entry& entry : shown.sorted([](const Entry&a, const Entry&b) { return a.rank < b.rank; })) {
        const bool isRest = entry.rank % kRegionsOfGroup == kRegionsOfGroup - 1;
        const bool isFirst = entry.rank == largest.front().rank;
        end += std::max(entry.ns / std::max(whole, 1e-9F) * 255, isFirst ? 255.0F / kMostSteps : 0);
        bands.end[band] = static_cast<std::uint8_t>(std::min(end + 0.5F, 255.0F));
        bands.color[band++] = isRest ? groupTable_.colors(entry.callPath)[0]
                                     : table_.colors(entry.callPath)[table_.lanes() - 1];
    }
    for (; band < kBands; ++band) bands.end[band] = band == 0 ? 0 : bands.end[band - 1];
    return bands;
}

/// Columns that are divided; `widest` of them at most have the same bands.
std::vector<ShareBands::Block> ShareBands::blocksOf(std::span<const ColumnSample> columns,
                                                    std::span<const std::uint8_t> divided, std::size_t widest,
                                                    bool isLow) const
{
    std::vector<Block> blocks;
    blocks.reserve(columns.size() / widest + 1);
    for (std::size_t first = 0; first < columns.size();) {
        std::size_t end = first + 1;
        while (end < columns.size() && end % widest != 0 && divided[end] == divided[first]) ++end;
        if (divided[first]) {
            const auto block = columns.subspan(first, end - first);
            blocks.push_back({first, end, isLow ? oneBand(mixed(block)) : bandsOf(block)});
        }
        first = end;
    }
    return blocks;
}

void ShareBands::cutAround(std::vector<Block>& blocks, std::span<const std::size_t> columns)
{
    if (columns.empty()) return;
    std::vector<Block> cut;
    cut.reserve(blocks.size() + 2 * columns.size());
    auto next = columns.begin();
    for (Block block : blocks) {
        next = std::lower_bound(next, columns.end(), block.first);
        for (; next != columns.end() && *next < block.end; ++next) {
            if (*next > block.first) cut.push_back({block.first, *next, block.bands});
            cut.push_back({*next, *next + 1, block.bands});
            block.first = *next + 1;
        }
        if (block.first < block.end) cut.push_back(block);
    }
    blocks = std::move(cut);
}

void ShareBands::divide(PixelItem& pixels, std::span<const ColumnSample> columns,
                        std::span<const std::uint8_t> divided, double scale,
                        std::span<const std::size_t> alone) const
{
    if (std::find(divided.begin(), divided.end(), 1) == divided.end()) return;
    const int height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    const bool isLow = height < kLowest * scale;
    std::vector<Block> blocks =
        blocksOf(columns, divided, static_cast<std::size_t>(std::max(1.0, kCalmPx * scale)), isLow);
    const bool areAll = std::find(divided.begin(), divided.end(), 0) == divided.end();
    if (areAll) cutAround(blocks, alone);
    const bool areWide = areAll && 2 * blocks.size() <= columns.size();
    const int highest = isLow ? height : (height + kMostSteps - 1) / kMostSteps;
    const std::vector<LinePart> cut = cutLines(pixels.heights, std::max(1, highest));
    if (areAll && !areWide) pixels.argb.resize(cut.size() * columns.size());
    else if (!areAll && cut.size() > pixels.heights.size()) repeatLines(pixels, cut);
    pixels.heights.clear();
    for (const LinePart& part : cut) pixels.heights.push_back(part.height);
    if (areWide) drawWide(pixels, blocks);
    else drawInto(pixels, blocks);
}

/// Calls show(argb) for each scanline.
template <typename Show>
void ShareBands::visitColors(const Bands& bands, std::span<const int> middles, Show show)
{
    std::size_t band = 0;
    for (const int middle : middles) {
        while (band < kBands && middle >= bands.end[band]) ++band;
        show(band < kBands ? bands.color[band] : 0);
    }
}

/// A value a block.
void ShareBands::drawWide(PixelItem& pixels, std::span<const Block> blocks)
{
    const std::vector<int> middles = middlesOf(pixels.heights);
    pixels.widths.resize(blocks.size());
    pixels.argb.resize(blocks.size() * middles.size());
    for (std::size_t number = 0; number < blocks.size(); ++number) {
        const Block& block = blocks[number];
        pixels.widths[number] = static_cast<int>(block.end - block.first);
        std::size_t at = number;
        visitColors(block.bands, middles, [&](std::uint32_t argb) {
            pixels.argb[at] = argb;
            at += blocks.size();
        });
    }
}

void ShareBands::drawInto(PixelItem& pixels, std::span<const Block> blocks)
{
    const std::vector<int> middles = middlesOf(pixels.heights);
    const auto columns = static_cast<std::size_t>(pixels.columns);
    for (const Block& block : blocks) {
        std::uint32_t* to = pixels.argb.data() + block.first;
        visitColors(block.bands, middles, [&](std::uint32_t argb) {
            std::fill_n(to, block.end - block.first, argb);
            to += columns;
        });
    }
}

/// Of columns beside each other: all that took time there, the two largest of each column in their colours
/// and the rest in those of groups, over what is free.
std::uint32_t ShareBands::mixed(std::span<const ColumnSample> columns) const
{
    Mixture mixture;
    float whole = 0;
    const auto add = [&](std::uint32_t color, float ns) {
        mixture.add(color == 0 ? toArgb(background_) : color, ns);
    };
    visitSamples(columns, [&](const ColumnSample& column, float times) {
        whole += column.wholeNs * times;
        const std::size_t innermost = table_.lanes() - 1;
        if (column.callPath != CallPathId::kNone)
            add(table_.colors(column.callPath)[innermost], column.timeNs * times);
        if (column.secondNs > 0) add(table_.colors(column.second)[innermost], column.secondNs * times);
        if (column.restNs > 0) add(groupTable_.colors(column.rest)[0], column.restNs * times);
    });
    if (mixture.ns() <= 0) return 0;
    const float share = std::clamp(mixture.ns() / std::max(whole, 1e-9F), 1 - kMostBackground, 1.0F);
    return mixture.over(toArgb(background_), share);
}

}  // namespace skein
