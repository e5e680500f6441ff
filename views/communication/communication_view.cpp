// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_view.h"

#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/communication/communication_canvas.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

constexpr int kProgressMs = 80;
constexpr std::array<double, 6> kTopPercents{100, 50, 25, 10, 5, 1};
constexpr const char *kGroupJob = "communication graph", *kLayoutJob = "communication layout",
                     *kPictureJob = "communication picture";

/// Vertices that stand for what they stood for before.
std::vector<char> sameVertices(const CommGraph& before, const CommGraph& after)
{
    std::vector<char> same;
    for (std::uint32_t vertex = 0; vertex < after.vertices.size(); ++vertex) {
        const auto places = after.placesOf(vertex);
        const std::uint32_t was = before.vertexOf[places.front()];
        same.push_back(was != CommGraph::kNone && before.placesOf(was).size() == places.size());
    }
    return same;
}

/// Takes down where the places of a graph lie. `known` is a point a place, not a number where it never lay.
void rememberPlaces(const CommGraph& graph, const std::vector<PlanePoint>& points,
                    std::vector<PlanePoint>& known)
{
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    if (known.size() != graph.vertexOf.size()) known.assign(graph.vertexOf.size(), {kNothing, kNothing});
    for (std::size_t place = 0; place < known.size(); ++place)
        if (graph.vertexOf[place] != CommGraph::kNone) known[place] = points[graph.vertexOf[place]];
}

bool isSilent(const CommGraph& graph)
{
    return graph.flows.empty() && std::ranges::all_of(graph.vertices, [](const CommGraph::Vertex& vertex) {
               return vertex.bytesInside == 0 && vertex.messagesInside == 0;
           });
}

/// Vertices that were not in the last picture begin where their places lay before.
void recallPlaces(const CommGraph& graph, const std::vector<PlanePoint>& known,
                  std::vector<PlanePoint>& start)
{
    if (known.size() != graph.vertexOf.size()) return;
    for (std::uint32_t vertex = 0; vertex < graph.vertices.size(); ++vertex) {
        if (!std::isnan(start[vertex].x)) continue;
        PlanePoint sum;
        double count = 0;
        for (const std::uint32_t place : graph.placesOf(vertex)) {
            if (std::isnan(known[place].x)) continue;
            sum = {sum.x + known[place].x, sum.y + known[place].y};
            count += 1;
        }
        if (count > 0) start[vertex] = {sum.x / count, sum.y / count};
    }
}

/// Members of an expanded group stay where the group was, however the others push: as they lie to each other,
/// around the place from which they came.
void gatherMembers(const std::vector<PlanePoint>& start, const std::vector<char>& fixed,
                   std::vector<PlanePoint>& points)
{
    PlanePoint was, is;
    double members = 0, reach = 0, farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (fixed[i]) continue;
        was = {was.x + start[i].x, was.y + start[i].y};
        is = {is.x + points[i].x, is.y + points[i].y};
        members += 1;
    }
    if (members == 0) return;
    was = {was.x / members, was.y / members};
    is = {is.x / members, is.y / members};
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (fixed[i]) continue;
        reach = std::max(reach, std::hypot(start[i].x - was.x, start[i].y - was.y));
        farthest = std::max(farthest, std::hypot(points[i].x - is.x, points[i].y - is.y));
    }
    const double factor = farthest > 0 ? std::min(1.0, reach / farthest) : 1;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!fixed[i])
            points[i] = {was.x + (points[i].x - is.x) * factor, was.y + (points[i].y - is.y) * factor};
}

}  // namespace

CommunicationView::CommunicationView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "communication", parent),
      feed_(context, this),
      canvas_(new CommunicationCanvas(context, this)),
      trials_(context, this, "communication.compare", "communication.against",
              [this](const char* name, const QString& label, const QStringList& items) {
                  return addChoice(name, label, items);
              })
{
    setPicture(canvas_, tr("Flows"));
    setHead(&feed_.head());
    lines_ =
        addChoice("communication.lines", tr("What lines stand for"), {tr("Pairs"), tr("Routes"), tr("None")});
    grouping_ =
        addChoice("communication.grouping", tr("What a node stands for; coordinates may be typed"), {});
    grouping_->setEditable(true);
    grouping_->setInsertPolicy(QComboBox::NoInsert);
    color_ = addChoice("communication.color", tr("What colours of lines tell"),
                       {tr("Bytes"), tr("Highest load"), tr("Length"), tr("Hop-bytes"), tr("Category")});
    style_ = addChoice("communication.style", tr("How lines run"),
                       {tr("Straight"), tr("Curved"), tr("B-spline"), tr("Metro")});
    QStringList tops{tr("All")};
    for (std::size_t i = 1; i < kTopPercents.size(); ++i) tops.push_back(tr("Top %1 %").arg(kTopPercents[i]));
    top_ = addChoice("communication.top", tr("Which lines are shown, by what colours tell"), tops);
    lasso_ = addChoice("communication.lasso", tr("What a line drawn with the mouse selects"),
                       {tr("Within"), tr("Touching")});
    connect(lasso_, &QComboBox::currentIndexChanged, this,
            [this](int mode) { canvas_->setLassoMode(mode == 0 ? LassoMode::Within : LassoMode::Touching); });
    for (QComboBox* choice : {color_, style_, top_})
        connect(choice, &QComboBox::currentIndexChanged, this, &CommunicationView::arrange);
    connect(lines_, &QComboBox::currentIndexChanged, this, [this] {
        // Which flows of both sides are the same depends on what lines stand for.
        if (placed_ && placed_->united) group();
        else arrange();
    });
    connect(grouping_, &QComboBox::activated, this, [this] {
        expanded_.clear();
        group();
    });
    connect(canvas_, &CommunicationCanvas::expandWanted, this, &CommunicationView::toggleExpanded);
    connect(canvas_, &CommunicationCanvas::menuWanted, this, &CommunicationView::showMenu);
    addDialogs();
    connect(&feed_, &CommunicationFeed::changed, this, [this] { trials_.setBase(feed_.communication()); });
    connect(&trials_, &TrialChooser::changed, this, &CommunicationView::takeCommunication);
    connect(this, &PicturePanel::tableWanted, this, &CommunicationView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        std::vector<std::uint32_t> flows;
        for (const std::size_t row : rows) flows.push_back(static_cast<std::uint32_t>(row));
        const GroupedCommunicationPtr grouped = tableGroups();
        if (grouped) selection().setSelected(selectionOf(*feed_.session(), *grouped, {}, flows), this);
        mark();
    });
    poll_.setInterval(kProgressMs);
    connect(&poll_, &QTimer::timeout, this, &CommunicationView::takeProgress);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(CommunicationFeed::kParts)) feed_.update();
        if (change.parts.has(ViewParts::kCauses)) canvas_->showCauses();
        if (change.parts.has(ViewParts::kSelected | ViewParts::kPanels)) mark();
    });
    canvas_->setPicture(nullptr, nullptr, feed_.message());
}

void CommunicationView::setSession(SessionPtr session)
{
    for (const char* job : {kGroupJob, kLayoutJob, kPictureJob}) tasks().drop(job);
    poll_.stop();
    placed_.reset();
    points_ = nullptr;
    known_.clear();
    base_ = {};
    rows().clearRows();
    expanded_.clear();
    trials_.setSession(session);
    canvas_->showAll();
    canvas_->setSession(session);
    feed_.setSession(std::move(session));
}

void CommunicationView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    feed_.update();
    trials_.update();
}

void CommunicationView::takeCommunication()
{
    if (!feed_.communication()) {
        placed_.reset();
        base_ = {};
        rows().clearRows();
        canvas_->setBeside(nullptr, nullptr);
        return canvas_->setPicture(nullptr, nullptr, feed_.message());
    }
    const auto& experiment = *feed_.session()->experiments[feed_.communication()->request.experiment];
    const QString chosen = grouping_->currentText();
    QStringList names;
    for (const std::string& name : groupingNames(*feed_.communication(), experiment.definitions))
        names.push_back(toQString(name));
    {
        const QSignalBlocker quiet(grouping_);
        grouping_->clear();
        grouping_->addItems(names);
        const bool typed = chosen.startsWith("By coordinates") && feed_.communication()->machine;
        if (names.contains(chosen)) grouping_->setCurrentIndex(static_cast<int>(names.indexOf(chosen)));
        else if (typed) grouping_->setEditText(chosen);
    }
    const Traffic& traffic = feed_.communication()->traffic;
    routed_ = feed_.communication()->machine && traffic.paths.size() == traffic.pairs.size();
    static_cast<QStandardItemModel*>(lines_->model())
        ->item(static_cast<int>(CommunicationLines::Routes))
        ->setEnabled(routed_);
    group();
}

void CommunicationView::group()
{
    if (!feed_.communication()) return;
    const auto experiment = feed_.session()->experiments[feed_.communication()->request.experiment];
    tasks().run<Grouping>(
        {kGroupJob, tr("Grouping the communication")}, this,
        [communication = feed_.communication(), other = trials_.other(), experiment, expanded = expanded_,
         lines = linesOfUnion(),
         grouping = grouping_->currentText().toStdString()](const Task& task) -> Result<Grouping> {
            auto grouped =
                groupedCommunication(communication, experiment->definitions, grouping, expanded, task);
            if (!grouped) return Unexpected(grouped.error());
            if (!other) return Grouping{*grouped, nullptr};
            const auto beside =
                groupedCommunication(other, experiment->definitions, grouping, expanded, task);
            if (!beside) return Unexpected(beside.error());
            if ((*beside)->graph->ofMachine != (*grouped)->graph->ofMachine
                || ((*grouped)->graph->ofMachine && !onSameMachine(*communication, *other)))
                return fail(ErrorCode::InvalidArgument, "What was tried is on another machine.");
            const auto united = uniteCommunication(**grouped, **beside, lines);
            return Grouping{united->before, united};
        },
        [this](Result<Grouping> grouping) {
            if (grouping) return layOut(std::move(*grouping));
            if (grouping.error().cancelled()) return;
            selection().say(toQString(grouping.error().text()));
        });
}

/// Where vertices lie in the present picture, or else lay in earlier ones; empty where none is known.
std::vector<PlanePoint> CommunicationView::startPlaces(const CommGraph& graph)
{
    // Ranks have other places than nodes.
    if (placed_ && placed_->shown->graph->ofMachine != graph.ofMachine) {
        known_.clear();
        return {};
    }
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    std::vector<PlanePoint> start;
    if (placed_ && points_) start = carriedPlaces(*placed_->shown->graph, *points_, graph);
    else if (!known_.empty()) start.assign(graph.vertices.size(), {kNothing, kNothing});
    if (!start.empty()) recallPlaces(graph, known_, start);
    return start;
}

/// What was there keeps its place; of an expanded group only the members are moved.
void CommunicationView::layOut(Grouping grouping)
{
    LayoutParams params;
    const CommGraph& graph = *grouping.shown->graph;
    if (placed_ && points_) rememberPlaces(*placed_->shown->graph, *points_, known_);
    if (isSilent(grouping.layoutGraph())) return showSilence();
    std::vector<PlanePoint> start = startPlaces(graph);
    const bool allKnown = std::ranges::none_of(start, [](PlanePoint point) { return std::isnan(point.x); });
    const bool toggled = std::exchange(toggled_, false);
    if (toggled && allKnown && placed_) params.fixed = sameVertices(*placed_->shown->graph, graph);
    // What is held beside the old picture does not move it.
    if (grouping.united && !toggled && allKnown && start.size() == graph.vertices.size() && !start.empty()) {
        tasks().drop(kLayoutJob);
        poll_.stop();
        progress_ = nullptr;
        points_ = std::make_shared<const std::vector<PlanePoint>>(std::move(start));
        placed_ = std::move(grouping);
        return arrange();
    }
    progress_ = std::make_shared<Progress>();
    params.picture = [progress = progress_](std::span<const PlanePoint> points) {
        const std::lock_guard lock(progress->mutex);
        progress->points.assign(points.begin(), points.end());
        progress->fresh = true;
    };
    poll_.start();
    using PlanePoints = std::shared_ptr<const std::vector<PlanePoint>>;
    const bool begins = start.empty();
    tasks().run<PlanePoints>(
        {kLayoutJob, tr("Laying the communication out")}, this,
        [grouping, params, start = std::move(start)](const Task& task) mutable -> Result<PlanePoints> {
            params.start = start;
            auto points = forceLayout(skein::layoutGraph(grouping.layoutGraph()), params, task);
            if (!points) return Unexpected(points.error());
            if (!params.fixed.empty()) gatherMembers(start, params.fixed, *points);
            return std::make_shared<const std::vector<PlanePoint>>(std::move(*points));
        },
        [this, grouping](Result<PlanePoints> points) {
            poll_.stop();
            if (!points) return;
            placed_ = grouping;
            points_ = *points;
            progress_ = nullptr;
            arrange();
        });
    // Until the first places have come, the old picture stays.
    if (begins) canvas_->showAll();
    pending_ = std::move(grouping);
}

/// What lay somewhere comes back there: nothing is laid out in between.
void CommunicationView::showSilence()
{
    for (const char* job : {kLayoutJob, kPictureJob}) tasks().drop(job);
    poll_.stop();
    progress_ = nullptr;
    placed_.reset();
    pending_.reset();
    points_ = nullptr;
    base_ = {};
    toggled_ = false;
    rows().clearRows();
    canvas_->setBeside(nullptr, nullptr);
    canvas_->setPicture(nullptr, nullptr, tr("Nothing was sent in the scope, or the filters hide it."));
}

void CommunicationView::takeProgress()
{
    if (!progress_ || !pending_) return;
    {
        const std::lock_guard lock(progress_->mutex);
        if (!progress_->fresh) return;
        progress_->fresh = false;
        points_ = std::make_shared<const std::vector<PlanePoint>>(progress_->points);
    }
    placed_ = pending_;
    arrange();
}

/// The alternatives of a rerouting are routes whatever lines are chosen.
CommunicationLines CommunicationView::linesOfUnion() const
{
    return showsAlternatives() ? CommunicationLines::Routes : options().lines;
}

bool CommunicationView::showsAlternatives() const
{
    return trials_.show() == TrialShow::Difference && trials_.trial()
        && trials_.trial()->kind == CommunicationTrial::Kind::Routes;
}

CommunicationOptions CommunicationView::options() const
{
    CommunicationOptions options;
    options.lines = static_cast<CommunicationLines>(std::max(0, lines_->currentIndex()));
    if (!routed_ && options.lines == CommunicationLines::Routes) options.lines = CommunicationLines::Pairs;
    options.color = static_cast<CommunicationColor>(color_->currentIndex());
    options.style = static_cast<CommunicationStyle>(style_->currentIndex());
    options.topPercent = kTopPercents[static_cast<std::size_t>(std::max(0, top_->currentIndex()))];
    return options;
}

Result<CommunicationView::Pictures> CommunicationView::picturesOf(
    const Grouping& grouping, TrialShow show, const std::string& name, bool routesTried,
    CommunicationOptions options, const std::shared_ptr<const std::vector<PlanePoint>>& points,
    const Task& task)
{
    const auto finish = [&](CommunicationPicture picture, const GroupedCommunication& grouped,
                            const std::string& title) {
        placeVertices(picture, points);
        if (picture.names.empty())
            for (std::uint32_t vertex = 0; vertex < grouped.graph->vertices.size(); ++vertex)
                picture.names.push_back(vertexName(grouped, vertex));
        if (picture.head.empty()) picture.head = communicationHead(grouped, picture);
        if (!title.empty()) picture.head = title + " · " + picture.head;
        return std::make_shared<const CommunicationPicture>(std::move(picture));
    };
    const UnitedCommunicationPtr& united = grouping.united;
    Pictures made;
    made.groupedShown = grouping.shown;
    if (united && show == TrialShow::Difference) {
        made.groupedShown = united->both;
        made.shown = finish(routesTried ? communicationAlternatives(*united, options, task)
                                        : communicationDifference(*united, options, task),
                            *united->both, name + " against as it is");
    } else if (united && show != TrialShow::AsItIs) {
        CommunicationPicture left = communicationPicture(united->before->graph, options, task);
        CommunicationPicture right = communicationPicture(united->after->graph, options, task);
        left.names = right.names = united->vertices;
        shareScale(left, right);
        const auto after = finish(std::move(right), *united->after, name);
        if (show == TrialShow::SideBySide) {
            made.shown = finish(std::move(left), *united->before, "As it is");
            made.beside = after;
            made.groupedBeside = united->after;
        } else {
            made.shown = after;
            made.groupedShown = united->after;
        }
    } else {
        made.shown = finish(communicationPicture(grouping.shown->graph, options, task), *grouping.shown, {});
    }
    if (task.stopRequested()) return cancelled();
    return made;
}

void CommunicationView::arrange()
{
    if (!placed_ || !points_) return;
    const std::uint64_t number = ++arranged_;
    tasks().run<Pictures>(
        {kPictureJob, tr("Ordering the flows")}, this,
        [grouping = *placed_, points = points_, options = options(), show = trials_.show(),
         name = trials_.name(), routesTried = showsAlternatives()](const Task& task) {
            return picturesOf(grouping, show, name, routesTried, options, points, task);
        },
        [this, number](Result<Pictures> pictures) {
            if (!pictures || number != arranged_) return;
            base_ = std::move(*pictures);
            mark();
            if (showsTable()) fillTable();
        });
}

void CommunicationView::mark()
{
    if (!base_.shown || !placed_) return;
    const auto marked = [this](const CommunicationPicturePtr& of, const GroupedCommunication& grouped) {
        auto picture = std::make_shared<CommunicationPicture>(*of);
        markSelected(*feed_.session(), grouped, selection().state(), *picture);
        picture->stops = colorStopsOf(selection().state());
        picture->encoding = encodingOf(selection().state());
        return picture;
    };
    canvas_->setBeside(base_.beside ? marked(base_.beside, *base_.groupedBeside) : nullptr,
                       base_.groupedBeside);
    canvas_->setPicture(marked(base_.shown, *base_.groupedShown), base_.groupedShown, {});
}

void CommunicationView::toggleExpanded(std::uint32_t group)
{
    const auto place = std::lower_bound(expanded_.begin(), expanded_.end(), group);
    if (place != expanded_.end() && *place == group) expanded_.erase(place);
    else expanded_.insert(place, group);
    toggled_ = true;
    this->group();
}

/// What rows of the table are flows of.
GroupedCommunicationPtr CommunicationView::tableGroups() const
{
    if (!placed_) return nullptr;
    return placed_->united ? placed_->united->both : placed_->shown;
}

void CommunicationView::fillTable()
{
    if (!placed_) return rows().clearRows();
    if (placed_->united) return fillTrialTable();
    const GroupedCommunication& grouped = *placed_->shown;
    const CommGraph& graph = *grouped.graph;
    const auto exact = [](std::uint64_t value) { return TableCell(static_cast<double>(value)); };
    std::vector<std::vector<TableCell>> cells;
    for (const CommGraph::Flow& flow : graph.flows)
        cells.push_back({vertexName(grouped, flow.from), vertexName(grouped, flow.to), exact(flow.bytes),
                         exact(flow.messages), exact(flow.hops), exact(flow.hopBytes),
                         exact(flow.highestLoad)});
    const CellKind load = graph.unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Count;
    rows().setTable({{tr("From")},
                     {tr("To")},
                     {tr("Bytes"), CellKind::Bytes},
                     {tr("Messages"), CellKind::Count},
                     {tr("Length"), CellKind::Count, tr("Links on the way")},
                     {tr("Hop-bytes"), load},
                     {tr("Highest load"), load, tr("Of the links on the way")}},
                    std::move(cells));
}

void CommunicationView::fillTrialTable()
{
    const UnitedCommunication& united = *placed_->united;
    const auto value = [](const CommGraph& graph, std::uint32_t flow, auto member) {
        return flow == CommGraph::kNone ? 0.0 : static_cast<double>(graph.flows[flow].*member);
    };
    std::vector<std::vector<TableCell>> cells;
    for (std::size_t i = 0; i < united.changes.size(); ++i) {
        const FlowChange& change = united.changes[i];
        const CommGraph::Flow& flow = united.both->graph->flows[i];
        std::vector<TableCell> row{united.vertices[flow.from], united.vertices[flow.to]};
        const auto both = [&](auto member) {
            const double before = value(*united.before->graph, change.before, member);
            const double after = value(*united.after->graph, change.after, member);
            row.insert(row.end(), {before, after, after - before});
        };
        both(&CommGraph::Flow::bytes);
        both(&CommGraph::Flow::hops);
        both(&CommGraph::Flow::highestLoad);
        cells.push_back(std::move(row));
    }
    const CellKind load = united.both->graph->unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Count;
    rows().setTable({{tr("From")},
                     {tr("To")},
                     {tr("Bytes"), CellKind::Bytes},
                     {tr("Bytes as tried"), CellKind::Bytes},
                     {tr("Change of bytes"), CellKind::Bytes},
                     {tr("Length"), CellKind::Count, tr("Links on the way")},
                     {tr("Length as tried"), CellKind::Count},
                     {tr("Change of length"), CellKind::Count},
                     {tr("Highest load"), load, tr("Of the links on the way")},
                     {tr("Highest load as tried"), load},
                     {tr("Change of highest load"), load}},
                    std::move(cells));
}

}  // namespace skein
