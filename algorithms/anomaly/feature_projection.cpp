// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/feature_projection.h"

#include "algorithms/anomaly/call_walk.h"
#include "algorithms/behavior/symmetric_eigen.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace skein {
namespace {

double logarithmOf(const FeatureRow& row, CallFeature feature)
{
    return std::log1p(
        static_cast<double>(std::max<std::int64_t>(0, row.values[static_cast<std::size_t>(feature)])));
}

}  // namespace

Result<std::vector<FeatureRow>> sampledFeatures(const Trace& trace, const FunctionsOfCalls& functions,
                                                const CallFeatureIndex& index, std::size_t most,
                                                const Task& task)
{
    std::vector<FeatureRow> rows;
    const std::uint64_t calls = trace.intervalCount();
    const double share = calls > most ? static_cast<double>(most) / static_cast<double>(calls) : 1.0;
    for (std::size_t location = 0; location < trace.locations.size(); ++location) {
        const auto visit = [&](const MeasuredCall& call) {
            const std::uint64_t dice = mixedLabel((std::uint64_t{location} << 32) | call.call) >> 32;
            if (call.blocks || (share < 1.0 && static_cast<double>(dice) >= share * 4294967296.0)) return;
            rows.push_back({call.function, index.values(LocationId(location), call.call)});
        };
        CallWalk walk(trace.locations[location].intervals, functions, 0);
        if (!walk.run(visit, [&] { return !task.stopRequested(); })) return cancelled();
    }
    return rows;
}

FeatureProjection::FeatureProjection(std::span<const FeatureRow> rows, std::vector<CallFeature> features)
    : features_(std::move(features))
{
    for (auto& component : components_) component.assign(features_.size(), 0.0);
    learnScales(rows);
    findComponents(rows);
}

void FeatureProjection::learnScales(std::span<const FeatureRow> rows)
{
    for (const FeatureRow& row : rows) {
        if (row.function >= scales_.size()) scales_.resize(row.function + std::size_t{1});
        Scale& scale = scales_[row.function];
        ++scale.count;
        for (std::size_t i = 0; i < features_.size(); ++i) {
            const double value = logarithmOf(row, features_[i]);
            const double step = value - scale.mean[i];  // Welford
            scale.mean[i] += step / static_cast<double>(scale.count);
            scale.deviation[i] += step * (value - scale.mean[i]);
        }
    }
    for (Scale& scale : scales_)
        for (double& each : scale.deviation)
            each = scale.count == 0 ? 0.0 : std::sqrt(each / static_cast<double>(scale.count));
}

std::array<double, kCallFeatures> FeatureProjection::scaled(const FeatureRow& row) const
{
    std::array<double, kCallFeatures> values{};
    if (row.function >= scales_.size()) return values;
    const Scale& scale = scales_[row.function];
    for (std::size_t i = 0; i < features_.size(); ++i) {
        const double away = logarithmOf(row, features_[i]) - scale.mean[i];
        // what rounding leaves of equal values is no deviation
        if (scale.deviation[i] > 1e-9 * (1.0 + std::abs(scale.mean[i])))
            values[i] = away / scale.deviation[i];
    }
    return values;
}

void FeatureProjection::findComponents(std::span<const FeatureRow> rows)
{
    const auto size = static_cast<Eigen::Index>(features_.size());
    if (rows.empty() || size == 0) return;
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(size, size);
    for (const FeatureRow& row : rows) {
        const auto values = scaled(row);
        const Eigen::Map<const Eigen::VectorXd> vector(values.data(), size);
        products.noalias() += vector * vector.transpose();
    }
    const SymmetricEigen found = symmetricEigen(products);
    const double all = products.trace();
    for (Eigen::Index which = 0; which < std::min<Eigen::Index>(2, size); ++which) {
        Eigen::VectorXd component = found.vectors.col(size - 1 - which);
        Eigen::Index largest = 0;
        component.cwiseAbs().maxCoeff(&largest);
        if (component[largest] < 0.0) component = -component;
        components_[static_cast<std::size_t>(which)].assign(component.data(), component.data() + size);
        if (all > 0.0)
            explained_[static_cast<std::size_t>(which)] = std::max(0.0, found.values[size - 1 - which]) / all;
    }
}

std::array<double, 2> FeatureProjection::place(const FeatureRow& row) const
{
    const auto values = scaled(row);
    std::array<double, 2> place{};
    for (std::size_t which = 0; which < 2; ++which)
        for (std::size_t i = 0; i < features_.size(); ++i) place[which] += components_[which][i] * values[i];
    return place;
}

}  // namespace skein
