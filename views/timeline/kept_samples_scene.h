// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace skein {

/// A call that keeps a column though others took more time in it: it is much longer than its region's usual.
struct RowOutlier {
    std::uint32_t column = 0;
    LocationRef location;
    std::uint32_t call = 0;
    std::uint32_t callPath = 0;
    bool isNarrow = true;  ///< perhaps too narrow to have a column of its own
};

/// What the columns of rows show, without regard to what is hidden and how it is coloured. So pictures of the
/// same time that only differ in that are made without looking at calls again. Holds no more than kMostBytes:
/// of more rows the first are kept, however many threads draw them, and none whose outliers and locations
/// take more than its columns.
class KeptSamples {
public:
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

    struct Row {
        PictureDetail detail;
        bool byTreeOfItsOwn = false;  ///< of several locations, see GroupTrees
        std::vector<ColumnSample> columns;
        std::vector<RowOutlier> outliers;
    };
    using RowPtr = std::shared_ptr<const Row>;

    /// Of rows in this time and as many columns. The data must live as long.
    KeptSamples(const TimelineData& data, TimeSpan span, std::size_t columns)
        : data_(&data), span_(span), columns_(columns)
    {
    }

    bool areOf(const TimelineData& data, TimeSpan span, std::size_t columns) const
    {
        return data_ == &data && span_ == span && columns_ == columns;
    }

    /// The row of exactly these locations, sorted, at least as fine as `detail`; null where there is none.
    RowPtr find(std::span<const LocationRef> locations, bool byTreeOfItsOwn,
                const PictureDetail& detail) const;
    /// Before rows are added: gives the number of the first of so many. Not while others are.
    std::size_t expectRows(std::size_t count) { return std::exchange(expected_, expected_ + count); }
    /// `number`: see expectRows(). Thread-safe; rows are not to be looked for meanwhile.
    void add(std::size_t number, std::span<const LocationRef> locations, RowPtr row);

private:
    const TimelineData* data_;
    TimeSpan span_;
    std::size_t columns_;
    std::size_t expected_ = 0;  ///< rows
    std::mutex adding_;
    std::map<std::vector<LocationRef>, RowPtr> rows_;
};

/// Where a picture takes samples from, and where it leaves its own; both may be null.
struct SampleKeeping {
    const KeptSamples* from = nullptr;
    KeptSamples* into = nullptr;
};

}  // namespace skein
