// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/link_users_tree.h"

#include "core/base/units.h"
#include "views/common/selection_model.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_delegate.h"
#include "views/common/table/table_setup.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QHeaderView>

namespace skein {
namespace {

constexpr std::size_t kMostListedUsers = 500;
constexpr int kUsersWidth = 380;

}  // namespace

LinkUsersTree::LinkUsersTree(const ViewContext& context, const QString& name, QWidget* parent)
    : QTreeWidget(parent), context_(context), job_(name)
{
    setObjectName(name);
    setUpTable(*this, "Who loads the selected links");
    setAccessibleName(tr("Who loads the selected links"));
    setHeaderLabels({tr("Over the selected links"), tr("Amount"), tr("% of all")});
    setColumnCount(3);
    setSortingEnabled(false);
    setRootIsDecorated(true);
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

QTreeWidgetItem* LinkUsersTree::addGroup(const QString& title, std::size_t count)
{
    auto* group = new QTreeWidgetItem(this);
    group->setText(0,
                   count > kMostListedUsers
                       ? tr("%1: %2, the first %3").arg(title).arg(count).arg(kMostListedUsers)
                       : tr("%1: %2").arg(title).arg(count));
    group->setFirstColumnSpanned(true);
    return group;
}

void LinkUsersTree::addUser(QTreeWidgetItem* group, const std::string& name, std::uint64_t amount,
                            double share)
{
    if (group->childCount() >= static_cast<int>(kMostListedUsers)) return;
    auto* item = new QTreeWidgetItem(group);
    item->setText(0, toQString(name));
    item->setToolTip(0, item->text(0));
    const auto value = static_cast<double>(amount);
    item->setText(1, toQString(inBytes_ ? formatBytes(value) : formatCount(value)));
    item->setData(1, kSortRole, value);  // what is copied
    item->setText(2, tablePercent(share));
    item->setData(2, kSortRole, share);
    for (const int column : {1, 2}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

void LinkUsersTree::fill(const SessionCommunication& communication, const std::vector<LinkRef>& links,
                         const LinkUsers& users)
{
    clear();
    inBytes_ = communication.traffic.unit == LoadUnit::Bytes;
    const Topology& topology = *communication.machine->topology;
    auto* of = addGroup(tr("Links"), links.size());
    for (const LinkRef& link : links) {
        const std::uint64_t load = communication.traffic.loads[link.index];
        addUser(of, topology.linkName(link.index), load,
                users.amount > 0 ? static_cast<double>(load) / static_cast<double>(users.amount) : 0);
    }
    auto* routes = addGroup(tr("Routes"), users.routes.size());
    for (const LinkUsers::Route& route : users.routes) {
        const NodePair& pair = communication.traffic.pairs[route.pair];
        addUser(routes, topology.vertexName(pair.from) + " → " + topology.vertexName(pair.to), route.amount,
                route.share);
    }
    auto* ranks = addGroup(tr("Pairs of ranks"), users.ranks.size());
    for (const LinkUsers::Ranks& pair : users.ranks)
        addUser(ranks,
                "Rank " + std::to_string(pair.pair.sender) + " → " + std::to_string(pair.pair.receiver),
                pair.amount, pair.share);
    if (!users.senders.empty()) {
        auto* senders = addGroup(tr("Call paths that sent"), users.senders.size());
        for (const LinkUsers::Sender& sender : users.senders)
            addUser(senders, sender.name, sender.amount, sender.share);
    }
    expandAll();
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const int column : {1, 2}) resizeColumnToContents(column);
    QTreeWidget::show();
}

}  // namespace skein
