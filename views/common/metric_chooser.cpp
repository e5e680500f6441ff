// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/metric_chooser.h"

#include "views/common/expression_dialog.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QAbstractItemView>
#include <algorithm>

namespace skein {

static constexpr int kShortMetric = 8;

MetricChooser::MetricChooser(SelectionModel& selection, QWidget* parent)
    : ChoiceBox(parent), selection_(selection)
{
    setAccessibleName(tr("Metric"));
    // Names of counters are long: the list is as wide as they are, the field leaves room for what stands
    // beside it.
    setMinimumContentsLength(kShortMetric);
    connect(this, &QComboBox::activated, this, [this](int row) {
        const auto chosen = static_cast<std::size_t>(row);
        if (chosen < choices_.size()) return selection_.setMetric(choices_[chosen].metric, this);
        showChoice();
        askForExpression(selection_, this);
    });
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(ViewParts::kMetric)) showChoice();
    });
}

void MetricChooser::setSession(const SessionPtr& session)
{
    choices_ = session ? metricChoices(*session) : std::vector<MetricChoice>();
    clear();
    for (const MetricChoice& choice : choices_) addItem(QString::fromStdString(choice.name));
    if (!choices_.empty()) addItem(tr("Expression…"));
    setMinimumContentsLength(kShortMetric);
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 32);
    showChoice();
}

void MetricChooser::showChoice()
{
    const auto found = std::find_if(choices_.begin(), choices_.end(), [this](const MetricChoice& choice) {
        return choice.metric == selection_.state().metric;
    });
    if (choices_.empty()) return;
    const std::string& derived = selection_.state().derived;
    setItemText(count() - 1,
                derived.empty() ? tr("Expression…") : tr("Expression: %1…").arg(toQString(derived)));
    // What only colours calls leaves the tables at the time.
    setCurrentIndex(found == choices_.end() ? 0 : static_cast<int>(found - choices_.begin()));
    setToolTip(tr("What is summed up: %1").arg(currentText()));
}

}  // namespace skein
