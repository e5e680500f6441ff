// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/lane_fits.h"
#include "algorithms/scaling/mixture_quantile.h"
#include "algorithms/scaling/scaling_design.h"
#include "algorithms/scaling/scaling_model.h"
#include "algorithms/scaling/small_fit.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// Finds the model of one series after another of the same design. Keeps its memory; one a thread.
class SeriesModeler {
public:
    explicit SeriesModeler(const ScalingDesign& design);

    /// [point][repetition]: at least one value a point, at least three points.
    ScalingModel run(const std::vector<std::vector<double>>& values, const ScalingParams& params);

private:
    /// Of exact values, what rounding may have done to a prediction.
    static constexpr double kRounding = 1e-9;

    /// How well a shape does.
    struct Candidate {
        const ScalingShape* shape = nullptr;
        std::uint8_t columns = 0, searched = 0;  ///< as the shape says
        double squares = 0.0;                    ///< of the residuals, in variances of one relative value
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
    struct JumpFamily {
        ShapeFamily family;
        std::vector<Jump> jumps;  ///< one a shape
    };
    /// The scatter of relative values: their variance, and how well it is known.
    struct Noise {
        double variance = 0.0;
        double freedoms = 1.0;
        double observations = 1.0;
    };

    void weigh(const std::vector<std::vector<double>>& values);
    bool fit(const ScalingShape& shape);
    std::optional<ShapeFit> fitOne(const ScalingShape& shape);
    std::vector<double> coefficientsOfFit() const;
    std::size_t columnsOfLastFit(const ScalingShape& shape) const;
    void add(const ScalingShape& shape, const ShapeSigns& signs, const ShapeFit& fit,
             std::vector<Candidate>& into) const;
    void consider(const ScalingShape& shape, std::vector<Candidate>& into);
    void consider(const ShapeFamily& family, std::vector<Candidate>& into);
    double signPenalty(const ShapeSigns& signs, std::span<const double> coefficients) const;
    void considerPlain();
    std::vector<std::vector<std::uint8_t>> shortlist();
    std::vector<std::uint8_t> bestTerms(std::size_t parameter, std::size_t most);
    /// Of a single relative value, as repetitions tell it; 0 without any.
    double pureVariance() const;
    bool isMisfit() const;
    void addJumps(const ScalingShape& shape, std::vector<Jump>& into) const;
    std::vector<Jump> jumpsOfBest() const;
    void addLargeJump(const Jump& jump, const ShapeFit& fit);
    void considerJumps();
    bool isJumpBetter() const;
    bool isNoChance(const Candidate& jumping, const Noise& plain) const;
    Jump jumpOf(const ScalingShape& shape) const;
    static double jumpFactor(const Jump& jump, std::span<const double> coefficients);
    Noise noiseOf(const std::vector<Candidate>& candidates) const;
    void judge();
    ScalingModel modelOf(const ScalingParams& params);
    /// Without repetitions, when scatter is not known for itself, and single disturbed runs must not count.
    bool isSingle() const { return pureFreedoms_ == 0.0; }
    double fittedSmape() const;
    void preferNearest();
    std::vector<double> robustCoefficients(const ScalingShape& shape);
    void measureErrors(ScalingModel& model) const;
    void setTargets(const ScalingParams& params);
    void addComponents(const ScalingShape& shape, double likelihood);
    void takeKept(ScalingModel& model, const ScalingParams& params);
    void predict(ScalingModel& model, const ScalingParams& params);

    const ScalingDesign& design_;
    /// Of one parameter: the constant and the shapes with one term, those with two, and those with jumps.
    ScalingShape constant_;
    std::vector<ShapeFamily> families_, overheads_;
    std::vector<Jump> constantJumps_;
    std::vector<JumpFamily> jumpFamilies_;
    /// Of several parameters: what was tried last.
    std::vector<ScalingShape> tried_;
    std::vector<Jump> jumpsTried_;
    SmallFit fit_;
    LaneFits lanes_;
    std::optional<ScalingShape> lastFit_;  ///< with these weights, where it succeeded
    std::vector<double> means_, weights_, weighted_, columns_;
    std::vector<Candidate> plain_, jumping_;
    std::vector<Candidate> kept_;      ///< what is likely, the likeliest first
    std::vector<double> likelihoods_;  ///< of those, together 1
    Noise noise_;
    double pureSquares_ = 0.0, pureFreedoms_ = 0.0, observations_ = 0.0, sign_ = 1.0, largest_ = 0.0;
    bool neverNegative_ = true;
    /// What is asked for: the points, the terms there, and what each of the likely functions says.
    std::vector<std::vector<double>> targetPoints_;
    std::optional<ScalingDesign> targets_;
    std::vector<double> targetOnes_, targetColumns_;
    std::vector<std::vector<MixtureComponent>> components_;
    StudentTables students_;
};

}  // namespace skein
