// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/renumber_profile.h"

#include <algorithm>
#include <tuple>

namespace skein {
namespace {

/// The rows of a cube in their new order.
struct RowOrder {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> items;
    std::vector<std::uint64_t> oldRows;  ///< [new row]

    template <typename T>
    Column<T> applied(const Column<T>& column) const
    {
        if (column.empty()) return {};
        std::vector<T> values;
        values.reserve(oldRows.size());
        for (const std::uint64_t row : oldRows) values.push_back(column[row]);
        return Column<T>(std::move(values));
    }
};

RowOrder orderOf(const MetricCube& cube, const std::vector<std::uint32_t>& itemNumbers,
                 const ProfileNumbers& numbers)
{
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> oldLocation(numbers.locationCount, kNone);
    for (std::size_t location = 0; location < cube.locations(); ++location)
        oldLocation[numbers.locations[location]] = location;
    RowOrder order;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> rows;
    for (const std::size_t location : oldLocation) {
        rows.clear();
        if (location != kNone)
            for (auto row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1]; ++row)
                rows.emplace_back(itemNumbers[cube.items[row]], row);
        std::sort(rows.begin(), rows.end());
        for (const auto& [item, row] : rows) {
            order.items.push_back(item);
            order.oldRows.push_back(row);
        }
        order.offsets.push_back(order.items.size());
    }
    return order;
}

MetricCube reordered(const MetricCube& cube, const RowOrder& order, const ProfileNumbers& numbers)
{
    MetricCube result;
    for (const MetricId metric : cube.metrics) result.metrics.emplace_back(numbers.metrics[metric.index()]);
    if (cube.locations() > 0) result.locationOffsets = Column<std::uint64_t>(order.offsets);
    result.items = Column<std::uint32_t>(order.items);
    result.calls = order.applied(cube.calls);
    result.subroutines = order.applied(cube.subroutines);
    for (const auto& column : cube.inclusive) result.inclusive.push_back(order.applied(column));
    for (const auto& column : cube.exclusive) result.exclusive.push_back(order.applied(column));
    return result;
}

/// Hands the columns of another source on in another order of rows.
class RenumberedColumns : public ProfileColumns {
public:
    RenumberedColumns(std::shared_ptr<const ProfileColumns> source, RowOrder callPaths, RowOrder regions)
        : source_(std::move(source)), callPaths_(std::move(callPaths)), regions_(std::move(regions))
    {
    }

    Result<ProfileColumn> read(std::size_t column, const Task& task) const override
    {
        auto read = source_->read(column, task);
        if (!read) return read;
        return ProfileColumn{
            callPaths_.applied(read->callPathsInclusive), callPaths_.applied(read->callPathsExclusive),
            regions_.applied(read->regionsInclusive), regions_.applied(read->regionsExclusive)};
    }

private:
    std::shared_ptr<const ProfileColumns> source_;
    RowOrder callPaths_, regions_;
};

Column<EventStatistic> renumberedStatistics(const Column<EventStatistic>& statistics,
                                            const ProfileNumbers& numbers)
{
    std::vector<EventStatistic> result(statistics.begin(), statistics.end());
    for (EventStatistic& statistic : result) {
        statistic.metric = MetricId(numbers.metrics[statistic.metric.index()]);
        statistic.location = LocationId(numbers.locations[statistic.location.index()]);
        if (statistic.context.valid())
            statistic.context = CallPathId(numbers.callPaths[statistic.context.index()]);
    }
    std::sort(result.begin(), result.end(), [](const EventStatistic& a, const EventStatistic& b) {
        return std::tuple(a.metric, a.context, a.location) < std::tuple(b.metric, b.context, b.location);
    });
    return Column<EventStatistic>(std::move(result));
}

}  // namespace

std::shared_ptr<const Profile> renumbered(const Profile& profile, const ProfileNumbers& numbers)
{
    RowOrder callPaths = orderOf(profile.callPaths, numbers.callPaths, numbers);
    RowOrder regions = orderOf(profile.regions, numbers.regions, numbers);
    auto result = std::make_shared<Profile>();
    result->callPaths = reordered(profile.callPaths, callPaths, numbers);
    result->regions = reordered(profile.regions, regions, numbers);
    result->statistics = renumberedStatistics(profile.statistics, numbers);
    result->artificial = profile.artificial;
    if (profile.source)
        result->source = std::make_shared<const RenumberedColumns>(profile.source, std::move(callPaths),
                                                                   std::move(regions));
    return result;
}

}  // namespace skein
