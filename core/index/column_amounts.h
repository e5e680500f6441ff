// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/index/time_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Adds up how long each region ran in every column, and decides how the column's time divides. Amounts come
/// in any number of passes, one for each tree or location of a row, and in the order of time in each. Exact
/// but for rounding to single precision. Not thread-safe.
///
///     column       0        1        2
///     amounts    a 40     a 100    b 70     →  a 40 %, b 60 %;  a;  b 70 %, a 30 %
///                b 60               a 30
class ColumnAmounts {
public:
    /// Which region each call path is of; must outlive the amounts.
    explicit ColumnAmounts(std::span<const std::uint32_t> regionOfCallPath);

    /// Begins with columns in which nothing ran; one entry a column of the grid. `passes`: how often amounts
    /// begin again at an earlier time, see endPass(). `locations`: of all together.
    void start(const ColumnGrid& grid, std::span<ColumnSample> columns, std::size_t passes,
               std::size_t locations);

    /// A stretch of time that counts `weight` times, cut at the edges of columns. One without length leaves a
    /// mark where nothing else is. O(columns that it covers).
    void addSpan(std::uint32_t callPath, double from, double to, double weight)
    {
        if (from < left_ || to >= nextRight_ || from >= right_)
            return addAnywhere({callPath, weight, nullptr, 0, false}, from, to);
        ++parts_.stretches;
        if (to < right_) return add(parts_, callPath, (to - from) * weight);
        add(parts_, callPath, (right_ - from) * weight);
        enter(column_ + 1);
        if (to > left_) add(parts_, callPath, (to - left_) * weight);
        ++parts_.stretches;
    }

    /// The same where others ran beside; of these all locations, `weight`, count.
    void addSpan(std::uint32_t callPath, double from, double to, double share, const OtherRegions& others,
                 double weight)
    {
        addAnywhere({callPath, share * weight, &others, weight, true}, from, to);
    }

    /// Neighbouring nodes of a tree no wider than a column, and wider than half of one, which count `weight`
    /// times; each belongs to the column of its middle.
    void addCells(const TimeTree::Cells& cells, double weight);

    /// What follows may be of any time.
    void endPass() { leave(); }

    /// Decides. Ties: the smaller region. O(columns · regions in them).
    void finish();

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    static constexpr std::uint32_t kMany = 6;  ///< stretches; two calls in a third are five

    struct Part {
        std::uint32_t region;
        std::uint32_t callPath;  ///< of the largest amount
        float ns;
        float callPathNs;  ///< largest amount; 0: it took most time nowhere, as far as is known
        float restNs;      ///< for which it stands, see OtherRegions
    };
    /// Of one column. Few columns hold more regions than it has room for.
    struct Parts {
        static constexpr std::uint32_t kRoom = 6;
        Part part[kRoom];
        std::uint32_t count = 0;
        std::uint32_t more = 0;       ///< number of the parts that follow, from 1 on; 0: none do
        std::uint32_t stretches = 0;  ///< that were added
        float excessNs = 0;           ///< by which what was added stands for more than the column, or less

        void clear()
        {
            count = more = stretches = 0;
            excessNs = 0;
        }
    };
    /// How a stretch of time divides.
    struct Mixture {
        std::uint32_t callPath;
        double weight;
        const OtherRegions* others;  ///< null: none
        double wholeWeight;          ///< theirs
        bool isMean;                 ///< of more time than the stretch: others may not have run in it
    };
    /// One node of a tree, or none.
    struct Cell {
        std::uint32_t callPath = CallPathId::kNone;
        std::uint8_t share = TimeTree::kUniform;
        bool isThere = false;
        const OtherRegions* others = nullptr;  ///< null: none

        float ns(float nsPerShare) const
        {
            const int part = callPath == CallPathId::kNone ? 0 : std::min<int>(share, 254);
            return static_cast<float>(part) * nsPerShare;
        }
    };
    /// Parts of columns that a region took and others stood for, see OtherRegions.
    struct Debt {
        float parts = 0;
        std::uint32_t count = 0;  ///< stretch that it is of
    };
    class CellReader;

    void add(Parts& parts, std::uint32_t callPath, double ns)
    {
        addPart(parts, {regionOf_[callPath], callPath, static_cast<float>(ns), static_cast<float>(ns), 0});
    }
    void addPart(Parts& parts, const Part& added)
    {
        for (std::uint32_t number = 0; number < parts.count; ++number)
            if (parts.part[number].region == added.region) return addTo(parts.part[number], added);
        if (parts.count == Parts::kRoom) return addBehind(parts, added);
        parts.part[parts.count++] = added;
    }
    static void addTo(Part& part, const Part& added)
    {
        part.ns += added.ns;
        part.restNs += added.restNs;
        if (added.callPathNs <= part.callPathNs) return;
        part.callPath = added.callPath;
        part.callPathNs = added.callPathNs;
    }
    void addMixture(Parts& parts, const Mixture& mixture, double ns);
    void addCell(Parts& parts, const Cell& cell, float nsPerShare);
    void addBehind(Parts& full, const Part& added);
    void addAll(Parts& to, const Parts& from);
    void addAnywhere(const Mixture& mixture, double from, double to);
    void addColumns(std::size_t first, std::size_t end, const Mixture& mixture);
    void addWholeColumns(CellReader& cells, std::int64_t first, std::int64_t last, float nsPerShare,
                         double cellNs);

    /// The column that amounts are added to from now on.
    void enter(std::size_t column)
    {
        if (column == column_) return;
        leave();
        column_ = column;
        left_ = grid_.begin + static_cast<double>(column) * grid_.nsPerColumn;
        right_ = grid_.begin + static_cast<double>(column + 1) * grid_.nsPerColumn;
        nextRight_ = column + 1 < grid_.count ? right_ + grid_.nsPerColumn : right_;
    }
    void leave();
    ColumnSample sampleOf(const Parts& parts, std::size_t column);
    ColumnSample sampleOfCells(const Cell& a, const Cell& b, float nsPerShare, std::size_t column);
    void enterStretch(std::size_t column);
    float& debtOf(std::uint32_t region);
    template <typename Show>
    void visitParts(const Parts& parts, Show show) const;
    void addRest(ColumnSample& sample, const Parts& parts, const Part* best, const Part* second);

    std::span<const std::uint32_t> regionOf_;
    ColumnGrid grid_;
    std::span<ColumnSample> columns_;
    double columnsPerNs_ = 1;
    float wholeNs_ = 0;            ///< of a column, of all locations
    bool isOnlyPass_ = true;       ///< then a column is decided as soon as it is left
    std::vector<Parts> together_;  ///< a column, of all passes; where there are several
    std::vector<Parts> more_;
    Parts parts_;                    ///< of the column that was entered
    std::size_t column_ = kNowhere;  ///< which one that is
    double left_ = 0;                ///< its edges
    double right_ = 0;
    double nextRight_ = 0;          ///< right edge of the next one; its own where it is the last
    std::vector<Debt> debts_;       ///< a region
    std::int64_t firstColumn_ = 0;  ///< number of the first column, if columns of this width began at time 0
    std::int64_t stretch_ = 0;      ///< of columns, in which debts are counted
    std::uint32_t count_ = 0;       ///< stretches so far
    std::uint32_t turn_ = 0;        ///< the same for cells, of which two make a column
    std::size_t decided_ = 0;       ///< columns before this one are, where there is one pass
};

}  // namespace skein
