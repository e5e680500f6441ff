// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/route_matrix/route_matrix_view.h"

#include "core/select/translate.h"
#include "views/common/link_users_tree.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/route_matrix/route_matrix_canvas.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace skein {
namespace {

constexpr std::array<double, 5> kRouteTops{1, 5, 10, 25, 100};
constexpr const char* kMatrixJob = "route matrix";

/// What is shown of the routes, and what at its right.
struct TriedRoutes {
    RouteMatrixPicturePtr shown, beside;
};

struct RouteMatrixQuery {
    SessionCommunicationPtr before, after;
    TrialShow show = TrialShow::AsItIs;
    std::string name;
    RouteMatrixOptions options;
    ViewState state;
    ColorStops stops;
};

RouteMatrixPicturePtr finished(const RouteMatrixPicture& picture, const RouteMatrixQuery& query,
                               const std::string& title, std::uint64_t mostLoad)
{
    auto made = std::make_shared<RouteMatrixPicture>(picture);
    if (!title.empty()) made->head = title + " · " + made->head;
    made->mostLoad = mostLoad;
    made->stops = query.stops;
    return made;
}

Result<TriedRoutes> triedRoutes(const RouteMatrixQuery& query, const Task& task)
{
    const bool tried = query.show != TrialShow::AsItIs && query.after;
    if (tried && !onSameMachine(*query.before, *query.after))
        return fail(ErrorCode::InvalidArgument,
                    query.name + " ran on another machine: its routes cannot lie in the same matrix.");
    const auto before = routeMatrixPicture(query.before, query.options, query.state, task);
    if (!before) return Unexpected(before.error());
    const RouteMatrixPicture& left = **before;
    if (!tried) return TriedRoutes{finished(left, query, {}, left.mostLoad), nullptr};
    if (query.show == TrialShow::Difference) {
        const auto difference = routeMatrixDifference(left, *query.after);
        return TriedRoutes{
            finished(*difference, query, query.name + " against as it is", difference->mostLoad), nullptr};
    }
    const auto after = routeMatrixPicture(query.after, query.options, query.state, task, &left);
    if (!after) return Unexpected(after.error());
    const RouteMatrixPicture& right = **after;
    if (query.show == TrialShow::Tried)
        return TriedRoutes{finished(right, query, query.name, right.mostLoad), nullptr};
    const std::uint64_t most = std::max(left.mostLoad, right.mostLoad);
    return TriedRoutes{finished(left, query, "As it is", most), finished(right, query, query.name, most)};
}

std::string wayText(const SessionCommunication& of, std::uint32_t route)
{
    const Topology& topology = *of.machine->topology;
    std::string way = topology.vertexName(of.traffic.pairs[route].from);
    for (const LinkIndex link : of.traffic.paths[route])
        way += " → " + topology.vertexName(topology.target(link));
    return way;
}

CellKind loadKind(const Traffic& traffic)
{
    return traffic.unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Count;
}

std::vector<TableCell> comparedCells(const SessionCommunication& before, const SessionCommunication& after,
                                     const RouteBeforeAfter& row)
{
    const Topology& topology = *before.machine->topology;
    std::vector<TableCell> cells{topology.vertexName(row.from), topology.vertexName(row.to)};
    const auto add = [&](double was, double is) { cells.insert(cells.end(), {was, is, is - was}); };
    const auto bytes = [](const SessionCommunication& of, std::optional<std::uint32_t> route) {
        return route ? static_cast<double>(of.traffic.pairs[*route].bytes) : 0;
    };
    const auto length = [](const SessionCommunication& of, std::optional<std::uint32_t> route) {
        return route ? static_cast<double>(of.traffic.paths[*route].size()) : 0;
    };
    add(bytes(before, row.before), bytes(after, row.after));
    add(length(before, row.before), length(after, row.after));
    add(static_cast<double>(row.loadBefore), static_cast<double>(row.loadAfter));
    cells.emplace_back(row.before ? wayText(before, *row.before) : std::string());
    cells.emplace_back(row.after ? wayText(after, *row.after) : std::string());
    return cells;
}

}  // namespace

RouteMatrixView::RouteMatrixView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "route_matrix", parent),
      feed_(context, this),
      canvas_(new RouteMatrixCanvas(context, this)),
      users_(new LinkUsersTree(context, "route_matrix.users", this)),
      trials_(context, this, "route_matrix.compare", "route_matrix.against",
              [this](const char* name, const QString& label, const QStringList& items) {
                  return addChoice(name, label, items);
              })
{
    setPicture(canvas_, tr("Routes"));
    setHead(&feed_.head());
    setSide(users_);
    order_ = addChoice("route_matrix.order", tr("Order of the nodes: letters of dimensions, or a file"), {});
    order_->setEditable(true);
    order_->setInsertPolicy(QComboBox::NoInsert);
    QStringList tops;
    for (const double top : kRouteTops) tops.push_back(tr("Top %1 %").arg(top));
    top_ = addChoice("route_matrix.top", tr("Which routes are shown where none is selected, by highest load"),
                     tops);
    top_->setCurrentIndex(1);
    fold_ =
        addChoice("route_matrix.fold", tr("Which blocks without routes are folded"), {tr("Nothing folded")});
    outline_ = addChoice("route_matrix.outline", tr("What outlines of cells tell"),
                         {tr("No outlines"), tr("Load of links")});
    outline_->setCurrentIndex(1);
    ways_ = addChoice("route_matrix.ways", tr("How routes run through the cells"),
                      {tr("Straight"), tr("Curved")});
    auto* mode =
        addChoice("route_matrix.mode", tr("What the mouse does"), {tr("Rectangle"), tr("Hand"), tr("Lens")});
    connect(mode, &QComboBox::currentIndexChanged, this,
            [this](int chosen) { canvas_->setMode(static_cast<RouteMatrixCanvas::Mode>(chosen)); });
    connect(order_, &QComboBox::activated, this, &RouteMatrixView::compute);
    for (QComboBox* choice : {top_, fold_, outline_, ways_})
        connect(choice, &QComboBox::currentIndexChanged, this, &RouteMatrixView::compute);
    connect(canvas_, &RouteMatrixCanvas::linksChosen, this, &RouteMatrixView::chooseLinks);
    connect(canvas_, &RouteMatrixCanvas::routeChosen, this,
            [this](const RouteMatrixPicture& picture, std::uint32_t route, bool add) {
                chooseRoutes(*picture.communication, {route}, add);
            });
    connect(canvas_, &RouteMatrixCanvas::nothingChosen, this,
            [this] { selection().setSelected({}, nullptr); });
    connect(users_, &LinkUsersTree::chosen, this, &RouteMatrixView::compute);
    connect(&feed_, &CommunicationFeed::changed, this, [this] { trials_.setBase(feed_.communication()); });
    connect(&trials_, &TrialChooser::changed, this, &RouteMatrixView::takeCommunication);
    connect(this, &PicturePanel::tableWanted, this, &RouteMatrixView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this,
            [this](const std::vector<std::size_t>& rows) { chooseRows(rows); });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(CommunicationFeed::kParts)) feed_.update();
        if (change.parts.has(ViewParts::kSelected | ViewParts::kPanels)) compute();
    });
    canvas_->setPicture(nullptr, feed_.message());
}

void RouteMatrixView::setSession(SessionPtr session)
{
    tasks().drop(kMatrixJob);
    canvas_->showAll();
    canvas_->setPicture(nullptr, feed_.message());
    rows().clearRows();
    users_->hide();
    trials_.setSession(session);
    feed_.setSession(std::move(session));
}

void RouteMatrixView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    feed_.update();
    trials_.update();
}

void RouteMatrixView::takeCommunication()
{
    if (!feed_.communication()) {
        tasks().drop(kMatrixJob);
        rows().clearRows();
        return canvas_->setPicture(nullptr, feed_.message());
    }
    const QString order = order_->currentText();
    {
        const QSignalBlocker quietOrder(order_), quietFold(fold_);
        QStringList orders;
        for (const std::string& name : routeMatrixOrders(*feed_.communication()))
            orders.push_back(toQString(name));
        order_->clear();
        order_->addItems(orders);
        if (!order.isEmpty()) order_->setCurrentText(order);
        const QVariant fold = fold_->currentData();
        fold_->clear();
        fold_->addItem(tr("Nothing folded"), 0);
        if (feed_.communication()->machine)
            for (const std::uint32_t block : routeMatrixBlocks(*feed_.communication()->machine->topology))
                fold_->addItem(tr("Fold by %1").arg(block), block);
        fold_->setCurrentIndex(std::max(0, fold_->findData(fold)));
    }
    compute();
}

void RouteMatrixView::compute()
{
    if (!feed_.communication()) return;
    RouteMatrixOptions options;
    options.order = order_->currentText().toStdString();
    options.topPercent = kRouteTops[static_cast<std::size_t>(std::max(0, top_->currentIndex()))];
    options.folded = fold_->currentData().toUInt();
    options.outline = outline_->currentIndex() == 0 ? RouteOutline::None : RouteOutline::LinkLoad;
    options.ways = ways_->currentIndex() == 1 ? RouteWays::CatmullRom : RouteWays::Straight;
    ViewState state;
    state.selected = selection().state().selected;
    const TrialShow show = trials_.show();
    // What is folded where no route passes would differ from pane to pane.
    if (show == TrialShow::SideBySide) options.folded = 0;
    users_->show(feed_.session(), feed_.communication(), state.selected.links);
    tasks().run<TriedRoutes>(
        {kMatrixJob, tr("Ordering the routes")}, this,
        [before = feed_.communication(), after = trials_.other(), show, name = trials_.name(), options, state,
         stops = colorStopsOf(selection().state())](const Task& task) {
            return triedRoutes({before, after, show, name, options, state, stops}, task);
        },
        [this, show, before = feed_.communication(), after = trials_.other()](Result<TriedRoutes> found) {
            if (found) {
                before_ = before;
                after_ = show == TrialShow::AsItIs ? nullptr : after;
                show_ = show;
                canvas_->setPicture(found->shown, {}, found->beside);
                if (showsTable()) fillTable();
            } else if (!found.error().cancelled()) {
                canvas_->setPicture(nullptr, toQString(found.error().text()));
                rows().clearRows();
            }
        });
}

void RouteMatrixView::chooseLinks(std::vector<LinkRef> links, bool add)
{
    if (add) {
        const std::vector<LinkRef>& known = selection().state().selected.links;
        links.insert(links.end(), known.begin(), known.end());
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
    }
    users_->choose(feed_.session(), feed_.communication(), links, this);
}

void RouteMatrixView::chooseRoutes(const SessionCommunication& communication,
                                   const std::vector<std::uint32_t>& routes, bool add)
{
    if (routes.empty()) return;
    Selection chosen;
    for (const CommMatrix::Entry& entry : communication.matrix->entries()) {
        const auto route = communication.routeOf(entry.sender, entry.receiver);
        if (route && std::ranges::find(routes, *route) != routes.end())
            chosen.rankPairs.push_back({communication.request.experiment, entry.sender, entry.receiver});
    }
    std::sort(chosen.rankPairs.begin(), chosen.rankPairs.end());
    selection().setSelected(add ? united(selection().state().selected, chosen) : chosen, nullptr);
}

/// Routes of the table; of those that are compared as they are, else as they were tried.
void RouteMatrixView::chooseRows(const std::vector<std::size_t>& rows)
{
    if (!before_ || !canvas_->shown()) return;
    std::vector<std::uint32_t> before, after;
    for (const std::size_t row : rows) {
        if (compared_.empty()) {
            if (row < canvas_->shown()->routes.size()) before.push_back(canvas_->shown()->routes[row]);
        } else if (row < compared_.size()) {
            if (compared_[row].before) before.push_back(*compared_[row].before);
            else after.push_back(*compared_[row].after);
        }
    }
    chooseRoutes(*before_, before, false);
    if (!after.empty() && after_) chooseRoutes(*after_, after, !before.empty());
}

void RouteMatrixView::fillTable()
{
    const RouteMatrixPicturePtr picture = canvas_->shown();
    compared_.clear();
    if (!picture) return rows().clearRows();
    if (after_) return fillTrialTable();
    const Traffic& traffic = picture->communication->traffic;
    std::vector<std::vector<TableCell>> cells;
    for (const std::uint32_t route : picture->routes) {
        const NodePair& pair = traffic.pairs[route];
        std::uint64_t highest = 0;
        for (const LinkIndex link : traffic.paths[route]) highest = std::max(highest, traffic.loads[link]);
        const auto exact = [](std::uint64_t value) { return TableCell(static_cast<double>(value)); };
        cells.push_back({picture->topology().vertexName(pair.from), picture->topology().vertexName(pair.to),
                         exact(pair.bytes), exact(pair.messages), exact(traffic.paths[route].size()),
                         exact(highest), wayText(*picture->communication, route)});
    }
    rows().setTable({{tr("From")},
                     {tr("To")},
                     {tr("Bytes"), CellKind::Bytes},
                     {tr("Messages"), CellKind::Count},
                     {tr("Length"), CellKind::Count},
                     {tr("Highest load"), loadKind(traffic)},
                     {tr("Way")}},
                    std::move(cells));
}

/// Before, after and the difference: of the routes that are shown on either side, or of those that differ.
void RouteMatrixView::fillTrialTable()
{
    const SessionCommunication &before = *before_, &after = *after_;
    const RouteMatrixPicture& shown = *canvas_->shown();
    const bool ofAfter = show_ == TrialShow::Tried;
    const RouteMatrixPicturePtr beside = canvas_->besideIt();
    const std::vector<std::uint32_t> none;
    compared_ = show_ == TrialShow::Difference
        ? routesThatDiffer(before, after)
        : routesOfBoth(before, ofAfter ? none : shown.routes, after,
                       ofAfter ? shown.routes : (beside ? beside->routes : none));
    std::vector<std::vector<TableCell>> cells;
    for (const RouteBeforeAfter& row : compared_) cells.push_back(comparedCells(before, after, row));
    const CellKind load = loadKind(before.traffic);
    rows().setTable({{tr("From")},
                     {tr("To")},
                     {tr("Bytes"), CellKind::Bytes},
                     {tr("Bytes as tried"), CellKind::Bytes},
                     {tr("Change of bytes"), CellKind::Bytes},
                     {tr("Length"), CellKind::Count},
                     {tr("Length as tried"), CellKind::Count},
                     {tr("Change of length"), CellKind::Count},
                     {tr("Highest load"), load},
                     {tr("Highest load as tried"), load},
                     {tr("Change of highest load"), load},
                     {tr("Way")},
                     {tr("Way as tried")}},
                    std::move(cells));
}

}  // namespace skein
