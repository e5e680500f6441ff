// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/replay_bar.h"

#include "core/base/units.h"
#include "views/common/behavior_model.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace skein {
namespace {

constexpr int kSliderPlaces = 10'000;
/// Seconds in which the whole run goes by; below 0: so many times as fast as it was.
constexpr double kReplaySpeeds[] = {10, 30, 120, -0.01, -0.1, -1, -10, -100};
constexpr int kSlidingBins[] = {0, 20, 50, 100, 200};

QString timeText(TimeNs time) { return toQString(formatDuration(static_cast<double>(time))); }

}  // namespace

ReplayBar::ReplayBar(BehaviorModel& model, const QString& panel, QWidget* parent)
    : QWidget(parent), model_(model), panel_(panel)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 2, 8, 4);
    line->setSpacing(4);
    play_ = addButton("play", tr("▶ Replay"), tr("Play the run on from what is shown"));
    pause_ = addButton("pause", tr("❚❚"), tr("Hold what is shown; again: jump to what is by now"));
    pause_->setCheckable(true);
    auto* back = addButton("back", tr("◀"), tr("A bin back"));
    auto* forth = addButton("forth", tr("▶"), tr("A bin on"));
    end_ = addButton("end", tr("Whole run"), tr("End the replay and show the whole run"));
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setObjectName(panel_ + ".replay_time");
    slider_->setAccessibleName(tr("Time of the replay"));
    slider_->setRange(0, kSliderPlaces);
    slider_->setMinimumWidth(60);
    speed_ = new QComboBox(this);
    speed_->setObjectName(panel_ + ".speed");
    speed_->setAccessibleName(tr("Speed of the replay"));
    for (const double speed : kReplaySpeeds)
        speed_->addItem(speed > 0 ? tr("Run in %1 s").arg(speed) : tr("Speed × %1").arg(-speed), speed);
    window_ = new QComboBox(this);
    window_->setObjectName(panel_ + ".window");
    window_->setAccessibleName(tr("How much is in sight while it is replayed"));
    for (const int bins : kSlidingBins)
        window_->addItem(bins == 0 ? tr("Window stays") : tr("Last %1 bins").arg(bins), bins);
    text_ = new QLabel(this);
    text_->setObjectName(panel_ + ".replay_text");
    for (QWidget* part :
         std::initializer_list<QWidget*>{play_, pause_, back, forth, slider_, text_, speed_, window_, end_})
        line->addWidget(part, part == slider_ ? 1 : 0);
    connect(play_, &QToolButton::clicked, this, &ReplayBar::play);
    connect(pause_, &QToolButton::clicked, this, &ReplayBar::pauseOrResume);
    connect(back, &QToolButton::clicked, this, [this] { stepBy(-1); });
    connect(forth, &QToolButton::clicked, this, [this] { stepBy(1); });
    connect(end_, &QToolButton::clicked, &model_, &BehaviorModel::endReplay);
    connect(slider_, &QSlider::valueChanged, this, &ReplayBar::scrub);
    connect(speed_, &QComboBox::currentIndexChanged, this, &ReplayBar::setSpeed);
    connect(window_, &QComboBox::currentIndexChanged, this, [this] {
        model_.setSlidingBins(static_cast<std::size_t>(window_->currentData().toInt()));
        model_.tick();
    });
    connect(&model_, &BehaviorModel::replayControlled, this, &ReplayBar::showState);
    connect(&model_, &BehaviorModel::changed, this, &ReplayBar::showState);
    showState();
}

QToolButton* ReplayBar::addButton(const char* name, const QString& text, const QString& label)
{
    auto* button = new QToolButton(this);
    // Not a choice of the panel that is kept.
    button->setObjectName(panel_ + "_replay." + name);
    button->setText(text);
    button->setToolTip(label);
    button->setAccessibleName(label);
    button->setAutoRaise(true);
    return button;
}

void ReplayBar::setSpeed()
{
    if (!model_.replay()) return;
    const double speed = speed_->currentData().toDouble();
    model_.control([speed](ReplayClock& clock, double now) {
        const double length = static_cast<double>(clock.whole().lengthNs()) / 1e9;
        clock.setSpeed(now, speed > 0 ? std::max(length, 1e-9) / speed : -speed);
    });
}

void ReplayBar::play()
{
    model_.control([](ReplayClock& clock, double now) { clock.playOn(now); });
    setSpeed();
}

void ReplayBar::pauseOrResume()
{
    model_.control([](ReplayClock& clock, double now) {
        if (clock.held()) clock.resume(now);
        else clock.pause(now);
    });
}

void ReplayBar::stepBy(int bins)
{
    if (!model_.whole()) return;
    model_.control([bins, edges = model_.whole()->edges](ReplayClock& clock, double now) {
        clock.step(now, bins, edges);
    });
}

void ReplayBar::scrub(int place)
{
    model_.control([place](ReplayClock& clock, double now) {
        const double part = static_cast<double>(place) / kSliderPlaces;
        const auto length = static_cast<double>(clock.whole().lengthNs());
        clock.scrub(now, clock.whole().begin + static_cast<TimeNs>(part * length));
    });
}

void ReplayBar::showState()
{
    const ReplayClock* const clock = model_.replay();
    setEnabled(model_.whole() != nullptr);
    pause_->setEnabled(clock != nullptr);
    pause_->setChecked(clock && clock->held());
    end_->setVisible(clock != nullptr);
    text_->setVisible(clock != nullptr);
    if (!clock) return;
    const TimeNs shown = model_.replayTime();
    const double length = std::max<double>(1, static_cast<double>(clock->whole().lengthNs()));
    const QSignalBlocker quiet(slider_);
    slider_->setValue(
        static_cast<int>(static_cast<double>(shown - clock->whole().begin) / length * kSliderPlaces));
    text_->setText(clock->held() ? tr("held at %1").arg(timeText(shown)) : timeText(shown));
}

}  // namespace skein
