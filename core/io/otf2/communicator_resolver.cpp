// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/communicator_resolver.h"

#include "core/trace/message_matcher.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::otf2 {
namespace {

class CommunicatorResolver {
public:
    CommunicatorResolver(const RawDefinitions& raw, ResolvedDefinitions& result, const Task& task)
        : raw_(raw), result_(result), out_(result.definitions), task_(task)
    {
    }

    void run()
    {
        numberProcesses();
        result_.tables.processes = processesOf(out_);
        for (std::size_t row = 0; row < raw_.communicators.size() && !task_.stopRequested(); ++row)
            addCommunicator(row);
        for (const OTF2_CommRef ref : raw_.rmaWindows.rows())
            result_.tables.windowCommunicators.push_back(communicator(ref));
    }

private:
    void undefined(const char* what, std::uint64_t ref)
    {
        result_.report.add(IssueKind::UndefinedReference, {}, {}, fmt::format("{} {}", what, ref));
    }

    CommunicatorId communicator(OTF2_CommRef ref) const
    {
        const std::uint32_t index = raw_.communicators.indexOf(ref);
        return index == IdIndex::kNone ? CommunicatorId() : CommunicatorId(index);
    }

    LocationId location(std::uint64_t ref)
    {
        const std::uint32_t index = raw_.locations.indexOf(ref);
        if (index != IdIndex::kNone) return LocationId(index);
        undefined("location", ref);
        return {};
    }

    const RawGroup* locationList(OTF2_Paradigm paradigm) const
    {
        const auto& lists = raw_.locationLists;
        const auto found = std::find_if(lists.begin(), lists.end(),
                                        [&](const RawGroup& list) { return list.paradigm == paradigm; });
        return found == lists.end() ? nullptr : &*found;
    }

    /// Position i of MPI's list is rank i in MPI_COMM_WORLD; SHMEM and the like stand in where there is no
    /// MPI.
    void numberProcesses()
    {
        const RawGroup* world = locationList(OTF2_PARADIGM_MPI);
        for (const OTF2_Paradigm other : {OTF2_PARADIGM_SHMEM, OTF2_PARADIGM_GASPI, OTF2_PARADIGM_UPC})
            if (!world) world = locationList(other);
        if (world) {
            for (std::size_t rank = 0; rank < world->members.size(); ++rank)
                setRank(location(world->members[rank]), static_cast<std::int64_t>(rank));
        }
        for (Location& place : out_.locations) {
            if (!place.group.valid()) continue;
            const LocationGroup& group = out_.locationGroups[place.group.index()];
            const LocationGroup& process =
                group.creator.valid() ? out_.locationGroups[group.creator.index()] : group;
            if (place.rank < 0) place.rank = group.rank >= 0 ? group.rank : process.rank;
        }
    }

    void setRank(LocationId member, std::int64_t rank)
    {
        if (!member.valid()) return;
        Location& place = out_.locations[member.index()];
        place.rank = rank;
        if (place.group.valid() && out_.locationGroups[place.group.index()].rank < 0)
            out_.locationGroups[place.group.index()].rank = rank;
    }

    std::vector<LocationId> membersOf(const RawGroup& group)
    {
        std::vector<LocationId> members;
        const bool direct =
            group.type != OTF2_GROUP_TYPE_COMM_GROUP || (group.flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
        const RawGroup* list = direct ? nullptr : locationList(group.paradigm);
        if (!direct && !list) undefined("list of locations of group's paradigm", group.paradigm);
        for (const std::uint64_t member : group.members) {
            if (direct) members.push_back(location(member));
            else if (list && member < list->members.size())
                members.push_back(location(list->members[member]));
            else members.emplace_back();
        }
        return members;
    }

    const RawGroup* group(OTF2_GroupRef ref)
    {
        const RawGroup* found = raw_.groups.find(ref);
        if (!found && ref != OTF2_UNDEFINED_GROUP) undefined("group", ref);
        return found;
    }

    void addCommunicator(std::size_t row)
    {
        const RawCommunicator& from = raw_.communicators.rows()[row];
        Communicator& to = out_.communicators.emplace_back();
        Ranks& ranks = result_.tables.ranks.emplace_back();
        if (const std::string* name = raw_.strings.find(from.name)) to.name = *name;
        to.parent = communicator(from.parent);
        to.originalId = raw_.communicators.id(row);
        if (const RawGroup* members = group(from.group)) {
            to.self = ranks.self = members->type == OTF2_GROUP_TYPE_COMM_SELF;
            if (!to.self) ranks.local = membersOf(*members);
        }
        if (const RawGroup* members = group(from.remoteGroup)) ranks.remote = membersOf(*members);
        to.members = ranks.local;
        to.members.insert(to.members.end(), ranks.remote.begin(), ranks.remote.end());
        if (ranks.remote.empty()) return;
        for (const LocationId member : ranks.local)
            if (member.valid()) ranks.localProcesses.push_back(result_.tables.processes[member.index()]);
        std::sort(ranks.localProcesses.begin(), ranks.localProcesses.end());
    }

    const RawDefinitions& raw_;
    ResolvedDefinitions& result_;
    Definitions& out_;
    const Task& task_;
};

}  // namespace

void resolveCommunicators(const RawDefinitions& raw, ResolvedDefinitions& result, const Task& task)
{
    CommunicatorResolver(raw, result, task).run();
}

}  // namespace skein::otf2
