// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_models.h"
#include "algorithms/anomaly/number_judge.h"
#include "core/base/task.h"

#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace skein {

struct StreamParams {
    AnomalyParams judge;
    TimeNs ageNs = 0;  ///< older calls are forgotten, within an eighth of it; 0: none
};

/// What is strange about a call, by the calls of its function before it.
struct StreamFinding {
    double score = 0.0;    ///< of its own time, or of the chosen features; −1 where it was not evaluated
    bool longOwn = false;  ///< by the detector
    std::vector<OddFeature> odd;  ///< of the chosen ones, the strangest first
    std::size_t rareHeight = 0;   ///< of its subtree; 0: not rare
    double surprise = 0.0;        ///< −log₂ of the share of that subtree
    TimeNs lostNs = 0;            ///< of own time against the median
    TimeNs lostWorkingNs = 0;     ///< of the time with callees, without those that block
};

/// What is usual for one function as far as the run has come. Bounded memory, whatever the number of calls.
class StreamModel {
public:
    /// `params` must outlive it.
    StreamModel(const StreamParams& params, double tickNs) : params_(params), tickNs_(tickNs) {}

    /// Judges a call that ends `now` by those before it, and learns it then. `row`: the chosen features, and
    /// the call's vectorKey(). Calls come in the order of their ends.
    StreamFinding judge(const MeasuredCall& call, const VectorSample::Row& row, TimeNs now, const Task& task);

private:
    /// The calls that ended in a stretch of time.
    struct Generation {
        TimeNs begin = 0;
        ValueSketch duration, works;
        PastNumbers own;
        std::vector<PastNumbers> chosen;
        VectorSample vectors;
        std::vector<LabelCounts> labels;  ///< [h − 1]
    };

    bool judgesTime() const
    {
        return params_.judge.features != AnomalyFeatures::Structure && params_.judge.chosen.empty();
    }
    void turnGeneration(TimeNs now);
    void forgetOldest();
    bool isDue() const;
    void refresh(const Task& task);
    void learnFeatures(const Task& task);
    void findSumLimit(const VectorSample& past);
    void learn(const MeasuredCall& call, const VectorSample::Row& row);
    void judgeByPast(const MeasuredCall& call, const VectorSample::Row& row, StreamFinding& finding) const;
    void judgeEach(const CallFeatureValues& values, StreamFinding& finding) const;
    void judgeTogether(const VectorSample::Row& row, StreamFinding& finding) const;
    std::vector<double> scoresOf(const CallFeatureValues& values) const;
    void judgeStructure(const MeasuredCall& call, StreamFinding& finding);

    const StreamParams& params_;
    double tickNs_;
    std::deque<std::unique_ptr<Generation>> generations_;
    std::vector<LabelCounts> labels_;       ///< of all generations
    std::vector<std::uint64_t> rareFound_;  ///< how many labels there were when rare ones were looked for
    NumberJudge own_;
    double worksMedian_ = 0.0;
    std::vector<NumberJudge> chosen_;
    std::optional<VectorModel> vectors_;
    double sumFrom_ = std::numeric_limits<double>::infinity();  ///< sums of scores that are strange
    std::uint64_t sinceRefresh_ = 0;
};

}  // namespace skein
