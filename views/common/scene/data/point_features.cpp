// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/point_features.h"

#include "algorithms/anomaly/feature_projection.h"
#include "views/common/scene/data/session_anomalies.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::array<CallFeature, 5> kCountedFeatures{
    CallFeature::Messages, CallFeature::Bytes, CallFeature::Children, CallFeature::Mpi, CallFeature::Waiting};

std::size_t placeAmongCounted(CallFeature feature)
{
    return static_cast<std::size_t>(std::find(kCountedFeatures.begin(), kCountedFeatures.end(), feature)
                                    - kCountedFeatures.begin());
}

std::int64_t featureOfPoint(const PointFeatures& features, const AnomalyPoint& point, std::size_t number,
                            CallFeature feature)
{
    switch (feature) {
    case CallFeature::Duration: return point.durationNs;
    case CallFeature::Exclusive: return point.ownNs;
    case CallFeature::Begin: return point.begin;
    case CallFeature::End: return point.begin + point.durationNs;
    default: return static_cast<std::int64_t>(features.counted(number, feature));
    }
}

ProjectedPoints projectPoints(const PointFeatures& features, const SessionAnomalies& anomalies,
                              FeatureSet set)
{
    std::vector<CallFeature> chosen;
    for (std::size_t i = 0; i < kCallFeatures; ++i)
        if (set & (1U << i)) chosen.push_back(static_cast<CallFeature>(i));
    std::vector<std::uint32_t> firstFunction;
    std::uint32_t functions = 0;
    for (const auto& found : anomalies.found) {
        firstFunction.push_back(functions);
        if (found) functions += static_cast<std::uint32_t>(found->functionsOfCalls->count());
    }
    std::vector<FeatureRow> rows(anomalies.points.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const AnomalyPoint& point = anomalies.points[i];
        rows[i].function = firstFunction[point.call.experiment] + point.function;
        for (const CallFeature each : chosen)
            rows[i].values[static_cast<std::size_t>(each)] = featureOfPoint(features, point, i, each);
    }
    const FeatureProjection projection(rows, chosen);
    ProjectedPoints places(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = projection.place(rows[i]);
        places[i] = {static_cast<float>(place[0]), static_cast<float>(place[1])};
    }
    return places;
}

}  // namespace

PointFeatures::PointFeatures(const SessionAnomalies& anomalies)
    : counted_(anomalies.points.size()), projected_(std::make_shared<Memo<FeatureSet, ProjectedPoints>>())
{
    for (std::uint32_t experiment = 0; experiment < anomalies.found.size(); ++experiment) {
        if (!anomalies.found[experiment]) continue;
        const FoundAnomalies& found = *anomalies.found[experiment];
        const Trace& trace = *anomalies.session->experiments[experiment]->trace;
        const auto index = CallFeatureIndex::build(trace, *found.functionsOfCalls, *found.waits, Task());
        if (!index) continue;
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            const IntervalRef& call = anomalies.points[i].call;
            if (call.experiment != experiment) continue;
            for (std::size_t k = 0; k < kCountedFeatures.size(); ++k)
                counted_[i][k] =
                    static_cast<float>(index->value(call.location, call.index, kCountedFeatures[k]));
        }
    }
}

double PointFeatures::counted(std::size_t point, CallFeature feature) const
{
    const std::size_t place = placeAmongCounted(feature);
    return point < counted_.size() && place < kCountedFeatures.size() ? counted_[point][place] : 0.0;
}

std::shared_ptr<const ProjectedPoints> PointFeatures::projected(const SessionAnomalies& anomalies,
                                                                FeatureSet set) const
{
    return projected_->get(set, [&] { return projectPoints(*this, anomalies, set); });
}

}  // namespace skein
