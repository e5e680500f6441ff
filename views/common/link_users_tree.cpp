// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/link_users_tree.h"

#include "views/common/selection_model.h"
#include "views/common/table/cell_groups_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/task_runner.h"

#include <QHeaderView>

#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMostListedUsers = 500;
constexpr int kUsersWidth = 380;
constexpr int kLeastUserName = 140;

/// What is listed of a group, and whether that is all.
CellGroup usersGroup(const QString& title, std::size_t count)
{
    return {count > kMostListedUsers
                ? LinkUsersTree::tr("%1: %2, the first %3").arg(title).arg(count).arg(kMostListedUsers)
                : LinkUsersTree::tr("%1: %2").arg(title).arg(count),
            {}};
}

void addUser(CellGroup& group, const std::string& from, const std::string& to, std::uint64_t amount,
             double share)
{
    if (group.rows.size() < kMostListedUsers)
        group.rows.push_back({from, to, static_cast<double>(amount), share});
}

CellGroup loadedLinks(const SessionCommunication& communication, const std::vector<LinkRef>& links,
                      std::uint64_t all)
{
    CellGroup group = usersGroup(LinkUsersTree::tr("Links"), links.size());
    for (const LinkRef& link : links) {
        const std::uint64_t load = communication.traffic.loads[link.index];
        addUser(group, communication.machine->topology->linkName(link.index), {}, load,
                all > 0 ? static_cast<double>(load) / static_cast<double>(all) : 0);
    }
    return group;
}

std::vector<CellGroup> usersGroups(const SessionCommunication& communication,
                                   const std::vector<LinkRef>& links, const LinkUsers& users)
{
    const Topology& topology = *communication.machine->topology;
    CellGroup routes = usersGroup(LinkUsersTree::tr("Routes"), users.routes.size());
    for (const LinkUsers::Route& route : users.routes) {
        const NodePair& pair = communication.traffic.pairs[route.pair];
        addUser(routes, topology.vertexName(pair.from), topology.vertexName(pair.to), route.amount,
                route.share);
    }
    CellGroup ranks = usersGroup(LinkUsersTree::tr("Pairs of ranks"), users.ranks.size());
    for (const LinkUsers::Ranks& pair : users.ranks)
        addUser(ranks, "Rank " + std::to_string(pair.pair.sender),
                "Rank " + std::to_string(pair.pair.receiver), pair.amount, pair.share);
    std::vector<CellGroup> groups{loadedLinks(communication, links, users.amount), std::move(routes),
                                  std::move(ranks)};
    if (users.senders.empty()) return groups;
    groups.push_back(usersGroup(LinkUsersTree::tr("Call paths that sent"), users.senders.size()));
    for (const LinkUsers::Sender& sender : users.senders)
        addUser(groups.back(), sender.name, {}, sender.amount, sender.share);
    return groups;
}

}  // namespace

LinkUsersTree::LinkUsersTree(const ViewContext& context, const QString& name, QWidget* parent)
    : TableTree(parent), context_(context), job_(name), groups_(new CellGroupsModel(this))
{
    setUpTable(*this, "Who loads the selected links");
    setAccessibleName(tr("Who loads the selected links"));
    setObjectName(name);
    setModel(groups_);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    setFixedWidth(kUsersWidth);
    hide();
}

void LinkUsersTree::work(const SessionPtr& session, const SessionCommunicationPtr& communication,
                         const std::vector<LinkRef>& links, std::function<void(const LinkUsers&)> then)
{
    context_.tasks.run<LinkUsers>(
        {job_, tr("Looking who loads the links")}, this,
        [results = context_.results, session, communication, links](const Task& task) {
            return linkUsers(*results, *session, *communication, links, task);
        },
        [this, communication, links, then = std::move(then)](Result<LinkUsers> users) {
            if (!users) return;
            fill(*communication, links, *users);
            if (then) then(*users);
        });
}

void LinkUsersTree::choose(const SessionPtr& session, const SessionCommunicationPtr& communication,
                           const std::vector<LinkRef>& links, const QObject* origin)
{
    links_ = links;
    communication_ = communication;
    work(session, communication, links, [this, session, links, origin](const LinkUsers& users) {
        context_.selection.setSelected(selectionOfLinks(*session, links, users), origin);
        Q_EMIT chosen();
    });
}

void LinkUsersTree::show(const SessionPtr& session, const SessionCommunicationPtr& communication,
                         const std::vector<LinkRef>& links)
{
    if (links.empty() || !communication || !communication->machine) {
        links_.clear();
        return hide();
    }
    if (links == links_ && communication == communication_) return;
    links_ = links;
    communication_ = communication;
    work(session, communication, links, {});
}

void LinkUsersTree::fill(const SessionCommunication& communication, const std::vector<LinkRef>& links,
                         const LinkUsers& users)
{
    const bool bytes = communication.traffic.unit == LoadUnit::Bytes;
    groups_->setGroups({{tr("Over the selected links")},
                        {tr("To")},
                        {tr("Amount"), bytes ? CellKind::Bytes : CellKind::Count},
                        {tr("% of all"), CellKind::Percent}},
                       usersGroups(communication, links, users));
    for (int group = 0; group < groups_->rowCount(); ++group) setFirstColumnSpanned(group, {}, true);
    expandAll();
    QWidget::show();
    fitColumns(*this, kLeastUserName);
}

}  // namespace skein
