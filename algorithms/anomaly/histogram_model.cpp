// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/histogram_model.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kLeastShare = 78.88e-32;
constexpr std::size_t kMostScottBins = std::size_t{1} << 16;

double scottWidth(const RunningMoments& moments)
{
    return 3.5 * moments.populationDeviation() / std::cbrt(static_cast<double>(moments.count()));
}

double bitsOfShare(double share) { return -std::log2(share); }

double signOf(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

/// The number of bins of Scott's width that the span needs.
std::size_t scottBins(double spanWidth, double width)
{
    const double bins = std::ceil(spanWidth / width);
    return bins < static_cast<double>(kMostScottBins)
        ? std::max<std::size_t>(1, static_cast<std::size_t>(bins))
        : kMostScottBins;
}

double marginOfBins(double spanWidth, std::size_t bins)
{
    return 1e-6 * spanWidth / (static_cast<double>(bins) - 1e-6 - 0.001);
}

}  // namespace

void ValueHistogram::divide(std::size_t bins, double margin)
{
    first_ = allEqual() ? minimum_ : minimum_ - margin;
    const std::size_t used = allEqual() ? 1 : bins;
    // Values may be so large that the margin is lost in rounding.
    width_ = allEqual() ? std::max(std::abs(minimum_) * 1e-12, 1e-300)
                        : (maximum_ - first_) / static_cast<double>(used);
    counts_.assign(used, 0);
}

std::size_t ValueHistogram::binAt(double value) const
{
    if (allEqual()) return 0;
    const double place = std::ceil((value - first_) / width_) - 1.0;
    if (!(place > 0.0)) return 0;
    return static_cast<std::size_t>(std::min(place, static_cast<double>(counts_.size() - 1)));
}

ValueHistogram ValueHistogram::ofBins(std::span<const double> values, std::size_t bins)
{
    ValueHistogram histogram;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    histogram.minimum_ = *least;
    histogram.maximum_ = *most;
    histogram.divide(std::max<std::size_t>(1, bins),
                     marginOfBins(*most - *least, std::max<std::size_t>(1, bins)));
    for (const double value : values) ++histogram.counts_[histogram.binAt(value)];
    histogram.total_ = values.size();
    histogram.place({});
    return histogram;
}

ValueHistogram ValueHistogram::ofScott(std::span<const double> values, const RunningMoments& moments)
{
    ValueHistogram histogram;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    histogram.minimum_ = *least;
    histogram.maximum_ = *most;
    const double width = scottWidth(moments);
    histogram.divide(scottBins(*most - *least + 1e-6 * width, width), 1e-6 * width);
    for (const double value : values) ++histogram.counts_[histogram.binAt(value)];
    histogram.total_ = values.size();
    histogram.place({});
    return histogram;
}

/// Adds the counts of another histogram, whose span lies within this one's, and sums up.
void ValueHistogram::place(const ValueHistogram& other)
{
    const std::size_t last = counts_.size() - 1;
    for (std::size_t bin = 0; bin < other.counts_.size(); ++bin) {
        std::uint64_t left = other.counts_[bin];
        double lower = other.first_ + static_cast<double>(bin) * other.width_;
        const double upper = lower + other.width_;
        std::size_t to = other.allEqual() ? binAt(other.minimum_) : binAt(lower + 1e-9 * width_);
        while (left > 0) {
            const double edge = first_ + static_cast<double>(to + 1) * width_;
            if (edge >= upper || to == last || other.allEqual()) break;
            const double part = std::max(0.0, edge - lower) / (upper - lower);
            const auto moved = std::min(
                left, static_cast<std::uint64_t>(std::floor(static_cast<double>(left) * part + 0.5)));
            counts_[to++] += moved;
            left -= moved;
            lower = std::max(lower, edge);
        }
        counts_[to] += left;
    }
    total_ += other.total_;
    sums_.assign(1, 0);
    for (const std::uint64_t count : counts_) sums_.push_back(sums_.back() + count);
}

ValueHistogram ValueHistogram::mergedWith(const ValueHistogram& other, std::size_t bins,
                                          const RunningMoments& moments) const
{
    ValueHistogram merged;
    merged.minimum_ = std::min(minimum_, other.minimum_);
    merged.maximum_ = std::max(maximum_, other.maximum_);
    const double spanWidth = merged.maximum_ - merged.minimum_;
    if (bins > 0) {
        merged.divide(bins, marginOfBins(spanWidth, bins));
    } else {
        const double width = scottWidth(moments);
        merged.divide(scottBins(spanWidth + 1e-6 * width, width), 1e-6 * width);
    }
    merged.place(*this);
    merged.place(other);
    return merged;
}

std::size_t ValueHistogram::binOf(double value) const
{
    const double tolerance = 0.05 * width_;
    const double end = first_ + static_cast<double>(counts_.size()) * width_;
    if (allEqual() ? value != minimum_ : value < first_ - tolerance || value > end + tolerance)
        return counts_.size();
    return binAt(value);
}

double ValueHistogram::skewness() const
{
    if (allEqual()) return 0.0;
    const double n = static_cast<double>(total_);
    double mean = 0.0, squares = 0.0, cubes = 0.0;
    for (std::size_t bin = 0; bin < counts_.size(); ++bin)
        mean += center(bin) * static_cast<double>(counts_[bin]) / n;
    for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
        const double distance = center(bin) - mean, share = static_cast<double>(counts_[bin]) / n;
        squares += share * distance * distance;
        cubes += share * distance * distance * distance;
    }
    return squares > 0.0 ? cubes / std::pow(squares, 1.5) : 0.0;
}

double ValueHistogram::shareUpTo(double value) const
{
    const double n = static_cast<double>(total_);
    const double place = (value - first_) / width_;
    const double bin = std::ceil(place) - 1.0;
    if (allEqual() || bin >= static_cast<double>(counts_.size())) return value < minimum_ ? 1.0 / n : 1.0;
    if (bin < 0.0) return 1.0 / n;
    const auto index = static_cast<std::size_t>(bin);
    const double below =
        static_cast<double>(before(index)) + (place - bin) * static_cast<double>(counts_[index]);
    return std::min(1.0, (below + 1.0) / n);
}

/// The histogram of the negated values: its bins are (lower, upper] again, and its last ends at the least
/// value.
double ValueHistogram::shareFrom(double value) const
{
    const double n = static_cast<double>(total_);
    if (allEqual()) return value > maximum_ ? 1.0 / n : 1.0;
    const double first = -maximum_ - 1e-6 * width_;
    const double bin = std::ceil((-value - first) / width_) - 1.0;
    if (bin < 0.0) return 1.0 / n;
    if (bin >= static_cast<double>(counts_.size())) return 1.0;
    const std::size_t index = counts_.size() - 1 - static_cast<std::size_t>(bin);
    const double lower = first + bin * width_;
    const double upper = std::min(-minimum_, lower + width_);
    const double part = upper > lower ? (-value - lower) / (upper - lower) : 1.0;
    const double above =
        static_cast<double>(total_ - before(index + 1)) + part * static_cast<double>(counts_[index]);
    return std::min(1.0, (above + 1.0) / n);
}

std::uint64_t ValueHistogram::before(std::size_t bin) const { return sums_[bin]; }

double HistogramDetector::copodScore(double value) const
{
    const double left = bitsOfShare(histogram_.shareUpTo(value));
    const double right = bitsOfShare(histogram_.shareFrom(value));
    const double corrected = -left * signOf(skewness_ - 1.0) + right * signOf(skewness_ + 1.0);
    return std::max(corrected, 0.5 * (left + right));
}

double HistogramDetector::scoreOf(double value) const
{
    if (params_.method == HistogramMethod::Copod) return copodScore(value);
    const std::size_t bin = histogram_.binOf(value);
    const double count = bin < histogram_.binCount() ? static_cast<double>(histogram_.count(bin)) : 0.0;
    return bitsOfShare(count / static_cast<double>(histogram_.total()) + kLeastShare);
}

double HistogramDetector::nextLimit() const
{
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t bin = 0; bin < histogram_.binCount(); ++bin) {
        if (histogram_.count(bin) == 0) continue;
        const double score = scoreOf(histogram_.center(bin));
        least = std::min(least, score);
        most = std::max(most, score);
    }
    return least + params_.threshold * (most - least);
}

std::vector<Judgement> HistogramDetector::judge(std::span<const double> batch)
{
    std::vector<double> values;
    for (const double value : batch)
        if (std::isfinite(value)) values.push_back(value);
    RunningMoments own;
    for (const double value : values) own.add(value);
    if (!values.empty()) {
        const bool scott = params_.method == HistogramMethod::Copod;
        const ValueHistogram fresh =
            scott ? ValueHistogram::ofScott(values, own) : ValueHistogram::ofBins(values, params_.bins);
        moments_.merge(own);
        histogram_ = histogram_.total() == 0
            ? fresh
            : histogram_.mergedWith(fresh, scott ? 0 : std::max<std::size_t>(1, params_.bins), moments_);
        skewness_ = histogram_.skewness();
        if (!histogram_.allEqual()) {
            const double next = nextLimit();
            limit_ = params_.keepStrictest ? std::max(limit_, next) : next;
        }
    }
    std::vector<Judgement> judged(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (!std::isfinite(batch[i])) continue;
        const double score = histogram_.allEqual() ? 0.0 : scoreOf(batch[i]);
        const bool flagged = !histogram_.allEqual() && score >= limit_;
        judged[i] = {score, flagged ? Verdict::Anomaly : Verdict::Normal};
    }
    return judged;
}

Judgement HistogramDetector::judgeOther(double value) const
{
    if (histogram_.total() == 0 || !std::isfinite(value)) return {};
    const double score = scoreOf(value);
    return {score, score >= limit_ ? Verdict::Anomaly : Verdict::Normal};
}

}  // namespace skein
