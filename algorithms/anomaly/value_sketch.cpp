// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/value_sketch.h"

#include <algorithm>
#include <bit>

namespace skein {
namespace {

constexpr int kSketchBits = 7;  ///< of a value that its bin keeps, beside the leading one
constexpr std::uint64_t kExactBins = std::uint64_t{2} << kSketchBits;

/// The middle of what falls into a bin.
double middleOfBin(std::size_t bin)
{
    if (bin < kExactBins) return static_cast<double>(bin);
    const std::size_t shift = (bin >> kSketchBits) - 1;
    const std::uint64_t leading =
        (bin & ((std::uint64_t{1} << kSketchBits) - 1)) | (std::uint64_t{1} << kSketchBits);
    const auto low = static_cast<double>(leading << shift);
    return low + 0.5 * (static_cast<double>(std::uint64_t{1} << shift) - 1.0);
}

}  // namespace

std::size_t ValueSketch::binOf(TimeNs value)
{
    const auto positive = static_cast<std::uint64_t>(std::max<TimeNs>(0, value));
    if (positive < kExactBins) return positive;
    const int shift = static_cast<int>(std::bit_width(positive)) - kSketchBits - 1;
    const std::uint64_t leading = positive >> shift;  // its highest bit is bit kSketchBits
    return (static_cast<std::size_t>(shift) << kSketchBits) + leading;
}

void ValueSketch::add(TimeNs value, std::uint64_t times)
{
    count_ += times;
    if (bins_.empty() && count_ <= kMostExact) {
        values_.insert(values_.end(), times, std::max<TimeNs>(0, value));
        return;
    }
    if (bins_.empty()) spread();
    const std::size_t bin = binOf(value);
    if (bin >= bins_.size()) bins_.resize(bin + 1, 0);
    bins_[bin] += times;
}

void ValueSketch::spread()
{
    bins_.assign(kExactBins, 0);
    for (const TimeNs value : values_) {
        const std::size_t bin = binOf(value);
        if (bin >= bins_.size()) bins_.resize(bin + 1, 0);
        ++bins_[bin];
    }
    values_ = {};
}

void ValueSketch::merge(const ValueSketch& other)
{
    for (const TimeNs value : other.values_) add(value);
    if (other.bins_.empty()) return;
    if (bins_.empty()) spread();
    count_ += other.count_;
    if (other.bins_.size() > bins_.size()) bins_.resize(other.bins_.size(), 0);
    for (std::size_t bin = 0; bin < other.bins_.size(); ++bin) bins_[bin] += other.bins_[bin];
}

std::vector<ValueCount> ValueSketch::counts() const
{
    std::vector<ValueCount> counts;
    if (!bins_.empty()) {
        for (std::size_t bin = 0; bin < bins_.size(); ++bin)
            if (bins_[bin] > 0) counts.push_back({middleOfBin(bin), bins_[bin]});
        return counts;
    }
    std::vector<TimeNs> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    for (const TimeNs value : sorted) {
        if (counts.empty() || counts.back().value != static_cast<double>(value))
            counts.push_back({static_cast<double>(value), 0});
        ++counts.back().count;
    }
    return counts;
}

double ValueSketch::represented(TimeNs value) const
{
    return exact() ? static_cast<double>(std::max<TimeNs>(0, value)) : middleOfBin(binOf(value));
}

double medianOf(const std::vector<ValueCount>& counts)
{
    std::uint64_t total = 0;
    for (const ValueCount& each : counts) total += each.count;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        before += counts[i].count;
        if (before * 2 > total) return counts[i].value;
        if (before * 2 == total && i + 1 < counts.size())
            return 0.5 * (counts[i].value + counts[i + 1].value);
    }
    return 0.0;
}

}  // namespace skein
