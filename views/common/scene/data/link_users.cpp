// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/link_users.h"

#include <algorithm>

namespace skein {
namespace {

template <typename List>
void sortByAmount(List& list)
{
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.amount > b.amount; });
}

double shareOfLinks(std::uint64_t amount, std::uint64_t all)
{
    return all > 0 ? static_cast<double>(amount) / static_cast<double>(all) : 0;
}

bool takesAny(std::span<const LinkIndex> way, const std::vector<LinkRef>& links)
{
    return std::ranges::any_of(
        way, [&](LinkIndex link) { return std::ranges::binary_search(links, LinkRef{link}); });
}

void addRoutes(LinkUsers& users, const Traffic& traffic, const std::vector<LinkRef>& links)
{
    for (std::size_t i = 0; i < traffic.paths.size(); ++i) {
        if (!takesAny(traffic.paths[i], links)) continue;
        users.routes.push_back({i, amountOf(traffic.pairs[i], traffic.unit), 0});
        users.amount += users.routes.back().amount;
        users.messages += traffic.pairs[i].messages;
    }
    for (LinkUsers::Route& route : users.routes) route.share = shareOfLinks(route.amount, users.amount);
    sortByAmount(users.routes);
}

void addRanks(LinkUsers& users, const SessionCommunication& communication, const std::vector<LinkRef>& links)
{
    for (const std::size_t at : entriesOver(communication, links)) {
        const CommMatrix::Entry& entry = communication.matrix->entries()[at];
        const std::uint64_t amount = amountOf(communication, entry);
        users.ranks.push_back({{communication.request.experiment, entry.sender, entry.receiver},
                               amount,
                               shareOfLinks(amount, users.amount)});
    }
}

}  // namespace

std::string callPathText(const Experiment& experiment, CallPathId callPath)
{
    std::string text;
    for (CallPathId at = callPath; at.valid(); at = experiment.callTree->parent(at)) {
        const std::string& name =
            experiment.definitions.regions[experiment.callTree->region(at).index()].name;
        text = text.empty() ? name : name + " / " + text;
    }
    return text;
}

Result<LinkUsers> linkUsers(ResultStore& results, const Session& session,
                            const SessionCommunication& communication, const std::vector<LinkRef>& links,
                            const Task& task)
{
    LinkUsers users;
    if (links.empty() || !communication.machine) return users;
    addRoutes(users, communication.traffic, links);
    if (task.stopRequested()) return cancelled();
    addRanks(users, communication, links);
    const Experiment& experiment = *session.experiments[communication.request.experiment];
    if (experiment.trace && !users.ranks.empty()) {
        std::vector<RankPairRef> pairs;
        for (const LinkUsers::Ranks& ranks : users.ranks) pairs.push_back(ranks.pair);
        std::sort(pairs.begin(), pairs.end());
        auto messages = messagesOfPairs(results, session, communication.request, pairs, kMostLit, task);
        if (!messages) return Unexpected(messages.error());
        users.firstMessages = std::move(messages->messages);
        const bool bytes = communication.bytesKnown;
        for (const SendingPath& path : messages->paths)
            users.senders.push_back(
                {{communication.request.experiment, path.callPath},
                 path.callPath.valid() ? callPathText(experiment, path.callPath) : "outside of calls",
                 path.messages,
                 bytes ? path.bytes : path.messages,
                 path.share});
    }
    sortByAmount(users.ranks);
    return users;
}

Selection selectionOfLinks(const Session& session, const std::vector<LinkRef>& links, const LinkUsers& users)
{
    Selection selection;
    selection.links = links;
    for (const LinkUsers::Ranks& ranks : users.ranks) selection.rankPairs.push_back(ranks.pair);
    for (const MessageRef& message : users.firstMessages) selection.messages.push_back(message);
    for (const LinkUsers::Sender& sender : users.senders) {
        if (!sender.callPath.valid()) continue;
        selection.callPaths.push_back(sender.callPath);
        const auto& tree = *session.experiments[sender.callPath.experiment]->callTree;
        selection.regions.push_back({sender.callPath.experiment, tree.region(sender.callPath.id)});
    }
    const auto tidy = [](auto& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    tidy(selection.rankPairs);
    tidy(selection.messages);
    tidy(selection.callPaths);
    tidy(selection.regions);
    return selection;
}

}  // namespace skein
