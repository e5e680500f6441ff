// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/cube/cube_definitions.h"
#include "core/io/cube/cube_rows.h"
#include "core/io/cube/metric_data.h"
#include "core/profile/profile.h"

#include <memory>
#include <string>
#include <vector>

namespace skein::cube {

/// A column of the profile: where its values are in the archive, and what they are.
struct ColumnSource {
    StoredMetric stored;
    StoredAmount amount = StoredAmount::Exclusive;
    MetricAggregation aggregation = MetricAggregation::Sum;
    std::shared_ptr<const MetricData> data;
    std::shared_ptr<const std::vector<std::uint32_t>> nodeOfNumber;
    /// [call path] true where values are missing of which its exclusive amount would be worked out. Empty:
    /// nowhere.
    std::vector<bool> exclusiveUnknown = {};
};

/// The numbers of one row of data, as they are stored; numbers that are none, or beyond 1e290, are `absent`.
/// How many of these there were is added to `odd`.
void readRow(const ColumnSource& source, std::string_view bytes, NumberPart part, double absent,
             std::span<double> numbers, std::uint64_t& odd);

/// Reads columns of a Cube profile out of its archive, which it keeps open.
///
/// Exclusive amounts of metrics that store inclusive ones are these less those of the call paths right
/// below (exactly, also for whole numbers beyond 2^53, as counters that ran below 0 have them), inclusive
/// amounts of the others the sums over all call paths below. The inclusive minimum (maximum) is that of all
/// call paths below and itself; where inclusive ones are stored they count for both. A call path without
/// calls has no minimum and no maximum.
class CubeColumns : public ProfileColumns {
public:
    /// `calls`: the column of the calls, exclusive, one a row of call paths; empty where not recorded.
    CubeColumns(std::shared_ptr<const TarArchive> archive, std::string name,
                std::vector<ColumnSource> sources, std::vector<std::uint32_t> locationOfPlace, CubeRows rows,
                std::shared_ptr<const CallTree> tree);

    void setCalls(Column<double> calls) { calls_ = std::move(calls); }
    const CubeRows& rows() const { return rows_; }
    Result<ProfileColumn> read(std::size_t column, const Task& task) const override;

private:
    bool scatter(const ColumnSource& source, NumberPart part, std::span<double> amounts,
                 const Task& task) const;
    void derive(const ColumnSource& source, std::size_t location, std::span<const double> rests,
                std::span<double> inclusive, std::span<double> exclusive,
                std::vector<std::uint64_t>& rowOfNode) const;
    void sumRegions(MetricAggregation aggregation, std::size_t location, std::span<const double> inclusive,
                    std::span<const double> exclusive, std::span<double> regionsInclusive,
                    std::span<double> regionsExclusive, std::vector<std::uint64_t>& rowOfRegion) const;

    std::shared_ptr<const TarArchive> archive_;
    std::string name_;
    std::vector<ColumnSource> sources_;
    std::vector<std::uint32_t> placeOfLocation_;  ///< where in a row of data a location's value is
    CubeRows rows_;
    std::shared_ptr<const CallTree> tree_;
    std::size_t regionCount_ = 0;
    Column<double> calls_;
};

}  // namespace skein::cube
