// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/plot_axes.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/drawing/picture_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kFewestLinesOfField = 4.5;  ///< of a title, ticks and names around a plot
constexpr double kPredictionDotPx = 2.5, kPredictionReachPx = 6;
constexpr std::size_t kMostLinkDots = 50'000;

using PhaseMember = std::optional<double> PredictedPhase::*;

struct PhaseSeries {
    PhaseMember member;
    std::string name;
    Color color;
};

std::string phaseSeconds(double seconds) { return formatDuration(seconds * 1e9); }

/// Between a field's title and its foot.
Rect predictionRoom(const Rect& field, const Canvas& canvas)
{
    const double line = canvas.lineHeight();
    return {field.x, field.y + line, field.width, std::max(1.0, field.height - 2 * line - canvas.px(4))};
}

double mostOfLinks(const Prediction& prediction)
{
    std::uint64_t most = 0;
    for (const PredictedLink& link : prediction.links) most = std::max({most, link.predicted, link.measured});
    return static_cast<double>(most);
}

/// The longest phase of a field's two series.
double longestPhase(const Prediction& prediction, PhaseMember one, PhaseMember other)
{
    double longest = 0;
    for (const PredictedPhase& phase : prediction.phases)
        longest = std::max({longest, (phase.*one).value_or(0), (phase.*other).value_or(0)});
    return longest;
}

/// Both series of a field of phases, and where it is.
struct PhaseField {
    PhaseMember one, other;
    Rect PredictionLayout::*place;
};
constexpr PhaseField kPredictedField{&PredictedPhase::asItIs, &PredictedPhase::tried,
                                     &PredictionLayout::predicted};
constexpr PhaseField kMeasuredField{&PredictedPhase::measured, &PredictedPhase::rerun,
                                    &PredictionLayout::measured};

/// One pixel a phase and more; phases are numbered from 0, and their numbers stand below their middles. A
/// phase stands in the same place in both fields, however long the words for its time are.
PlotFrame phaseFrame(const Prediction& prediction, const PredictionLayout& layout, const PhaseField& field,
                     const Canvas& canvas)
{
    const auto frameOf = [&](const PhaseField& of, double shift) {
        Rect room = predictionRoom(layout.*of.place, canvas);
        room.x += shift;
        room.width -= shift;
        return plotFrame(room, {-0.5, static_cast<double>(prediction.phases.size()) - 0.5, "", {}, true},
                         {0, 1e9 * longestPhase(prediction, of.one, of.other), "ns"}, canvas);
    };
    PlotFrame frame = frameOf(field, 0);
    if (layout.measured.empty()) return frame;
    const bool measured = field.place == kMeasuredField.place;
    const double wider = frameOf(measured ? kPredictedField : kMeasuredField, 0).plot.x - frame.plot.x;
    return wider > 0 ? frameOf(field, wider) : frame;
}

/// A square: both axes have one scale.
PlotFrame linkFrame(const Prediction& prediction, const PredictionLayout& layout, const Canvas& canvas)
{
    const ValueAxis axis{0, mostOfLinks(prediction), "B"};
    Rect room = predictionRoom(layout.links, canvas);
    const PlotFrame wide = plotFrame(room, axis, axis, canvas);
    const double side = std::min(wide.plot.width, wide.plot.height);
    room.width -= wide.plot.width - side;
    room.height -= wide.plot.height - side;
    return plotFrame(room, axis, axis, canvas);
}

Point linkPoint(const PredictedLink& link, const PlotFrame& frame)
{
    return frame.at(static_cast<double>(link.predicted), static_cast<double>(link.measured));
}

/// All of the head's words: the figures of a closed loop stand at their end.
std::vector<std::string> headLines(const Prediction& prediction, double width, const Canvas& canvas)
{
    return wrappedLines(predictionText(prediction), width, FontStyle::Small, canvas.measure);
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
        Rect line = layout_.head;
        line.height = canvas_.lineHeight();
        for (const std::string& words : headLines(prediction_, layout_.head.width, canvas_)) {
            small(line, words);
            line.y += line.height;
        }
        const std::string tried = prediction_.trial.empty() ? "as tried" : prediction_.trial;
        drawPhases(
            kPredictedField, "Predicted time of each phase",
            {{{&PredictedPhase::asItIs, "as it is", mix(theme_.background, theme_.secondaryText, 0.55)},
              {&PredictedPhase::tried, tried, clusterColor(0, theme_.dark)}}});
        if (!layout_.measured.empty())
            drawPhases(
                kMeasuredField, "Measured in MPI, mean of the processes",
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

    void title(const Rect& field, const std::string& text)
    {
        small({field.x, field.y, field.width, canvas_.lineHeight()}, text);
    }

    void drawPhases(const PhaseField& of, const std::string& name, const std::array<PhaseSeries, 2>& series)
    {
        const Rect& field = layout_.*of.place;
        const double greatest = longestPhase(prediction_, of.one, of.other);
        title(field, greatest > 0 ? name + ", at most " + phaseSeconds(greatest) : name);
        const PlotFrame frame = phaseFrame(prediction_, layout_, of, canvas_);
        drawPlotFrame(list_, frame, canvas_);
        const Rect& plot = frame.plot;
        const double room =
            plot.width / static_cast<double>(std::max<std::size_t>(1, prediction_.phases.size()));
        for (std::size_t i = 0; i < series.size() && greatest > 0; ++i) {
            if (room >= canvas_.px(8)) drawBars(plot, series[i], i, greatest);
            else drawSteps(plot, series[i], greatest);
        }
        drawNames(field, plot, series);
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

    void drawNames(const Rect& field, const Rect& plot, const std::array<PhaseSeries, 2>& series)
    {
        const double line = canvas_.lineHeight(), size = canvas_.px(8), y = field.bottom() - line;
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
        const PlotFrame frame = linkFrame(prediction_, layout_, canvas_);
        const Rect& plot = frame.plot;
        title(layout_.links, "Bytes of each link: measured (up) against predicted (right)");
        drawPlotFrame(list_, frame, canvas_);
        list_.line({plot.x, plot.bottom()}, {plot.right(), plot.y}, theme_.accent, canvas_.px(1));
        const double reach = kPredictionDotPx * canvas_.style.scale, line = canvas_.lineHeight();
        for (std::size_t i = std::min(prediction_.links.size(), kMostLinkDots); i-- > 0;) {
            const Point at = linkPoint(prediction_.links[i], frame);
            list_.items.push_back(RectItem{{at.x - reach, at.y - reach, 2 * reach, 2 * reach},
                                           withAlpha(clusterColor(0, theme_.dark), 150),
                                           {0, 0, 0, 0},
                                           1,
                                           reach,
                                           {}});
        }
        small({plot.x, plot.bottom() + canvas_.px(4) + line, layout_.links.width, line},
              fmt::format("{} links, at most {}; on the line: as predicted",
                          formatGrouped(static_cast<std::int64_t>(prediction_.links.size())),
                          formatBytes(mostOfLinks(prediction_))));
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
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), wide,
                   line * static_cast<double>(headLines(prediction, wide, canvas).size())};
    const double top = layout.head.bottom() + pad;
    const double height = std::max(1.0, canvas.height - top - canvas.px(4));
    const double half = std::floor((height - pad) / 2);
    // Where there is no room for both the head and tooltips tell what was measured.
    const bool measured = half >= kFewestLinesOfField * line
        && std::ranges::any_of(prediction.phases, [](const PredictedPhase& phase) {
                              return phase.measured.has_value() || phase.rerun.has_value();
                          });
    const double left = prediction.links.empty() ? wide : std::floor(wide * 0.58);
    const double field = measured ? half : height;
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
                                            Point point, const Canvas& canvas)
{
    const auto phaseIn = [&](const PhaseField& field) {
        const std::size_t count = prediction.phases.size();
        const Rect plot = phaseFrame(prediction, layout, field, canvas).plot;
        const double part = std::clamp((point.x - plot.x) / plot.width, 0.0, 1.0);
        return std::min(static_cast<std::size_t>(part * static_cast<double>(count)), count - 1);
    };
    if (prediction.phases.empty()) return std::nullopt;
    if (layout.predicted.contains(point)) return phaseIn(kPredictedField);
    if (!layout.measured.empty() && layout.measured.contains(point)) return phaseIn(kMeasuredField);
    return std::nullopt;
}

std::optional<std::size_t> predictedLinkAt(const Prediction& prediction, const PredictionLayout& layout,
                                           Point point, const Canvas& canvas)
{
    if (layout.links.empty() || !layout.links.contains(point)) return std::nullopt;
    const PlotFrame frame = linkFrame(prediction, layout, canvas);
    double nearest = canvas.px(kPredictionReachPx);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < std::min(prediction.links.size(), kMostLinkDots); ++i) {
        const Point at = linkPoint(prediction.links[i], frame);
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
