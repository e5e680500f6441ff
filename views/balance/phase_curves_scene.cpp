// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/phase_curves_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr double kLeastPanePx = 100;

struct PhaseCurve {
    const char* name;
    double (Efficiency::*value)() const;
    std::uint32_t color;  ///< of clusterColor()
    double widthPx;
};

/// The product is drawn last and strongest: over the two that make it.
constexpr std::array<PhaseCurve, 3> kPhaseCurves{
    {{"Load balance", &Efficiency::loadBalance, 1, 1},
     {"Communication efficiency", &Efficiency::communicationEfficiency, 2, 1},
     {"Parallel efficiency", &Efficiency::parallelEfficiency, 0, 2}}};

/// The product is the least of the three.
double leastEfficiency(const BalancePhases& phases)
{
    double least = 1;
    for (const PhaseRun& run : phases.runs)
        for (const BalancePhase& phase : run.phases)
            least = std::min(least, phase.efficiency.parallelEfficiency());
    return least;
}

class PhasePainter {
public:
    PhasePainter(const BalancePhases& phases, const Canvas& canvas)
        : phases_(phases), canvas_(canvas), theme_(canvas.theme()), layout_(phaseLayout(phases, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        small(layout_.caption, canvas_.style.caption);
        drawLegend();
        for (std::size_t run = 0; run < layout_.panes.size() && !task.stopRequested(); ++run) drawPane(run);
        drawFoot();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    void drawLegend()
    {
        const double size = canvas_.px(8), line = layout_.legend.height;
        double x = layout_.legend.x;
        for (auto curve = kPhaseCurves.rbegin(); curve != kPhaseCurves.rend(); ++curve) {
            const double width = std::ceil(canvas_.measure.width(curve->name, FontStyle::Small)) + 1;
            if (x + size + canvas_.px(6) + width > layout_.legend.right()) break;
            list_.fillRect({x, layout_.legend.y + (line - size) / 2, size, size},
                           clusterColor(curve->color, theme_.dark));
            x += size + canvas_.px(6);
            list_.text({x, layout_.legend.y, width, line}, curve->name, theme_.text, FontStyle::Small);
            x += width + canvas_.px(16);
        }
    }

    void drawPane(std::size_t number)
    {
        const PhasePane& pane = layout_.panes[number];
        const PhaseRun& run = phases_.runs[number];
        const std::string text = phaseRunText(run);
        list_.text(pane.title,
                   elideMiddle(phases_.runs.size() > 1 ? run.title + ": " + text : text, pane.title.width,
                               FontStyle::Small, canvas_.measure),
                   theme_.text, FontStyle::Small);
        if (run.phases.empty()) return;
        drawGrid(pane.plot);
        drawNumbers(pane.plot);
        list_.pushClip(
            {pane.plot.x, pane.plot.y - canvas_.px(3), pane.plot.width, pane.plot.height + canvas_.px(6)});
        for (const PhaseCurve& curve : kPhaseCurves) drawCurve(pane.plot, run, curve);
        list_.popClip();
    }

    void drawGrid(const Rect& plot)
    {
        const double line = canvas_.lineHeight(), pad = canvas_.px(6);
        const int most = std::clamp(static_cast<int>(plot.height / (line * 1.5)), 1, 10);
        for (const double value : roundValues(layout_.low, 1, most)) {
            const double y = std::floor(layout_.toY(plot, value));
            list_.fillRect({plot.x, y, plot.width, canvas_.px(1)}, theme_.grid);
            small({layout_.legend.x, y - line / 2, plot.x - layout_.legend.x - pad, line},
                  fmt::format("{:.0f} %", std::abs(100 * value)), Align::Right);
        }
    }

    /// A piece of a curve ends where phases are missing.
    void drawCurve(const Rect& plot, const PhaseRun& run, const PhaseCurve& curve)
    {
        const Color color = clusterColor(curve.color, theme_.dark);
        const double width = canvas_.px(curve.widthPx),
                     room = plot.width / static_cast<double>(layout_.count);
        const double dot = room >= canvas_.px(8) ? canvas_.px(2) + width / 2 : width / 2;
        std::optional<Point> last;
        std::size_t expected = 0;
        for (std::size_t i = 0; i < run.phases.size();) {
            const std::size_t number = run.phases[i].efficiency.phase;
            const double x = layout_.toX(plot, static_cast<double>(number));
            double low = 1, high = 0;
            if (number != expected) last.reset();
            for (const double pixel = std::floor(x); i < run.phases.size(); ++i) {
                const Efficiency& phase = run.phases[i].efficiency;
                if (std::floor(layout_.toX(plot, static_cast<double>(phase.phase))) != pixel) break;
                low = std::min(low, (phase.*curve.value)());
                high = std::max(high, (phase.*curve.value)());
                expected = phase.phase + 1;
            }
            const Point bottom{x, layout_.toY(plot, low)}, top{x, layout_.toY(plot, high)};
            if (last) list_.line(*last, bottom, color, width);
            if (high > low) list_.line(bottom, top, color, width);
            else list_.fillRect({x - dot, bottom.y - dot, 2 * dot, 2 * dot}, color);
            last = top;
        }
    }

    void drawNumbers(const Rect& plot)
    {
        const auto count = static_cast<double>(layout_.count);
        const double wide =
            canvas_.measure.width(std::to_string(layout_.count), FontStyle::Small) + canvas_.px(24);
        const int most = std::max(1, static_cast<int>(std::min(count, plot.width / wide)));
        for (const double phase : roundValues(0, count, most)) {
            if (phase < 1) continue;
            const double x = layout_.toX(plot, phase);
            list_.text({x - wide / 2, plot.bottom() + canvas_.px(3), wide, canvas_.lineHeight()},
                       fmt::format("{:.0f}", phase), theme_.secondaryText, FontStyle::Small, Align::Center);
        }
    }

    void drawFoot()
    {
        std::string text = layout_.count > 0 ? "Phases: " + phases_.what : std::string();
        if (const std::size_t left = phases_.runs.size() - layout_.panes.size(); left > 0)
            text += fmt::format(" · {} more runs have no room; the table has all", left);
        small(layout_.foot, text);
    }

    const BalancePhases& phases_;
    const Canvas& canvas_;
    const Theme& theme_;
    PhaseLayout layout_;
    DrawList list_;
};

/// [first, end) of the phases whose points lie in the pixel, or the one that has it to itself.
std::pair<std::size_t, std::size_t> numbersAt(const PhaseLayout& layout, const Rect& plot, double x)
{
    const double perPixel = static_cast<double>(layout.count) / plot.width;
    const auto behind = [&](double edge) { return (edge - plot.x) * perPixel; };
    if (perPixel <= 1) {
        const std::size_t only = 1 + static_cast<std::size_t>(behind(x));
        return {only, only + 1};
    }
    const double pixel = std::floor(x);
    return {static_cast<std::size_t>(std::ceil(std::max(0.0, behind(pixel)) + 0.5)),
            static_cast<std::size_t>(std::ceil(behind(pixel + 1) + 0.5))};
}

/// Runs with phases share what the words of the others leave.
void addPanes(PhaseLayout& layout, const BalancePhases& phases, double top, double room, const Canvas& canvas)
{
    const double line = canvas.lineHeight(), words = line + canvas.px(4);
    std::size_t shown = 0, plots = 0;
    for (double needed = 0; shown < phases.runs.size(); ++shown) {
        const bool plot = !phases.runs[shown].phases.empty();
        needed += plot ? canvas.px(kLeastPanePx) : words;
        if (needed > room && shown > 0) break;
        plots += plot ? 1 : 0;
    }
    const double left = room - words * static_cast<double>(shown - plots);
    const double height = plots > 0 ? std::floor(left / static_cast<double>(plots)) : 0;
    const double labels = std::ceil(canvas.measure.width("100 %", FontStyle::Small)) + canvas.px(8);
    const Rect& across = layout.legend;
    for (std::size_t run = 0; run < shown; ++run) {
        const double above = line + canvas.px(8);
        PhasePane pane{{across.x, top, across.width, line}, {}};
        const bool plot = !phases.runs[run].phases.empty();
        if (plot)
            pane.plot = {across.x + labels, top + above, std::max(1.0, across.width - labels - across.x),
                         std::max(1.0, height - above - line - canvas.px(8))};
        layout.panes.push_back(pane);
        top += plot ? height : words;
    }
}

std::string phasePercent(double part) { return fmt::format("{:.1f} %", 100 * part); }

}  // namespace

PhaseLayout phaseLayout(const BalancePhases& phases, const Canvas& canvas)
{
    PhaseLayout layout;
    layout.count = phases.count();
    const double least = leastEfficiency(phases);
    // Floor of tenths: at 0.9 at most, so that the axis has a length.
    if (least >= 0.5) layout.low = std::min(0.9, std::floor(least * 10) / 10);
    const double pad = canvas.px(8), line = canvas.lineHeight(), width = canvas.width - 2 * pad;
    layout.caption = {pad, canvas.px(4), width, canvas.style.caption.empty() ? 0 : line};
    layout.legend = {pad, layout.caption.bottom() + canvas.px(4), width, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), width, line};
    const double top = layout.legend.bottom() + canvas.px(4);
    addPanes(layout, phases, top, std::max(1.0, layout.foot.y - canvas.px(4) - top), canvas);
    return layout;
}

DrawList phaseCurvesScene(const BalancePhases& phases, const Canvas& canvas, const Task& task)
{
    return PhasePainter(phases, canvas).draw(task);
}

DrawList phaseCurvesOverlay(const BalancePhases& phases, const std::optional<TimeSpan>& visible,
                            const PhaseLayout& layout, const Canvas& canvas)
{
    DrawList list;
    if (!visible) return list;
    for (std::size_t run = 0; run < layout.panes.size(); ++run) {
        const Rect& plot = layout.panes[run].plot;
        for (const BalancePhase& phase : phases.runs[run].phases) {
            if (phase.span != *visible) continue;
            const double room = plot.width / static_cast<double>(layout.count);
            const double width = std::max(canvas.px(4), room);
            const double middle = layout.toX(plot, static_cast<double>(phase.efficiency.phase));
            list.strokeRect({std::floor(middle - width / 2), plot.y, std::ceil(width), plot.height},
                            canvas.theme().accent, canvas.px(2));
        }
    }
    return list;
}

std::optional<PhasePlace> phaseAt(const BalancePhases& phases, const PhaseLayout& layout, Point point)
{
    for (std::size_t run = 0; run < layout.panes.size(); ++run) {
        const Rect& plot = layout.panes[run].plot;
        const auto& all = phases.runs[run].phases;
        if (!plot.contains(point) || all.empty()) continue;
        const auto [first, end] = numbersAt(layout, plot, point.x);
        auto at = std::lower_bound(
            all.begin(), all.end(), first,
            [](const BalancePhase& phase, std::size_t number) { return phase.efficiency.phase < number; });
        std::optional<PhasePlace> found;
        for (; at != all.end() && at->efficiency.phase < end; ++at)
            if (!found
                || at->efficiency.parallelEfficiency() < all[found->phase].efficiency.parallelEfficiency())
                found = PhasePlace{run, static_cast<std::size_t>(at - all.begin())};
        return found;
    }
    return std::nullopt;
}

std::vector<std::string> phaseTooltip(const BalancePhases& phases, PhasePlace place)
{
    const PhaseRun& run = phases.runs[place.run];
    const BalancePhase& phase = run.phases[place.phase];
    const Efficiency& found = phase.efficiency;
    std::string name = fmt::format("Phase {}", found.phase);
    if (phases.runs.size() > 1) name += " of " + run.title;
    if (!phase.note.empty()) name += ": " + phase.note;
    return {
        std::move(name),
        fmt::format("Parallel efficiency {} = load balance {} × communication efficiency {}",
                    phasePercent(found.parallelEfficiency()), phasePercent(found.loadBalance()),
                    phasePercent(found.communicationEfficiency())),
        fmt::format("{} useful of {}, most on {}", formatDuration(found.usefulNs),
                    formatDuration(found.runtimeNs), displayName(run.experiment->definitions, found.most)),
        fmt::format("{} processes; {} from {}", found.processes,
                    formatDuration(static_cast<double>(phase.span.lengthNs())), exactTime(phase.span.begin))};
}

}  // namespace skein
