// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/tree_query.h"
#include "python/native/archive.h"
#include "python/native/picture_tips.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scene/drawing/picture_frame.h"
#include "views/common/scene/regions/call_legend.h"

#include <iterator>
#include <optional>
#include <pybind11/stl.h>

namespace skein::python {
namespace {

/// A picture that is drawn, and what is told of its places.
struct Drawn {
    DrawList list;
    std::vector<SvgTip> tips;
};

struct PaperSize {
    int width = 0;
    int height = 0;
    bool dark = false;
};

constexpr int kLargestSide = 16'384;

SceneStyle styleOf(const PaperSize& paper)
{
    if (paper.width < 1 || paper.height < 1 || paper.width > kLargestSide || paper.height > kLargestSide)
        raiseError({ErrorCode::InvalidArgument, "A picture is 1 to 16384 pixels wide and high.", {}});
    SceneStyle style;
    style.theme = paper.dark ? darkTheme() : lightTheme();
    return style;
}

/// One session for the same archives, so that what was worked out for it is found again.
SessionPtr sessionOf(const Archives& archives)
{
    auto session = std::make_shared<Session>();
    for (const ArchivePtr& archive : archives) session->experiments.push_back(archive->experiment);
    return session;
}

/// What is shown of a timeline.
struct TimelineWishes {
    ViewState state;
    bool messages = true;
    bool legend = true;
};

Result<Drawn> timelineOf(const SessionPtr& session, const TimelineWishes& wishes, const SceneStyle& style,
                         const PaperSize& paper, const Task& task)
{
    const ViewState& state = wishes.state;
    constexpr std::uint64_t kExactCalls = 1ull << 28;
    if (!anyTrace(*session))
        return fail(ErrorCode::NotRecorded, "A profile has no times: there is no timeline.");
    const auto data = timelineDataOf(sharedResults(), *session, task);
    if (!data) return Unexpected(data.error());
    const ApproximateTextMeasure measure;
    TimelineOptions options;
    options.theme = style.theme;
    options.messages = wishes.messages ? MessageDisplay::Shown : MessageDisplay::Hidden;
    options.caption = timelineCaption(**data, state);
    const Canvas canvas{paper.width, paper.height, style, measure};
    PictureFrame frame;
    if (wishes.legend) frame.legend = dividedLegend(*session, state, style.theme);
    const int height = std::max(1, static_cast<int>(contentRect(frame, canvas).height));
    const TimelineLayout layout = timelineLayout(**data, state, options, paper.width, height, measure);
    options.detail = PictureDetail::exact(cellsOf(layout), kExactCalls);
    Drawn drawn;
    drawn.list = timelineScene(**data, state, options, paper.width, height, measure, task);
    DrawList overlay = timelineOverlay(**data, state, options, layout, measure);
    std::move(overlay.items.begin(), overlay.items.end(), std::back_inserter(drawn.list.items));
    drawn.tips = timelineTips(drawn.list, {**data, state, options, layout, measure}, task);
    // The legend stands below: places do not move.
    if (wishes.legend) drawn.list = framedPicture(std::move(drawn.list), frame, canvas);
    if (task.stopRequested()) return cancelled();
    return drawn;
}

Result<Drawn> treeOf(const SessionPtr& session, const TreeGraphRequest& request, const SceneStyle& style,
                     const PaperSize& paper, const Task& task)
{
    const auto sums = sumUpTree(session, request, task);
    if (!sums) return Unexpected(sums.error());
    const auto graph = layOutTree(*sums, request, task);
    if (!graph) return Unexpected(graph.error());
    if ((*graph)->shown.nodes.empty()) return fail(ErrorCode::NotRecorded, "There is no call path to show.");
    const ApproximateTextMeasure measure;
    const Canvas canvas{paper.width, paper.height, style, measure};
    return Drawn{treeGraphScene(**graph, {}, {}, canvas), treeTips(**graph, {}, canvas)};
}

Result<Drawn> matrixOf(const SessionPtr& session, const CommunicationRequest& request,
                       const CommMatrixOptions& options, SceneStyle style, const PaperSize& paper,
                       const Task& task)
{
    const auto communication = communicationOf(sharedResults(), session, request, task);
    if (!communication) return Unexpected(communication.error());
    const auto table = makeCommMatrixTable(*session, *communication, options, task);
    if (!table) return Unexpected(table.error());
    style.caption = commValueName(options.value);
    CommMatrixPicture picture;
    picture.table = *table;
    picture.endRow = picture.endColumn = static_cast<double>((*table)->size());
    const ApproximateTextMeasure measure;
    const Canvas canvas{paper.width, paper.height, style, measure};
    return Drawn{commMatrixScene(picture, canvas, task), matrixTips(picture, canvas)};
}

Result<Drawn> scatterOf(const SessionPtr& session, bool legend, const SceneStyle& style,
                        const PaperSize& paper, const Task& task)
{
    const auto handOvers = readHandOvers(*session, task);
    if (!handOvers) return Unexpected(handOvers.error());
    const auto anomalies = makeSessionAnomalies(session, {}, task, {}, (*handOvers)->placed.handOvers);
    if (!anomalies) return Unexpected(anomalies.error());
    const ApproximateTextMeasure measure;
    const Canvas whole{paper.width, paper.height, style, measure};
    PictureFrame frame;
    if (legend) frame.legend = callLegend(*session, {}, style.theme);
    const int height = std::max(1, static_cast<int>(contentRect(frame, whole).height));
    const Canvas canvas{paper.width, height, style, measure};
    const AnomalyChoices choices;
    Drawn drawn{anomaliesScene(**anomalies, {}, choices, canvas, task),
                scatterTips(**anomalies, {}, choices, canvas)};
    // The legend stands below: places do not move.
    if (legend) drawn.list = framedPicture(std::move(drawn.list), frame, whole);
    return drawn;
}

Drawn drawTimeline(const Archives& archives, const Window& window, bool messages, bool legend, int width,
                   int height, bool dark, const py::object& progress)
{
    const PaperSize paper{width, height, dark};
    const SceneStyle style = styleOf(paper);
    TimelineWishes wishes{{}, messages, legend};
    wishes.state.visible = spanOf(window);
    const SessionPtr session = sessionOf(archives);
    return made({progress, 0},
                [&](const Task& task) { return timelineOf(session, wishes, style, paper, task); });
}

Drawn drawTree(const Archives& archives, const Window& window, const std::string& query, int width,
               int height, bool dark, const py::object& progress)
{
    const PaperSize paper{width, height, dark};
    const SceneStyle style = styleOf(paper);
    if (!query.empty())
        if (const auto parsed = parseStringQuery(query); !parsed)
            raiseError({ErrorCode::InvalidArgument, sentenceOf(parsed.error(), query), {}});
    TreeGraphRequest request;
    request.query.span = spanOf(window);
    request.edits.query = query;
    request.color.amount = TreeAmount::Inclusive;
    request.size.amount = TreeAmount::Exclusive;
    const SessionPtr session = sessionOf(archives);
    return made({progress, 0},
                [&](const Task& task) { return treeOf(session, request, style, paper, task); });
}

template <typename Value>
Value chosen(const std::string& word, const std::vector<std::pair<std::string, Value>>& choices)
{
    std::string all;
    for (const auto& [name, value] : choices) {
        if (name == word) return value;
        all += (all.empty() ? "" : ", ") + name;
    }
    raiseError({ErrorCode::InvalidArgument, "There is no \"" + word + "\" among " + all + ".", {}});
}

Drawn drawMatrix(const Archives& archives, const Window& window, const std::string& value,
                 const std::string& order, int width, int height, bool dark, const py::object& progress)
{
    const PaperSize paper{width, height, dark};
    const SceneStyle style = styleOf(paper);
    CommMatrixOptions options;
    options.value = chosen<CommValue>(value,
                                      {{"bytes", CommValue::Bytes},
                                       {"messages", CommValue::Messages},
                                       {"size", CommValue::MeanSize},
                                       {"hops", CommValue::Hops},
                                       {"time", CommValue::Time}});
    options.order = chosen<CommOrder>(order,
                                      {{"rank", CommOrder::Rank},
                                       {"placement", CommOrder::Placement},
                                       {"tree", CommOrder::SystemTree},
                                       {"cluster", CommOrder::Cluster},
                                       {"bandwidth", CommOrder::Bandwidth}});
    CommunicationRequest request;
    request.span = spanOf(window);
    const SessionPtr session = sessionOf(archives);
    return made({progress, 0},
                [&](const Task& task) { return matrixOf(session, request, options, style, paper, task); });
}

Drawn drawScatter(const Archives& archives, bool legend, int width, int height, bool dark,
                  const py::object& progress)
{
    const PaperSize paper{width, height, dark};
    const SceneStyle style = styleOf(paper);
    const SessionPtr session = sessionOf(archives);
    return made({progress, 0},
                [&](const Task& task) { return scatterOf(session, legend, style, paper, task); });
}

}  // namespace

void definePictures(py::module_& module)
{
    py::class_<Drawn>(module, "Drawn")
        .def_property_readonly("width", [](const Drawn& drawn) { return drawn.list.width; })
        .def_property_readonly("height", [](const Drawn& drawn) { return drawn.list.height; })
        .def("shapes", [](const Drawn& drawn) { return textOf(toText(drawn.list)); })
        .def("tips",
             [](const Drawn& drawn) {
                 py::list texts;
                 for (const SvgTip& tip : drawn.tips) {
                     py::list lines;
                     for (const std::string& line : tip.lines) lines.append(textOf(line));
                     texts.append(lines);
                 }
                 return texts;
             })
        .def("svg", [](const Drawn& drawn, bool tips) {
            return textOf(
                toSvg(drawn.list, tips ? std::span<const SvgTip>(drawn.tips) : std::span<const SvgTip>()));
        });
    module.def("draw_timeline", &drawTimeline);
    module.def("draw_tree", &drawTree);
    module.def("draw_matrix", &drawMatrix);
    module.def("draw_scatter", &drawScatter);
}

}  // namespace skein::python
