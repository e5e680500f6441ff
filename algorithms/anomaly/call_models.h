// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_features.h"
#include "algorithms/anomaly/call_vectors.h"
#include "algorithms/anomaly/call_walk.h"
#include "algorithms/anomaly/count_detectors.h"
#include "algorithms/anomaly/label_counts.h"
#include "algorithms/anomaly/tail_break.h"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace skein {

enum class AnomalyFeatures : std::uint8_t {
    Time,       ///< what calls last
    Structure,  ///< which calls they make
    Both
};

struct AnomalyParams {
    AnomalyDetector detector = AnomalyDetector::Tail;
    AnomalyFeatures features = AnomalyFeatures::Both;
    double sigma = 3.0;
    std::size_t labelHeight = 3;  ///< of subtrees, 1 … kMostLabelHeight
    /// Not empty: calls are judged by these alone, and `features` must be Time. Of two and more LOF and the
    /// SVM see a call as one point, HBOS and COPOD add up their scores; the others judge each by itself.
    std::vector<CallFeature> chosen = {};

    bool operator==(const AnomalyParams&) const = default;
};

/// Errors: InvalidArgument for what is out of range, or features of both kinds.
Result<void> checkAnomalyParams(const AnomalyParams& params);
/// Whether several chosen features of a call are judged together.
bool judgesTogether(const AnomalyParams& params);
/// Of a call the chosen features, in their order. As CallFeatureIndex::value().
CallFeatureValues chosenValues(const CallFeatureIndex& features, const std::vector<CallFeature>& chosen,
                               LocationId location, const MeasuredCall& call);
/// By which a call is drawn for a VectorSample: each has another one.
std::uint64_t vectorKey(LocationId location, std::uint32_t call);
/// Which numbers are at least half as far out as the one that is farthest out, that one first.
std::vector<std::size_t> farthestOut(const std::vector<double>& out);

/// Sums of whole nanoseconds, exact whatever the order.
class ExactMoments {
public:
    void add(TimeNs value)
    {
        ++count_;
        sum_ += value;
        squares_ += static_cast<unsigned __int128>(static_cast<__int128>(value) * value);
    }
    void merge(const ExactMoments& other);
    std::uint64_t count() const { return count_; }
    double mean() const;
    double standardDeviation() const;  ///< divisor n − 1; 0 for fewer than two values

private:
    std::uint64_t count_ = 0;
    __int128 sum_ = 0;
    unsigned __int128 squares_ = 0;
};

/// What is usual for the calls of one function. Bounded memory, whatever their number.
struct FunctionModel {
    std::uint32_t locations = 0;  ///< that call it
    ExactMoments durations;
    ValueSketch own, works, duration;
    std::vector<LabelCounts> labels;    ///< [h − 1]
    std::vector<ValueSketch> features;  ///< of AnomalyParams::chosen
    VectorSample vectors;               ///< of the same, where they are judged together

    void add(const MeasuredCall& call, AnomalyFeatures kinds);
    void merge(const FunctionModel& other);
};

/// A feature of a call that a detector finds strange.
struct OddFeature {
    CallFeature feature = CallFeature::Duration;
    Judgement judgement;
    std::int64_t excess = 0;  ///< above what is usual; below 0 where the call has less of it
};

/// The models of all functions, and what a detector makes of them. Immutable once built.
class CallModels {
public:
    /// Goes through all calls once, on several threads; the same for any number of them. `features` must be
    /// there where some are chosen. Errors: Cancelled; InvalidArgument for parameters that are out of range.
    static Result<CallModels> build(const Trace& trace, const FunctionsOfCalls& functions,
                                    const AnomalyParams& params, double tickNs, const Task& task,
                                    std::shared_ptr<const CallFeatureIndex> features = nullptr);

    const AnomalyParams& params() const { return params_; }
    /// Whether the chosen features of a call are judged together.
    bool judgesTogether() const;
    /// Null for functions without calls that were measured.
    const FunctionModel* model(std::uint32_t function) const { return models_[function].get(); }
    std::size_t functionCount() const { return models_.size(); }

    /// Of the time in the call itself.
    Judgement judgeOwn(std::uint32_t function, TimeNs ownNs) const;
    /// False only where judgeOwn() says that the call is none; much quicker.
    bool mayBeAnomaly(std::uint32_t function, TimeNs ownNs) const
    {
        const auto own = static_cast<double>(ownNs);
        return own <= judges_[function].oddUpTo || own >= judges_[function].oddFrom;
    }
    /// Whether the time with its callees, without those that block, lies beyond the break.
    bool hasLongWorks(std::uint32_t function, TimeNs worksNs) const;
    /// The least height at which the call's subtree is rare among those of its function; 0: at none.
    std::size_t rareHeight(const MeasuredCall& call) const;
    /// Which of the chosen features are strange, the strangest first; none of functions that block. Where
    /// they are judged together: those that are at least half as far out as the one that is farthest out, all
    /// with the judgement of the call.
    std::vector<OddFeature> oddFeatures(LocationId location, const MeasuredCall& call) const;
    const TailBreak& own(std::uint32_t function) const { return judges_[function].own; }
    const TailBreak& works(std::uint32_t function) const { return judges_[function].works; }
    const TailBreak& duration(std::uint32_t function) const { return judges_[function].duration; }

private:
    struct JudgedValues {
        double median = 0.0;
        std::vector<ValueCount> counts;
        std::vector<Judgement> judged;  ///< empty: none is strange
    };
    struct Judge {
        TailBreak own, works, duration;
        std::vector<ValueCount> counts;  ///< of own times; only where some of them are anomalies
        std::vector<Judgement> judged;
        std::vector<JudgedValues> features;
        std::optional<VectorModel> vectors;
        double sumFrom = std::numeric_limits<double>::infinity();  ///< sums of scores that are strange
        /// Own times between these two, both with more than a bin's width to spare, are no anomalies.
        double oddUpTo = -1.0, oddFrom = std::numeric_limits<double>::infinity();
    };

    Result<bool> judge(const FunctionsOfCalls& functions, double tickNs, const Task& task);
    Result<Judge> judgeOf(FunctionModel& model, double leastFloorNs, const Task& task) const;
    Result<JudgedValues> judgeFeature(const ValueSketch& values, CallFeature feature, double leastFloorNs,
                                      const Task& task) const;
    Result<bool> judgeTogether(const Trace& trace, const FunctionsOfCalls& functions, const Task& task);
    bool findSumLimits(const Trace& trace, const FunctionsOfCalls& functions, const Task& task);
    const Judgement* judgementOf(std::uint32_t function, std::size_t feature, std::int64_t value) const;
    std::vector<double> scoresOf(std::uint32_t function, const CallFeatureValues& values) const;
    std::vector<OddFeature> oddEach(LocationId location, const MeasuredCall& call) const;
    std::vector<OddFeature> oddTogether(LocationId location, const MeasuredCall& call) const;
    double usualDeviationNs() const;

    AnomalyParams params_;
    std::shared_ptr<const CallFeatureIndex> features_;
    std::vector<std::unique_ptr<FunctionModel>> models_;
    std::vector<Judge> judges_;
};

}  // namespace skein
