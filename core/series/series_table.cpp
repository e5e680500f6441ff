// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/series_table.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

namespace skein {
namespace {

std::uint64_t backwardSteps(const std::vector<double>& times)
{
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < times.size(); ++i) count += times[i] < times[i - 1] ? 1 : 0;
    return count;
}

void sortRowsByTime(SeriesTable& table)
{
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return table.times[a] < table.times[b]; });
    std::vector<double> times, values;
    times.reserve(table.times.size());
    values.reserve(table.values.size());
    for (const std::size_t from : order) {
        times.push_back(table.times[from]);
        const auto row = table.row(from);
        values.insert(values.end(), row.begin(), row.end());
    }
    table.times = std::move(times);
    table.values = std::move(values);
}

/// Smallest and largest finite value of each column, and how many are missing.
void countSeriesValues(SeriesTable& table)
{
    const std::size_t width = table.columns.size();
    constexpr double kNone = std::numeric_limits<double>::infinity();
    std::vector<double> low(width, kNone), high(width, -kNone);
    table.notes.missing = 0;
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        double& value = table.values[i];
        if (!std::isfinite(value)) {
            value = std::numeric_limits<double>::quiet_NaN();
            ++table.notes.missing;
            continue;
        }
        low[i % width] = std::min(low[i % width], value);
        high[i % width] = std::max(high[i % width], value);
    }
    table.notes.constant = 0;
    for (std::size_t column = 0; column < width; ++column)
        table.notes.constant += table.rows() > 1 && low[column] >= high[column] ? 1 : 0;
}

/// Between a column's samples, where time went on.
std::vector<double> sampleIntervals(const SeriesTable& table, std::size_t column)
{
    std::vector<double> intervals;
    double before = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!std::isfinite(table.at(row, column))) continue;
        const double interval = table.times[row] - before;
        if (interval > 0.0) intervals.push_back(interval);
        before = table.times[row];
    }
    return intervals;
}

}  // namespace

std::vector<std::string> SeriesNotes::sentences(MissingValues use) const
{
    std::vector<std::string> told;
    const auto tell = [&](std::uint64_t count, std::string_view one, std::string_view many,
                          std::string_view then) {
        if (count > 0) told.push_back(fmt::format("{} {} {}.", count, count == 1 ? one : many, then));
    };
    tell(missing, "value is", "values are",
         use == MissingValues::Mean
             ? "missing or no finite number and count as their entity's mean"
             : "missing or no finite number: time points that have or need them are left out");
    tell(texts, "field holds", "fields hold", "a text where a number was expected");
    tell(unevenRows, "line has", "lines have", "more or fewer fields than the first");
    tell(unreadRecords, "record is", "records are", "cut off or of no known kind and left out");
    tell(backwardTimes, "row is", "rows are", "earlier than the one before; rows were sorted by time");
    tell(repeatedTimes, "sample has", "samples have",
         "the time of another one of its entity; each is a time point of its own");
    tell(constant, "series never changes", "series never change", "and cannot tell anything");
    if (binsAsked > 0)
        told.push_back(fmt::format("{} bins would be narrower than samples are apart: {} made.", binsAsked,
                                   binsMade == 1 ? "1 was" : fmt::format("{} were", binsMade)));
    return told;
}

Result<void> checkSeriesSize(std::size_t bins, std::size_t series)
{
    constexpr std::size_t kMostValues = std::size_t{1} << 27;
    if (series == 0 || bins <= kMostValues / series) return {};
    const auto bytes = [](std::size_t values) {
        return formatBytes(static_cast<double>(values) * sizeof(double));
    };
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("{} bins of {} series take {}, and at most {} are held: take up to {} bins, or fewer "
                    "series.",
                    bins, series, bytes(bins * series), bytes(kMostValues), kMostValues / series));
}

void tidySeries(SeriesTable& table)
{
    if (const std::uint64_t steps = backwardSteps(table.times)) {
        table.notes.backwardTimes += steps;
        sortRowsByTime(table);
    }
    countSeriesValues(table);
}

std::size_t mostSampledBins(const SeriesTable& table)
{
    constexpr std::size_t kMostColumns = 32, kFewestIntervals = 16;
    constexpr double kGap = 8.0;
    const std::size_t stride = std::max<std::size_t>(1, table.columns.size() / kMostColumns);
    double longest = 0.0;
    for (std::size_t column = 0; column < table.columns.size(); column += stride) {
        std::vector<double> intervals = sampleIntervals(table, column);
        if (intervals.size() < kFewestIntervals) continue;
        const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
        std::nth_element(intervals.begin(), middle, intervals.end());
        for (const double gap = kGap * *middle; const double interval : intervals)
            if (interval <= gap) longest = std::max(longest, interval);
    }
    if (!(longest > 0.0)) return std::numeric_limits<std::size_t>::max();
    // As many as there are samples where these come evenly, whatever rounding does.
    const double most = (table.times.back() - table.times.front()) / longest * (1.0 + 1e-9) + 1.0;
    return most < 1e18 ? static_cast<std::size_t>(most) : std::numeric_limits<std::size_t>::max();
}

SeriesTable sumInBins(const SeriesTable& table, std::size_t bins)
{
    const bool oneTime = table.rows() == 0 || !(table.times.back() > table.times.front());
    const std::size_t asked = std::exchange(bins, oneTime ? 1 : std::min(bins, mostSampledBins(table)));
    SeriesTable binned;
    binned.metric = table.metric;
    binned.columns = table.columns;
    binned.notes = table.notes;
    if (bins < asked) {
        binned.notes.binsAsked = asked;
        binned.notes.binsMade = bins;
    }
    const std::size_t width = table.columns.size();
    binned.values.assign(bins * width, std::numeric_limits<double>::quiet_NaN());
    const double begin = table.rows() > 0 ? table.times.front() : 0.0;
    const double length = table.rows() > 0 ? table.times.back() - begin : 0.0;
    const auto count = static_cast<double>(bins);
    for (std::size_t bin = 0; bin < bins; ++bin)
        binned.times.push_back(begin + length * (static_cast<double>(bin) / count));
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double place = length > 0.0 ? std::floor((table.times[row] - begin) / length * count) : 0.0;
        const std::size_t bin = std::min(bins - 1, static_cast<std::size_t>(place));
        for (std::size_t column = 0; column < width; ++column) {
            const double value = table.at(row, column);
            double& sum = binned.values[bin * width + column];
            if (std::isfinite(value)) sum = std::isnan(sum) ? value : sum + value;
        }
    }
    return binned;
}

std::vector<double> entityMajor(const SeriesTable& table)
{
    const std::size_t width = table.columns.size(), rows = table.rows();
    std::vector<double> turned(width * rows);
    for (std::size_t column = 0; column < width; ++column) {
        double* const out = turned.data() + column * rows;
        double sum = 0.0;
        std::size_t known = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            out[row] = table.at(row, column);
            if (!std::isfinite(out[row])) continue;
            sum += out[row];
            ++known;
        }
        const double mean = known > 0 ? sum / static_cast<double>(known) : 0.0;
        std::replace_if(
            out, out + rows, [](double value) { return !std::isfinite(value); }, mean);
    }
    return turned;
}

}  // namespace skein
