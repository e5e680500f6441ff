// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_view.h"

#include "algorithms/profile/sampled_metrics.h"
#include "algorithms/profile/trace_metrics.h"
#include "core/select/metric_choice.h"
#include "views/common/choice_box.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"
#include "views/profile/profile_canvas.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr int kProfileDelayMs =
    60;  ///< a pan or zoom sends many spans; the profile of the last one is wanted
constexpr int kMostRegions = 999;
constexpr auto kSampled = "sampled", kInsteadOf = "instead of";

/// Where the view state keeps the metric that only this panel shows, and instead of which it does.
std::string ownMetricPanel(const View& view) { return view.objectName().toStdString() + " metric"; }

bool recordsSubroutines(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(),
                       [](const ExperimentPtr& experiment) {
                           return experiment->profile && !experiment->profile->regions.subroutines.empty();
                       });
}

QString sentenceCase(const std::string& words)
{
    QString result = toQString(words);
    if (!result.isEmpty()) result[0] = result[0].toUpper();
    return result;
}

}  // namespace

ProfileView::ProfileView(const ViewContext& context, QWidget* parent)
    : View(context, parent), canvas_(new ProfileCanvas(context, this))
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    head_ = new ScopeHead(selection(), this);
    head_->setContentsMargins(8, 4, 8, 0);
    connect(head_, &ScopeHead::pinned, this, &ProfileView::compute);
    all->addWidget(head_);
    all->addWidget(makeControls());
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(canvas_, 1);
    scroll_ = new QScrollBar(Qt::Vertical, this);
    below->addWidget(scroll_);
    all->addLayout(below, 1);
    setFocusProxy(canvas_);
    connect(canvas_, &ProfileCanvas::scrolled, this, [this](double position, double maximum, double page) {
        const QSignalBlocker quiet(scroll_);
        scroll_->setRange(0, static_cast<int>(std::ceil(maximum)));
        scroll_->setPageStep(static_cast<int>(page));
        scroll_->setSingleStep(20);
        scroll_->setValue(static_cast<int>(std::lround(position)));
        scroll_->setVisible(maximum > 0);
    });
    connect(scroll_, &QScrollBar::valueChanged, this, [this](int value) { canvas_->scrollTo(value); });
    delay_.setSingleShot(true);
    delay_.setInterval(kProfileDelayMs);
    connect(&delay_, &QTimer::timeout, this, &ProfileView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        const std::string before = sampled_;
        if (change.parts.has(ViewParts::kMetric)
            || (change.parts.has(ViewParts::kPanels) && ownRow() != metric_->currentIndex()))
            followMetric();
        if (sampled_ != before) delay_.start();
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks))
            delay_.start();
        if (change.parts.has(ViewParts::kColors) && canvas_->picture()
            && canvas_->picture()->grouping != selection().state().grouping)
            delay_.start();
        if (change.parts.has(ViewParts::kSelected)) canvas_->showSelection();
    });
    setSession(nullptr);
}

QToolButton* ProfileView::makeSwitch(const char* name, const QString& label, const QString& hint)
{
    auto* button = new QToolButton(this);
    auto* action = new QAction(label, this);
    action->setObjectName(name);
    action->setCheckable(true);
    action->setToolTip(hint);
    addAction(action);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    connect(action, &QAction::toggled, this, &ProfileView::takeOptions);
    return button;
}

QWidget* ProfileView::makeControls()
{
    auto* row = new QWidget(this);
    auto* layout = new WrapLayout(row);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    metric_ = newChoice(this, "profile.metric", tr("Metric"), {});
    quantity_ = newChoice(this, "profile.quantity", tr("What of the metric a bar is long"), {});
    grouping_ = newChoice(this, "profile.grouping", tr("What a bar stands for"),
                          {tr("By location"), tr("By process"), tr("By node"), tr("By component")});
    order_ = newChoice(this, "profile.order", tr("Order of the bars"),
                       {tr("In order of rank"), tr("Longest first"), tr("Most of the selected regions first"),
                        tr("By name")});
    largest_ = new QSpinBox(this);
    largest_->setObjectName("profile.largest");
    largest_->setAccessibleName(tr("Regions with a segment of their own"));
    largest_->setToolTip(tr("Regions with a segment of their own; what others took is one segment"));
    largest_->setRange(1, kMostRegions);
    largest_->setValue(static_cast<int>(ProfileOptions().largest));
    largest_->setPrefix(tr("Largest "));
    largest_->setKeyboardTracking(false);
    keepWithPanel(*largest_);
    shares_ = makeSwitch("profile.shares", tr("Shares"),
                         tr("Draw every bar equally long, to compare what it consists of"));
    align_ = makeSwitch("profile.align", tr("Align"),
                        tr("Let all bars have the selected region at one place, to compare it by eye"));
    treemap_ = makeSwitch("profile.treemap", tr("Treemap"),
                          tr("Draw all bars together as areas, by group and region"));
    for (QWidget* control : std::initializer_list<QWidget*>{metric_, quantity_, grouping_, order_, largest_,
                                                            shares_, align_, treemap_})
        layout->addWidget(control);
    layout->addStretch();
    connect(metric_, &QComboBox::activated, this, &ProfileView::chooseMetric);
    connect(quantity_, &QComboBox::activated, this, [this] { compute(); });
    connect(grouping_, &QComboBox::activated, this, [this] { compute(); });
    connect(order_, &QComboBox::activated, this, &ProfileView::takeOptions);
    connect(largest_, &QSpinBox::valueChanged, this, &ProfileView::takeOptions);
    return row;
}

void ProfileView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    head_->setSession(session_);
    sampled_.clear();
    tasks().drop("profile");
    canvas_->setSession(session_);
    fillMetrics();
    if (!session_)
        return canvas_->setPicture(nullptr,
                                   tr("Open an archive to see how its regions share each location's time."));
    canvas_->setPicture(nullptr, tr("Summing up the calls…"));
    compute();
}

void ProfileView::fillMetrics()
{
    const QSignalBlocker quiet(metric_);
    metric_->clear();
    metrics_.clear();
    if (!session_) return fillQuantities();
    const auto add = [this](const std::string& name, MetricEntry entry) {
        if (metric_->findText(toQString(name)) >= 0) return;
        metric_->addItem(toQString(name));
        metrics_.push_back(std::move(entry));
    };
    for (const MetricChoice& choice : metricChoices(*session_)) add(choice.name, {choice.metric, {}});
    for (std::uint32_t number = 0; number < session_->experiments.size(); ++number) {
        const Experiment& experiment = *session_->experiments[number];
        for (const TraceMetric& metric : traceMetrics(experiment))
            if (metric.attribution == Attribution::PerCall)
                add(experiment.definitions.metric(metric.metric).name, {{number, metric.metric}, {}});
    }
    for (const ExperimentPtr& experiment : session_->experiments)
        for (const std::string& name : sampledMetricNames(*experiment)) add(name, {{}, name});
    followMetric();
}

void ProfileView::fillQuantities()
{
    const QSignalBlocker quiet(quantity_);
    const QString before = quantity_->currentText();
    quantity_->clear();
    std::vector<ProfileQuantity> offered;
    if (!sampled_.empty())
        offered = {ProfileQuantity::Sum,     ProfileQuantity::Events,  ProfileQuantity::Mean,
                   ProfileQuantity::Minimum, ProfileQuantity::Maximum, ProfileQuantity::Deviation};
    else if (selection().state().metric == kCallsMetric) {
        offered = {ProfileQuantity::Calls};
        if (session_ && recordsSubroutines(*session_)) offered.push_back(ProfileQuantity::Subroutines);
    } else offered = {ProfileQuantity::Exclusive, ProfileQuantity::Inclusive};
    for (const ProfileQuantity quantity : offered)
        quantity_->addItem(sentenceCase(name(quantity)), static_cast<int>(quantity));
    quantity_->setCurrentIndex(std::max(0, quantity_->findText(before)));
}

ProfileQuantity ProfileView::quantity() const
{
    return static_cast<ProfileQuantity>(quantity_->currentData().toInt());
}

void ProfileView::chooseMetric(int row)
{
    const MetricEntry& entry = metrics_[static_cast<std::size_t>(row)];
    ViewState next = selection().state();
    const std::string own = ownMetricPanel(*this);
    if (entry.sampled.empty()) {
        next.metric = entry.metric;
        next.panels.erase(own);
    } else
        next.panels[own] = {{kSampled, entry.sampled},
                            {kInsteadOf, metric_->itemText(sharedRow()).toStdString()}};
    selection().take(next, ViewParts::kMetric | ViewParts::kPanels, this, "Choice of the Metric");
    followMetric();
    compute();
}

/// Of the metric that all panels show; the first where this list does not have it.
int ProfileView::sharedRow() const
{
    const auto found = std::find_if(metrics_.begin(), metrics_.end(), [this](const MetricEntry& entry) {
        return entry.sampled.empty() && entry.metric == selection().state().metric;
    });
    return found == metrics_.end() ? 0 : static_cast<int>(found - metrics_.begin());
}

/// Of the metric that this panel shows. What only it can show gives way where another metric is chosen for
/// all.
int ProfileView::ownRow() const
{
    const int shared = sharedRow();
    const auto& panels = selection().state().panels;
    const auto own = panels.find(ownMetricPanel(*this));
    if (own == panels.end()) return shared;
    const auto said = [&](const char* key) {
        const auto value = own->second.find(key);
        return value == own->second.end() ? std::string() : value->second;
    };
    if (said(kInsteadOf) != metric_->itemText(shared).toStdString()) return shared;
    const auto found = std::find_if(metrics_.begin(), metrics_.end(), [&](const MetricEntry& entry) {
        return !entry.sampled.empty() && entry.sampled == said(kSampled);
    });
    return found == metrics_.end() ? shared : static_cast<int>(found - metrics_.begin());
}

void ProfileView::followMetric()
{
    const int row = ownRow();
    sampled_ = metrics_.empty() ? std::string() : metrics_[static_cast<std::size_t>(row)].sampled;
    const QSignalBlocker quiet(metric_);
    metric_->setCurrentIndex(row);
    fillQuantities();
}

void ProfileView::takeOptions()
{
    ProfileOptions options = canvas_->options();
    options.shape = treemap_->defaultAction()->isChecked() ? ProfileShape::Treemap : ProfileShape::Bars;
    options.scale = shares_->defaultAction()->isChecked() ? ProfileScale::Shares : ProfileScale::Amounts;
    options.order = static_cast<ProfileOrder>(order_->currentIndex());
    options.alignment =
        align_->defaultAction()->isChecked() ? ProfileAlignment::SelectedRegion : ProfileAlignment::Start;
    options.largest = static_cast<std::uint32_t>(largest_->value());
    const bool bars = options.shape == ProfileShape::Bars;
    for (QWidget* control : std::initializer_list<QWidget*>{order_, largest_, shares_, align_, grouping_})
        control->setEnabled(bars);
    canvas_->setOptions(options);
}

void ProfileView::compute()
{
    if (!session_) return;
    const ViewState& state = selection().state();
    const ProfileQuery query{head_->scope().span, head_->filters(), state.metric, state.clockShiftsNs,
                             results()};
    const ProfileRequest request{query, sampled_, quantity(),
                                 static_cast<ProfileGrouping>(grouping_->currentIndex())};
    tasks().run<ProfilePicturePtr>(
        {"profile", tr("Profile")}, this,
        [session = session_, request,
         grouping = state.grouping](const Task& task) -> Result<ProfilePicturePtr> {
            auto bars = makeProfileBars(*session, request, task);
            if (!bars) return tl::make_unexpected(std::move(bars.error()));
            return makeProfilePicture(*session, std::move(*bars), grouping);
        },
        [this](Result<ProfilePicturePtr> picture) {
            if (picture)
                canvas_->setPicture(*picture,
                                    tr("Nothing of this metric was recorded in what is shown. Choose another "
                                       "one, or show more of the time."));
            else if (!picture.error().cancelled())
                canvas_->setPicture(nullptr, toQString(picture.error().text()));
        });
}

std::vector<KeyHint> ProfileView::keyHints() const
{
    return {{tr("Click, Ctrl+click"), tr("Select the region and the location; add them")},
            {tr("Wheel, Page Up, Page Down"), tr("Scroll through the bars")},
            {tr("Right button"), tr("Filter, or copy the bars as CSV")}};
}

std::optional<DrawList> ProfileView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
