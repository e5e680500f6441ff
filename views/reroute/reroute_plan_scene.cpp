// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reroute/reroute_plan_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/plot_axes.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace skein {
namespace {

std::vector<std::uint64_t> amountsOfRoutes(const Traffic& traffic)
{
    std::vector<std::uint64_t> amounts;
    for (const NodePair& pair : traffic.pairs) amounts.push_back(amountOf(pair, traffic.unit));
    return amounts;
}

std::string routeLoadText(const Traffic& traffic, double load)
{
    return traffic.unit == LoadUnit::Bytes ? formatBytes(load) : formatNumber(load) + " messages";
}

std::uint64_t largestOf(const std::vector<std::uint64_t>& loads)
{
    return loads.empty() ? 0 : *std::ranges::max_element(loads);
}

}  // namespace

Result<RerouteBasePtr> rerouteBase(SessionCommunicationPtr communication)
{
    if (!communication->machine)
        return fail(ErrorCode::InvalidArgument,
                    communication->machineProblem.empty()
                        ? "Routes are those of a machine: describe one in the panel Machine."
                        : communication->machineProblem);
    if (communication->traffic.paths.size() != communication->traffic.pairs.size())
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("The routing {} sends one message over several ways: there is no single route "
                        "to change. Choose another in the panel Machine.",
                        name(communication->machine->model)));
    auto base = std::make_shared<RerouteBase>();
    base->paths = communication->traffic.paths;
    base->loads = communication->traffic.loads.listed();
    base->communication = std::move(communication);
    return RerouteBasePtr(std::move(base));
}

std::vector<std::uint32_t> selectedRoutes(const RerouteBase& base, std::span<const RankPairRef> pairs)
{
    std::vector<std::uint32_t> routes;
    for (const RankPairRef& pair : pairs) {
        if (pair.experiment != base.communication->request.experiment) continue;
        const auto route = base.communication->routeOf(pair.sender, pair.receiver);
        if (route) routes.push_back(static_cast<std::uint32_t>(*route));
    }
    std::ranges::sort(routes);
    routes.erase(std::unique(routes.begin(), routes.end()), routes.end());
    return routes;
}

std::vector<std::uint32_t> routesOfTopLinks(const RerouteBase& base, double part)
{
    return routesOverTopLinks(base.paths, base.loads, part);
}

Result<ReroutePlanPtr> planReroute(RerouteBasePtr base, std::span<const std::uint32_t> selected,
                                   const RerouteParameters& parameters, const Task& task)
{
    if (selected.empty())
        return fail(
            ErrorCode::InvalidArgument,
            "No route is selected: select pairs in a communication panel, or take the routes over the "
            "links with most load.");
    const Traffic& traffic = base->communication->traffic;
    auto result = rerouteMany(*base->communication->machine->topology, base->paths, amountsOfRoutes(traffic),
                              selected, parameters, task);
    if (!result) return Unexpected(result.error());
    auto plan = std::make_shared<ReroutePlan>();
    plan->base = std::move(base);
    plan->parameters = parameters;
    plan->result = std::move(*result);
    for (std::uint32_t i = 0; i < plan->result.changes.size(); ++i) {
        if (plan->result.changes[i].changed) plan->changed.push_back(i);
    }
    std::ranges::stable_sort(plan->changed, std::greater(), [&](std::uint32_t change) {
        return reductionPercent(plan->result.changes[change]);
    });
    return ReroutePlanPtr(std::move(plan));
}

RerouteBasePtr applied(const ReroutePlan& plan)
{
    auto base = std::make_shared<RerouteBase>();
    base->communication = plan.base->communication;
    base->paths = plan.result.paths;
    base->loads = plan.result.loads;
    return base;
}

CommunicationTrial trialOf(const ReroutePlan& plan, const std::string& name)
{
    CommunicationTrial trial;
    trial.kind = CommunicationTrial::Kind::Routes;
    trial.name = name;
    const std::vector<NodePair>& pairs = plan.base->communication->traffic.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto path = plan.result.paths[i];
        trial.routes.push_back({pairs[i].from, pairs[i].to, {path.begin(), path.end()}});
    }
    return trial;
}

double reductionPercent(const RouteChange& change)
{
    if (change.loadBefore == 0) return 0;
    return 100 * (static_cast<double>(change.loadBefore) - static_cast<double>(change.loadAfter))
        / static_cast<double>(change.loadBefore);
}

std::string planText(const ReroutePlan& plan)
{
    const Traffic& traffic = plan.base->communication->traffic;
    const auto load = [&](std::uint64_t of) { return routeLoadText(traffic, static_cast<double>(of)); };
    const RerouteResult& result = plan.result;
    return fmt::format(
        "{} of {} routes take another way. Largest load of a link {}, before {}; no ways of these "
        "routes give less than {}. Hops of all routes {}, before {}.",
        plan.changed.size(), result.changes.size(), load(result.maximumAfter), load(result.maximumBefore),
        load(result.maximumLowerBound), formatGrouped(static_cast<std::int64_t>(result.hopsAfter)),
        formatGrouped(static_cast<std::int64_t>(result.hopsBefore)));
}

DrawList reroutePlanScene(const RerouteBase& base, const ReroutePlan* plan, const Canvas& canvas, const Task&)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    list.background = canvas.theme().background;
    const double pad = canvas.px(10), line = canvas.lineHeight();
    const Rect caption{pad, canvas.px(4), canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line};
    list.text(caption, canvas.style.caption, canvas.theme().secondaryText, FontStyle::Small);
    const double top = caption.bottom() + canvas.px(4);
    const auto small = [&](double y, const std::string& text) {
        list.text({pad, y, canvas.width - 2 * pad, line},
                  elideMiddle(text, canvas.width - 2 * pad, FontStyle::Small, canvas.measure),
                  canvas.theme().secondaryText, FontStyle::Small);
    };
    small(top,
          plan ? "Loads of links in descending order: grey as it is, blue with the changes"
               : "Loads of links in descending order");
    const std::uint64_t now = largestOf(base.loads), then = plan ? largestOf(plan->result.loads) : 0;
    const bool bytes = base.communication->traffic.unit == LoadUnit::Bytes;
    const Rect room{pad, top + line, canvas.width - 2 * pad,
                    std::max(1.0, canvas.height - top - 2 * line - canvas.px(8))};
    const PlotFrame frame =
        plotFrame(room, {0, static_cast<double>(base.loads.size()), "links", {}, true},
                  {0, static_cast<double>(std::max(now, then)), bytes ? "B" : "", {}, !bytes}, canvas);
    drawPlotFrame(list, frame, canvas);
    drawDescending(list, frame, base.loads, canvas.theme().secondaryText, canvas.px(2));
    if (plan)
        drawDescending(list, frame, plan->result.loads, clusterColor(0, canvas.theme().dark), canvas.px(2));
    small(room.bottom() + canvas.px(4),
          fmt::format("{} links, at most {}", formatGrouped(static_cast<std::int64_t>(base.loads.size())),
                      routeLoadText(base.communication->traffic, static_cast<double>(now)))
              + (plan ? ", with the changes "
                         + routeLoadText(base.communication->traffic, static_cast<double>(then))
                      : ""));
    return list;
}

}  // namespace skein
