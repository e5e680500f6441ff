// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/change_choices.h"

#include "views/common/choice_box.h"

#include <algorithm>
#include <iterator>

namespace skein {
namespace {

constexpr double kAlphas[] = {0.001, 0.01, 0.05, 0.2};
constexpr std::uint32_t kBurnIns[] = {5, 10, 20, 50, 100};

template <typename Value, std::size_t N>
int placeAmong(const Value (&values)[N], Value value)
{
    return static_cast<int>(std::find(std::begin(values), std::end(values), value) - std::begin(values));
}

}  // namespace

ChangeChoices::ChangeChoices(QWidget* panel, const QString& id, const QString& learnt) : QObject(panel)
{
    QStringList alphas, burnIns;
    for (const double alpha : kAlphas) alphas.append(tr("Changes at α = %1").arg(alpha));
    for (const std::uint32_t count : kBurnIns) burnIns.append(learnt.arg(count));
    alpha_ =
        newChoice(panel, id + ".alpha", tr("Significance: larger finds more, and more false alarms"), alphas);
    burnIn_ = newChoice(panel, id + ".burn_in",
                        tr("From so many a level is learnt after each change, in which nothing can be found: "
                           "more give fewer false alarms"),
                        burnIns);
    reset();
    for (QComboBox* choice : {alpha_, burnIn_})
        connect(choice, &QComboBox::activated, this, &ChangeChoices::activated);
}

ChangeParams ChangeChoices::params() const
{
    ChangeParams params;
    params.alpha = kAlphas[std::max(0, alpha_->currentIndex())];
    params.burnIn = kBurnIns[std::max(0, burnIn_->currentIndex())];
    return params;
}

void ChangeChoices::reset()
{
    alpha_->setCurrentIndex(placeAmong(kAlphas, ChangeParams{}.alpha));
    burnIn_->setCurrentIndex(placeAmong(kBurnIns, ChangeParams{}.burnIn));
}

}  // namespace skein
