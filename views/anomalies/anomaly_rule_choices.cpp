// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_rule_choices.h"

#include "algorithms/anomaly/sigma_rule.h"
#include "core/base/units.h"
#include "views/common/anomaly_rules.h"
#include "views/common/choice_box.h"
#include "views/common/utf8_text.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace skein {
namespace {

constexpr std::array<double, 4> kSigmas{2, 3, 4, 6};
constexpr std::size_t kDefaultSigma = 1;
/// 0: nothing is forgotten.
constexpr std::array<TimeNs, 8> kAges{0,
                                      10'000'000,
                                      100'000'000,
                                      1'000'000'000,
                                      10'000'000'000,
                                      60'000'000'000,
                                      600'000'000'000,
                                      3'600'000'000'000};

template <std::size_t Count, typename Value>
Value ruleOf(const std::array<Value, Count>& values, const QComboBox& choice)
{
    return values[std::min(Count - 1, static_cast<std::size_t>(std::max(0, choice.currentIndex())))];
}

}  // namespace

AnomalyRuleChoices::AnomalyRuleChoices(AnomalyRules& rules, QWidget* panel)
    : QObject(panel), rules_(rules), panel_(panel)
{
    addLimit();
    more_ = new QToolButton(panel_);
    more_->setObjectName("anomalies.rules");
    more_->setText(tr("More Rules"));
    more_->setToolTip(tr("What calls are compared by, and whether all of the archive is known"));
    more_->setCheckable(true);
    connect(more_, &QToolButton::toggled, this, &AnomalyRuleChoices::showWhatCounts);
    addFeatures();
    addOrder();
    for (QComboBox* choice : {detector_, sigma_, features_, height_, order_, age_})
        connect(choice, &QComboBox::currentIndexChanged, this, &AnomalyRuleChoices::take);
    showWhatCounts();
}

std::vector<QWidget*> AnomalyRuleChoices::controls() const
{
    return {detector_, sigma_, more_, features_, chosen_, height_, order_, age_};
}

QComboBox* AnomalyRuleChoices::add(const char* name, const QString& label, const QStringList& items)
{
    return newChoice(panel_, name, label, items);
}

/// The share of a normal distribution is computed, so that who wants to see a part of all calls can choose
/// it.
void AnomalyRuleChoices::addLimit()
{
    QStringList detectors, sigmas;
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i)
        detectors.push_back(tr("Detector: %1").arg(toQString(name(static_cast<AnomalyDetector>(i)))));
    for (const double sigma : kSigmas)
        sigmas.push_back(tr("%1 σ: %2 %").arg(sigma).arg(100 * tailShare(sigma), 0, 'g', 2));
    detector_ = add("anomalies.detector",
                    tr("What judges the time in a call itself: a break in the tail, deviations from the "
                       "mean or the median, histograms, densities, a support vector machine"),
                    detectors);
    sigma_ = add("anomalies.sigma",
                 tr("How far from normal is anomalous, in deviations, and the share of a normal "
                    "distribution that lies beyond"),
                 sigmas);
    sigma_->setCurrentIndex(static_cast<int>(kDefaultSigma));
}

/// Features are actions that can be checked: what is chosen in panels is kept.
void AnomalyRuleChoices::addFeatures()
{
    features_ =
        add("anomalies.features", tr("What calls of a function are compared by"),
            {tr("Features: both"), tr("Features: time"), tr("Features: structure"), tr("Features: chosen")});
    chosen_ = new QToolButton(panel_);
    chosen_->setObjectName("anomalies.chosen");
    chosen_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(chosen_);
    for (std::size_t i = 0; i < kCallFeatures; ++i) {
        const auto feature = static_cast<CallFeature>(i);
        QAction* action = menu->addAction(toQString(name(feature)));
        action->setObjectName("anomalies.feature." + toQString(name(feature)));
        action->setCheckable(true);
        action->setChecked(feature == CallFeature::Exclusive || feature == CallFeature::Children);
        connect(action, &QAction::toggled, this, &AnomalyRuleChoices::take);
        feature_[i] = action;
    }
    chosen_->setMenu(menu);
    QStringList heights;
    for (std::size_t height = 1; height <= kMostLabelHeight; ++height)
        heights.push_back(tr("Height %1").arg(height));
    height_ = add("anomalies.height", tr("How many levels of calls a structure is compared by"), heights);
    height_->setCurrentIndex(static_cast<int>(AnomalyParams().labelHeight) - 1);
}

void AnomalyRuleChoices::addOrder()
{
    order_ = add("anomalies.order",
                 tr("Whether calls are judged knowing all of the archive, or each as it ends, by those "
                    "before it alone: then nothing is a consequence"),
                 {tr("Whole archive"), tr("As the job runs")});
    QStringList ages;
    for (const TimeNs age : kAges)
        ages.push_back(age == 0 ? tr("Nothing is forgotten")
                                : tr("Forgotten after %1").arg(toQString(formatDuration(age))));
    age_ = add("anomalies.age", tr("How long a call is remembered, within an eighth of it"), ages);
}

AnomalyRuleChoices::Features AnomalyRuleChoices::features() const
{
    return static_cast<Features>(std::max(0, features_->currentIndex()));
}

bool AnomalyRuleChoices::judgesAsCallsEnd() const { return order_->currentIndex() == 1; }

std::vector<CallFeature> AnomalyRuleChoices::chosenFeatures() const
{
    std::vector<CallFeature> chosen;
    if (features() != Features::Chosen) return chosen;
    for (std::size_t i = 0; i < kCallFeatures; ++i)
        if (feature_[i]->isChecked()) chosen.push_back(static_cast<CallFeature>(i));
    return chosen;
}

void AnomalyRuleChoices::take()
{
    AnomalySearch search = rules_.search();
    search.judge.detector = static_cast<AnomalyDetector>(std::max(0, detector_->currentIndex()));
    search.judge.sigma = ruleOf(kSigmas, *sigma_);
    search.judge.features = features() == Features::Both ? AnomalyFeatures::Both
        : features() == Features::Structure              ? AnomalyFeatures::Structure
                                                         : AnomalyFeatures::Time;
    search.judge.chosen = chosenFeatures();
    search.judge.labelHeight = static_cast<std::size_t>(std::max(0, height_->currentIndex())) + 1;
    search.order = judgesAsCallsEnd() ? JudgingOrder::AsCallsEnd : JudgingOrder::WholeArchive;
    search.ageNs = judgesAsCallsEnd() ? ruleOf(kAges, *age_) : 0;
    rules_.setSearch(search);
    showWhatCounts();
}

void AnomalyRuleChoices::showWhatCounts()
{
    const bool chosen = features() == Features::Chosen;
    QStringList names;
    for (const CallFeature each : chosenFeatures()) names.push_back(toQString(name(each)));
    chosen_->setVisible(chosen);
    chosen_->setText(names.isEmpty()         ? tr("None: time")
                         : names.size() == 1 ? names[0]
                                             : tr("%1 features").arg(names.size()));
    chosen_->setToolTip(names.isEmpty() ? tr("Which features calls are judged by; none: the time in them")
                                        : tr("Calls are judged by %1").arg(names.join(", ")));
    chosen_->setAccessibleName(tr("Features that calls are judged by"));
    const AnomalySearch usual, now = rules_.search();
    const bool shown = more_->isChecked() || now.order != usual.order
        || now.judge.features != usual.judge.features || now.judge.labelHeight != usual.judge.labelHeight;
    features_->setVisible(shown);
    order_->setVisible(shown);
    height_->setVisible(shown && !chosen && features() != Features::Time);
    age_->setVisible(judgesAsCallsEnd());
}

}  // namespace skein
