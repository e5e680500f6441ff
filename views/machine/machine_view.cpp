// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine/machine_view.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "core/select/translate.h"
#include "views/common/link_users_tree.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/trial_model.h"
#include "views/common/utf8_text.h"
#include "views/machine/machine_canvas.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace skein {
namespace {

constexpr const char* kMachineJob = "machine plan";

/// The other experiments that communicate, on the machine of the first.
Result<std::vector<MachineUser>> usersOfMachine(ResultStore& results, const SessionPtr& session,
                                                const SessionCommunicationPtr& first, const Task& task)
{
    std::vector<MachineUser> users;
    for (std::uint32_t i = 0; i < session->experiments.size(); ++i) {
        if (!tellsCommunication(*session->experiments[i])) continue;
        SessionCommunicationPtr communication = first;
        if (i != first->request.experiment) {
            CommunicationRequest request = first->request;
            request.experiment = i;
            auto other = communicationOf(results, session, request, task);
            if (!other) {
                if (other.error().cancelled()) return Unexpected(other.error());
                continue;
            }
            communication = *other;
        }
        // Archives that tell another machine of their own do not run on this one.
        if (communication->machine
            && communication->machine->topology->spec() == first->machine->topology->spec())
            users.push_back({session->experiments[i]->name, communication});
    }
    return users;
}

Result<MachinePlanPtr> planOf(ResultStore& results, const SessionCommunication& communication,
                              const Task& task)
{
    const auto& topology = communication.machine->topology;
    return results.get<MachinePlan>(topology, 0, ResultStore::Keep::WhileHeld, task,
                                    [&]() -> Result<MachinePlanPtr> { return machinePlan(topology, task); });
}

/// What is shown of a trial, and what at its right.
struct TriedMachine {
    MachinePicturePtr shown, beside;
};

Result<TriedMachine> triedMachine(ResultStore& results, const SessionCommunicationPtr& before,
                                  const SessionCommunicationPtr& after, TrialShow show,
                                  const std::string& name, const Task& task)
{
    if (!onSameMachine(*before, *after))
        return fail(ErrorCode::InvalidArgument,
                    name + " ran on another machine than " + before->machine->topology->spec()
                        + ": links cannot be compared.");
    auto plan = planOf(results, *before, task);
    if (!plan) return Unexpected(plan.error());
    MachinePicture left = machinePicture(*plan, {{"as it is", before}}, 0);
    MachinePicture right = machinePicture(*plan, {{name, after}}, 0);
    left.head = "As it is · " + left.head;
    right.head = name + " · " + right.head;
    using Shared = const MachinePicture;
    if (show == TrialShow::Difference) {
        MachinePicture difference = machineDifference(left, right);
        difference.head = name + " against as it is · " + difference.head;
        return TriedMachine{std::make_shared<Shared>(std::move(difference)), nullptr};
    }
    if (show == TrialShow::Tried) return TriedMachine{std::make_shared<Shared>(std::move(right)), nullptr};
    shareScale(left, right);
    return TriedMachine{std::make_shared<Shared>(std::move(left)),
                        std::make_shared<Shared>(std::move(right))};
}

}  // namespace

MachineView::MachineView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "machine", parent),
      feed_(context, this),
      canvas_(new MachineCanvas(context, this)),
      users_(new LinkUsersTree(context, "machine.users", this)),
      shown_(addChoice("machine.loads", tr("Whose loads are shown"), {tr("All together")})),
      trials_(context, this, "machine.compare", "machine.against",
              [this](const char* name, const QString& label, const QStringList& items) {
                  return addChoice(name, label, items);
              })
{
    setPicture(canvas_, tr("Loads of links"));
    setHead(&feed_.head());
    setSide(users_);
    connect(shown_, &QComboBox::activated, this, &MachineView::compute);
    connect(canvas_, &MachineCanvas::chosen, this, &MachineView::choose);
    connect(users_, &LinkUsersTree::chosen, this, &MachineView::mark);
    connect(&feed_, &CommunicationFeed::changed, this, [this] { trials_.setBase(feed_.communication()); });
    connect(&trials_, &TrialChooser::changed, this, &MachineView::compute);
    connect(&TrialModel::of(selection()), &TrialModel::heldChanged, this, &MachineView::mark);
    connect(this, &PicturePanel::tableWanted, this, &MachineView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        std::vector<LinkRef> links;
        const std::vector<LinkIndex> shown = tableLinks();
        for (const std::size_t row : rows)
            if (row < shown.size()) links.push_back({shown[row]});
        std::sort(links.begin(), links.end());
        if (!links.empty()) users_->choose(feed_.session(), feed_.communication(), links, this);
    });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(CommunicationFeed::kParts)) feed_.update();
        if (change.parts.has(ViewParts::kSelected | ViewParts::kPanels)) mark();
    });
    canvas_->setPicture(nullptr, feed_.message());
}

void MachineView::setSession(SessionPtr session)
{
    tasks().drop(kMachineJob);
    base_ = tried_ = nullptr;
    before_ = after_ = nullptr;
    users_->hide();
    trials_.setSession(session);
    const QSignalBlocker quiet(shown_);
    shown_->clear();
    shown_->addItem(tr("All together"));
    showNothing(feed_.message());
    feed_.setSession(std::move(session));
}

void MachineView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    feed_.update();
    trials_.update();
}

void MachineView::compute()
{
    tasks().drop(kMachineJob);  // another machine that is being laid out is not wanted any more
    base_ = tried_ = nullptr;
    before_ = after_ = nullptr;
    if (!feed_.communication()) return showNothing(feed_.message());
    if (!feed_.communication()->machine) {
        const std::string& problem = feed_.communication()->machineProblem;
        return showNothing(problem.empty() ? tr("No machine is known: choose one in the panel Machine.")
                                           : toQString(problem));
    }
    if (trials_.show() != TrialShow::AsItIs) return computeTrial();
    const int chosen = shown_->currentIndex();
    tasks().run<MachinePicturePtr>(
        {kMachineJob, tr("Laying the machine out")}, this,
        [results = results(), session = feed_.session(), first = feed_.communication(),
         chosen](const Task& task) -> Result<MachinePicturePtr> {
            auto users = usersOfMachine(*results, session, first, task);
            if (!users) return Unexpected(users.error());
            auto plan = planOf(*results, *first, task);
            if (!plan) return Unexpected(plan.error());
            const std::size_t shown = chosen > 0 ? static_cast<std::size_t>(chosen - 1) : users->size();
            return std::make_shared<const MachinePicture>(machinePicture(*plan, std::move(*users), shown));
        },
        [this](Result<MachinePicturePtr> picture) {
            if (picture) take(std::move(*picture));
            else if (!picture.error().cancelled()) showNothing(toQString(picture.error().text()));
        });
}

void MachineView::showNothing(const QString& message)
{
    canvas_->setPicture(nullptr, message);
    rows().clearRows();
}

void MachineView::offerUsers()
{
    const QSignalBlocker quiet(shown_);
    const int was = shown_->currentIndex();
    shown_->clear();
    shown_->addItem(tr("All together"));
    for (const MachineUser& user : base_->users) shown_->addItem(toQString(user.name));
    shown_->setCurrentIndex(was < shown_->count() ? was : 0);
    shown_->setVisible(base_->users.size() > 1);
}

void MachineView::take(MachinePicturePtr picture)
{
    base_ = std::move(picture);
    if (!tried_ && trials_.show() == TrialShow::AsItIs) offerUsers();
    mark();
    if (showsTable()) fillTable();
}

/// The machine as it is, and with what was tried.
void MachineView::computeTrial()
{
    tasks().run<TriedMachine>(
        {kMachineJob, tr("Laying the machine out")}, this,
        [results = results(), before = feed_.communication(), after = trials_.other(), show = trials_.show(),
         name = trials_.name()](const Task& task) {
            return triedMachine(*results, before, after, show, name, task);
        },
        [this, before = feed_.communication(), after = trials_.other()](Result<TriedMachine> found) {
            if (!found) {
                if (!found.error().cancelled()) showNothing(toQString(found.error().text()));
                return;
            }
            tried_ = found->beside;
            before_ = before;
            after_ = after;
            take(found->shown);
        });
}

void MachineView::mark()
{
    if (!base_) return;
    const auto marked = [this](const MachinePicturePtr& of) {
        auto picture = std::make_shared<MachinePicture>(*of);
        markSelected(*feed_.session(), selection().state(), *picture);
        picture->stops = colorStopsOf(selection().state());
        picture->held = TrialModel::of(selection()).held();
        return picture;
    };
    auto picture = marked(base_);
    users_->show(feed_.session(), feed_.communication(), picture->selected);
    canvas_->setPicture(std::move(picture), {}, tried_ ? marked(tried_) : nullptr);
}

void MachineView::choose(const MachineHit& hit, bool add)
{
    if (!base_) return;
    if (hit.link) {
        std::vector<LinkRef> links{{*hit.link}};
        if (add)
            links.insert(links.end(), canvas_->shown()->selected.begin(), canvas_->shown()->selected.end());
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        return users_->choose(feed_.session(), feed_.communication(), links, this);
    }
    Selection chosen;
    if (hit.vertex && *hit.vertex < base_->topology().nodes())
        chosen = selectionOfNode(*feed_.session(), *base_, *hit.vertex);
    if (add) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    mark();
}

/// A row a link: what the picture shows, and links that the other side alone loads.
std::vector<LinkIndex> MachineView::tableLinks() const
{
    if (!base_) return {};
    std::vector<LinkIndex> links = base_->order;
    for (const LinkIndex link : tried_ ? tried_->order : std::vector<LinkIndex>())
        if (base_->loads[link] == 0) links.push_back(link);
    return links;
}

void MachineView::fillTable()
{
    if (!base_) return rows().clearRows();
    if (after_) return fillTrialTable();
    const auto exact = [](std::uint64_t value) { return TableCell(static_cast<double>(value)); };
    const CellKind kind = base_->unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Count;
    std::vector<CellColumn> columns{{tr("From")}, {tr("To")}, {tr("Load"), kind}};
    if (base_->users.size() > 1)
        for (const MachineUser& user : base_->users) columns.push_back({toQString(user.name), kind});
    columns.push_back({tr("% of the highest"), CellKind::Percent});
    std::vector<std::vector<TableCell>> cells;
    for (const LinkIndex link : base_->order) {
        std::vector<TableCell> row{base_->topology().vertexName(base_->topology().source(link)),
                                   base_->topology().vertexName(base_->topology().target(link)),
                                   exact(base_->loads[link])};
        if (base_->users.size() > 1)
            for (const MachineUser& user : base_->users)
                row.push_back(exact(user.communication->traffic.loads[link]));
        row.emplace_back(static_cast<double>(base_->loads[link])
                         / static_cast<double>(std::max<std::uint64_t>(1, base_->most)));
        cells.push_back(std::move(row));
    }
    rows().setTable(std::move(columns), std::move(cells));
}

/// Before, after and the difference, whichever of them the picture shows.
void MachineView::fillTrialTable()
{
    const Traffic &before = before_->traffic, &after = after_->traffic;
    const CellKind kind = before.unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Count;
    const auto most =
        static_cast<double>(std::max<std::uint64_t>({1, before.summary.maximum, after.summary.maximum}));
    std::vector<std::vector<TableCell>> cells;
    for (const LinkIndex link : tableLinks()) {
        const auto was = static_cast<double>(before.loads[link]), is = static_cast<double>(after.loads[link]);
        cells.push_back({base_->topology().vertexName(base_->topology().source(link)),
                         base_->topology().vertexName(base_->topology().target(link)), was, is, is - was,
                         (is - was) / most});
    }
    rows().setTable(
        {{tr("From")},
         {tr("To")},
         {tr("Load"), kind},
         {tr("Load as tried"), kind},
         {tr("Change of load"), kind},
         {tr("Change, % of the highest"), CellKind::Percent, tr("Of the highest load of either")}},
        std::move(cells));
}

}  // namespace skein
