// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/judgement.h"
#include "algorithms/anomaly/running_moments.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How values lie: bins (lower, upper] of one width, the last of which ends at the greatest value.
class ValueHistogram {
public:
    /// `bins` bins; values must be finite, and there must be one. All equal: one bin. O(n).
    static ValueHistogram ofBins(std::span<const double> values, std::size_t bins);
    /// As many bins as there is room for bins of Scott's width (Scott, Biometrika 66(3), 1979), at most 2^16.
    static ValueHistogram ofScott(std::span<const double> values, const RunningMoments& moments);

    /// Counts of both, over the span of both: those of a bin that is divided go to its parts by their widths,
    /// rounded. `bins` 0: of Scott's width by the moments of both.
    ValueHistogram mergedWith(const ValueHistogram& other, std::size_t bins,
                              const RunningMoments& moments) const;

    std::size_t binCount() const { return counts_.size(); }
    std::uint64_t count(std::size_t bin) const { return counts_[bin]; }
    std::uint64_t total() const { return total_; }
    double center(std::size_t bin) const { return first_ + (static_cast<double>(bin) + 0.5) * width_; }
    bool allEqual() const { return minimum_ == maximum_; }
    /// The bin of a value; values up to 5 % of a bin beyond the ends belong to the outer bins. binCount():
    /// none.
    std::size_t binOf(double value) const;
    /// Of values by their bins' centres; 0 where they are equal.
    double skewness() const;
    /// Share of the values that are not greater, and not smaller: one at least, at most all.
    double shareUpTo(double value) const;
    double shareFrom(double value) const;

private:
    void divide(std::size_t bins, double margin);
    void place(const ValueHistogram& other);
    std::size_t binAt(double value) const;
    std::uint64_t before(std::size_t bin) const;

    std::vector<std::uint64_t> counts_;
    std::vector<std::uint64_t> sums_;  ///< of all bins before
    std::uint64_t total_ = 0;
    double minimum_ = 0.0;
    double maximum_ = 0.0;
    double first_ = 0.0;  ///< lower edge of the first bin
    double width_ = 0.0;
};

enum class HistogramMethod {
    Hbos,  ///< how rare values of that bin are (Goldstein, Dengel, KI 2012): −log₂ of the bin's share
    Copod  ///< how far out in a tail (Li et al., "COPOD: copula-based outlier detection", ICDM 2020)
};

struct HistogramParams {
    HistogramMethod method = HistogramMethod::Hbos;
    double threshold = 0.99;    ///< of the way from the least to the greatest score of all bins
    std::size_t bins = 200;     ///< for HBOS; COPOD has Scott's
    bool keepStrictest = true;  ///< a threshold never falls from batch to batch
};

/// A stream in batches, as Chimbuko judges it: each batch is added to the histogram and then judged. Values
/// that are not finite are not evaluated; where all values are equal none is an anomaly. O(values + bins) a
/// batch.
class HistogramDetector {
public:
    explicit HistogramDetector(const HistogramParams& params) : params_(params) {}
    std::vector<Judgement> judge(std::span<const double> batch);
    /// Of a value that is not added, by those that were; what is unlike values that are all equal is an
    /// anomaly. Not evaluated before the first batch. O(1).
    Judgement judgeOther(double value) const;
    /// From which score on a value is an anomaly; of the last batch.
    double limit() const { return limit_; }
    const RunningMoments& moments() const { return moments_; }

private:
    double scoreOf(double value) const;
    double copodScore(double value) const;
    double nextLimit() const;

    HistogramParams params_;
    ValueHistogram histogram_;
    RunningMoments moments_;
    double skewness_ = 0.0;
    double limit_ = 1.4426878274712997e-05;  ///< log₂ 1.00001, below which no score counts
};

}  // namespace skein
