// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/scaling_design.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

constexpr std::size_t kLeastOfSlice = 3;

bool isSplit(JumpForm form) { return form == JumpForm::Factor || form == JumpForm::Both; }

double productAt(const TermProduct& product, std::span<const double> point)
{
    double value = 1.0;
    for (std::size_t parameter = 0; parameter < point.size(); ++parameter)
        if (product[parameter] != 0)
            value *= performanceTerms()[product[parameter] - 1u].at(point[parameter]);
    return value;
}

ScalingFunction::Summand summandOf(const TermProduct& product, double coefficient)
{
    ScalingFunction::Summand summand{coefficient, {}};
    for (std::size_t parameter = 0; parameter < product.size(); ++parameter)
        if (product[parameter] != 0)
            summand.factors.emplace_back(parameter, performanceTerms()[product[parameter] - 1u]);
    return summand;
}

}  // namespace

std::size_t ScalingShape::columns() const
{
    const std::size_t plain = products + (constant ? 1u : 0u);
    switch (form) {
    case JumpForm::None: return plain;
    case JumpForm::Shift: return plain + 1;
    case JumpForm::Factor: return plain + products;
    case JumpForm::Both: return 2 * plain;
    }
    return plain;
}

std::size_t ScalingShape::searched() const { return columns() + products + (form == JumpForm::None ? 0 : 1); }

void ScalingShape::fillRow(std::span<const double> point, std::span<double> row) const
{
    const bool above = form != JumpForm::None && point[jumpParameter] > below;
    std::size_t column = 0;
    const auto put = [&](double value, bool split) {
        if (split) row[column++] = above ? 0.0 : value;
        row[column++] = split && !above ? 0.0 : value;
    };
    if (constant) put(1.0, form == JumpForm::Both);
    for (std::size_t at = 0; at < products; ++at) put(productAt(product[at], point), isSplit(form));
    if (form == JumpForm::Shift) put(above ? 1.0 : 0.0, false);
}

ScalingFunction ScalingShape::function(std::span<const double> coefficients, bool above) const
{
    ScalingFunction made;
    std::size_t column = 0;
    const auto take = [&](bool split) {
        const double value = coefficients[column + (split && above ? 1 : 0)];
        column += split ? 2 : 1;
        return value;
    };
    if (constant) made.constant = take(form == JumpForm::Both);
    for (std::size_t at = 0; at < products; ++at)
        made.summands.push_back(summandOf(product[at], take(isSplit(form))));
    if (form == JumpForm::Shift && above) made.constant += take(false);
    return made;
}

ScalingDesign::ScalingDesign(std::vector<std::vector<double>> points) : points_(std::move(points))
{
    const std::size_t parameters = points_.empty() ? 0 : points_.front().size();
    levels_.resize(parameters);
    terms_.resize(parameters);
    slices_.resize(parameters);
    for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
        std::vector<double>& levels = levels_[parameter];
        for (const auto& point : points_) levels.push_back(point[parameter]);
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
        for (const PerformanceTerm& term : performanceTerms())
            for (const auto& point : points_) terms_[parameter].push_back(term.at(point[parameter]));
        findSlices(parameter);
    }
}

void ScalingDesign::findSlices(std::size_t parameter)
{
    std::map<std::vector<double>, std::vector<std::uint32_t>> byOthers;
    for (std::uint32_t at = 0; at < points_.size(); ++at) {
        std::vector<double> others = points_[at];
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(parameter));
        byOthers[others].push_back(at);
    }
    for (auto& [others, points] : byOthers)
        if (points.size() >= kLeastOfSlice) slices_[parameter].push_back(std::move(points));
}

void ScalingDesign::fillProduct(const TermProduct& product, std::span<const double> weights,
                                double* column) const
{
    const double* before = weights.data();
    for (std::size_t parameter = 0; parameter < parameters(); ++parameter) {
        if (product[parameter] == 0) continue;
        const double* const values = term(parameter, product[parameter] - 1u);
        for (std::size_t at = 0; at < weights.size(); ++at) column[at] = before[at] * values[at];
        before = column;
    }
    if (before != column) std::copy(weights.begin(), weights.end(), column);
}

void ScalingDesign::fillColumns(const ScalingShape& shape, std::span<const double> weights,
                                double* columns) const
{
    const std::size_t count = weights.size();
    const auto isAbove = [&](std::size_t at) { return points_[at][shape.jumpParameter] > shape.below; };
    const auto put = [&](const TermProduct& product, bool split) {
        fillProduct(product, weights, columns);
        if (split) {
            for (std::size_t at = 0; at < count; ++at) {
                columns[count + at] = isAbove(at) ? columns[at] : 0.0;
                if (isAbove(at)) columns[at] = 0.0;
            }
            columns += count;
        }
        columns += count;
    };
    if (shape.constant) put({}, shape.form == JumpForm::Both);
    for (std::size_t at = 0; at < shape.products; ++at) put(shape.product[at], isSplit(shape.form));
    if (shape.form != JumpForm::Shift) return;
    for (std::size_t at = 0; at < count; ++at) columns[at] = isAbove(at) ? weights[at] : 0.0;
}

}  // namespace skein
