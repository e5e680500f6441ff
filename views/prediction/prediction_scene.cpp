// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kPredictionDotPx = 2.5, kPredictionReachPx = 6;
constexpr std::size_t kMostLinkDots = 50'000;

using PhaseMember = std::optional<double> PredictedPhase::*;

struct PhaseSeries {
    PhaseMember member;
    std::string name;
    Color color;
};

std::string phaseSeconds(double seconds) { return formatDuration(seconds * 1e9); }

Rect plotOfField(const Rect& field, const Canvas& canvas)
{
    const double line = canvas.lineHeight();
    return {field.x, field.y + line + canvas.px(4), field.width,
            std::max(1.0, field.height - 2 * line - canvas.px(8))};
}

double mostOfLinks(const Prediction& prediction)
{
    std::uint64_t most = 0;
    for (const PredictedLink& link : prediction.links) most = std::max({most, link.predicted, link.measured});
    return static_cast<double>(most);
}

/// A square: both axes have one scale.
Rect linkPlot(const PredictionLayout& layout, const Canvas& canvas)
{
    Rect plot = plotOfField(layout.links, canvas);
    plot.width = plot.height = std::min(plot.width, plot.height);
    return plot;
}

Point linkPoint(const PredictedLink& link, double most, const Rect& plot)
{
    const double scale = most > 0 ? 1 / most : 0;
    return {plot.x + plot.width * static_cast<double>(link.predicted) * scale,
            plot.bottom() - plot.height * static_cast<double>(link.measured) * scale};
}

class PredictionPainter {
public:
    PredictionPainter(const Prediction& prediction, const Canvas& canvas)
        : prediction_(prediction),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(predictionLayout(prediction, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        small(layout_.head, predictionText(prediction_));
        const std::string tried = prediction_.trial.empty() ? "as tried" : prediction_.trial;
        drawPhases(
            layout_.predicted, "Predicted time of each phase",
            {{{&PredictedPhase::asItIs, "as it is", mix(theme_.background, theme_.secondaryText, 0.55)},
              {&PredictedPhase::tried, tried, clusterColor(0, theme_.dark)}}});
        if (!layout_.measured.empty())
            drawPhases(
                layout_.measured, "Measured in MPI, mean of the processes",
                {{{&PredictedPhase::measured, "this run", mix(theme_.background, theme_.secondaryText, 0.55)},
                  {&PredictedPhase::rerun, tried, clusterColor(0, theme_.dark)}}});
        if (!layout_.links.empty()) drawLinks();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    Rect begin(const Rect& field, const std::string& title, const Rect& plot)
    {
        small({field.x, field.y, field.width, canvas_.lineHeight()}, title);
        list_.line({plot.x, plot.y}, {plot.x, plot.bottom()}, theme_.frame);
        list_.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, theme_.frame);
        return plot;
    }

    void drawPhases(const Rect& field, const std::string& title, const std::array<PhaseSeries, 2>& series)
    {
        const Rect plot = plotOfField(field, canvas_);
        double greatest = 0;
        for (const PredictedPhase& phase : prediction_.phases)
            for (const PhaseSeries& one : series)
                greatest = std::max(greatest, (phase.*one.member).value_or(0));
        begin(field, greatest > 0 ? title + ", at most " + phaseSeconds(greatest) : title, plot);
        const double room =
            plot.width / static_cast<double>(std::max<std::size_t>(1, prediction_.phases.size()));
        for (std::size_t i = 0; i < series.size() && greatest > 0; ++i) {
            if (room >= canvas_.px(8)) drawBars(plot, series[i], i, greatest);
            else drawSteps(plot, series[i], greatest);
        }
        drawNames(plot, series);
    }

    void drawBars(const Rect& plot, const PhaseSeries& series, std::size_t number, double greatest)
    {
        const double room = plot.width / static_cast<double>(prediction_.phases.size());
        const double width = std::min(canvas_.px(40), std::floor(room * 0.4));
        for (std::size_t i = 0; i < prediction_.phases.size(); ++i) {
            const auto value = prediction_.phases[i].*series.member;
            if (!value || *value <= 0) continue;
            const double height = std::max(1.0, std::round(*value / greatest * plot.height));
            const double middle = plot.x + (static_cast<double>(i) + 0.5) * room;
            list_.fillRect(
                {std::round(number == 0 ? middle - width : middle), plot.bottom() - height, width, height},
                series.color);
        }
    }

    /// The greatest of the phases of each column.
    void drawSteps(const Rect& plot, const PhaseSeries& series, double greatest)
    {
        const auto columns = std::min(prediction_.phases.size(), static_cast<std::size_t>(plot.width));
        Point last{plot.x, plot.bottom()};
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t end = (column + 1) * prediction_.phases.size() / columns;
            double value = 0;
            for (std::size_t i = column * prediction_.phases.size() / columns; i < end; ++i)
                value = std::max(value, (prediction_.phases[i].*series.member).value_or(0));
            const Point next{
                plot.x + plot.width * static_cast<double>(column + 1) / static_cast<double>(columns),
                plot.bottom() - value / greatest * plot.height};
            list_.line(last, {last.x, next.y}, series.color, canvas_.px(1));
            list_.line({last.x, next.y}, next, series.color, canvas_.px(1));
            last = next;
        }
    }

    void drawNames(const Rect& plot, const std::array<PhaseSeries, 2>& series)
    {
        const double line = canvas_.lineHeight(), size = canvas_.px(8), y = plot.bottom() + canvas_.px(2);
        double x = plot.x;
        for (const PhaseSeries& one : series) {
            const auto sum = prediction_.sum(one.member);
            if (!sum) continue;
            list_.fillRect({x, y + (line - size) / 2, size, size}, one.color);
            x += size + canvas_.px(6);
            const std::string text = one.name + ": " + phaseSeconds(*sum) + " in all";
            const double width = std::min(canvas_.measure.width(text, FontStyle::Small) + canvas_.px(2),
                                          std::max(0.0, plot.right() - x));
            small({x, y, width, line}, text);
            x += width + canvas_.px(16);
        }
    }

    void drawLinks()
    {
        const Rect plot = linkPlot(layout_, canvas_);
        begin(layout_.links, "Bytes of each link: measured (up) against predicted (right)", plot);
        list_.line({plot.x, plot.bottom()}, {plot.right(), plot.y}, theme_.accent, canvas_.px(1));
        const double most = mostOfLinks(prediction_), reach = kPredictionDotPx * canvas_.style.scale;
        for (std::size_t i = std::min(prediction_.links.size(), kMostLinkDots); i-- > 0;) {
            const Point at = linkPoint(prediction_.links[i], most, plot);
            list_.items.push_back(RectItem{{at.x - reach, at.y - reach, 2 * reach, 2 * reach},
                                           withAlpha(clusterColor(0, theme_.dark), 150),
                                           {0, 0, 0, 0},
                                           1,
                                           reach,
                                           {}});
        }
        small({plot.x, plot.bottom() + canvas_.px(2), layout_.links.width, canvas_.lineHeight()},
              fmt::format("{} links, at most {}; on the line: as predicted",
                          formatGrouped(static_cast<std::int64_t>(prediction_.links.size())),
                          formatBytes(most)));
    }

    const Prediction& prediction_;
    const Canvas& canvas_;
    const Theme& theme_;
    PredictionLayout layout_;
    DrawList list_;
};

}  // namespace

PredictionLayout predictionLayout(const Prediction& prediction, const Canvas& canvas)
{
    PredictionLayout layout;
    const double pad = canvas.px(10), line = canvas.lineHeight(), wide = canvas.width - 2 * pad;
    layout.caption = {pad, canvas.px(4), wide, canvas.style.caption.empty() ? 0 : line};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), wide, line};
    const double top = layout.head.bottom() + pad;
    const double height = std::max(1.0, canvas.height - top - canvas.px(4));
    const bool measured = std::ranges::any_of(prediction.phases, [](const PredictedPhase& phase) {
        return phase.measured.has_value() || phase.rerun.has_value();
    });
    const double left = prediction.links.empty() ? wide : std::floor(wide * 0.58);
    const double field = measured ? std::floor((height - pad) / 2) : height;
    layout.predicted = {pad, top, left, field};
    if (measured) layout.measured = {pad, top + field + pad, left, field};
    if (!prediction.links.empty()) layout.links = {pad + left + 2 * pad, top, wide - left - 2 * pad, height};
    return layout;
}

DrawList predictionScene(const Prediction& prediction, const Canvas& canvas, const Task&)
{
    return PredictionPainter(prediction, canvas).draw();
}

std::optional<std::size_t> predictedPhaseAt(const Prediction& prediction, const PredictionLayout& layout,
                                            Point point)
{
    for (const Rect& field : {layout.predicted, layout.measured}) {
        if (field.empty() || !field.contains(point) || prediction.phases.empty()) continue;
        const auto count = static_cast<double>(prediction.phases.size());
        const auto phase = static_cast<std::size_t>((point.x - field.x) / field.width * count);
        return std::min(phase, prediction.phases.size() - 1);
    }
    return std::nullopt;
}

std::optional<std::size_t> predictedLinkAt(const Prediction& prediction, const PredictionLayout& layout,
                                           Point point, const Canvas& canvas)
{
    if (layout.links.empty() || !layout.links.contains(point)) return std::nullopt;
    const Rect plot = linkPlot(layout, canvas);
    const double most = mostOfLinks(prediction);
    double nearest = canvas.px(kPredictionReachPx);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < std::min(prediction.links.size(), kMostLinkDots); ++i) {
        const Point at = linkPoint(prediction.links[i], most, plot);
        const double away = std::hypot(at.x - point.x, at.y - point.y);
        if (away >= nearest) continue;
        nearest = away;
        found = i;
    }
    return found;
}

std::vector<std::string> predictedPhaseText(const Prediction& prediction, std::size_t phase)
{
    const PredictedPhase& found = prediction.phases[phase];
    std::vector<std::string> lines{fmt::format("Phase {}", phase)};
    lines.push_back(fmt::format("{} in {} messages", formatBytes(static_cast<double>(found.bytes)),
                                formatCount(static_cast<double>(found.messages))));
    const auto tell = [&](const char* what, const std::optional<double>& seconds) {
        if (seconds) lines.push_back(fmt::format("{}: {}", what, phaseSeconds(*seconds)));
    };
    tell("Predicted as it is", found.asItIs);
    tell("Predicted as tried", found.tried);
    tell("In MPI", found.measured);
    tell("In MPI in the other run", found.rerun);
    return lines;
}

std::vector<std::string> predictedLinkText(const Prediction& prediction, std::size_t link)
{
    const PredictedLink& found = prediction.links[link];
    return {"Link " + prediction.base->machine->topology->linkName(found.link),
            "Predicted " + formatBytes(static_cast<double>(found.predicted)),
            "Measured " + formatBytes(static_cast<double>(found.measured))};
}

}  // namespace skein
