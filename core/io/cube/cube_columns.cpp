// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/cube_columns.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skein::cube {
namespace {

constexpr double kNoAmount = std::numeric_limits<double>::quiet_NaN();
/// Beyond this, numbers come from damaged data: sums of them would be infinite.
constexpr double kLargestAmount = 1e290;
/// Rows of data that are unpacked together, at most this many bytes of numbers.
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;
constexpr std::size_t kLocationsInPiece = 256;
/// Up to this, doubles hold every whole number.
constexpr double kExactIntegers = 9007199254740992.0;

bool isLongInteger(const ColumnSource& source)
{
    const NumberType type = source.stored.format.number;
    return type == NumberType::Int64 || type == NumberType::Uint64;
}

double absentOf(MetricAggregation aggregation)
{
    return aggregation == MetricAggregation::Sum ? 0.0 : kNoAmount;
}

void combine(MetricAggregation aggregation, double& sum, double value)
{
    if (aggregation == MetricAggregation::Sum) sum += value;
    else if (std::isnan(sum)) sum = value;
    else if (!std::isnan(value))
        sum = aggregation == MetricAggregation::Minimum ? std::min(sum, value) : std::max(sum, value);
}

/// Rows of data in the order of their call paths.
std::vector<std::pair<std::uint32_t, std::uint32_t>> rowsByNode(const ColumnSource& source)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
    rows.reserve(source.data->rows());
    for (std::uint32_t row = 0; row < source.data->rows(); ++row)
        rows.emplace_back((*source.nodeOfNumber)[source.data->number(row)], row);
    std::sort(rows.begin(), rows.end());
    return rows;
}

}  // namespace

void readRow(const ColumnSource& source, std::string_view bytes, NumberPart part, double absent,
             std::span<double> numbers, std::uint64_t& odd)
{
    const ValueFormat& format = source.stored.format;
    std::fill(numbers.begin(), numbers.end(), 0.0);
    const std::size_t skipped = std::size_t{source.stored.part} * 8;
    if (!bytes.empty())
        decodeNumbers(bytes.substr(std::min(skipped, bytes.size())), format.number, source.data->order(),
                      format.bytes, part, numbers);
    if (format.number != NumberType::Double) return;
    for (double& number : numbers) {
        if (std::fabs(number) <= kLargestAmount) continue;
        const bool none = std::fabs(number) == std::numeric_limits<double>::max() || std::isinf(number);
        odd += source.aggregation == MetricAggregation::Sum || !none;
        number = absent;
    }
}

CubeColumns::CubeColumns(std::shared_ptr<const TarArchive> archive, std::string name,
                         std::vector<ColumnSource> sources, std::vector<std::uint32_t> locationOfPlace,
                         CubeRows rows, std::shared_ptr<const CallTree> tree)
    : archive_(std::move(archive)),
      name_(std::move(name)),
      sources_(std::move(sources)),
      placeOfLocation_(locationOfPlace.size()),
      rows_(std::move(rows)),
      tree_(std::move(tree))
{
    for (std::uint32_t place = 0; place < locationOfPlace.size(); ++place)
        placeOfLocation_[locationOfPlace[place]] = place;
    for (const std::uint32_t region : tree_->regions())
        regionCount_ = std::max<std::size_t>(regionCount_, std::size_t{region} + 1);
}

/// Goes through the call paths in their order, so that in every location each next one either is that of the
/// next row or has none there.
bool CubeColumns::scatter(const ColumnSource& source, NumberPart part, std::span<double> amounts,
                          const Task& task) const
{
    const std::size_t locations = rows_.locations();
    const auto order = rowsByNode(source);
    const std::size_t inBatch = std::clamp<std::size_t>(kBatchBytes / (8 * locations + 1), 1, 1024);
    const std::size_t pieces = (locations + kLocationsInPiece - 1) / kLocationsInPiece;
    std::vector<std::vector<double>> numbers(std::min(inBatch, order.size()), std::vector<double>(locations));
    std::vector<std::uint64_t> cursor(rows_.pathOffsets.begin(), rows_.pathOffsets.end() - 1);
    for (std::size_t from = 0; from < order.size(); from += inBatch) {
        const std::size_t count = std::min(inBatch, order.size() - from);
        const bool read = parallelFor(count, task, [&](std::size_t at) {
            std::string buffer;
            std::uint64_t odd = 0;
            const bool derived = source.amount == StoredAmount::Inclusive;
            readRow(source, source.data->row(order[from + at].second, buffer).bytes, part,
                    derived ? kNoAmount : absentOf(source.aggregation), numbers[at], odd);
        });
        const bool placed =
            read && parallelFor(pieces, task, [&](std::size_t piece) {
                const std::size_t last = std::min(locations, (piece + 1) * kLocationsInPiece);
                for (std::size_t location = piece * kLocationsInPiece; location < last; ++location) {
                    const std::uint64_t end = rows_.pathOffsets[location + 1];
                    std::uint64_t& row = cursor[location];
                    for (std::size_t at = 0; at < count; ++at) {
                        while (row < end && rows_.paths[row] < order[from + at].first) ++row;
                        if (row < end && rows_.paths[row] == order[from + at].first)
                            amounts[row] = numbers[at][placeOfLocation_[location]] * source.stored.scale;
                    }
                }
            });
        if (!placed) return false;
    }
    return true;
}

/// One of the two has what is stored; works the other one out. `rests` is what the stored numbers have beyond
/// what a double holds; empty where none has any.
void CubeColumns::derive(const ColumnSource& source, std::size_t location, std::span<const double> rests,
                         std::span<double> inclusive, std::span<double> exclusive,
                         std::vector<std::uint64_t>& rowOfNode) const
{
    const std::uint64_t begin = rows_.pathOffsets[location], end = rows_.pathOffsets[location + 1];
    const MetricAggregation how = source.aggregation;
    const bool stored = source.amount == StoredAmount::Inclusive;
    if (how != MetricAggregation::Sum && !stored && !calls_.empty())
        for (std::uint64_t row = begin; row < end; ++row)
            if (calls_[row] == 0.0 && exclusive[row] == 0.0) exclusive[row] = kNoAmount;
    for (std::uint64_t row = begin; row < end; ++row) {
        rowOfNode[rows_.paths[row]] = row;
        (stored ? exclusive : inclusive)[row] = (stored ? inclusive : exclusive)[row];
    }
    if (stored && how != MetricAggregation::Sum) return;
    for (std::uint64_t row = end; row-- > begin;) {
        const std::uint32_t parent = tree_->parents()[rows_.paths[row]];
        if (parent == CallPathId::kNone) continue;
        if (stored) exclusive[rowOfNode[parent]] -= inclusive[row];
        else combine(how, inclusive[rowOfNode[parent]], inclusive[row]);
    }
    for (std::uint64_t row = begin; row < end && !rests.empty(); ++row) {
        const std::uint32_t parent = tree_->parents()[rows_.paths[row]];
        exclusive[row] += rests[row];
        if (parent != CallPathId::kNone) exclusive[rowOfNode[parent]] -= rests[row];
    }
    // Where an inclusive number is none, the exclusive ones of it and above it are not known either.
    for (std::uint64_t row = begin; stored && row < end; ++row) {
        const bool unknown = !source.exclusiveUnknown.empty() && source.exclusiveUnknown[rows_.paths[row]];
        if (unknown || std::isnan(exclusive[row])) exclusive[row] = 0.0;
        if (std::isnan(inclusive[row])) inclusive[row] = 0.0;
    }
}

void CubeColumns::sumRegions(MetricAggregation aggregation, std::size_t location,
                             std::span<const double> inclusive, std::span<const double> exclusive,
                             std::span<double> regionsInclusive, std::span<double> regionsExclusive,
                             std::vector<std::uint64_t>& rowOfRegion) const
{
    for (std::uint64_t row = rows_.regionOffsets[location]; row < rows_.regionOffsets[location + 1]; ++row) {
        rowOfRegion[rows_.regions[row]] = row;
        regionsInclusive[row] = regionsExclusive[row] = absentOf(aggregation);
    }
    for (std::uint64_t row = rows_.pathOffsets[location]; row < rows_.pathOffsets[location + 1]; ++row) {
        const CallPathId path(rows_.paths[row]);
        const std::uint64_t to = rowOfRegion[tree_->region(path).index()];
        combine(aggregation, regionsExclusive[to], exclusive[row]);
        if (!tree_->isRecursive(path)) combine(aggregation, regionsInclusive[to], inclusive[row]);
    }
}

Result<ProfileColumn> CubeColumns::read(std::size_t column, const Task& task) const
{
    const ColumnSource& source = sources_[column];
    BlockStorage storage;
    const auto inclusive = storage.allocate<double>(rows_.paths.size());
    const auto exclusive = storage.allocate<double>(rows_.paths.size());
    const auto regionsInclusive = storage.allocate<double>(rows_.regions.size());
    const auto regionsExclusive = storage.allocate<double>(rows_.regions.size());
    const auto amounts = source.amount == StoredAmount::Inclusive ? inclusive.values : exclusive.values;
    std::fill(amounts.begin(), amounts.end(), absentOf(source.aggregation));
    if (!scatter(source, NumberPart::Rounded, amounts, task)) return cancelled();
    StoredArray<double> rests;
    const bool beyond = std::any_of(amounts.begin(), amounts.end(),
                                    [](double amount) { return std::fabs(amount) > kExactIntegers; });
    if (beyond && source.amount == StoredAmount::Inclusive && isLongInteger(source)) {
        rests = storage.allocate<double>(amounts.size());
        std::fill(rests.values.begin(), rests.values.end(), 0.0);
        if (!scatter(source, NumberPart::Rest, rests.values, task)) return cancelled();
    }
    const std::size_t pieces = (rows_.locations() + kLocationsInPiece - 1) / kLocationsInPiece;
    const bool all = parallelFor(pieces, task, [&](std::size_t piece) {
        std::vector<std::uint64_t> rowOfNode(tree_->size()), rowOfRegion(regionCount_);
        const std::size_t last = std::min(rows_.locations(), (piece + 1) * kLocationsInPiece);
        for (std::size_t location = piece * kLocationsInPiece; location < last; ++location) {
            derive(source, location, rests.values, inclusive.values, exclusive.values, rowOfNode);
            sumRegions(source.aggregation, location, inclusive.values, exclusive.values,
                       regionsInclusive.values, regionsExclusive.values, rowOfRegion);
        }
    });
    if (!all) return cancelled();
    if (archive_->hasShrunk())
        return fail(ErrorCode::Io,
                    fmt::format("{} became shorter while it was looked at. Open it again.", name_));
    return ProfileColumn{inclusive.column(), exclusive.column(), regionsInclusive.column(),
                         regionsExclusive.column()};
}

}  // namespace skein::cube
