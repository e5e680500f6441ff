// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/scaling_design.h"
#include "algorithms/scaling/scaling_model.h"
#include "algorithms/scaling/small_fit.h"

#include <array>
#include <optional>
#include <vector>

namespace skein {

/// Finds the model of one series after another of the same design. Keeps its memory; one a thread.
class SeriesModeler {
public:
    explicit SeriesModeler(const ScalingDesign& design);

    /// [point][repetition]: at least one value a point, at least three points.
    ScalingModel run(const std::vector<std::vector<double>>& values, const ScalingParams& params);

private:
    /// How well a shape does.
    struct Candidate {
        ScalingShape shape;
        double squares = 0.0;       ///< of the residuals, in variances of one relative value
        double leftOut = 0.0;       ///< the same of points told by the others, each by its own variance
        double logVariances = 0.0;  ///< Σ log of how much larger those variances are
        double penalty = 0.0;       ///< log of how unlikely its signs are
        double score = 0.0;         ///< log
    };
    /// A shape with a jump, and its columns in the middle of the jump, as its two sides have them.
    struct Jump {
        ScalingShape shape;
        std::array<double, SmallFit::kMostColumns> before{}, behind{};
    };
    /// The scatter of relative values: their variance, and how well it is known.
    struct Noise {
        double variance = 0.0;
        double freedoms = 1.0;
        double observations = 1.0;
    };

    void weigh(const std::vector<std::vector<double>>& values);
    bool fit(const ScalingShape& shape);
    std::size_t columnsOfLastFit(const ScalingShape& shape) const;
    void consider(const ScalingShape& shape, std::vector<Candidate>& into);
    double signPenalty(const ScalingShape& shape) const;
    void considerPlain();
    std::vector<std::vector<std::uint8_t>> shortlist();
    std::vector<std::uint8_t> bestTerms(std::size_t parameter, std::size_t most);
    /// Of a single relative value, as repetitions tell it; 0 without any.
    double pureVariance() const;
    bool isMisfit() const;
    void addJumps(const ScalingShape& shape, std::vector<Jump>& into) const;
    std::vector<Jump> jumpsOfBest() const;
    void considerJumps();
    bool isJumpBetter() const;
    Jump jumpOf(const ScalingShape& shape) const;
    /// The last fit's, which was of this shape.
    double jumpFactor(const Jump& jump) const;
    Noise noiseOf(const std::vector<Candidate>& candidates) const;
    void judge();
    ScalingModel modelOf(const ScalingParams& params);
    /// Without repetitions, when scatter is not known for itself, and single disturbed runs must not count.
    bool isSingle() const { return pureFreedoms_ == 0.0; }
    double fittedSmape() const;
    void preferNearest();
    std::vector<double> robustCoefficients(const ScalingShape& shape);
    void measureErrors(ScalingModel& model) const;
    void predict(ScalingModel& model, const ScalingParams& params);

    const ScalingDesign& design_;
    std::vector<ScalingShape> shapes_, overheads_;  ///< of one parameter
    std::vector<Jump> jumps_;                       ///< of the plain ones among them
    SmallFit fit_;
    std::optional<ScalingShape> lastFit_;  ///< with these weights, where it succeeded
    std::vector<double> means_, weights_, weighted_, columns_;
    std::vector<double> row_;
    std::vector<Candidate> plain_, jumping_;
    std::vector<Candidate> kept_;      ///< what is likely, the likeliest first
    std::vector<double> likelihoods_;  ///< of those, together 1
    Noise noise_;
    double pureSquares_ = 0.0, pureFreedoms_ = 0.0, observations_ = 0.0, sign_ = 1.0, largest_ = 0.0;
    bool neverNegative_ = true;
};

}  // namespace skein
