// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/trial_chooser.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kLeastChoiceWidth = 56;
constexpr int kShortestPauseMs = 100, kLongestPauseMs = 5000;

bool sameTrial(const CommunicationTrialPtr& left, const CommunicationTrialPtr& right)
{
    if (left == right || !left || !right) return left == right;
    const bool asked =
        left->kind == CommunicationTrial::Kind::Map || left->kind == CommunicationTrial::Kind::Run;
    return asked && left->kind == right->kind && left->map == right->map
        && left->experiment == right->experiment;
}

CommunicationTrialPtr trialOfRun(const Session& session, std::uint32_t experiment)
{
    CommunicationTrial trial;
    trial.kind = CommunicationTrial::Kind::Run;
    trial.name = session.experiments[experiment]->name;
    trial.experiment = experiment;
    return std::make_shared<const CommunicationTrial>(std::move(trial));
}

CommunicationTrialPtr trialOfMap(const std::string& map)
{
    CommunicationTrial trial;
    trial.kind = CommunicationTrial::Kind::Map;
    trial.name = map;
    trial.map = map;
    return std::make_shared<const CommunicationTrial>(std::move(trial));
}

}  // namespace

TrialChooser::TrialChooser(const ViewContext& context, View* view, const char* showName,
                           const char* againstName, const AddChoice& add)
    : QObject(view),
      context_(context),
      view_(view),
      trials_(TrialModel::of(context.selection)),
      show_(add(showName, tr("Before, after, or both"),
                {tr("As it is"), tr("As tried"), tr("Side by side"), tr("Difference")})),
      against_(
          add(againstName, tr("What was tried: a candidate, other routes, another run, or a map file"), {}))
{
    against_->setEditable(true);
    against_->setInsertPolicy(QComboBox::NoInsert);
    against_->setCompleter(nullptr);
    against_->setMinimumContentsLength(14);
    // A row of many choices must not keep its panel from being narrow.
    show_->setMinimumWidth(kLeastChoiceWidth);
    against_->setMinimumWidth(kLeastChoiceWidth);
    offer();
    const auto choose = [this] {
        against_->setVisible(wanted() != TrialShow::AsItIs);
        update();
    };
    connect(show_, &QComboBox::currentIndexChanged, this, choose);
    connect(against_, &QComboBox::activated, this, &TrialChooser::update);
    connect(&trials_, &TrialModel::changed, this, [this] {
        offer();
        update();
    });
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, [this] {
        if (std::exchange(newerWaits_, false)) update();
    });
    against_->hide();
}

TrialShow TrialChooser::wanted() const { return static_cast<TrialShow>(std::max(0, show_->currentIndex())); }

TrialShow TrialChooser::show() const { return other_ ? wanted() : TrialShow::AsItIs; }

QString TrialChooser::jobKey() const { return view_->objectName() + " trial"; }

void TrialChooser::setSession(SessionPtr session)
{
    stopRouting();
    session_ = std::move(session);
    base_ = other_ = asked_ = nullptr;
    trial_ = nullptr;
    offer();
}

/// Newest first, then the other runs; what was chosen or typed stays.
void TrialChooser::offer()
{
    QStringList names{tr("Newest")};
    for (auto trial = trials_.trials().rbegin(); trial != trials_.trials().rend(); ++trial)
        names.push_back(toQString((*trial)->name));
    for (std::uint32_t i = 0; session_ && i < session_->experiments.size(); ++i)
        if (tellsCommunication(*session_->experiments[i]) && i != communicatingExperiment(*session_))
            names.push_back(toQString(session_->experiments[i]->name));
    QStringList known;
    for (int i = 0; i < against_->count(); ++i) known.push_back(against_->itemText(i));
    if (known == names) return;
    const QSignalBlocker quiet(against_);
    const QString text = against_->currentText();
    against_->clear();
    against_->addItems(names);
    if (text.isEmpty()) against_->setCurrentIndex(0);
    else if (const int row = against_->findText(text); row >= 0) against_->setCurrentIndex(row);
    else against_->setEditText(text);
}

CommunicationTrialPtr TrialChooser::wantedTrial() const
{
    if (!base_ || wanted() == TrialShow::AsItIs) return nullptr;
    const std::string text = against_->currentText().toStdString();
    const bool newest = against_->currentText() == tr("Newest") || text.empty();
    for (auto trial = trials_.trials().rbegin(); trial != trials_.trials().rend(); ++trial)
        if (newest || (*trial)->name == text) return *trial;
    for (std::uint32_t i = 0; i < session_->experiments.size(); ++i)
        if (i != base_->request.experiment && tellsCommunication(*session_->experiments[i])
            && (newest || session_->experiments[i]->name == text))
            return trialOfRun(*session_, i);
    return newest ? nullptr : trialOfMap(text);
}

void TrialChooser::setBase(SessionCommunicationPtr base)
{
    base_ = std::move(base);
    if (wanted() == TrialShow::AsItIs || !base_) {
        stopRouting();
        other_ = asked_ = nullptr;
        trial_ = nullptr;
        Q_EMIT changed();
        return;
    }
    asked_ = nullptr;
    update();
}

void TrialChooser::update()
{
    const bool shown = wanted() != TrialShow::AsItIs;
    if (!shown && !other_) return;
    const CommunicationTrialPtr trial = wantedTrial();
    if (shown && trial && asked_ == base_ && sameTrial(trial, trial_)) {
        if (other_) Q_EMIT changed();
        return;
    }
    if (shown && isNewerOfTheSame(trial)) {
        newerWaits_ = true;
        return;
    }
    trial_ = trial;
    asked_ = base_;
    if (!trial_) {
        stopRouting();
        if (shown && base_)
            context_.selection.say(
                tr("Nothing was tried yet: search in Remapping, simulate in Rerouting, open "
                   "another run beside this one, or type the name of a map file."));
        return take(SessionCommunicationPtr());
    }
    if (!view_->isVisible()) {
        asked_ = nullptr;
        return;
    }
    route();
}

/// A search that runs finds better maps faster than large machines are routed: were each to stop the routing
/// of the one before it, none would ever be seen.
bool TrialChooser::isNewerOfTheSame(const CommunicationTrialPtr& trial) const
{
    return trial && trial_ && asked_ == base_ && (routing_ || pause_.isActive())
        && trial->kind == CommunicationTrial::Kind::Placement && trial_->kind == trial->kind
        && trial->name == trial_->name;
}

void TrialChooser::route()
{
    stopRouting();
    routing_ = true;
    begun_.start();
    context_.tasks.run<SessionCommunicationPtr>(
        {jobKey(), tr("Routing what was tried")}, this,
        [results = context_.results, session = session_, base = base_, trial = trial_](const Task& task) {
            return communicationUnder(*results, session, base, trial, task);
        },
        [this](Result<SessionCommunicationPtr> other) { routed(std::move(other)); });
}

void TrialChooser::stopRouting()
{
    context_.tasks.drop(jobKey());
    pause_.stop();
    routing_ = newerWaits_ = false;
}

void TrialChooser::routed(Result<SessionCommunicationPtr> other)
{
    routing_ = false;
    // Whoever draws it needs about as long again.
    pause_.start(
        static_cast<int>(std::clamp<qint64>(2 * begun_.elapsed(), kShortestPauseMs, kLongestPauseMs)));
    take(std::move(other));
}

void TrialChooser::take(Result<SessionCommunicationPtr> other)
{
    if (!other && !other.error().cancelled()) context_.selection.say(toQString(other.error().text()));
    other_ = other ? *other : nullptr;
    if (other_ && other_->machine && !other_->machine->remark.empty())
        context_.selection.say(toQString(other_->machine->remark));
    Q_EMIT changed();
}

}  // namespace skein
