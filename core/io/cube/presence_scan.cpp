// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/presence_scan.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::cube {
namespace {

/// Rows of data that a thread looks at with the same buffers.
constexpr std::size_t kRowsInPiece = 64;

struct ScanFindings {
    std::vector<std::uint32_t> damaged;  ///< call paths
    std::vector<std::uint32_t> odd;      ///< call paths some of whose values are no numbers
    std::uint64_t oddNumbers = 0;
};

bool allZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

/// A part of a tuple: in the order of the numbers of a value.
enum AtomicPart : std::size_t { Minimum, Maximum, Sum, SumOfSquares, Count };

/// The parts of a row of user events, one array each.
class AtomicRow {
public:
    explicit AtomicRow(std::size_t locations) : parts_(Count + 1, std::vector<double>(locations)) {}

    void read(std::string_view bytes, ByteOrder order, std::uint32_t stride)
    {
        for (auto& part : parts_) std::fill(part.begin(), part.end(), 0.0);
        if (bytes.empty()) return;
        decodeNumbers(bytes, NumberType::Uint32, order, stride, NumberPart::Rounded, parts_[Count]);
        for (std::size_t part = Minimum; part < Count; ++part)
            decodeNumbers(bytes.substr(4 + 8 * part), NumberType::Double, order, stride, NumberPart::Rounded,
                          parts_[part]);
    }

    /// nullopt where nothing was counted, or the numbers are none.
    std::optional<EventStatistic> at(std::size_t place, double scale) const
    {
        constexpr double kLargest = 1e150;  // its square is a number as well
        EventStatistic statistic;
        statistic.count = parts_[Count][place];
        if (!(statistic.count > 0.0)) return std::nullopt;
        for (std::size_t part = Minimum; part < Count; ++part)
            if (!(std::fabs(parts_[part][place]) < kLargest)) return std::nullopt;
        statistic.minimum = parts_[Minimum][place] * scale;
        statistic.maximum = parts_[Maximum][place] * scale;
        statistic.mean = parts_[Sum][place] * scale / statistic.count;
        statistic.sumOfSquares = parts_[SumOfSquares][place] * scale * scale;
        return statistic;
    }

private:
    std::vector<std::vector<double>> parts_;
};

}  // namespace

bool scanColumn(const ColumnSource& source, const std::vector<std::uint32_t>& locationOfPlace,
                const std::string& metric, PresenceBits& presence, std::vector<std::uint32_t>& unknown,
                ImportReport& report, const Task& task)
{
    const std::size_t rows = source.data->rows();
    const std::size_t pieces = (rows + kRowsInPiece - 1) / kRowsInPiece;
    std::vector<ScanFindings> findings(pieces);
    const bool all = parallelFor(pieces, task, [&](std::size_t piece) {
        std::string buffer;
        std::vector<double> numbers(locationOfPlace.size());
        for (std::size_t row = piece * kRowsInPiece; row < std::min(rows, (piece + 1) * kRowsInPiece);
             ++row) {
            if (task.stopRequested()) return;
            const MetricData::Row found = source.data->row(row, buffer);
            const std::uint32_t node = (*source.nodeOfNumber)[source.data->number(row)];
            if (!found.whole) findings[piece].damaged.push_back(node);
            if (allZero(found.bytes)) continue;
            const std::uint64_t oddBefore = findings[piece].oddNumbers;
            readRow(source, found.bytes, NumberPart::Rounded, std::nan(""), numbers,
                    findings[piece].oddNumbers);
            if (findings[piece].oddNumbers > oddBefore) findings[piece].odd.push_back(node);
            for (std::size_t place = 0; place < numbers.size(); ++place)
                if (numbers[place] != 0.0 && !std::isnan(numbers[place]))
                    presence.set(node, locationOfPlace[place]);
        }
    });
    if (!all || task.stopRequested()) return false;
    ScanFindings sum;
    for (const ScanFindings& one : findings) {
        sum.damaged.insert(sum.damaged.end(), one.damaged.begin(), one.damaged.end());
        sum.odd.insert(sum.odd.end(), one.odd.begin(), one.odd.end());
        sum.oddNumbers += one.oddNumbers;
    }
    unknown.insert(unknown.end(), sum.damaged.begin(), sum.damaged.end());
    unknown.insert(unknown.end(), sum.odd.begin(), sum.odd.end());
    if (!sum.damaged.empty())
        report.add(IssueKind::CorruptRecord, metric, "", "packed values of a call path cannot be unpacked",
                   -1, sum.damaged.size());
    if (sum.oddNumbers > 0)
        report.add(IssueKind::CorruptRecord, metric, "",
                   "values that are no numbers, or larger than 1e290, count as none", -1, sum.oddNumbers);
    return true;
}

void markUnknownExclusives(ColumnSource& source, const std::vector<std::uint32_t>& unknown,
                           const CallTree& tree, const std::string& metric, ImportReport& report)
{
    const bool derived =
        source.amount == StoredAmount::Inclusive && source.aggregation == MetricAggregation::Sum;
    if (!derived || (unknown.empty() && source.data->missing().empty())) return;
    source.exclusiveUnknown.resize(tree.size());
    const auto mark = [&](std::uint32_t node) {
        source.exclusiveUnknown[node] = true;
        if (const std::uint32_t parent = tree.parents()[node]; parent != CallPathId::kNone)
            source.exclusiveUnknown[parent] = true;
    };
    for (const std::uint32_t node : unknown) mark(node);
    for (const std::uint32_t number : source.data->missing()) mark((*source.nodeOfNumber)[number]);
    const auto paths = static_cast<std::uint64_t>(
        std::count(source.exclusiveUnknown.begin(), source.exclusiveUnknown.end(), true));
    report.add(
        IssueKind::Truncated, metric, "",
        fmt::format("the exclusive amounts of {} call paths are unknown and count as none, as inclusive "
                    "ones of them or below them are missing",
                    paths));
}

std::optional<std::vector<EventStatistic>> readStatistics(const ColumnSource& source,
                                                          const std::vector<std::uint32_t>& locationOfPlace,
                                                          const CallTree& tree, const Task& task)
{
    std::vector<EventStatistic> statistics;
    AtomicRow values(locationOfPlace.size());
    std::string buffer;
    const bool ofWholeRun = source.amount == StoredAmount::Inclusive;
    for (std::size_t row = 0; row < source.data->rows(); ++row) {
        if (task.stopRequested()) return std::nullopt;
        const CallPathId path((*source.nodeOfNumber)[source.data->number(row)]);
        if (ofWholeRun && tree.parent(path).valid()) continue;
        values.read(source.data->row(row, buffer).bytes, source.data->order(), source.stored.format.bytes);
        for (std::size_t place = 0; place < locationOfPlace.size(); ++place) {
            auto statistic = values.at(place, source.stored.scale);
            if (!statistic) continue;
            statistic->metric = source.stored.metric;
            statistic->location = LocationId(locationOfPlace[place]);
            if (!ofWholeRun) statistic->context = path;
            statistics.push_back(*statistic);
        }
    }
    return statistics;
}

}  // namespace skein::cube
