// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/searches.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <algorithm>
#include <map>

namespace skein::gui {
namespace {

constexpr std::size_t kMostListed = 200;

struct Candidate {
    QString note;
    Selection selection;
};

/// Better are names that begin with the query, then shorter ones.
bool better(const QString& query, const QString& left, const QString& right)
{
    const bool leftBegins = left.startsWith(query, Qt::CaseInsensitive);
    const bool rightBegins = right.startsWith(query, Qt::CaseInsensitive);
    if (leftBegins != rightBegins) return leftBegins;
    if (left.size() != right.size()) return left.size() < right.size();
    return left < right;
}

void collect(const Session& session, std::uint32_t index, const std::vector<Filter>& filters, const QString& query,
             std::map<QString, Candidate>& found)
{
    const Experiment& experiment = *session.experiments[index];
    const auto add = [&](const QString& name, const QString& kind, const Selection& selection) {
        if (!name.contains(query, Qt::CaseInsensitive)) return;
        Candidate& candidate = found[name];
        candidate.selection = united(candidate.selection, selection);
        candidate.note = kind;
    };
    for (std::uint32_t id = 0; id < experiment.definitions.locations.size(); ++id) {
        if (!passes(filters, LocationRef{index, LocationId(id)})) continue;
        QString name = QString::fromStdString(displayName(experiment.definitions, LocationId(id)));
        if (session.experiments.size() > 1) name = QString::fromStdString(experiment.name) + ": " + name;
        add(name, QObject::tr("location"), select(session, LocationRef{index, LocationId(id)}));
    }
    for (std::uint32_t id = 0; id < experiment.definitions.regions.size(); ++id) {
        if (!passes(filters, RegionRef{index, RegionId(id)})) continue;
        const QString name = QString::fromStdString(displayName(experiment.definitions.regions[id]));
        if (!name.contains(query, Qt::CaseInsensitive)) continue;
        add(name, QObject::tr("region"), select(session, RegionRef{index, RegionId(id)}));
    }
}

}  // namespace

Findings findActions(const ActionRegistry& registry, const QString& query)
{
    std::vector<std::pair<int, const ActionRegistry::Entry*>> scored;
    for (const auto& entry : registry.entries()) {
        const int score = matchScore(query, entry.category + ": " + plainText(*entry.action));
        if (score >= 0 && entry.action->isEnabled()) scored.emplace_back(-score, &entry);
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Findings findings;
    findings.total = scored.size();
    for (const auto& [score, entry] : scored)
        findings.best.push_back({entry->category + ": " + plainText(*entry->action),
                                 entry->action->shortcut().toString(QKeySequence::NativeText),
                                 [action = entry->action] { action->trigger(); }});
    return findings;
}

Findings findInSession(const SessionPtr& session, SelectionModel& selection, const QString& query)
{
    const QString wanted = query.trimmed();
    if (!session || wanted.isEmpty()) return {};
    std::map<QString, Candidate> found;
    for (std::uint32_t index = 0; index < session->experiments.size(); ++index) collect(*session, index, selection.state().filters, wanted, found);
    std::vector<QString> names;
    for (const auto& [name, candidate] : found) names.push_back(name);
    std::stable_sort(names.begin(), names.end(),
                     [&](const QString& a, const QString& b) { return better(wanted, a, b); });
    Findings findings;
    findings.total = names.size();
    if (names.size() > kMostListed) names.resize(kMostListed);
    for (const QString& name : names) {
        const Candidate& candidate = found[name];
        findings.best.push_back({name, candidate.note, [&selection, chosen = candidate.selection] {
                                     selection.setSelected(chosen, nullptr);
                                 }});
    }
    return findings;
}

}  // namespace skein::gui
