// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/scaling_model.h"

#include "algorithms/scaling/series_modeler.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace skein {
namespace {

constexpr std::size_t kLeastPoints = 3;
/// So many series are one piece of work.
constexpr std::size_t kSeriesAtOnce = 256;

bool isUsable(double value) { return std::isfinite(value) && value > 0.0; }

Result<void> checkPoint(const std::vector<double>& point, std::size_t parameters)
{
    if (point.size() != parameters)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("A point has {} values, but there are {} parameters.", point.size(), parameters));
    if (!std::all_of(point.begin(), point.end(), isUsable))
        return fail(ErrorCode::InvalidArgument,
                    "Values of parameters must be above 0: powers and logarithms of them are tried.");
    return {};
}

Result<void> checkStudy(const ScalingStudy& study, const ScalingParams& params)
{
    const std::size_t parameters = study.parameters.size();
    if (parameters == 0 || parameters > kMostScalingParameters)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("Models are functions of one to {} parameters, not of {}.",
                                kMostScalingParameters, parameters));
    for (const auto* points : {&study.points, &params.at})
        for (const auto& point : *points)
            if (auto checked = checkPoint(point, parameters); !checked) return checked;
    if (!(params.probability > 0.0 && params.probability < 1.0))
        return fail(ErrorCode::InvalidArgument, "The probability of an interval lies between 0 and 1.");
    return {};
}

/// The points at which a series has usable values.
std::vector<std::uint32_t> measuredPoints(const ScalingSeries& series, std::size_t points)
{
    std::vector<std::uint32_t> measured;
    for (std::uint32_t at = 0; at < std::min(points, series.values.size()); ++at)
        if (!series.values[at].empty()
            && std::all_of(series.values[at].begin(), series.values[at].end(),
                           [](double value) { return std::isfinite(value); }))
            measured.push_back(at);
    return measured;
}

/// Designs of all sets of points that occur: most series were measured everywhere.
class Designs {
public:
    Designs(const ScalingStudy& study) : study_(study) {}

    const ScalingDesign* of(const std::vector<std::uint32_t>& measured)
    {
        if (measured.size() < kLeastPoints) return nullptr;
        auto& design = designs_[measured];
        if (!design) {
            std::vector<std::vector<double>> points;
            for (const std::uint32_t at : measured) points.push_back(study_.points[at]);
            design = std::make_unique<ScalingDesign>(std::move(points));
        }
        return design.get();
    }

private:
    const ScalingStudy& study_;
    std::map<std::vector<std::uint32_t>, std::unique_ptr<ScalingDesign>> designs_;
};

std::vector<std::vector<double>> valuesAt(const ScalingSeries& series,
                                          const std::vector<std::uint32_t>& measured)
{
    std::vector<std::vector<double>> values;
    for (const std::uint32_t at : measured) values.push_back(series.values[at]);
    return values;
}

}  // namespace

double ScalingModel::at(std::span<const double> point) const
{
    return jump && point[jump->parameter] <= jump->below ? jump->before.at(point) : function.at(point);
}

Result<std::vector<std::optional<ScalingModel>>> modelScaling(const ScalingStudy& study,
                                                              const ScalingParams& params, const Task& task)
{
    if (auto checked = checkStudy(study, params); !checked) return Unexpected(std::move(checked.error()));
    const std::size_t count = study.series.size();
    Designs designs(study);
    std::vector<const ScalingDesign*> designOf(count);
    for (std::size_t at = 0; at < count; ++at)
        designOf[at] = designs.of(measuredPoints(study.series[at], study.points.size()));
    std::vector<std::optional<ScalingModel>> models(count);
    const std::size_t pieces = (count + kSeriesAtOnce - 1) / kSeriesAtOnce;
    const bool all = parallelFor(pieces, task, [&](std::size_t piece) {
        std::unique_ptr<SeriesModeler> modeler;
        const ScalingDesign* current = nullptr;
        for (std::size_t at = piece * kSeriesAtOnce; at < std::min(count, (piece + 1) * kSeriesAtOnce);
             ++at) {
            if (designOf[at] == nullptr || task.stopRequested()) continue;
            if (designOf[at] != current) modeler = std::make_unique<SeriesModeler>(*designOf[at]);
            current = designOf[at];
            const ScalingSeries& series = study.series[at];
            models[at] = modeler->run(valuesAt(series, measuredPoints(series, study.points.size())), params);
        }
    });
    if (!all || task.stopRequested()) return cancelled();
    return models;
}

Result<std::optional<ScalingModel>> modelSeries(const ScalingStudy& study, std::size_t series,
                                                const ScalingParams& params)
{
    ScalingStudy one{study.parameters, study.points, {study.series[series]}, {}};
    auto models = modelScaling(one, params, Task().withThreads(1));
    if (!models) return Unexpected(std::move(models.error()));
    return std::move(models->front());
}

std::vector<double> nextScale(const ScalingStudy& study)
{
    std::vector<double> next;
    for (std::size_t parameter = 0; parameter < study.parameters.size(); ++parameter) {
        std::vector<double> levels;
        for (const auto& point : study.points) levels.push_back(point[parameter]);
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
        const double last = levels.empty() ? 1.0 : levels.back();
        const double times = levels.size() < 2 ? 1.0 : last / levels[levels.size() - 2];
        const bool whole = std::all_of(levels.begin(), levels.end(),
                                       [](double level) { return level == std::floor(level); });
        next.push_back(whole ? std::round(last * times) : last * times);
    }
    return next;
}

}  // namespace skein
