// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reroute/reroute_view.h"

#include "core/base/units.h"
#include "views/common/choice_box.h"
#include "views/common/elided_label.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/task_runner.h"
#include "views/common/trial_model.h"
#include "views/common/turning_splitter.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"
#include "views/reroute/reroute_canvas.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kRerouteDelayMs = 100;
constexpr std::size_t kMostRouteRows = 10'000;
constexpr auto kRerouteKey = "reroute";

}  // namespace

RerouteView::RerouteView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      head_(new ElidedLabel(this)),
      words_(new QLabel(this)),
      canvas_(new RerouteCanvas(context, this)),
      table_(new CellTable("reroute.table", tr("Changed routes"), this))
{
    makeControls();
    words_->setObjectName("reroute.words");
    words_->setWordWrap(true);
    words_->setContentsMargins(8, 0, 8, 4);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 0, 8, 4);
    for (QWidget* control :
         std::initializer_list<QWidget*>{which_, top_, criterion_, tolerance_, strategy_, apply_, undo_})
        controls->addWidget(control);
    controls->addStretch();
    auto* parts = new TurningSplitter(this);
    parts->addWidget(canvas_);
    parts->addWidget(table_);
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(controls);
    all->addWidget(words_);
    all->addWidget(parts, 1);
    delay_.setSingleShot(true);
    delay_.setInterval(kRerouteDelayMs);
    connect(&delay_, &QTimer::timeout, this, &RerouteView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kBrushed | ViewParts::kFilters | ViewParts::kClocks
                             | ViewParts::kMachine)) {
            if (!session_) return;
            forgetIfOther();
            delay_.start();
        } else if (change.parts.has(ViewParts::kSelected) && which_->currentIndex() == 0) {
            delay_.start();
        }
    });
    setSession(nullptr);
}

void RerouteView::makeControls()
{
    const auto choice = [this](const char* name, const QString& hint, const QStringList& items) {
        auto* box = new QComboBox(this);
        box->setObjectName(name);
        box->setAccessibleName(hint);
        box->setToolTip(hint);
        box->addItems(items);
        connect(box, &QComboBox::activated, this, [this] { delay_.start(); });
        return box;
    };
    which_ = choice("reroute.which", tr("Which routes"), {tr("Selected routes"), tr("Over the top links")});
    criterion_ = choice("reroute.criterion", tr("What comes first"), {tr("Length first"), tr("Load first")});
    criterion_->setCurrentIndex(1);
    strategy_ = choice("reroute.strategy", tr("How routes are changed together"),
                       {tr("One pass"), tr("Until nothing helps"), tr("Lowest largest load")});
    strategy_->setCurrentIndex(1);
    top_ = new QDoubleSpinBox(this);
    top_->setObjectName("reroute.top");
    top_->setToolTip(tr("The links with the largest loads"));
    top_->setRange(0.1, 100);
    top_->setValue(5);
    top_->setPrefix(tr("top "));
    top_->setSuffix(tr(" %"));
    tolerance_ = new QSpinBox(this);
    tolerance_->setObjectName("reroute.tolerance");
    tolerance_->setToolTip(tr("Hops that another way may be longer (δ)"));
    tolerance_->setRange(0, 64);
    tolerance_->setPrefix(tr("δ "));
    top_->setAccessibleName(tr("Top links"));
    tolerance_->setAccessibleName(tr("Hops longer"));
    keepWithPanel(*top_);
    keepWithPanel(*tolerance_);
    connect(top_, &QDoubleSpinBox::valueChanged, this, [this] { delay_.start(); });
    connect(tolerance_, &QSpinBox::valueChanged, this, [this] { delay_.start(); });
    apply_ = new QPushButton(tr("&Apply"), this);
    apply_->setObjectName("reroute.apply");
    undo_ = new QPushButton(tr("&Undo"), this);
    undo_->setObjectName("reroute.undo");
    // Until the next plan has come there is nothing to apply: a second click would take the same plan again.
    connect(apply_, &QPushButton::clicked, this, [this] {
        if (!plan_) return;
        earlier_.push_back(base_);
        base_ = applied(*std::exchange(plan_, nullptr));
        enable();
        simulate();
    });
    connect(undo_, &QPushButton::clicked, this, [this] {
        if (earlier_.empty()) return;
        base_ = earlier_.back();
        earlier_.pop_back();
        plan_ = nullptr;
        enable();
        simulate();
    });
}

void RerouteView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop(kRerouteKey);
    plan_ = nullptr;
    table_->clearRows();
    head_->setText({});
    say({});
    const auto communicates = session_ ? communicatingExperiment(*session_) : std::nullopt;
    experiment_ = communicates.value_or(0);
    if (session_) forgetIfOther();
    else TrialModel::of(selection()).drop(tr("Rerouting").toStdString());
    canvas_->setPlan(nullptr, nullptr,
                     !session_ ? tr("Open an archive to look for other ways of its messages.")
                         : communicates
                         ? tr("Routing messages…")
                         : tr("Nothing that is open tells who sent to whom. Open a trace with "
                              "messages, a profile with a communication matrix, or a hop-byte file."));
    enable();
    stale_ = true;
    if (communicates) delay_.start();
}

/// What was applied stays while the same messages of the same run are routed on the same machine: also when
/// another run comes beside it.
void RerouteView::forgetIfOther()
{
    const std::shared_ptr<const CallTree> run =
        experiment_ < session_->experiments.size() ? session_->experiments[experiment_]->callTree : nullptr;
    const ViewState& state = selection().state();
    const bool same = base_ && run && baseOf_.lock() == run
        && base_->communication->request == communicationRequest(state, searchedScope(state), experiment_);
    baseOf_ = run;
    if (same) {
        head_->setText(toQString(searchedText(*base_->communication)));
        return tellTrial();
    }
    tasks().drop(kRerouteKey);  // what it finds is of the base before
    base_ = nullptr;
    plan_ = nullptr;
    earlier_.clear();
    TrialModel::of(selection()).drop(tr("Rerouting").toStdString());
}

void RerouteView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (stale_) delay_.start();
}

void RerouteView::compute()
{
    delay_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_ || !communicatingExperiment(*session_)) return;
    if (base_) return simulate();
    const ViewState& state = selection().state();
    const auto asked = communicationRequest(state, searchedScope(state), experiment_);
    tasks().run<RerouteBasePtr>(
        {kRerouteKey, tr("Routing messages")}, this,
        [session = session_, results = results(), asked](const Task& task) -> Result<RerouteBasePtr> {
            auto communication = communicationOf(*results, session, asked, task);
            if (!communication) return Unexpected(communication.error());
            return rerouteBase(*communication);
        },
        [this](Result<RerouteBasePtr> base) { takeBase(std::move(base)); });
}

void RerouteView::takeBase(Result<RerouteBasePtr> base)
{
    if (!base) {
        if (base.error().cancelled()) return;
        plan_ = nullptr;
        canvas_->setPlan(nullptr, nullptr, toQString(base.error().text()));
        return enable();
    }
    base_ = *base;
    head_->setText(toQString(searchedText(*base_->communication)));
    simulate();
}

void RerouteView::simulate()
{
    if (!base_) return;
    const std::vector<RankPairRef> pairs = selection().state().selected.rankPairs;
    RerouteParameters parameters;
    parameters.limits.criterion =
        criterion_->currentIndex() == 0 ? RerouteCriterion::Length : RerouteCriterion::Load;
    parameters.limits.tolerance = static_cast<std::uint32_t>(tolerance_->value());
    parameters.strategy = static_cast<RerouteStrategy>(strategy_->currentIndex());
    const double part = which_->currentIndex() == 1 ? top_->value() / 100 : 0;
    tasks().run<ReroutePlanPtr>(
        {kRerouteKey, tr("Rerouting")}, this,
        [base = base_, pairs, parameters, part](const Task& task) {
            const auto routes = part > 0 ? routesOfTopLinks(*base, part) : selectedRoutes(*base, pairs);
            return planReroute(base, routes, parameters, task);
        },
        [this](Result<ReroutePlanPtr> plan) { show(std::move(plan)); });
}

void RerouteView::show(Result<ReroutePlanPtr> plan)
{
    if (!plan && plan.error().cancelled()) return;
    plan_ = plan ? *plan : nullptr;
    say(toQString(plan ? planText(*plan_) : plan.error().text()));
    canvas_->setPlan(base_, plan_, {});
    tellTrial();
    showTable();
    enable();
}

/// All communication views can show the alternatives beside the routes as they are.
void RerouteView::tellTrial()
{
    TrialModel& trials = TrialModel::of(selection());
    const std::string name = tr("Rerouting").toStdString();
    // What was applied stays whatever is selected then.
    if (earlier_.empty() && !(plan_ && !plan_->changed.empty())) return trials.drop(name);
    ReroutePlan asApplied;
    asApplied.base = base_;
    asApplied.result.paths = base_->paths;
    trials.keep(std::make_shared<const CommunicationTrial>(trialOf(plan_ ? *plan_ : asApplied, name)));
}

void RerouteView::showTable()
{
    if (!plan_) return table_->clearRows();
    const Traffic& traffic = base_->communication->traffic;
    const Topology& topology = *base_->communication->machine->topology;
    const CellKind kind = traffic.unit == LoadUnit::Bytes ? CellKind::Bytes : CellKind::Number;
    const auto number = [](auto value) { return static_cast<double>(value); };
    std::vector<std::vector<TableCell>> rows;
    for (std::size_t i = 0; i < std::min(plan_->changed.size(), kMostRouteRows); ++i) {
        const RouteChange& change = plan_->result.changes[plan_->changed[i]];
        const NodePair& pair = traffic.pairs[change.route];
        rows.push_back({topology.vertexName(pair.from) + " → " + topology.vertexName(pair.to),
                        number(amountOf(pair, traffic.unit)), number(change.hopsBefore),
                        number(change.hopsAfter), number(change.loadBefore), number(change.loadAfter),
                        reductionPercent(change) / 100});
    }
    table_->setRows(
        {{tr("From → to")},
         {tr("Amount"), kind},
         {tr("Hops"), CellKind::Count},
         {tr("Hops then"), CellKind::Count},
         {tr("Highest load"), kind},
         {tr("Load then"), kind},
         {tr("% reduced"), CellKind::Percent, tr("By how much the highest load on the way is reduced")}},
        std::move(rows));
}

void RerouteView::say(const QString& words)
{
    words_->setText(words);
    words_->setVisible(!words.isEmpty());
}

void RerouteView::enable()
{
    apply_->setEnabled(plan_ && !plan_->changed.empty());
    undo_->setEnabled(!earlier_.empty());
    top_->setEnabled(which_->currentIndex() == 1);
}

std::optional<DrawList> RerouteView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
