// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/view_list.h"

#include "views/anomalies/anomalies_view.h"
#include "views/balance/balance_view.h"
#include "views/behavior/behavior_view.h"
#include "views/behavior/live_view.h"
#include "views/behavior/second_behavior_view.h"
#include "views/call_tree/call_tree_view.h"
#include "views/causality/causality_view.h"
#include "views/comm_matrix/comm_changes_view.h"
#include "views/comm_matrix/comm_matrix_view.h"
#include "views/communication/communication_view.h"
#include "views/compare/compare_view.h"
#include "views/components/components_view.h"
#include "views/counters/counters_view.h"
#include "views/details/details_view.h"
#include "views/execution_stack/execution_stack_view.h"
#include "views/flame/flame_view.h"
#include "views/function_summary/function_summary_view.h"
#include "views/hand_overs/hand_overs_view.h"
#include "views/import_report/import_report_view.h"
#include "views/jobs/jobs_view.h"
#include "views/legend/legend_view.h"
#include "views/location_detail/location_detail_view.h"
#include "views/machine/machine_view.h"
#include "views/machine_setup/machine_setup_view.h"
#include "views/marks/marks_view.h"
#include "views/metric_rank/metric_rank_view.h"
#include "views/outliers/outliers_view.h"
#include "views/overview/overview_view.h"
#include "views/prediction/prediction_view.h"
#include "views/profile/profile_view.h"
#include "views/remap/remap_view.h"
#include "views/reroute/reroute_view.h"
#include "views/route_matrix/route_matrix_view.h"
#include "views/scaling/scaling_view.h"
#include "views/similarity/similarity_view.h"
#include "views/statistics/statistics_view.h"
#include "views/structure/structure_view.h"
#include "views/timeline/timeline_view.h"
#include "views/tree_graph/tree_graph_view.h"
#include "views/waits/waits_view.h"

#include <algorithm>
#include <iterator>

namespace skein::gui {
namespace {

template <typename ViewType>
View* make(const ViewContext& context, QWidget* parent)
{
    return new ViewType(context, parent);
}

// One line a view, alphabetical; one of them is the main view.
constexpr ViewDescription kViews[] = {
    {"anomalies", "Anomalies", ViewPlace::Center, 14, make<AnomaliesView>},
    {"balance", "Balance", ViewPlace::Bottom, 3, make<BalanceView>},
    {"behavior", "Behaviour", ViewPlace::Center, 13, make<BehaviorView>},
    {"behavior_second", "Behaviour, second metric", ViewPlace::Center, 13, make<SecondBehaviorView>},
    {"call_tree", "Call tree", ViewPlace::Left, 0, make<CallTreeView>},
    {"causality", "Causality", ViewPlace::Bottom, 9, make<CausalityView>},
    {"comm_changes", "Changes of communication", ViewPlace::Bottom, 10, make<CommChangesView>},
    {"comm_matrix", "Communication matrix", ViewPlace::Center, 21, make<CommMatrixView>},
    {"communication", "Communication", ViewPlace::Center, 14, make<CommunicationView>},
    {"compare", "Comparison", ViewPlace::Bottom, 4, make<CompareView>},
    {"components", "Components", ViewPlace::Bottom, 5, make<ComponentsView>},
    {"counters", "Counters", ViewPlace::Center, 11, make<CountersView>},
    {"details", "Details", ViewPlace::Right, 0, make<DetailsView>},
    {"execution_stack", "Execution stack", ViewPlace::Center, 14, make<ExecutionStackView>},
    {"flame", "Flame graph", ViewPlace::Center, 16, make<FlameView>},
    {"function_summary", "Function summary", ViewPlace::Bottom, 0, make<FunctionSummaryView>},
    {"hand_overs", "Hand-overs", ViewPlace::Bottom, 5, make<HandOversView>},
    {"import_report", "Import report", ViewPlace::Bottom, 7, make<ImportReportView>},
    {"jobs", "Jobs", ViewPlace::Bottom, 8, make<JobsView>},
    {"legend", "Legend", ViewPlace::Right, 10, make<LegendView>},
    {"location_detail", "Location detail", ViewPlace::Center, 10, make<LocationDetailView>},
    {"machine", "Machine plan", ViewPlace::Center, 15, make<MachineView>},
    {"machine_setup", "Machine", ViewPlace::Right, 20, make<MachineSetupView>},
    {"marks", "Marks", ViewPlace::Bottom, 6, make<MarksView>},
    {"metric_rank", "Metric rank", ViewPlace::Bottom, 21, make<MetricRankView>},
    {"outliers", "Outliers", ViewPlace::Center, 12, make<OutliersView>},
    {"overview", "Overview", ViewPlace::Top, 0, make<OverviewView>},
    {"prediction", "Prediction", ViewPlace::Center, 24, make<PredictionView>},
    {"profile", "Profile", ViewPlace::Bottom, 2, make<ProfileView>},
    {"remap", "Remapping", ViewPlace::Center, 22, make<RemapView>},
    {"reroute", "Rerouting", ViewPlace::Center, 23, make<RerouteView>},
    {"route_matrix", "Route matrix", ViewPlace::Center, 16, make<RouteMatrixView>},
    {"scaling", "Scaling", ViewPlace::Center, 17, make<ScalingView>},
    {"similarity", "Similarity", ViewPlace::Right, 12, make<SimilarityView>},
    {"similarity_second", "Similarity, second metric", ViewPlace::Right, 13, make<SecondSimilarityView>},
    {"statistics", "Statistics", ViewPlace::Bottom, 1, make<StatisticsView>},
    {"stream", "Stream", ViewPlace::Center, 14, make<LiveView>},
    {"structure", "Structure", ViewPlace::Center, 14, make<StructureView>},
    {"timeline", "Timeline", ViewPlace::Center, 0, make<TimelineView>, ViewRole::Main},
    {"tree_graph", "Call graph", ViewPlace::Center, 15, make<TreeGraphView>},
    {"waits", "Wait states", ViewPlace::Bottom, 4, make<WaitsView>},
};

}  // namespace

std::span<const ViewDescription> viewList() { return kViews; }

const ViewDescription& mainView()
{
    return *std::ranges::find(kViews, ViewRole::Main, &ViewDescription::role);
}

const ViewDescription* findView(const QString& id)
{
    const auto* found = std::find_if(std::begin(kViews), std::end(kViews),
                                     [&](const ViewDescription& view) { return id == view.id; });
    return found == std::end(kViews) ? nullptr : found;
}

}  // namespace skein::gui
