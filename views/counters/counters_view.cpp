// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/counters/counters_view.h"

#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/counters/counters_canvas.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {

CountersView::CountersView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      canvas_(new CountersCanvas(context, this)),
      choose_(new QToolButton(this)),
      menu_(new QMenu(this))
{
    choose_->setObjectName("counters.choose");
    choose_->setText(tr("Metrics"));
    choose_->setToolTip(tr("Which metrics have lanes"));
    choose_->setPopupMode(QToolButton::InstantPopup);
    choose_->setMenu(menu_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(choose_);
    const auto addSwitch = [&](const char* name, const QString& label, const QString& hint, auto does) {
        auto* action = new QAction(label, this);
        action->setObjectName(name);
        action->setCheckable(true);
        action->setToolTip(hint);
        connect(action, &QAction::toggled, this, does);
        addAction(action);
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        row->addWidget(button);
    };
    addSwitch("counters.heat", tr("Heat Rows"),
              tr("Colours in place of lines: the upper part of a row is the maximum, the lower the mean"),
              [this](bool on) { canvas_->setStyle(on ? CounterStyle::Heat : CounterStyle::Lines); });
    addSwitch("counters.log", tr("Logarithmic Counters"), tr("Tell small values apart"),
              [this](bool on) { canvas_->setScale(on ? CounterScale::Logarithmic : CounterScale::Linear); });
    row->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(row);
    all->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &CountersView::begin);
    setSession(nullptr);
}

void CountersView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop("counters");
    chosen_.clear();
    loaded_ = false;
    canvas_->setSession(session_);
    fillMenu();
    if (!session_) return canvas_->setCounters(nullptr, tr("Open a trace to see its metrics over time."));
    const std::vector<std::string> names = counterNames(*session_);
    if (names.empty())
        return canvas_->setCounters(nullptr,
                                    tr("Nothing here recorded metrics over time. Score-P does with "
                                       "SCOREP_METRIC_PAPI, TAU with TAU_METRICS."));
    canvas_->setCounters(nullptr, tr("Preparing the counters…"));
    begin_.start();
}

void CountersView::show(const std::vector<std::string>& metrics)
{
    chosen_ = metrics;
    fillMenu();
    load();
}

/// Work that only this view needs begins when it is looked at.
void CountersView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    begin_.start();
}

void CountersView::begin()
{
    if (!isVisible() || !session_ || loaded_) return;
    loaded_ = true;
    tasks().run<std::string>(
        {"counters", tr("Counters")}, this,
        [session = session_](const Task& task) -> Result<std::string> {
            return metricToBeginWith(*session, counterNames(*session), task);
        },
        [this](Result<std::string> name) {
            if (name && !name->empty()) show({*name});
        });
}

void CountersView::fillMenu()
{
    menu_->clear();
    choose_->setEnabled(session_ != nullptr);
    if (!session_) return;
    QMenu* ofCallPaths = nullptr;
    for (const std::string& name : counterNames(*session_)) {
        const bool ofCallPath = name.find(" => ") != std::string::npos;
        if (ofCallPath && !ofCallPaths) ofCallPaths = new QMenu(tr("Of Single Call Paths"), menu_);
        addChoice(ofCallPath ? *ofCallPaths : *menu_, name);
    }
    if (ofCallPaths) menu_->addMenu(ofCallPaths);
    choose_->setEnabled(!menu_->isEmpty());
}

void CountersView::addChoice(QMenu& menu, const std::string& name)
{
    QAction* action = menu.addAction(toQString(name));
    action->setCheckable(true);
    action->setChecked(std::find(chosen_.begin(), chosen_.end(), name) != chosen_.end());
    connect(action, &QAction::toggled, this, [this, name](bool on) {
        std::erase(chosen_, name);
        if (on) chosen_.push_back(name);
        load();
    });
}

void CountersView::load()
{
    loaded_ = true;
    if (chosen_.empty()) return canvas_->setCounters(nullptr, tr("Choose a metric to see it over time."));
    tasks().run<CounterDataPtr>(
        {"counters", tr("Counters")}, this,
        [session = session_, chosen = chosen_](const Task& task) {
            return makeCounterData(*session, chosen, task);
        },
        [this](Result<CounterDataPtr> counters) {
            if (counters)
                canvas_->setCounters(*counters, tr("The filters hide every location with this metric."));
            else
                canvas_->setCounters(
                    nullptr,
                    tr("The preparation of the counters was cancelled. Choose a metric to repeat it."));
        });
}

std::vector<KeyHint> CountersView::keyHints() const { return canvas_->keyHints(); }

std::optional<int> CountersView::pictureHeight(int width) const { return canvas_->pictureHeight(width); }

std::optional<DrawList> CountersView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
