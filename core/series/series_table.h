// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// What becomes of missing values.
enum class MissingValues : std::uint8_t {
    Mean,     ///< they count as their entity's mean
    LeftOut,  ///< time points that need them are left out
};

/// What was found while series were read, and put right.
struct SeriesNotes {
    std::uint64_t missing = 0;        ///< values that are not there, or are no finite number
    std::uint64_t texts = 0;          ///< of those: fields with a text in them
    std::uint64_t unevenRows = 0;     ///< lines with more or fewer fields than the others
    std::uint64_t unreadRecords = 0;  ///< records of a binary file that are cut, or of no known kind
    std::uint64_t backwardTimes = 0;  ///< rows earlier than the one before; rows were sorted
    std::uint64_t repeatedTimes = 0;  ///< further samples of an entity at the same time; each is a row
    std::uint64_t constant = 0;       ///< columns that never change
    std::uint64_t binsAsked = 0;      ///< bins that would have been narrower than samples are apart …
    std::uint64_t binsMade = 0;       ///< … of which so many were made instead

    bool operator==(const SeriesNotes&) const = default;
    /// A sentence for each that is not 0, without an end of line.
    std::vector<std::string> sentences(MissingValues use = MissingValues::Mean) const;
};

/// Series of one metric: a row a time point, a column an entity; or of several metrics, a column each.
struct SeriesTable {
    std::string metric;                ///< what the values are; may be empty
    std::vector<std::string> columns;  ///< names
    std::vector<double> times;         ///< a row; not decreasing; the row's number where no times are known
    std::vector<double> values;        ///< [row × columns + column]; NaN where there is none
    SeriesNotes notes;

    std::size_t rows() const { return times.size(); }
    std::span<const double> row(std::size_t index) const
    {
        return std::span(values).subspan(index * columns.size(), columns.size());
    }
    double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
};

/// Whether so many series of so many bins may be held: 2^27 values (1 GiB) at most. Errors: InvalidArgument,
/// with both sizes in the sentence.
Result<void> checkSeriesSize(std::size_t bins, std::size_t series);

/// Sorts rows by time where they are not, and counts what SeriesNotes tells of values: missing ones and
/// constant columns. O(values).
void tidySeries(SeriesTable& table);

/// How many bins of one length are not narrower than samples are apart: all then hold a sample of each
/// column, gaps aside, which are more than eight times the median apart. Of at most 32 columns. SIZE_MAX
/// where they have fewer than 17 samples, which tells too little. O(rows · log rows).
std::size_t mostSampledBins(const SeriesTable& table);

/// Sums of values in bins of one length from the first time to the last one, which lies in the last bin; NaN
/// where a column has no value in a bin. No more than mostSampledBins(), and one where there is one time
/// alone: in narrower ones whether there are two samples or none is all that is seen. Notes are those of the
/// table, and tell of fewer bins. `bins` > 0. O(values + bins · columns).
SeriesTable sumInBins(const SeriesTable& table, std::size_t bins);

/// The table with rows and columns exchanged: [column × rows + row]; missing values are the column's mean, or
/// 0 where it has none. O(values).
std::vector<double> entityMajor(const SeriesTable& table);

}  // namespace skein
