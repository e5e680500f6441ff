// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_grid.h"
#include "core/index/time_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Decides for columns which region took most time, from stretches of time that come in any order and may
/// overlap, as those of several locations. What fills columns is told by where that begins and ends only, so
/// that a stretch costs the same however many columns it covers. O(stretches + columns · regions at once).
/// Not thread-safe.
class ColumnVotes {
public:
    /// `paths` must outlive the votes.
    explicit ColumnVotes(const CallPathRegions& paths) : paths_(paths), candidateOf_(paths.regionCount, kNone)
    {
    }

    void start(const ColumnGrid& grid);

    /// A stretch that counts `weight` times; one without length leaves a mark where nothing else is.
    void addSpan(std::uint32_t callPath, double from, double to, double weight);

    /// An amount within one column.
    void add(double time, std::uint32_t callPath, double amountNs);

    /// Neighbouring nodes of a tree no wider than a column; each belongs to the column of its middle.
    void addCells(const TimeTree::Cells& cells, double weight);

    /// One entry a column of the grid.
    void decide(std::span<ColumnSample> columns);

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    static constexpr double kFull = 256;  ///< what a stretch of weight 1 counts that fills a column

    /// A change in the number of stretches with which a region fills columns from this one on, and what it
    /// takes of this column beside that: less than nothing where it begins within the column.
    struct Vote {
        std::uint32_t callPath;
        std::uint32_t next;
        float timeNs;
        std::int32_t filled;  ///< in parts of 1 / kFull
    };
    struct Candidate {
        std::uint32_t region;
        std::uint32_t callPath;
        std::int32_t filled;  ///< by what is in it from before the column to behind it, times kFull
        float pathNs;
        double partNs;
    };

    void vote(std::int64_t column, std::uint32_t callPath, double timeNs, std::int32_t filled);
    Candidate& candidateOf(std::uint32_t callPath);
    void takeVotes(std::uint32_t column);
    ColumnSample takeBest();
    ColumnSample bestFilling() const;

    const CallPathRegions& paths_;
    ColumnGrid grid_;
    double end_ = 0;
    double columnsPerNs_ = 1;
    double fillNs_ = 1;
    std::vector<std::uint32_t> heads_;  ///< a column: its last vote
    std::vector<Vote> votes_;
    std::vector<Candidate> candidates_;       ///< of the column that is decided
    std::vector<std::uint32_t> candidateOf_;  ///< a region
};

}  // namespace skein
