// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/count_detectors.h"
#include "algorithms/anomaly/running_moments.h"
#include "algorithms/anomaly/tail_break.h"
#include "algorithms/anomaly/value_sketch.h"
#include "core/base/task.h"

#include <cstdint>
#include <optional>

namespace skein {

/// What a number of calls was so far. Bounded memory.
struct PastNumbers {
    ValueSketch values;
    RunningMoments moments;

    void add(std::int64_t value);
    void merge(const PastNumbers& other);
};

/// Where a break in the tail is looked for.
enum class TailSides : std::uint8_t { Upper, Both };

struct NumberJudgeParams {
    AnomalyDetector detector = AnomalyDetector::Tail;
    double sigma = 3.0;
    double floor = 0.0;  ///< of the tail's breaks
    TailSides sides = TailSides::Upper;
};

/// Judges a number by those that came before it, without learning it. A tail has no break before its end is
/// known: its limit is the body alone.
class NumberJudge {
public:
    /// Fewer than kFewestForBreak numbers judge nothing. Where the task is stopped a model may be missing.
    void learn(PastNumbers past, const NumberJudgeParams& params, const Task& task);

    std::uint64_t count() const { return upper_.count; }
    double median() const { return upper_.median; }
    /// As LearnedDetector::judge().
    Judgement judge(std::int64_t value) const;

private:
    Judgement judgeByMoments(double value) const;
    Judgement judgeByTail(double value) const;

    NumberJudgeParams params_;
    PastNumbers past_;
    TailBreak upper_;
    double belowReach_ = 0.0;  ///< of the lower tail, where both count
    std::optional<LearnedDetector> learned_;
};

}  // namespace skein
