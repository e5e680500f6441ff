// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/treemap_scene.h"

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

/// The greatest ratio of sides in a row of these areas along a side: that of its largest or its smallest.
double worstRatio(double sum, double largest, double smallest, double side)
{
    const double square = side * side;
    return std::max(square * largest / (sum * sum), sum * sum / (square * smallest));
}

class Squarifier {
public:
    Squarifier(const std::vector<double>& weights, Rect area) : free_(area)
    {
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        for (const double weight : weights) areas_.push_back(weight / sum * area.width * area.height);
    }

    std::vector<Rect> run()
    {
        for (std::size_t first = 0; first < areas_.size();) first = placeRow(first, rowEnd(first));
        return std::move(placed_);
    }

private:
    std::size_t rowEnd(std::size_t first) const
    {
        const double side = std::min(free_.width, free_.height);
        double sum = areas_[first];
        double worst = worstRatio(sum, areas_[first], areas_[first], side);
        std::size_t end = first + 1;
        for (; end < areas_.size(); ++end) {
            const double next = worstRatio(sum + areas_[end], areas_[first], areas_[end], side);
            if (next > worst) break;
            worst = next;
            sum += areas_[end];
        }
        return end;
    }

    std::size_t placeRow(std::size_t first, std::size_t end)
    {
        const double sum = std::accumulate(areas_.begin() + static_cast<std::ptrdiff_t>(first),
                                           areas_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        const bool upright = free_.width >= free_.height;  // the row is a column at the left
        const double thickness = sum / (upright ? free_.height : free_.width);
        double along = upright ? free_.y : free_.x;
        for (std::size_t item = first; item < end; ++item) {
            const double length = areas_[item] / thickness;
            placed_.push_back(upright ? Rect{free_.x, along, thickness, length}
                                      : Rect{along, free_.y, length, thickness});
            along += length;
        }
        free_ = upright ? Rect{free_.x + thickness, free_.y, free_.width - thickness, free_.height}
                        : Rect{free_.x, free_.y + thickness, free_.width, free_.height - thickness};
        return end;
    }

    Rect free_;
    std::vector<double> areas_;
    std::vector<Rect> placed_;
};

}  // namespace

std::vector<Rect> squarify(const std::vector<double>& weights, Rect area)
{
    if (area.empty()) return std::vector<Rect>(weights.size(), Rect{area.x, area.y, 0, 0});
    return Squarifier(weights, area).run();
}

}  // namespace skein
