// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/color_scale.h"
#include "views/scaling/scaling_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kScalingChartNs = 1e9;
constexpr int kMostScalingTicks = 7;
/// Decades of values up to which 2 and 5 times powers of ten have lines, too.
constexpr double kFewDecades = 2.2;

/// From values to pixels along one axis, evenly or by logarithm.
struct ChartAxis {
    double low = 0, high = 1, from = 0, to = 1;
    bool logarithmic = false;

    double at(double value) const
    {
        if (logarithmic) {
            const double bounded = std::max(value, low);
            return from + (to - from) * std::log(bounded / low) / std::log(high / low);
        }
        return from + (to - from) * (value - low) / (high - low);
    }
};

class ScalingChart {
public:
    ScalingChart(const ScalingPicture& picture, const ScalingLayout& layout, const Canvas& canvas,
                 DrawList& list)
        : picture_(picture),
          data_(*picture.data),
          row_(data_.rows[picture.chosen]),
          curves_(scalingCurves(data_, picture.chosen, picture.parameter)),
          canvas_(canvas),
          theme_(canvas.theme()),
          list_(list)
    {
        const double line = canvas.lineHeight();
        const double labels = canvas.px(72), right = canvas.px(data_.parameters().size() > 1 ? 76 : 16);
        body_ = {layout.chart.x + labels, layout.chart.y + canvas.px(4), layout.chart.width - labels - right,
                 layout.chart.height - 2 * line - canvas.px(10)};
        axisY_ = body_.bottom();
    }

    void draw()
    {
        if (body_.width < canvas_.px(60) || body_.height < canvas_.px(40)) return;
        takeBounds();
        drawGridOfValues();
        drawGridOfParameter();
        list_.pushClip(body_);
        drawInterval();
        drawJump();
        for (const ScalingCurve& curve : curves_) drawCurve(curve);
        for (const ScalingCurve& curve : curves_) drawMeasured(curve);
        drawPrediction();
        list_.popClip();
        drawCurveLabels();
        drawNames();
    }

private:
    void include(double value, double& low, double& high) const
    {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }

    void takeBounds()
    {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const ScalingCurve& curve : curves_) {
            for (const auto& [x, value] : curve.measured) include(value, low, high);
            for (const ScalingPrediction& told : curve.told) include(told.value, low, high);
        }
        const ScalingPrediction& told = row_.model->predictions.front();
        // A wide interval does not press everything else flat.
        include(std::min(told.high, 3 * std::max(told.value, high)), low, high);
        if (!(low <= high)) low = 0, high = 1;
        const bool byLogarithm = picture_.axes == ScalingAxes::Logarithmic;
        values_.logarithmic = byLogarithm && low > 0;
        if (values_.logarithmic) {
            const double margin = std::max(1.05, std::pow(high / low, 0.04));
            values_.low = low / margin;
            values_.high = high * margin;
        } else {
            low = std::min(low, 0.0);
            values_.low = low;
            values_.high = high > low ? high + 0.04 * (high - low) : low + 1;
        }
        values_.from = body_.bottom();
        values_.to = body_.y;
        const auto& grid = curves_.back().x;
        across_.logarithmic = byLogarithm;
        const double least = grid.empty() ? 1 : grid.front(), most = grid.empty() ? 2 : grid.back();
        across_.low = byLogarithm ? least / std::pow(most / least, 0.03) : 0;
        across_.high = byLogarithm ? most * std::pow(most / least, 0.03) : most * 1.03;
        across_.from = body_.x;
        across_.to = body_.right();
    }

    /// Values are told in their unit; times of a study are seconds.
    bool isTime() const { return row_.series->unit == "s"; }
    double scale() const { return isTime() ? kScalingChartNs : 1.0; }

    std::vector<double> valueTicks() const
    {
        if (!values_.logarithmic) {
            auto ticks = roundValues(values_.low * scale(), values_.high * scale(), kMostScalingTicks,
                                     isTime() ? "ns" : row_.series->unit);
            for (double& tick : ticks) tick /= scale();
            return ticks;
        }
        std::vector<double> ticks;
        const double decades = std::log10(values_.high / values_.low);
        const double first = std::floor(std::log10(values_.low));
        const double step = std::max(1.0, std::ceil(decades / kMostScalingTicks));
        for (double power = first; power <= std::log10(values_.high); power += step)
            for (const double times : {1.0, 2.0, 5.0}) {
                if (times > 1.0 && decades > kFewDecades) continue;
                const double value = times * std::pow(10.0, power);
                if (value >= values_.low && value <= values_.high) ticks.push_back(value);
            }
        if (ticks.size() < 2) return roundValues(values_.low, values_.high, kMostScalingTicks);
        return ticks;
    }

    void small(const Rect& box, const std::string& text, Color color, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), color,
                   FontStyle::Small, align);
    }

    void drawGridOfValues()
    {
        const double line = canvas_.lineHeight();
        double free = body_.bottom() + line;
        for (const double value : valueTicks()) {
            const double y = std::round(values_.at(value));
            list_.fillRect({body_.x, y, body_.width, canvas_.px(1)}, theme_.grid);
            const double top = std::clamp(y - line / 2, body_.y, body_.bottom() - line);
            if (top + line > free) continue;
            free = top;
            small({body_.x - canvas_.px(70), top, canvas_.px(64), line}, scalingAmount(row_, value),
                  theme_.secondaryText, Align::Right);
        }
        list_.fillRect({body_.x, body_.y, canvas_.px(1), body_.height}, theme_.frame);
        list_.fillRect({body_.x, body_.bottom(), body_.width, canvas_.px(1)}, theme_.frame);
    }

    /// Lines at what was measured, and at what is asked for.
    void drawGridOfParameter()
    {
        std::vector<double> ticks{data_.target[picture_.parameter]};
        for (const auto& point : data_.study().points) ticks.push_back(point[picture_.parameter]);
        std::sort(ticks.begin(), ticks.end());
        ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
        const double line = canvas_.lineHeight();
        double free = 0;
        // From the right: the target is always labelled.
        for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
            const double x = std::round(across_.at(*tick));
            list_.fillRect({x, body_.y, canvas_.px(1), body_.height}, theme_.grid);
            const std::string text = fmt::format("{}", *tick);
            const double width = canvas_.measure.width(text, FontStyle::Small) + canvas_.px(6);
            if (free > 0 && x + width / 2 > free) continue;
            free = x - width / 2;
            list_.text({x - width / 2, axisY_ + canvas_.px(3), width, line}, text,
                       *tick == data_.target[picture_.parameter] ? theme_.text : theme_.secondaryText,
                       FontStyle::Small, Align::Center);
        }
    }

    void drawInterval()
    {
        const ScalingCurve& curve = curves_.back();
        if (curve.told.empty()) return;
        std::vector<Point> outline;
        for (std::size_t at = 0; at < curve.x.size(); ++at)
            outline.push_back({across_.at(curve.x[at]), heightOf(curve.told[at].high)});
        for (std::size_t at = curve.x.size(); at-- > 0;)
            outline.push_back({across_.at(curve.x[at]), heightOf(curve.told[at].low)});
        list_.items.push_back(PolygonItem{outline, theme_.selectionFill, {0, 0, 0, 0}, 1, {}});
    }

    /// Bounded, so that a huge interval is a shape of a screen's size.
    double heightOf(double value) const
    {
        if (!std::isfinite(value)) return value > 0 ? body_.y - body_.height : body_.bottom() + body_.height;
        return std::clamp(values_.at(value), body_.y - body_.height, body_.bottom() + body_.height);
    }

    void drawJump()
    {
        const auto& jump = row_.model->jump;
        if (!jump || jump->parameter != picture_.parameter) return;
        const double left = across_.at(jump->below), right = across_.at(jump->above);
        list_.fillRect({left, body_.y, right - left, body_.height}, withAlpha(theme_.warning, 40));
    }

    Color colorOf(const ScalingCurve& curve) const
    {
        if (curve.atTarget) return theme_.accent;
        const auto number = static_cast<double>(&curve - curves_.data());
        return mix(theme_.secondaryText, theme_.background,
                   0.45 * number / static_cast<double>(curves_.size()));
    }

    bool crossesJump(const ScalingCurve& curve, std::size_t at) const
    {
        const auto& jump = row_.model->jump;
        return jump && jump->parameter == picture_.parameter && curve.x[at - 1] <= jump->below
            && curve.x[at] > jump->below;
    }

    void drawCurve(const ScalingCurve& curve)
    {
        const double width = canvas_.px(curve.atTarget ? 2 : 1);
        for (std::size_t at = 1; at < curve.told.size(); ++at) {
            if (crossesJump(curve, at)) continue;
            list_.line({across_.at(curve.x[at - 1]), heightOf(curve.told[at - 1].value)},
                       {across_.at(curve.x[at]), heightOf(curve.told[at].value)}, colorOf(curve), width);
        }
    }

    void drawMeasured(const ScalingCurve& curve)
    {
        const double radius = canvas_.px(3.5);
        for (const auto& [x, value] : curve.measured) {
            if (!std::isfinite(value)) continue;
            const Point at{across_.at(x), heightOf(value)};
            list_.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                           colorOf(curve),
                                           theme_.background,
                                           canvas_.px(1),
                                           radius,
                                           {}});
        }
    }

    /// What is asked for as a ring with its interval.
    void drawPrediction()
    {
        const ScalingPrediction& told = row_.model->predictions.front();
        const double x = across_.at(data_.target[picture_.parameter]), radius = canvas_.px(4.5);
        list_.line({x, heightOf(told.low)}, {x, heightOf(told.high)}, theme_.accent, canvas_.px(1));
        const double y = heightOf(told.value);
        list_.items.push_back(RectItem{{x - radius, y - radius, 2 * radius, 2 * radius},
                                       theme_.background,
                                       theme_.accent,
                                       canvas_.px(1.5),
                                       radius,
                                       {}});
    }

    /// Beside the ends of the curves: what is fixed on each. The target's is always told.
    void drawCurveLabels()
    {
        if (data_.parameters().size() < 2) return;
        const double line = canvas_.lineHeight();
        std::vector<double> taken;
        for (std::size_t at = curves_.size(); at-- > 0;) {
            const ScalingCurve& curve = curves_[at];
            if (curve.told.empty()) continue;
            const double y =
                std::clamp(heightOf(curve.told.back().value) - line / 2, body_.y, body_.bottom() - line);
            const auto near = [&](double other) { return std::abs(other - y) < line; };
            if (std::any_of(taken.begin(), taken.end(), near)) continue;
            taken.push_back(y);
            small({body_.right() + canvas_.px(4), y, canvas_.px(72), line}, fixedText(curve), colorOf(curve));
        }
    }

    std::string fixedText(const ScalingCurve& curve) const
    {
        std::string text;
        for (std::size_t at = 0; at < curve.fixed.size(); ++at)
            if (at != picture_.parameter)
                text +=
                    fmt::format("{}{} {}", text.empty() ? "" : ", ", data_.parameters()[at], curve.fixed[at]);
        return text;
    }

    void drawNames()
    {
        const double line = canvas_.lineHeight();
        const Rect box{body_.x, axisY_ + line + canvas_.px(5), body_.width, line};
        const double half = std::floor(box.width / 4);
        small({box.x, box.y, half, line}, data_.parameters()[picture_.parameter], theme_.text);
        small({box.x + half, box.y, box.width - half, line},
              row_.model->jump ? "dots: measured · line: model · shade: 95 % · ring: predicted · band: jump"
                               : "dots: measured · line: model · shade: 95 % · ring: predicted",
              theme_.secondaryText, Align::Right);
    }

    const ScalingPicture& picture_;
    const ScalingData& data_;
    const ModelRow& row_;
    std::vector<ScalingCurve> curves_;
    const Canvas& canvas_;
    const Theme& theme_;
    DrawList& list_;
    Rect body_;
    double axisY_ = 0;
    ChartAxis values_, across_;
};

}  // namespace

void drawScalingChart(const ScalingPicture& picture, const ScalingLayout& layout, const Canvas& canvas,
                      DrawList& list)
{
    ScalingChart(picture, layout, canvas, list).draw();
}

}  // namespace skein
