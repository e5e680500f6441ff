// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

enum class Verdict : std::int8_t { NotEvaluated = -1, Normal = 0, Anomaly = 1 };

/// What a detector says of one value. Greater scores are stranger; what they mean, each detector says itself.
struct Judgement {
    double score = -1.0;  ///< −1 where it was not evaluated
    Verdict verdict = Verdict::NotEvaluated;

    bool operator==(const Judgement&) const = default;
};

}  // namespace skein
