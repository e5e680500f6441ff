// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/trace_metrics.h"

#include "core/index/first_call.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <cctype>

namespace skein {
namespace {

/// Walks the calls of a location in the order of their enters and leaves.
class EnterLeaveWalk {
public:
    EnterLeaveWalk(const CallIntervals& calls, const MetricLevels& levels,
                   const std::optional<TimeSpan>& window, std::vector<double>& inclusive)
        : calls_(calls), levels_(levels), window_(window), inclusive_(inclusive), open_(calls)
    {
    }

    void run()
    {
        if (window_ && window_->empty()) return;
        const std::uint32_t first = window_ ? firstCallFrom(calls_, window_->begin) : 0;
        const auto last =
            static_cast<std::uint32_t>(window_ ? firstCallFrom(calls_, window_->end) : calls_.size());
        if (window_) enterWindow(first);
        for (std::uint32_t call = first; call < last; ++call) {
            open_.enter(call, [this] { leaveLast(); });
            entered_.push_back(levels_.take(cursor_, calls_.begin[call]));
        }
        while (!open_.empty()) leaveLast();
    }

private:
    /// The calls that reach into the window; those that end as it begins have taken their samples of this
    /// time.
    void enterWindow(std::uint32_t first)
    {
        const double level = levels_.at(window_->begin);
        cursor_ = levels_.firstAtOrAfter(window_->begin);
        std::vector<std::uint32_t> around;
        forEachOpenBefore(calls_, first, [&](std::uint32_t call) {
            if (calls_.end[call] == window_->begin) levels_.take(cursor_, window_->begin);
            if (calls_.end[call] > window_->begin) around.push_back(call);
        });
        std::for_each(around.rbegin(), around.rend(), [this](std::uint32_t call) { open_.enter(call); });
        entered_.assign(around.size(), level);
    }

    void leaveLast()
    {
        const std::uint32_t last = open_.innermost();
        open_.leave();
        const TimeNs end = calls_.end[last];
        const double left =
            window_ && end >= window_->end ? levels_.at(window_->end) : levels_.take(cursor_, end);
        inclusive_[calls_.callPath[last]] += left - entered_.back();
        entered_.pop_back();
    }

    const CallIntervals& calls_;
    const MetricLevels& levels_;
    const std::optional<TimeSpan>& window_;
    std::vector<double>& inclusive_;
    OpenCalls open_;
    std::vector<double> entered_;  ///< the level when each open call was entered
    std::size_t cursor_ = 0;
};

}  // namespace

bool equalIgnoringCase(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

bool isRelative(MetricMode mode)
{
    return mode == MetricMode::RelativePoint || mode == MetricMode::RelativeLast
        || mode == MetricMode::RelativeNext;
}

Attribution attributionOf(const MetricStream& stream)
{
    if (stream.times.empty()) return Attribution::NoSamples;
    if (stream.scopeLocation != stream.recorder) return Attribution::OfManyCalls;
    if (stream.occurrence == MetricOccurrence::Asynchronous) return Attribution::Asynchronous;
    return stream.occurrence == MetricOccurrence::SynchronousStrict ? Attribution::PerCall
                                                                    : Attribution::NotAtCalls;
}

std::string_view whyNot(Attribution attribution)
{
    switch (attribution) {
    case Attribution::PerCall: return {};
    case Attribution::NotAtCalls: return "it is sampled at some events, not at every enter and leave";
    case Attribution::Asynchronous: return "it is sampled asynchronously, not at enters and leaves";
    case Attribution::OfManyCalls:
        return "it tells about a whole process or node, not about what the recording thread did";
    case Attribution::NoSamples: return "it was never sampled";
    }
    return {};
}

std::vector<TraceMetric> traceMetrics(const Experiment& experiment)
{
    if (!experiment.trace) return {};
    std::vector<TraceMetric> metrics;
    for (std::size_t i = 0; i < experiment.definitions.metrics.size(); ++i)
        metrics.push_back({MetricId(i), Attribution::NoSamples});
    for (const MetricStream& stream : experiment.trace->metricStreams)
        for (const MetricId metric : stream.metrics)
            metrics[metric.index()].attribution =
                std::min(metrics[metric.index()].attribution, attributionOf(stream));
    return metrics;
}

MetricId metricPerCall(const Experiment& experiment, std::string_view name)
{
    for (const TraceMetric& metric : traceMetrics(experiment))
        if (metric.attribution == Attribution::PerCall
            && equalIgnoringCase(experiment.definitions.metric(metric.metric).name, name))
            return metric.metric;
    return {};
}

MetricLevels::MetricLevels(const MetricStream& stream, std::size_t column, const Metric& metric)
    : times_(stream.times)
{
    const std::size_t columns = stream.metrics.size();
    const auto bits = [&](std::size_t sample) { return stream.values[sample * columns + column]; };
    levels_.reserve(stream.samples());
    double sum = 0.0;
    for (std::size_t sample = 0; sample < stream.samples(); ++sample) {
        if (!isRelative(metric.mode)) {
            levels_.push_back(metricIncrease(bits(0), bits(sample), metric.valueType));
            continue;
        }
        const double amount = metricValue(bits(sample), metric.valueType);
        levels_.push_back(metric.mode == MetricMode::RelativeNext ? sum : sum + amount);
        sum += amount;
    }
}

std::size_t MetricLevels::firstAtOrAfter(TimeNs time) const
{
    return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
}

double MetricLevels::at(TimeNs time) const
{
    const std::size_t next = firstAtOrAfter(time);
    if (levels_.empty()) return 0.0;
    if (next == levels_.size()) return levels_.back();
    if (next == 0 || times_[next] == time) return levels_[next];
    const double share =
        static_cast<double>(time - times_[next - 1]) / static_cast<double>(times_[next] - times_[next - 1]);
    return levels_[next - 1] + share * (levels_[next] - levels_[next - 1]);
}

double MetricLevels::take(std::size_t& cursor, TimeNs time) const
{
    while (cursor < levels_.size() && times_[cursor] < time) ++cursor;
    if (cursor < levels_.size() && times_[cursor] == time) return levels_[cursor++];
    return cursor == 0 ? 0.0 : levels_[cursor - 1];
}

void addInclusive(const CallIntervals& calls, const MetricLevels& levels,
                  const std::optional<TimeSpan>& window, std::vector<double>& inclusive)
{
    EnterLeaveWalk(calls, levels, window, inclusive).run();
}

}  // namespace skein
