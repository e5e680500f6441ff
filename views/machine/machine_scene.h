// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/data/communication_trial.h"
#include "views/common/scene/data/session_communication.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/plane_view.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The machine with what its links carry and who runs where.
namespace skein {

/// Where the vertices of a machine lie in the plane, a unit from one to the next: grids as planes of their
/// last two dimensions, beside and below each other for those before; dragonflies as groups of routers with
/// their nodes below; fat trees as levels with the nodes at the bottom; others by their links.
struct MachinePlan {
    std::shared_ptr<const Topology> topology;
    std::vector<PlanePoint> points;               ///< of each vertex
    std::vector<PlanePoint> frameLow, frameHigh;  ///< rectangles around what belongs together
    std::vector<std::string> frameNames;
};
using MachinePlanPtr = std::shared_ptr<const MachinePlan>;

/// Errors: Cancelled, and InvalidArgument above 2^18 vertices, which no picture tells apart.
Result<MachinePlanPtr> machinePlan(std::shared_ptr<const Topology> topology, const Task& task);

/// One application that runs on the machine.
struct MachineUser {
    std::string name;
    SessionCommunicationPtr communication;
};

/// What is drawn, apart from where. Immutable; may cross threads.
struct MachinePicture {
    MachinePlanPtr plan;
    std::vector<MachineUser> users;
    std::size_t shownUser = 0;     ///< of the loads; users.size(): of all together
    LinkAmounts loads;             ///< that are shown
    std::vector<LinkIndex> order;  ///< links with a load, the greatest first
    std::uint64_t most = 0;
    std::vector<std::uint8_t> usersOfNode;  ///< a bit a user, the eighth for all further ones
    std::vector<LinkRef> selected;          ///< links, ascending
    std::vector<char> selectedNodes;        ///< empty: none
    HeldNodes held;                         ///< by the next search for a placement
    LoadUnit unit = LoadUnit::Bytes;
    /// By how much the load of each link changes; empty: loads are shown. Then `order` and `most` are of
    /// them.
    std::vector<std::int64_t> changes;
    ColorStops stops;
    std::string head;

    const Topology& topology() const { return *plan->topology; }
};
using MachinePicturePtr = std::shared_ptr<const MachinePicture>;

/// Adds up the loads of the users, who are all on the plan's machine. O(links + ranks).
MachinePicture machinePicture(MachinePlanPtr plan, std::vector<MachineUser> users, std::size_t shownUser);
/// Gives two pictures of one machine one scale of widths and colours.
void shareScale(MachinePicture& left, MachinePicture& right);
/// How the loads of `before` change to those of `after`, which is on the same machine. O(links).
MachinePicture machineDifference(const MachinePicture& before, const MachinePicture& after);
/// Selected links, and nodes of selected locations and pairs of ranks.
void markSelected(const Session& session, const ViewState& state, MachinePicture& picture);

struct MachineLayout : PlaneFrame {
    Rect caption, head, foot;
};
MachineLayout machineLayout(const MachinePicture& picture, const PlaneView& view, const Canvas& canvas);

/// Links to the right of their direction, the heavier the wider and stronger; those that lead around a ring
/// as ends on both sides; nodes filled where ranks run, with a cross where several applications do, a dot
/// where ranks are pinned, and a bar where none may come. At most 20 000 links are drawn, the heaviest.
/// O(links + vertices).
DrawList machineScene(const MachinePicture& picture, const PlaneView& view, const Canvas& canvas,
                      const Task& task);

struct MachineHit {
    std::optional<VertexIndex> vertex = {};
    std::optional<LinkIndex> link = {};
    bool operator==(const MachineHit&) const = default;
};
MachineHit machineAt(const MachinePicture& picture, const PlaneView& view, Point point, const Canvas& canvas);
std::vector<std::string> machineTooltip(const MachinePicture& picture, const MachineHit& hit);

/// A node in all domains: its locations and what its ranks send and get.
Selection selectionOfNode(const Session& session, const MachinePicture& picture, VertexIndex node);

}  // namespace skein
