// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_view.h"

#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/communication/communication_canvas.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <cmath>
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
      canvas_(new CommunicationCanvas(context, this))
{
    setPicture(canvas_, tr("Flows"));
    lines_ = addChoice("communication.lines", tr("What lines stand for"), {tr("Pairs"), tr("Routes")});
    grouping_ =
        addChoice("communication.grouping", tr("What a node stands for; coordinates may be typed"), {});
    grouping_->setEditable(true);
    grouping_->setInsertPolicy(QComboBox::NoInsert);
    color_ = addChoice("communication.color", tr("What colours of lines tell"),
                       {tr("Bytes"), tr("Highest load"), tr("Length"), tr("Hop-bytes"), tr("Category")});
    style_ =
        addChoice("communication.style", tr("How lines run"), {tr("Straight"), tr("Curved"), tr("Metro")});
    QStringList tops{tr("All")};
    for (std::size_t i = 1; i < kTopPercents.size(); ++i) tops.push_back(tr("Top %1 %").arg(kTopPercents[i]));
    top_ = addChoice("communication.top", tr("Which lines are shown, by what colours tell"), tops);
    auto* lasso = addChoice("communication.lasso", tr("What a line drawn with the mouse selects"),
                            {tr("Within"), tr("Touching")});
    connect(lasso, &QComboBox::currentIndexChanged, this,
            [this](int mode) { canvas_->setLassoMode(mode == 0 ? LassoMode::Within : LassoMode::Touching); });
    for (QComboBox* choice : {lines_, color_, style_, top_})
        connect(choice, &QComboBox::currentIndexChanged, this, &CommunicationView::arrange);
    connect(grouping_, &QComboBox::activated, this, [this] {
        expanded_.clear();
        group();
    });
    connect(canvas_, &CommunicationCanvas::expandWanted, this, &CommunicationView::toggleExpanded);
    connect(&feed_, &CommunicationFeed::changed, this, &CommunicationView::takeCommunication);
    connect(this, &PicturePanel::tableWanted, this, &CommunicationView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        std::vector<std::uint32_t> flows;
        for (const std::size_t row : rows) flows.push_back(static_cast<std::uint32_t>(row));
        if (grouped_) selection().setSelected(selectionOf(*feed_.session(), *grouped_, {}, flows), this);
        mark();
    });
    poll_.setInterval(kProgressMs);
    connect(&poll_, &QTimer::timeout, this, &CommunicationView::takeProgress);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(CommunicationFeed::kParts)) feed_.update();
        if (change.parts.has(ViewParts::kSelected)) mark();
        if (change.parts.has(ViewParts::kCauses)) canvas_->showCauses();
    });
    canvas_->setPicture(nullptr, nullptr, feed_.message());
}

void CommunicationView::setSession(SessionPtr session)
{
    for (const char* job : {kGroupJob, kLayoutJob, kPictureJob}) tasks().drop(job);
    poll_.stop();
    grouped_ = nullptr;
    points_ = nullptr;
    base_ = nullptr;
    expanded_.clear();
    canvas_->showAll();
    canvas_->setSession(session);
    feed_.setSession(std::move(session));
}

void CommunicationView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    feed_.update();
}

void CommunicationView::takeCommunication()
{
    if (!feed_.communication()) {
        grouped_ = nullptr;
        base_ = nullptr;
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
    const bool routed = feed_.communication()->machine
        && feed_.communication()->traffic.paths.size() == feed_.communication()->traffic.pairs.size();
    lines_->setEnabled(routed);
    group();
}

void CommunicationView::group()
{
    if (!feed_.communication()) return;
    const auto experiment = feed_.session()->experiments[feed_.communication()->request.experiment];
    tasks().run<GroupedCommunicationPtr>(
        {kGroupJob, tr("Grouping the communication")}, this,
        [communication = feed_.communication(), experiment, expanded = expanded_,
         grouping = grouping_->currentText().toStdString()](const Task& task) {
            return groupedCommunication(communication, experiment->definitions, grouping, expanded, task);
        },
        [this](Result<GroupedCommunicationPtr> grouped) {
            if (grouped) return layOut(*grouped);
            if (grouped.error().cancelled()) return;
            selection().say(toQString(grouped.error().text()));
        });
}

/// What was there keeps its place; of an expanded group only the members are moved.
void CommunicationView::layOut(GroupedCommunicationPtr grouped)
{
    LayoutParams params;
    std::vector<PlanePoint> start;
    if (grouped_ && points_ && grouped_->graph->ofMachine == grouped->graph->ofMachine)
        start = carriedPlaces(*grouped_->graph, *points_, *grouped->graph);
    if (std::exchange(toggled_, false)
        && std::ranges::none_of(start, [](PlanePoint point) { return std::isnan(point.x); }))
        params.fixed = sameVertices(*grouped_->graph, *grouped->graph);
    progress_ = std::make_shared<Progress>();
    params.picture = [progress = progress_](std::span<const PlanePoint> points) {
        const std::lock_guard lock(progress->mutex);
        progress->points.assign(points.begin(), points.end());
        progress->fresh = true;
    };
    poll_.start();
    using Points = std::shared_ptr<const std::vector<PlanePoint>>;
    const bool begins = start.empty();
    tasks().run<Points>(
        {kLayoutJob, tr("Laying the communication out")}, this,
        [graph = grouped->graph, params,
         start = std::move(start)](const Task& task) mutable -> Result<Points> {
            params.start = start;
            auto points = forceLayout(layoutGraph(*graph), params, task);
            if (!points) return Unexpected(points.error());
            if (!params.fixed.empty()) gatherMembers(start, params.fixed, *points);
            return std::make_shared<const std::vector<PlanePoint>>(std::move(*points));
        },
        [this, grouped](Result<Points> points) {
            poll_.stop();
            if (!points) return;
            grouped_ = grouped;
            points_ = *points;
            progress_ = nullptr;
            arrange();
        });
    // Until the first places have come, the old picture stays.
    if (begins) canvas_->showAll();
    pending_ = std::move(grouped);
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
    grouped_ = pending_;
    arrange();
}

CommunicationOptions CommunicationView::options() const
{
    CommunicationOptions options;
    if (lines_->isEnabled()) options.lines = static_cast<CommunicationLines>(lines_->currentIndex());
    options.color = static_cast<CommunicationColor>(color_->currentIndex());
    options.style = static_cast<CommunicationStyle>(style_->currentIndex());
    options.topPercent = kTopPercents[static_cast<std::size_t>(std::max(0, top_->currentIndex()))];
    return options;
}

void CommunicationView::arrange()
{
    if (!grouped_ || !points_) return;
    using Picture = std::shared_ptr<const CommunicationPicture>;
    tasks().run<Picture>(
        {kPictureJob, tr("Ordering the flows")}, this,
        [grouped = grouped_, points = points_, options = options()](const Task& task) -> Result<Picture> {
            auto picture =
                std::make_shared<CommunicationPicture>(communicationPicture(grouped->graph, options, task));
            placeVertices(*picture, points);
            for (std::uint32_t vertex = 0; vertex < grouped->graph->vertices.size(); ++vertex)
                picture->names.push_back(vertexName(*grouped, vertex));
            picture->head = communicationHead(*grouped, *picture);
            if (task.stopRequested()) return cancelled();
            return picture;
        },
        [this, grouped = grouped_](Result<Picture> picture) {
            if (!picture || grouped != grouped_) return;
            base_ = *picture;
            mark();
            if (showsTable()) fillTable();
        });
}

void CommunicationView::mark()
{
    if (!base_ || !grouped_ || base_->graph != grouped_->graph) return;
    auto picture = std::make_shared<CommunicationPicture>(*base_);
    markSelected(*feed_.session(), *grouped_, selection().state(), *picture);
    canvas_->setPicture(std::move(picture), grouped_, {});
}

void CommunicationView::toggleExpanded(std::uint32_t group)
{
    const auto place = std::lower_bound(expanded_.begin(), expanded_.end(), group);
    if (place != expanded_.end() && *place == group) expanded_.erase(place);
    else expanded_.insert(place, group);
    toggled_ = true;
    this->group();
}

void CommunicationView::fillTable()
{
    if (!grouped_) return;
    const CommGraph& graph = *grouped_->graph;
    const auto exact = [](std::uint64_t value) { return TableCell(static_cast<double>(value)); };
    std::vector<std::vector<TableCell>> cells;
    for (const CommGraph::Flow& flow : graph.flows)
        cells.push_back({vertexName(*grouped_, flow.from), vertexName(*grouped_, flow.to), exact(flow.bytes),
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

}  // namespace skein
