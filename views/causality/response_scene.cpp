// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/response_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/plot_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kResponsePadPx = 8, kAnswerLinePx = 2, kAnswerDotPx = 2.5;

PlotFrame responseFrame(const SessionCausality& causality, const CausalLink& link,
                        const std::vector<double>& answer, const Rect& field, const Canvas& canvas)
{
    const auto [low, high] = responseRange(answer);
    BehaviorRequest request;
    request.metric = causality.name(link.to);
    ValueAxis up{low, high};
    up.text = [request](double value) {
        return value < 0 ? "−" + behaviorAmount(request, -value) : behaviorAmount(request, value);
    };
    ValueAxis across{0, static_cast<double>(std::max<std::size_t>(2, answer.size()) - 1)};
    across.text = [](double value) { return fmt::format("{:.0f}", std::abs(value)); };  // no −0
    across.whole = true;
    return plotFrame(field, std::move(across), std::move(up), canvas);
}

void drawAnswer(DrawList& list, const PlotFrame& frame, const std::vector<double>& answer,
                const Canvas& canvas)
{
    const Color color = canvas.theme().accent;
    const double dot = canvas.px(kAnswerDotPx);
    for (std::size_t step = 0; step < answer.size(); ++step) {
        if (!std::isfinite(answer[step])) continue;
        const Point at = frame.at(static_cast<double>(step), answer[step]);
        list.fillRect({at.x - dot, at.y - dot, 2 * dot, 2 * dot}, color);
        if (step > 0 && std::isfinite(answer[step - 1]))
            list.line(frame.at(static_cast<double>(step - 1), answer[step - 1]), at, color,
                      canvas.px(kAnswerLinePx));
    }
}

}  // namespace

std::string responseTitle(const SessionCausality& causality, const CausalLink& link)
{
    return fmt::format("{} after a shock in {}", causality.name(link.to), causality.name(link.from));
}

std::pair<double, double> responseRange(const std::vector<double>& answer)
{
    double low = 0, high = 0;
    for (const double value : answer) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return {low, high > low ? high : low + 1};
}

DrawList responseScene(const SessionCausality& causality, const CausalLink& link, const Canvas& canvas)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    const Theme& theme = canvas.theme();
    list.background = theme.background;
    const double pad = canvas.px(kResponsePadPx), line = canvas.lineHeight();
    const double width = std::max(1.0, canvas.width - 2 * pad);
    list.text({pad, pad / 2, width, line},
              elideMiddle(responseTitle(causality, link), width, FontStyle::Small, canvas.measure),
              theme.text, FontStyle::Small);
    const Rect steps{pad, canvas.height - line - pad / 2, width, line};
    const Rect field{pad, line + pad, width, std::max(1.0, steps.y - line - pad)};
    const std::vector<double> answer = causality.answer(link.from, link.to);
    const PlotFrame frame = responseFrame(causality, link, answer, field, canvas);
    drawPlotFrame(list, frame, canvas);
    list.line(frame.at(0, 0), {frame.plot.right(), frame.toY(0)}, theme.secondaryText, canvas.px(1));
    drawAnswer(list, frame, answer, canvas);
    const std::string unit = "steps of " + formatDuration(causality.binNs);
    list.text(steps, elideMiddle(unit, width, FontStyle::Small, canvas.measure), theme.secondaryText,
              FontStyle::Small, Align::Center);
    return list;
}

}  // namespace skein
