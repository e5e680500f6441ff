// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/causality.h"
#include "algorithms/behavior/online_series.h"
#include "algorithms/behavior/stream_transform.h"
#include "core/io/stream/stream_rows.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

struct OnlineBehaviorParams {
    OnlineParams series;
    StreamTransformParams transform;
    std::vector<std::string>
        metrics;                 ///< patterns with * and ?; empty: all. One without a name is always wanted
    std::size_t lags = 0;        ///< of the model of causes; 0: as many as serve best, at most 5
    std::size_t horizon = 10;    ///< steps of its responses
    double causalSeconds = 0.1;  ///< latency budget
};

/// Which metrics lead which, by their representative series over the window.
struct OnlineCausality {
    std::vector<std::string> metrics;
    std::vector<CausalLink> links;  ///< by rising p
    std::size_t lags = 0;
    std::size_t sampled = 0;    ///< time points that the model was fitted to
    std::size_t available = 0;  ///< that there are
    double share() const
    {
        return available == 0 ? 0.0 : static_cast<double>(sampled) / static_cast<double>(available);
    }
};

/// What entities sent each other in an interval, by their places in StreamRows::entities(). Messages of
/// others, and of types that nobody wants, are left out.
struct OnlineTraffic {
    struct Messages {
        std::size_t from = 0;
        std::size_t to = 0;
        double bytes = 0;
        double messages = 0;
    };
    double time = 0;
    std::vector<Messages> messages;
};

/// A change, and in which metric.
struct OnlineFinding {
    std::size_t metric = 0;
    OnlineChange change;
};

/// All metrics of a stream together, from lines to findings. The windows of all metrics together take no more
/// than twice series.windowBytes. Not thread-safe.
class OnlineBehavior {
public:
    explicit OnlineBehavior(OnlineBehaviorParams params) : params_(std::move(params)) {}

    /// OnlineSeries::lookAgain() for all metrics, and for those that come.
    void lookAgain(const ChangeParams& change);
    /// Takes the rows that are done; gives the changes in them, in the order of the rows.
    std::vector<OnlineFinding> take(StreamRows& rows);
    /// The stream has ended, or is waited for: rows that wait to be joined are taken as they are.
    std::vector<OnlineFinding> flush();
    /// Clusters and places of every metric that has two rows. Errors: Cancelled.
    Result<void> refresh(const Task& task);
    /// Those of one metric. Errors: Cancelled.
    Result<void> refresh(std::size_t metric, const Task& task);
    /// Errors: InvalidArgument (fewer than two metrics that vary, or too few time points), Cancelled.
    Result<OnlineCausality> causality(const Task& task);

    std::size_t metricCount() const { return metrics_.size(); }
    const std::string& metricName(std::size_t metric) const { return metrics_[metric]->name; }
    const OnlineSeries& series(std::size_t metric) const { return metrics_[metric]->series; }
    const StreamTransform& transform(std::size_t metric) const { return metrics_[metric]->transform; }
    /// The last interval whose messages were told.
    const std::optional<OnlineTraffic>& lastTraffic() const { return lastTraffic_; }

private:
    struct Metric {
        std::string name;
        StreamTransform transform;
        OnlineSeries series;
    };
    Metric* metricOf(const std::string& name);
    void look(std::size_t metric, const std::optional<TransformedRow>& row,
              std::vector<OnlineFinding>& found);
    OnlineTraffic placedTraffic(const StreamTraffic& traffic, const StreamRows& rows) const;
    SeriesTable representatives() const;

    OnlineBehaviorParams params_;
    std::vector<std::unique_ptr<Metric>> metrics_;
    std::map<std::string, std::size_t> places_;
    std::optional<OnlineTraffic> lastTraffic_;
    std::size_t lastSampled_ = 0;
    double lastCost_ = 0;
};

}  // namespace skein
