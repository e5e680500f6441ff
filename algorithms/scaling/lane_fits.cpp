// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/lane_fits.h"

#include <algorithm>
#include <cmath>

// Compiled for wider vectors as well, chosen when the program starts. Without fused operations: the same
// bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)        \
    && !defined(__SANITIZE_THREAD__)
#define SKEIN_WIDE_LANES __attribute__((target_clones("avx2", "default")))
#else
#define SKEIN_WIDE_LANES
#endif

namespace skein {
namespace {

constexpr std::size_t kFitLanes = ShapeFamily::kLanes, kMostOwn = 2;
/// So many factors of at least LaneFits::kLeastLeft are a number above 0.
constexpr std::size_t kFactorsOfProduct = 16;

typedef double Lanes __attribute__((vector_size(kFitLanes * sizeof(double)), aligned(8), may_alias));

bool isSplitForm(JumpForm form) { return form == JumpForm::Factor || form == JumpForm::Both; }

bool areOfOneFamily(const ScalingShape& a, const ScalingShape& b)
{
    return a.form == b.form && a.jumpParameter == b.jumpParameter && a.below == b.below
        && a.constant == b.constant && a.products == b.products
        && std::equal(a.product.begin(), a.product.begin() + a.products - 1, b.product.begin());
}

/// What the fits of a block begin with: the columns that all have are done.
struct LaneInput {
    std::size_t points = 0, shared = 0, own = 0;
    const double *weights = nullptr, *values = nullptr;       ///< [point], and of the own columns
    const double* basis = nullptr;                            ///< [shared column][point]
    const double *residuals = nullptr, *leverages = nullptr;  ///< [point]
    double* scratch = nullptr;                                ///< (own + 2) · points · kFitLanes
};

struct LaneSums {
    using Row = std::array<double, kFitLanes>;
    std::array<Row, kMostOwn> before, left, slope;  ///< [own column]
    std::array<std::array<Row, ShapeFamily::kMostColumns>, kMostOwn> along;
    Row across, squares, leftOut, logVariances;  ///< across: of the second own column along the first
};

/// What is left of own columns, residuals and leverages.
SKEIN_WIDE_LANES void takeOwnColumns(const LaneInput& in, LaneSums& out)
{
    Lanes* const residuals = reinterpret_cast<Lanes*>(in.scratch) + in.own * in.points;
    Lanes* const leverages = residuals + in.points;
    for (std::size_t column = 0; column < in.own; ++column) {
        Lanes* const own = reinterpret_cast<Lanes*>(in.scratch) + column * in.points;
        const Lanes* const values = reinterpret_cast<const Lanes*>(in.values) + column * in.points;
        Lanes before{}, left{}, dot{};
        for (std::size_t at = 0; at < in.points; ++at) {
            own[at] = in.weights[at] * values[at];
            before += own[at] * own[at];
        }
        for (std::size_t other = 0; other < in.shared; ++other) {
            const double* const done = in.basis + other * in.points;
            Lanes part{};
            for (std::size_t at = 0; at < in.points; ++at) part += done[at] * own[at];
            for (std::size_t at = 0; at < in.points; ++at) own[at] -= part * done[at];
            *reinterpret_cast<Lanes*>(out.along[column][other].data()) = part;
        }
        if (column == 1) {
            const Lanes* const first = reinterpret_cast<const Lanes*>(in.scratch);
            Lanes part{};
            for (std::size_t at = 0; at < in.points; ++at) part += first[at] * own[at];
            part /= *reinterpret_cast<const Lanes*>(out.left[0].data());
            for (std::size_t at = 0; at < in.points; ++at) own[at] -= part * first[at];
            *reinterpret_cast<Lanes*>(out.across.data()) = part;
        }
        for (std::size_t at = 0; at < in.points; ++at) {
            left += own[at] * own[at];
            dot += own[at] * (column == 0 ? Lanes{} + in.residuals[at] : residuals[at]);
        }
        const Lanes slope = dot / left, scale = 1.0 / left;
        for (std::size_t at = 0; at < in.points; ++at) {
            const Lanes residual = column == 0 ? Lanes{} + in.residuals[at] : residuals[at];
            const Lanes leverage = column == 0 ? Lanes{} + in.leverages[at] : leverages[at];
            residuals[at] = residual - slope * own[at];
            leverages[at] = leverage + own[at] * own[at] * scale;
        }
        *reinterpret_cast<Lanes*>(out.before[column].data()) = before;
        *reinterpret_cast<Lanes*>(out.left[column].data()) = left;
        *reinterpret_cast<Lanes*>(out.slope[column].data()) = slope;
    }
}

/// How well each point is told by the others.
SKEIN_WIDE_LANES void leavePointsOut(const LaneInput& in, LaneSums& out)
{
    const Lanes* const residuals = reinterpret_cast<const Lanes*>(in.scratch) + in.own * in.points;
    const Lanes* const leverages = residuals + in.points;
    Lanes squares{}, leftOut{};
    out.logVariances.fill(0.0);
    for (std::size_t from = 0; from < in.points; from += kFactorsOfProduct) {
        Lanes variances = Lanes{} + 1.0;
        for (std::size_t at = from; at < std::min(in.points, from + kFactorsOfProduct); ++at) {
            const Lanes square = residuals[at] * residuals[at], room = 1.0 - leverages[at];
            const Lanes left = room > LaneFits::kLeastLeft ? room : Lanes{} + LaneFits::kLeastLeft;
            squares += square;
            leftOut += square / left;
            variances *= left;
        }
        for (std::size_t lane = 0; lane < kFitLanes; ++lane)
            out.logVariances[lane] += std::log(variances[lane]);
    }
    *reinterpret_cast<Lanes*>(out.squares.data()) = squares;
    *reinterpret_cast<Lanes*>(out.leftOut.data()) = leftOut;
}

bool isIndependent(const LaneSums& sums, std::size_t own, std::size_t lane)
{
    for (std::size_t column = 0; column < own; ++column) {
        const double left = sums.left[column][lane];
        const bool stays = left > SmallFit::kDependent * SmallFit::kDependent * sums.before[column][lane];
        if (!stays || !std::isfinite(left)) return false;
    }
    return true;
}

/// The coefficients of a lane, each in its column's place.
void placeCoefficients(const ShapeFamily& family, const SmallFit& shared, const LaneSums& sums,
                       std::size_t lane, ShapeFit& fit)
{
    std::array<double, kMostOwn> own{};
    own[0] = sums.slope[0][lane];
    if (family.own().size() == 2) {
        own[1] = sums.slope[1][lane];
        own[0] -= sums.across[lane] * own[1];
    }
    std::array<double, ShapeFamily::kMostColumns> parts{};
    for (std::size_t at = 0; at < family.shared().size(); ++at) {
        parts[at] = shared.part(at);
        for (std::size_t column = 0; column < family.own().size(); ++column)
            parts[at] -= sums.along[column][at][lane] * own[column];
    }
    shared.solve(std::span(parts).first(family.shared().size()));
    for (std::size_t at = 0; at < family.shared().size(); ++at)
        fit.coefficients[family.shared()[at]] = parts[at];
    for (std::size_t at = 0; at < family.own().size(); ++at) fit.coefficients[family.own()[at]] = own[at];
}

}  // namespace

ShapeSigns signsOf(const ScalingShape& shape)
{
    ShapeSigns signs;
    if (shape.form != JumpForm::None) return signs;
    unsigned bit = 1;
    if (shape.constant) {
        signs.atOne = 1;
        bit = 2;
    }
    for (std::size_t at = 0; at < shape.products; ++at, bit *= 2) {
        const TermProduct& product = shape.product[at];
        const bool logarithms = std::any_of(product.begin(), product.end(), [](std::uint8_t term) {
            return term != 0 && performanceTerms()[term - 1u].logarithm > 0;
        });
        signs.summands = static_cast<std::uint8_t>(signs.summands | bit);
        if (!logarithms) signs.atOne = static_cast<std::uint8_t>(signs.atOne | bit);
    }
    return signs;
}

ShapeFamily::ShapeFamily(std::vector<ScalingShape> shapes, const ScalingDesign& design)
    : shapes_(std::move(shapes)), points_(design.points())
{
    for (const ScalingShape& shape : shapes_) signs_.push_back(signsOf(shape));
    const ScalingShape& first = shapes_.front();
    const std::size_t count = first.columns();
    const std::size_t last = first.form == JumpForm::Shift ? count - 1 : count;  // behind the last summand's
    const std::size_t begin = last - (isSplitForm(first.form) ? 2 : 1);
    for (std::uint8_t column = 0; column < count; ++column)
        (column >= begin && column < last ? own_ : shared_).push_back(column);
    const std::vector<double> ones(points_, 1.0);
    std::vector<double> columns(count * points_);
    const std::size_t blocks = (shapes_.size() + kFitLanes - 1) / kFitLanes;
    ownValues_.resize(blocks * own_.size() * points_ * kFitLanes);
    for (std::size_t at = 0; at < blocks * kFitLanes; ++at) {
        design.fillColumns(shapes_[std::min(at, shapes_.size() - 1)], ones, columns.data());
        double* const block = ownValues_.data() + at / kFitLanes * own_.size() * points_ * kFitLanes;
        for (std::size_t column = 0; column < own_.size(); ++column)
            for (std::size_t point = 0; point < points_; ++point)
                block[(column * points_ + point) * kFitLanes + at % kFitLanes] =
                    columns[own_[column] * points_ + point];
    }
    for (const std::uint8_t column : shared_)
        sharedValues_.insert(sharedValues_.end(), columns.data() + column * points_,
                             columns.data() + (column + 1u) * points_);
}

std::vector<ShapeFamily> familiesOf(std::span<const ScalingShape> shapes, const ScalingDesign& design)
{
    std::vector<std::vector<ScalingShape>> groups;
    for (const ScalingShape& shape : shapes) {
        if (shape.products == 0 || shape.columns() > ShapeFamily::kMostColumns) continue;
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return areOfOneFamily(group.front(), shape);
        });
        if (found == groups.end()) groups.push_back({shape});
        else found->push_back(shape);
    }
    std::vector<ShapeFamily> families;
    for (auto& group : groups) families.emplace_back(std::move(group), design);
    return families;
}

std::span<const ShapeFit> LaneFits::run(const ShapeFamily& family, std::span<const double> weights,
                                        std::span<const double> values)
{
    const std::size_t points = values.size(), shared = family.shared().size(), own = family.own().size();
    columns_.resize(shared * points);
    scratch_.resize((own + 2) * points * kFitLanes);
    std::array<const double*, ShapeFamily::kMostColumns> columns{};
    for (std::size_t column = 0; column < shared; ++column) {
        columns[column] = columns_.data() + column * points;
        for (std::size_t at = 0; at < points; ++at)
            columns_[column * points + at] = weights[at] * family.sharedValues(column)[at];
    }
    if (!shared_.run(std::span(columns).first(shared), values)) return {};
    LaneInput in{points,
                 shared,
                 own,
                 weights.data(),
                 nullptr,
                 shared_.basis(),
                 shared_.residuals().data(),
                 shared_.leverages().data(),
                 scratch_.data()};
    fits_.resize(family.shapes().size());
    LaneSums sums;
    for (std::size_t from = 0; from < fits_.size(); from += kFitLanes) {
        in.values = family.ownValues(from / kFitLanes);
        takeOwnColumns(in, sums);
        leavePointsOut(in, sums);
        for (std::size_t lane = 0; lane < std::min(kFitLanes, fits_.size() - from); ++lane) {
            ShapeFit& fit = fits_[from + lane];
            fit.squares = sums.squares[lane];
            fit.leftOut = sums.leftOut[lane];
            fit.logVariances = sums.logVariances[lane];
            fit.independent = isIndependent(sums, own, lane);
            placeCoefficients(family, shared_, sums, lane, fit);
        }
    }
    return fits_;
}

}  // namespace skein
