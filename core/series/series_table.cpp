// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/series_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

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
    tell(backwardTimes, "row is", "rows are", "earlier than the one before; rows were sorted by time");
    tell(repeatedTimes, "sample has", "samples have",
         "the time of another one of its entity; each is a time point of its own");
    tell(constant, "series never changes", "series never change", "and cannot tell anything");
    return told;
}

void tidySeries(SeriesTable& table)
{
    if (const std::uint64_t steps = backwardSteps(table.times)) {
        table.notes.backwardTimes += steps;
        sortRowsByTime(table);
    }
    countSeriesValues(table);
}

SeriesTable sumInBins(const SeriesTable& table, std::size_t bins)
{
    SeriesTable binned;
    binned.metric = table.metric;
    binned.columns = table.columns;
    binned.notes = table.notes;
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
