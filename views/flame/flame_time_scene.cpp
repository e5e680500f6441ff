// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_time_scene.h"

#include "core/base/units.h"
#include "core/index/row_sampler.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/calls/location_order.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kTimeMargin = 6;  ///< logical pixels
constexpr double kNamedFrame = 22;
constexpr std::uint32_t kMostStack = 512;

bool hasCallsToShow(const TimelineData& data, LocationRef location)
{
    return canBeDrawn(data, {location.experiment, location.id, 0});
}

std::string loweredName(std::string text)
{
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

class FlameOverTime {
public:
    FlameOverTime(const TimelineData& data, const ViewState& state, const FlameTimeOptions& options,
                  const Canvas& canvas)
        : data_(data),
          state_(state),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          number_(options.location.experiment),
          experiment_(*data.session.experiments[number_]),
          palette_(regionPalette(RegionGroups(data.session, state.grouping), number_, theme_)),
          wanted_(loweredName(options.frames.search)),
          columns_(static_cast<std::size_t>(std::max(1, canvas.width)))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
        head_ = {0, 0, static_cast<double>(canvas.width), canvas.lineHeight() + canvas.px(8)};
        body_ = {0, head_.height, head_.width, std::max(1.0, canvas.height - head_.height)};
        rowHeight_ = canvas.lineHeight() + canvas.px(5);
    }

    DrawList draw(const Task& task)
    {
        sample(task);
        list_.pushClip(body_);
        std::uint32_t deepest = 0;
        for (std::size_t column = 0; column < columns_.size(); ++column)
            deepest = std::max(deepest, stackOf(column));
        for (std::uint32_t depth = 0; depth < std::min(deepest, kMostStack) && !task.stopRequested(); ++depth)
            drawDepth(depth);
        for (TextItem& name : names_) list_.items.push_back(std::move(name));
        list_.popClip();
        drawHead();
        return std::move(list_);
    }

private:
    void sample(const Task& task)
    {
        const RowSource source(callsOf(data_, options_.location),
                               data_.indexes[number_]->locations[options_.location.id.index()]);
        const TimeSpan span = data_.clock.toExperiment(number_, options_.span);
        const double nsPerColumn =
            static_cast<double>(span.end - span.begin) / static_cast<double>(columns_.size());
        RowSampler(experiment_.callTree->regions().span())
            .sample(
                {&source, 1},
                {static_cast<double>(span.begin), nsPerColumn, static_cast<std::uint32_t>(columns_.size())},
                RowSampler::kFewCalls, columns_, task);
        stacks_.assign(experiment_.callTree->size(), kUnknownStack);
    }

    /// Calls on the stack that are shown, with the innermost one.
    std::uint32_t levelOf(std::uint32_t callPath)
    {
        if (stacks_[callPath] != kUnknownStack) return stacks_[callPath];
        std::vector<std::uint32_t> way;
        std::uint32_t at = callPath;
        while (at != CallPathId::kNone && stacks_[at] == kUnknownStack) {
            way.push_back(at);
            at = experiment_.callTree->parents()[at];
        }
        std::uint32_t level = at == CallPathId::kNone ? 0 : stacks_[at];
        for (auto path = way.rbegin(); path != way.rend(); ++path) {
            level += isShown(*path) ? 1 : 0;
            stacks_[*path] = level;
        }
        return stacks_[callPath];
    }

    bool isShown(std::uint32_t callPath) const
    {
        const RegionId region = experiment_.callTree->region(CallPathId(callPath));
        return region.valid() && passes(state_.filters, RegionRef{number_, region});
    }

    std::uint32_t stackOf(std::size_t column)
    {
        const std::uint32_t path = columns_[column].callPath;
        return path == CallPathId::kNone ? 0 : levelOf(path);
    }

    /// The call path at a depth of a column's stack; kNone where the stack is not as deep.
    std::uint32_t pathAt(std::size_t column, std::uint32_t depth)
    {
        std::uint32_t path = columns_[column].callPath;
        if (stackOf(column) <= depth) return CallPathId::kNone;
        while (levelOf(path) > depth + 1 || !isShown(path)) path = experiment_.callTree->parents()[path];
        return path;
    }

    void drawDepth(std::uint32_t depth)
    {
        const double top = options_.frames.root == FlameRoot::Top
            ? body_.y + depth * rowHeight_ - options_.frames.scroll
            : body_.bottom() - (depth + 1) * rowHeight_ + options_.frames.scroll;
        if (top + rowHeight_ <= body_.y || top >= body_.bottom()) return;
        for (std::size_t from = 0; from < columns_.size();) {
            const std::uint32_t path = pathAt(from, depth);
            std::size_t to = from + 1;
            while (to < columns_.size() && pathAt(to, depth) == path) ++to;
            if (path != CallPathId::kNone)
                drawFrame(path,
                          {static_cast<double>(from), std::round(top), static_cast<double>(to - from),
                           rowHeight_ - canvas_.px(1)});
            from = to;
        }
    }

    void drawFrame(std::uint32_t path, const Rect& bar)
    {
        const RegionId region = experiment_.callTree->region(CallPathId(path));
        const Region& definition = experiment_.definitions.region(region);
        const bool hit = !wanted_.empty() && loweredName(definition.name).find(wanted_) != std::string::npos;
        Color fill = palette_.color(region);
        if (!wanted_.empty() && !hit) fill = mix(fill, theme_.background, 0.75);
        const HitId id{2, number_, path, static_cast<std::uint32_t>(bar.x)};
        const Rect drawn{bar.x, bar.y, bar.width - (bar.width > 3 ? 1 : 0), bar.height};
        list_.fillRect(drawn, fill, id);
        const bool selected =
            std::binary_search(state_.selected.callPaths.begin(), state_.selected.callPaths.end(),
                               CallPathRef{number_, CallPathId(path)});
        if (selected || hit)
            list_.items.push_back(RectItem{drawn,
                                           {0, 0, 0, 0},
                                           selected ? theme_.accent : theme_.text,
                                           canvas_.px(selected ? 2 : 1),
                                           0,
                                           id});
        if (bar.width < canvas_.px(kNamedFrame)) return;
        const double inset = canvas_.px(4);
        const std::string text =
            elideName(displayName(definition), drawn.width - 2 * inset, FontStyle::Small, canvas_.measure);
        if (!text.empty())
            names_.push_back(TextItem{{drawn.x + inset, drawn.y, drawn.width - 2 * inset, drawn.height},
                                      text,
                                      textColorOn(fill),
                                      FontStyle::Small,
                                      Align::Left,
                                      id});
    }

    void drawHead()
    {
        list_.fillRect(head_, theme_.panel);
        list_.fillRect({head_.x, head_.bottom() - 1, head_.width, 1}, theme_.frame);
        const std::string words = fmt::format(
            "{} over time: {} from {}", displayName(experiment_.definitions, options_.location.id),
            formatDuration(static_cast<double>(options_.span.end - options_.span.begin)),
            formatDuration(static_cast<double>(options_.span.begin)));
        const double inset = canvas_.px(kTimeMargin), most = head_.width - 2 * inset;
        list_.text({inset, 0, std::max(0.0, most), head_.height},
                   elideMiddle(words, most, FontStyle::Small, canvas_.measure), theme_.text,
                   FontStyle::Small);
    }

    static constexpr std::uint32_t kUnknownStack = 0xFFFFFFFFu;

    const TimelineData& data_;
    const ViewState& state_;
    const FlameTimeOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    std::uint32_t number_;
    const Experiment& experiment_;
    RegionPalette palette_;
    std::string wanted_;
    std::vector<ColumnSample> columns_;
    std::vector<std::uint32_t> stacks_;  ///< of each call path, once it is asked for
    std::vector<TextItem> names_;
    Rect head_, body_;
    double rowHeight_ = 1;
    DrawList list_;
};

}  // namespace

LocationRef flameLocation(const TimelineData& data, const ViewState& state)
{
    for (const auto* chosen : {&state.selected.locations, &state.markedLocations})
        for (const LocationRef& location : *chosen)
            if (location.experiment < data.session.experiments.size() && hasCallsToShow(data, location))
                return location;
    for (std::uint32_t number = 0; number < data.session.experiments.size(); ++number) {
        const auto& locations = data.session.experiments[number]->definitions.locations;
        for (std::uint32_t id = 0; id < locations.size(); ++id)
            if (hasCallsToShow(data, {number, LocationId(id)})) return {number, LocationId(id)};
    }
    return {};
}

DrawList flameTimeScene(const TimelineData& data, const ViewState& state, const FlameTimeOptions& options,
                        const Canvas& canvas, const Task& task)
{
    return FlameOverTime(data, state, options, canvas).draw(task);
}

std::vector<std::string> flameTimeTooltip(const TimelineData& data, HitId hit)
{
    if (hit.kind != 2 || hit.experiment >= data.session.experiments.size()) return {};
    const Experiment& experiment = *data.session.experiments[hit.experiment];
    std::vector<std::string> lines;
    for (std::uint32_t path = hit.item; path != CallPathId::kNone && lines.size() < 12;
         path = experiment.callTree->parents()[path]) {
        const RegionId region = experiment.callTree->region(CallPathId(path));
        if (!region.valid()) continue;
        const std::string name = displayName(experiment.definitions.region(region));
        lines.push_back(lines.empty() ? name : "called by " + name);
    }
    return lines;
}

}  // namespace skein
