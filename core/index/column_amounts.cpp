// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_amounts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr std::int64_t kColumnsOfDebts = 128;
constexpr std::uint32_t kGoldenPart = 0x9E3779B9u;

}  // namespace

/// Tells the nodes of a row of a tree one after the other.
class ColumnAmounts::CellReader {
public:
    CellReader(const TimeTree::Cells& cells, const ColumnGrid& grid)
        : cells_(cells),
          others_(cells.others),
          perCell_(static_cast<double>(cells.widthNs) / grid.nsPerColumn),
          middle_((static_cast<double>(cells.begin) - grid.begin) / grid.nsPerColumn + perCell_ / 2)
    {
    }

    std::size_t at() const { return at_; }
    bool atEnd() const { return at_ == cells_.callPaths.size(); }
    double perCell() const { return perCell_; }
    /// Of the first cell, in columns.
    double middle() const { return middle_; }
    /// Of the next cell.
    double column() const { return middle_ + static_cast<double>(at_) * perCell_; }
    bool isUniform(std::size_t cell) const { return cells_.shares[cell] == TimeTree::kUniform; }
    std::uint32_t callPath(std::size_t cell) const { return cells_.callPaths[cell]; }
    /// Past cells that are all uniform.
    void skip(std::size_t count) { at_ += count; }

    Cell next()
    {
        const Cell cell{cells_.callPaths[at_], cells_.shares[at_], true, isUniform(at_) ? nullptr : others_};
        others_ += cell.others ? 1 : 0;
        ++at_;
        return cell;
    }

private:
    const TimeTree::Cells& cells_;
    const OtherRegions* others_;  ///< of the next cell that has any
    double perCell_;              ///< columns
    double middle_;
    std::size_t at_ = 0;
};

ColumnAmounts::ColumnAmounts(std::span<const std::uint32_t> regionOfCallPath) : regionOf_(regionOfCallPath)
{
    const auto largest = std::max_element(regionOf_.begin(), regionOf_.end());
    debts_.resize(largest == regionOf_.end() ? 0 : std::size_t{*largest} + 1);
}

void ColumnAmounts::start(const ColumnGrid& grid, std::span<ColumnSample> columns, std::size_t passes,
                          std::size_t locations)
{
    grid_ = grid;
    columns_ = columns.first(grid.count);
    columnsPerNs_ = 1 / grid.nsPerColumn;
    wholeNs_ = static_cast<float>(grid.nsPerColumn * static_cast<double>(locations));
    isOnlyPass_ = passes == 1;
    std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    together_.assign(isOnlyPass_ ? 0 : grid.count, Parts());
    more_.clear();
    parts_.clear();
    column_ = kNowhere;
    left_ = right_ = nextRight_ = 0;
    firstColumn_ = std::llround(grid.begin / grid.nsPerColumn);
    stretch_ = std::numeric_limits<std::int64_t>::min();
    decided_ = 0;
}

void ColumnAmounts::addMixture(Parts& parts, const Mixture& mixture, double ns)
{
    add(parts, mixture.callPath, ns * mixture.weight);
    ++parts.stretches;
    if (!mixture.others || mixture.others->secondShare == 0) return;
    parts.stretches += kMany;
    const OtherRegions& others = *mixture.others;
    const double whole = ns * mixture.wholeWeight / OtherRegions::kWhole;
    const auto second = static_cast<float>(whole * others.secondShare);
    addPart(parts, {regionOf_[others.second], others.second, second, mixture.isMean ? 0 : second, 0});
    if (others.restShare > 0)
        addPart(parts,
                {regionOf_[others.rest], others.rest, 0, 0, static_cast<float>(whole * others.restShare)});
}

void ColumnAmounts::addAnywhere(const Mixture& mixture, double from, double to)
{
    const bool instant = from == to;
    from = std::max(from, grid_.begin);
    to = std::min(to, grid_.end());
    // Rounding must not lead back to a column that is decided.
    const auto first =
        std::max(decided_, static_cast<std::size_t>(std::max(0.0, (from - grid_.begin) * columnsPerNs_)));
    if (to < from || (to == from && !instant) || first >= grid_.count) return;
    enter(first);
    if (to <= right_) return addMixture(parts_, mixture, to - from);
    if (right_ > from) addMixture(parts_, mixture, right_ - from);
    const auto last =
        std::min(static_cast<std::size_t>((to - grid_.begin) * columnsPerNs_), std::size_t{grid_.count});
    if (last > first + 1) addColumns(first + 1, last, mixture);
    if (last == grid_.count) return leave();
    enter(last);
    if (to > left_) addMixture(parts_, mixture, to - left_);
}

/// Whole ones.
void ColumnAmounts::addColumns(std::size_t first, std::size_t end, const Mixture& mixture)
{
    if (isOnlyPass_) {
        enter(first);
        addMixture(parts_, mixture, grid_.nsPerColumn);
        leave();
        decided_ = end;
        return std::fill(columns_.begin() + static_cast<std::ptrdiff_t>(first),
                         columns_.begin() + static_cast<std::ptrdiff_t>(end), columns_[first]);
    }
    for (std::size_t column = first; column < end; ++column)
        addMixture(together_[column], mixture, grid_.nsPerColumn);
}

inline void ColumnAmounts::addCell(Parts& parts, const Cell& cell, float nsPerShare)
{
    if (cell.callPath == CallPathId::kNone) return;
    const double whole = static_cast<double>(nsPerShare) * 254;
    addMixture(parts, {cell.callPath, static_cast<double>(cell.ns(nsPerShare)), cell.others, whole, false},
               1);
}

void ColumnAmounts::addCells(const TimeTree::Cells& cells, double weight)
{
    CellReader reader(cells, grid_);
    const auto cellNs = static_cast<double>(cells.widthNs) * weight;
    const auto nsPerShare = static_cast<float>(cellNs / 254);
    const auto addUpTo = [&](double end) {
        while (!reader.atEnd() && reader.column() < end) {
            const double column = reader.column();
            const Cell cell = reader.next();
            if (column < 0) continue;
            enter(static_cast<std::size_t>(column));
            addCell(parts_, cell, nsPerShare);
        }
    };
    // Other nodes may take part in the columns beside.
    const auto count = static_cast<double>(cells.callPaths.size());
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(reader.middle())));
    const auto last = std::min<std::int64_t>(
        grid_.count,
        static_cast<std::int64_t>(std::floor(reader.middle() + reader.perCell() * (count - 0.5))));
    if (first < last) {
        addUpTo(static_cast<double>(first));
        leave();
        addWholeColumns(reader, first, last, nsPerShare, cellNs);
    }
    addUpTo(grid_.count);
}

/// Of one column, as by its parts, without a branch on which regions they are: these change from column to
/// column as good as at random. In whole numbers, of which a cell that is filled has kUnits.
inline ColumnSample ColumnAmounts::sampleOfCells(const Cell& a, const Cell& b, float nsPerShare,
                                                 std::size_t column)
{
    static constexpr OtherRegions kNoOthers;
    constexpr std::uint64_t kPerShare = 255, kPerOther = 254;
    const auto shareOf = [](const Cell& cell) {
        return cell.callPath == CallPathId::kNone ? 0U : std::min<std::uint32_t>(cell.share, 254);
    };
    const OtherRegions besideA = *(a.others ? a.others : &kNoOthers);
    const OtherRegions besideB = *(b.others ? b.others : &kNoOthers);
    const auto highest = static_cast<std::uint32_t>(regionOf_.size() - 1);
    const std::uint32_t paths[] = {a.callPath, besideA.second, b.callPath, besideB.second};
    std::uint64_t time[] = {shareOf(a) * kPerShare, besideA.secondShare * kPerOther, shareOf(b) * kPerShare,
                            besideB.secondShare * kPerOther};
    std::uint64_t regions[4], ranks[4];
    for (std::size_t part = 0; part < 4; ++part) regions[part] = regionOf_[std::min(paths[part], highest)];
    for (const std::size_t part : {2u, 3u})
        for (const std::size_t other : {0u, 1u}) {
            const std::uint64_t same =
                time[part] & -std::uint64_t{regions[part] == regions[other] && time[other] > 0};
            time[other] += same;
            time[part] -= same;
        }
    // By time, and of equal times the smaller region.
    for (std::size_t part = 0; part < 4; ++part)
        ranks[part] = time[part] << 40 | (~regions[part] & 0xFFFFFFFFu) << 8 | part;
    const auto order = [&](std::size_t larger, std::size_t smaller) {
        const std::uint64_t first = ranks[larger], second = ranks[smaller];
        ranks[larger] = std::max(first, second);
        ranks[smaller] = std::min(first, second);
    };
    order(0, 1);
    order(2, 3);
    order(0, 2);
    order(1, 3);
    order(1, 2);
    const float nsPerUnit = nsPerShare / kPerShare;
    const auto unitsOf = [&](std::size_t place) { return static_cast<std::uint32_t>(ranks[place] >> 40); };
    const auto pathOf = [&](std::size_t place) { return paths[ranks[place] & 3]; };
    const std::uint32_t restA = besideA.restShare * kPerOther, restB = besideB.restShare * kPerOther;
    const std::uint32_t rest = restA + restB + unitsOf(2) + unitsOf(3);
    // Turns that are a golden ratio apart fall evenly on what there is.
    enterStretch(column);
    const auto turn = static_cast<std::uint32_t>(std::uint64_t{turn_} * rest >> 32);
    turn_ += rest > 0 ? kGoldenPart : 0;
    const std::uint32_t rests[] = {besideA.rest, besideB.rest, pathOf(2), pathOf(3)};
    const std::size_t chosen = std::size_t{turn >= restA} + std::size_t{turn >= restA + restB}
        + std::size_t{turn >= restA + restB + unitsOf(2)};
    const auto nsOf = [&](std::uint32_t units) {
        return static_cast<float>(static_cast<std::int32_t>(units)) * nsPerUnit;
    };
    return {pathOf(0),
            nsOf(unitsOf(0)),
            unitsOf(1) > 0 ? pathOf(1) : CallPathId::kNone,
            nsOf(unitsOf(1)),
            rest > 0 ? rests[chosen] : CallPathId::kNone,
            nsOf(rest),
            254 * nsPerShare * (b.isThere ? 2.0F : 1.0F),
            unitsOf(1) > 0};
}

/// Columns of one or two cells each.
void ColumnAmounts::addWholeColumns(CellReader& cells, std::int64_t first, std::int64_t last,
                                    float nsPerShare, double cellNs)
{
    // Of 2^32 parts of a cell.
    constexpr double kParts = 4294967296.0;
    const double perColumn = 1 / cells.perCell();
    const auto step = static_cast<std::uint64_t>(std::llround(perColumn * kParts));
    auto end = static_cast<std::uint64_t>(
        std::llround((static_cast<double>(first + 1) - cells.middle()) * perColumn * kParts));
    const double columnNs = cellNs * perColumn;
    for (auto column = static_cast<std::size_t>(first); column < static_cast<std::size_t>(last);
         ++column, end += step) {
        const std::size_t cell = cells.at();
        const std::size_t behind = (end + 0xFFFFFFFFu) >> 32;
        const auto number = static_cast<double>(behind - cell);
        if (isOnlyPass_ && cells.isUniform(cell) && cells.callPath(cell) == cells.callPath(behind - 1)
            && cells.isUniform(behind - 1)) {
            const auto whole = static_cast<float>(number * cellNs);
            cells.skip(behind - cell);
            if (cells.callPath(cell) != CallPathId::kNone)
                columns_[column] = {
                    cells.callPath(cell), whole, CallPathId::kNone, 0, CallPathId::kNone, 0, whole, false};
            continue;
        }
        if (isOnlyPass_) {
            const Cell a = cells.next();
            columns_[column] =
                sampleOfCells(a, cells.at() < behind ? cells.next() : Cell(), nsPerShare, column);
            continue;
        }
        Parts& parts = together_[column];
        while (cells.at() < behind) addCell(parts, cells.next(), nsPerShare);
        parts.excessNs += static_cast<float>(number * cellNs - columnNs);
    }
}

/// Beside a column's first parts, which are of other regions.
void ColumnAmounts::addBehind(Parts& full, const Part& added)
{
    if (full.more == 0) {
        full.more = static_cast<std::uint32_t>(more_.size() + 1);
        more_.emplace_back();  // `full` may be gone now, where it is one of these
        return addPart(more_.back(), added);
    }
    addPart(more_[full.more - 1], added);
}

void ColumnAmounts::addAll(Parts& to, const Parts& from)
{
    to.stretches += from.stretches;
    to.excessNs += from.excessNs;
    for (Parts parts = from;; parts = more_[parts.more - 1]) {
        for (std::uint32_t number = 0; number < parts.count; ++number) addPart(to, parts.part[number]);
        if (parts.more == 0) return;
    }
}

void ColumnAmounts::leave()
{
    if (column_ == kNowhere) return;
    if (isOnlyPass_) {
        columns_[column_] = sampleOf(parts_, column_);
        decided_ = column_ + 1;
        more_.clear();
    } else {
        addAll(together_[column_], parts_);
    }
    parts_.clear();
    column_ = kNowhere;
    left_ = right_ = nextRight_ = 0;
}

template <typename Show>
void ColumnAmounts::visitParts(const Parts& parts, Show show) const
{
    for (const Parts* at = &parts;; at = &more_[at->more - 1]) {
        for (std::uint32_t number = 0; number < at->count; ++number) show(at->part[number]);
        if (at->more == 0) return;
    }
}

ColumnSample ColumnAmounts::sampleOf(const Parts& parts, std::size_t column)
{
    if (parts.count == 1) {
        const Part& only = parts.part[0];
        return {only.callPath,
                only.ns,
                CallPathId::kNone,
                0,
                CallPathId::kNone,
                0,
                std::max(only.ns, wholeNs_ + parts.excessNs),
                parts.stretches >= kMany};
    }
    const auto isMore = [](const Part& a, const Part* b) {
        return !b || a.ns > b->ns || (a.ns == b->ns && a.region < b->region);
    };
    const Part *best = nullptr, *second = nullptr, *beside = nullptr;
    float sum = 0;
    visitParts(parts, [&](const Part& part) {
        sum += part.ns + part.restNs;
        if (part.callPathNs == 0) {
            if (isMore(part, beside)) beside = &part;
        } else if (isMore(part, best)) {
            second = best;
            best = &part;
        } else if (isMore(part, second)) {
            second = &part;
        }
    });
    if (!best) std::swap(best, beside);
    if (beside && isMore(*beside, second)) second = beside;
    if (second && second->ns <= 0) second = nullptr;
    ColumnSample sample;
    sample.wholeNs = std::max(sum, wholeNs_ + parts.excessNs);
    sample.holdsMany = parts.stretches >= kMany;
    if (!best) return sample;
    sample.callPath = best->callPath;
    sample.timeNs = best->ns;
    if (second) {
        sample.second = second->callPath;
        sample.secondNs = second->ns;
    }
    enterStretch(column);
    if (parts.count > 2) addRest(sample, parts, best, second);
    return sample;
}

/// Debts begin anew every so many columns, at places that do not move with the grid: who stands for the rest
/// of a column is the same in the picture beside it.
void ColumnAmounts::enterStretch(std::size_t column)
{
    const std::int64_t stretch = (firstColumn_ + static_cast<std::int64_t>(column)) / kColumnsOfDebts;
    if (stretch == stretch_) return;
    stretch_ = stretch;
    ++count_;
    turn_ = static_cast<std::uint32_t>(stretch) * kGoldenPart;
}

/// They begin with any part of a column, so that what is small has its turn as often as is due to it.
float& ColumnAmounts::debtOf(std::uint32_t region)
{
    Debt& debt = debts_[region];
    if (debt.count == count_) return debt.parts;
    const std::uint32_t mixed =
        (static_cast<std::uint32_t>(stretch_) * kGoldenPart ^ region * 0x85EBCA6Bu) * 0xC2B2AE35u;
    debt = {static_cast<float>(mixed >> 8) / 16777216.0F, count_};
    return debt.parts;
}

/// All but two regions, and one that stands for them.
void ColumnAmounts::addRest(ColumnSample& sample, const Parts& parts, const Part* best, const Part* second)
{
    const Part* owed = nullptr;
    visitParts(parts, [&](const Part& part) {
        const float ns = part.restNs + (&part == best || &part == second ? 0 : part.ns);
        if (ns <= 0) return;
        sample.restNs += ns;
        const float debt = debtOf(part.region) += ns / sample.wholeNs;
        if (!owed || debt > debtOf(owed->region)) owed = &part;
    });
    if (!owed) return;
    sample.rest = owed->callPath;
    debtOf(owed->region) -= sample.restNs / sample.wholeNs;
}

void ColumnAmounts::finish()
{
    leave();
    for (std::size_t column = 0; column < together_.size(); ++column)
        columns_[column] = sampleOf(together_[column], column);
}

}  // namespace skein
